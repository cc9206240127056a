/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/smb.h"

#include <stdio.h>

/*
 * MS-SMB2, section 2.2: a header of 64 bytes, then a body whose size comes first. Several may
 * stand in one frame, each telling where the next one is.
 */

enum {
	HEADER = 64,
	NEGOTIATE = 0,
	SESSION_SETUP = 1,
	TREE_CONNECT = 3,
	CREATE = 5,
	RESPONSE = 1, /* flag */
	CHAIN_MOST = 8,
	WILDCARD = 0x02ff, /* not yet a dialect: another negotiation follows */
};

struct head {
	uint16_t command;
	uint32_t flags, next;
};

static bool
take_head(struct bytes *b, struct head *h)
{
	bytes_skip(b, 4);
	uint16_t size = bytes_le16(b);

	bytes_skip(b, 6);
	h->command = bytes_le16(b);
	bytes_skip(b, 2);
	h->flags = bytes_le32(b);
	h->next = bytes_le32(b);
	return !b->bad && size == HEADER;
}

bool
smb_second_wanted(struct bytes b)
{
	struct head h;

	return take_head(&b, &h) &&
	       (h.command <= SESSION_SETUP || h.command == TREE_CONNECT || h.command == CREATE);
}

/* The version that the server has chosen: 0x0302 is 3.0.2. */
static void
read_dialect(struct smb *s, struct bytes body, const struct inspect_sink *sink)
{
	char text[16];

	bytes_skip(&body, 4);
	unsigned dialect = bytes_le16(&body);

	if (body.bad || dialect == WILDCARD || dialect < 0x0200 || s->dialect_told)
		return;
	int len = snprintf(text, sizeof(text), "%u.%u.%u", dialect >> 8, dialect >> 4 & 15,
			   dialect & 15);

	s->dialect_told = true;
	sink->field(sink->self, SMB_DIALECT, bytes_of(text, (size_t)len));
}

/* A text whose place, from the message's start, and length stand in the body here. */
static struct bytes
text_at(struct bytes message, struct bytes body, size_t at)
{
	bytes_skip(&body, at);
	uint16_t place = bytes_le16(&body), len = bytes_le16(&body);

	bytes_skip(&message, place);
	return bytes_take(&message, body.bad ? 0 : len);
}

static void
read_one(struct smb *s, struct bytes message, const struct head *h,
	 const struct inspect_sink *sink)
{
	struct bytes body = message;

	bytes_skip(&body, HEADER);
	if (body.bad)
		return;
	if (h->flags & RESPONSE) {
		if (h->command == NEGOTIATE)
			read_dialect(s, body, sink);
		return;
	}
	if (h->command == SESSION_SETUP)
		smb_text_login(s, body, sink);
	else if (h->command == TREE_CONNECT)
		smb_text_share(s, text_at(message, body, 4), sink);
	else if (h->command == CREATE)
		smb_text_pipe(s, text_at(message, body, 44), sink);
}

void
smb_second_read(struct smb *s, struct bytes b, const struct inspect_sink *sink)
{
	for (unsigned i = 0; i < CHAIN_MOST; i++) {
		struct bytes head = b, message = b;
		struct head h;

		if (!take_head(&head, &h))
			return;
		if (h.next >= HEADER && h.next < bytes_left(&b))
			message.end = b.p + h.next;
		read_one(s, message, &h, sink);
		if (h.next < HEADER || h.next >= bytes_left(&b))
			return;
		bytes_skip(&b, h.next);
	}
}
