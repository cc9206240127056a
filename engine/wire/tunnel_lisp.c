/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum { HEADER = 8, INSTANCE = 0x08 };

/* RFC 9300 section 5.3: flags, nonce, and instance or locator bits. */
struct next
tunnel_lisp(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t flags = bytes_u8(&b);
	uint32_t instance;

	bytes_skip(&b, 3);
	instance = bytes_be24(&b);
	if (!tunnel_is_ip(d, HEADER) || !tunnel_enter(d) ||
	    !path_push(d, LAYER_LISP, flags & INSTANCE ? instance : 0))
		return NEXT_NONE;
	decode_header(d, HEADER);
	return (struct next){ link_ip };
}
