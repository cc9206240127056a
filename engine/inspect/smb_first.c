/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/smb.h"

/*
 * MS-CIFS, section 2.2.3: a header of 32 bytes, a count of 16-bit parameters, those, a count of
 * bytes, those. Commands of the kind AndX bring another one in the same message. The client
 * offers dialects by name, the server chooses one by its place.
 */

enum {
	HEADER = 32,
	NEGOTIATE = 0x72,
	SESSION_SETUP = 0x73,
	TREE_CONNECT = 0x75,
	CREATE = 0xa2,
	NO_MORE = 0xff,
	REPLY = 0x80,     /* flag */
	UNICODE = 0x8000, /* second flag */
	TREE_PARAMETERS = 4,
	CHAIN_MOST = 4,
	NAME_MOST = 40,
};

/* MS-CIFS, section 1.7, MS-SMB2, section 3.3.5.3. A number here is the place + 1. */
static const char *const dialects[] = {
	"PC NETWORK PROGRAM 1.0",
	"MICROSOFT NETWORKS 1.03",
	"MICROSOFT NETWORKS 3.0",
	"LANMAN1.0",
	"LANMAN1.1",
	"LM1.2X002",
	"DOS LM1.2X002",
	"LANMAN2.1",
	"DOS LANMAN2.1",
	"Windows for Workgroups 3.1a",
	"NT LM 0.12",
	"NT LANMAN 1.0",
	"Samba",
	"POSIX 2",
};

enum { DIALECTS = sizeof(dialects) / sizeof(dialects[0]) };

struct head {
	uint8_t command, flags;
	uint16_t flags2;
};

static bool
take_head(struct bytes *b, struct head *h)
{
	bytes_skip(b, 4);
	h->command = bytes_u8(b);
	bytes_skip(b, 4);
	h->flags = bytes_u8(b);
	h->flags2 = bytes_le16(b);
	bytes_skip(b, HEADER - 12);
	return !b->bad;
}

bool
smb_first_wanted(struct bytes b)
{
	struct head h;

	return take_head(&b, &h) && (h.command == NEGOTIATE || h.command == SESSION_SETUP ||
				     h.command == TREE_CONNECT || h.command == CREATE);
}

static uint8_t
dialect_number(const struct bytes *name)
{
	for (unsigned i = 0; i < DIALECTS; i++)
		if (bytes_left(name) == strlen(dialects[i]) && bytes_starts(name, dialects[i]))
			return (uint8_t)(i + 1);
	return 0;
}

/* Each is 02, a name, and a zero. */
static void
read_offers(struct smb *s, struct bytes b)
{
	for (unsigned i = 0; i < SMB_DIALECTS && bytes_u8(&b) == 2; i++) {
		struct bytes name = bytes_of(b.p, 0);

		while (bytes_left(&b) > 0 && bytes_u8(&b) != 0)
			name.end = b.p;
		if (b.bad || bytes_left(&name) > NAME_MOST)
			return;
		s->dialects[i] = dialect_number(&name);
	}
}

static void
read_choice(struct smb *s, struct bytes parameters, const struct inspect_sink *sink)
{
	uint16_t place = bytes_le16(&parameters);

	if (parameters.bad || s->dialect_told || place >= SMB_DIALECTS || !s->dialects[place])
		return;
	const char *name = dialects[s->dialects[place] - 1];

	s->dialect_told = true;
	sink->field(sink->self, SMB_DIALECT, bytes_of(name, strlen(name)));
}

/* Texts of 16-bit letters stand at an even place of the message. */
static void
align(struct bytes *b, struct bytes message)
{
	if ((b->p - message.p) % 2)
		bytes_skip(b, 1);
}

static void
read_request(struct smb *s, uint8_t command, struct bytes message, struct bytes parameters,
	     struct bytes data, const struct inspect_sink *sink)
{
	if (command == SESSION_SETUP)
		smb_text_login(s, data, sink);
	if (command == TREE_CONNECT && bytes_left(&parameters) == 2 * TREE_PARAMETERS) {
		bytes_skip(&parameters, 6);
		bytes_skip(&data, bytes_le16(&parameters)); /* a password */
		align(&data, message);
		smb_text_share(s, data, sink);
	}
	if (command == CREATE) {
		align(&data, message);
		smb_text_pipe(s, data, sink);
	}
}

/* One command. Returns the next one, and moves b to it; NO_MORE: there is none. */
static uint8_t
read_one(struct smb *s, const struct head *h, uint8_t command, struct bytes *b,
	 struct bytes message, const struct inspect_sink *sink)
{
	struct bytes parameters = bytes_take(b, 2u * bytes_u8(b)), data;
	uint16_t count = bytes_le16(b);

	if (b->bad)
		return NO_MORE;
	data = bytes_of(b->p, count < bytes_left(b) ? count : bytes_left(b));
	if (command == NEGOTIATE && h->flags & REPLY)
		read_choice(s, parameters, sink);
	else if (command == NEGOTIATE)
		read_offers(s, data);
	else if (!(h->flags & REPLY) && h->flags2 & UNICODE)
		read_request(s, command, message, parameters, data, sink);
	if (command == NEGOTIATE)
		return NO_MORE;
	uint8_t next = bytes_u8(&parameters);

	bytes_skip(&parameters, 1);
	*b = message;
	bytes_skip(b, bytes_le16(&parameters));
	return parameters.bad || b->bad || b->p == message.p ? NO_MORE : next;
}

void
smb_first_read(struct smb *s, struct bytes b, const struct inspect_sink *sink)
{
	struct bytes message = b;
	struct head h;

	if (!take_head(&b, &h))
		return;
	uint8_t command = h.command;

	for (unsigned i = 0; i < CHAIN_MOST && command != NO_MORE; i++)
		command = read_one(s, &h, command, &b, message, sink);
}
