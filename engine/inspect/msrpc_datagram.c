/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/msrpc.h"

/*
 * Without connections (C706, section 12.5.2): version 4, kind, two bytes of flags, three of the
 * format, then UUIDs of object, interface and activity, and the length of what follows; 2^-50
 * with the length.
 */

enum { KINDS = 11, RESPONSE = 2, LITTLE = 0x10 };

enum inspect_answer
msrpc_datagram_read(struct msrpc_told *told, struct inspect_view *view,
		    const struct inspect_sink *sink)
{
	struct bytes b = view->data;
	char uuid[MSRPC_UUID];
	uint8_t version = bytes_u8(&b), kind = bytes_u8(&b);

	bytes_skip(&b, 1);
	uint8_t flags = bytes_u8(&b), format = bytes_u8(&b), real = bytes_u8(&b);
	bool little = format & LITTLE;

	/* Numbers, letters in ASCII; four ways to write a real number. */
	if (version != 4 || kind >= KINDS || flags > 7 || format & ~LITTLE || real > 3 ||
	    bytes_u8(&b) != 0)
		return INSPECT_NO;
	bytes_skip(&b, 1 + 16); /* the serial number's high byte, the object */
	msrpc_interface_uuid(&b, little, uuid);
	bytes_skip(&b, 34); /* activity, boot time, version, sequence, operation, two hints */
	uint16_t len = little ? bytes_le16(&b) : bytes_be16(&b);

	bytes_skip(&b, 4);
	if (b.bad || (bytes_left(&b) != len && !(view->snapped && bytes_left(&b) < len)))
		return INSPECT_NO;
	if (msrpc_interface_tell(told, uuid, sink) != MSRPC_MAPPER)
		return INSPECT_DONE;
	if (kind == RESPONSE)
		msrpc_tower_read(b, view->dir, sink);
	return INSPECT_NAMED;
}
