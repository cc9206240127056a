/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * SMB 1, 2 and 3, in frames of NetBIOS sessions (RFC 1002, section 4.3) with or without a
 * request for a session before:
 *
 *	│ 0 │ length, 3 bytes │ ff "SMB" version 1; fe 2 and 3; fd encrypted; fc compressed │
 *	│ 81 request, 82 granted, 83 refused, 85 alive │ length │ ...
 *
 * The mark and the frame's first byte are 2^-38. What is told: the dialect, the share, a named
 * pipe (by which MS-RPC goes: lsarpc, samr, srvsvc ...), and who logs in by NTLM.
 */
#include "inspect/smb.h"

enum {
	FRAME = 4,
	MESSAGE = 0,
	SESSION_FIRST = 0x81,
	SESSION_LAST = 0x85,
	SESSION_MOST = 128,
	FIRST = 0xff,
	SECOND = 0xfe,
	ENCRYPTED = 0xfd,
	COMPRESSED = 0xfc,
	HEAD = 32,        /* enough to know the kind of a message */
	WAIT_MOST = 8192, /* of a longer message the beginning is read */
	FRAMES_MOST = 64, /* all that is told comes in the first of them */
	TRIES_MOST = 16,
};

static void
raise(struct smb *s, enum inspect_answer answer)
{
	if (s->answer < answer)
		s->answer = (uint8_t)answer;
}

static bool
fail(struct smb *s, struct pdu *side, struct bytes *data)
{
	if (pdu_fail(side, data, TRIES_MOST) && s->answer < INSPECT_SURE)
		s->refused = true;
	return false;
}

/* The message of a frame. NO, MORE: there is too little of it, or SURE. */
static enum inspect_answer
read_message(struct smb *s, struct bytes b, uint32_t len, const struct inspect_sink *sink)
{
	static const char mark[] = "SMB";
	struct bytes message = b;
	uint8_t version = bytes_u8(&b);
	size_t left = bytes_left(&b), n = left < 3 ? left : 3;

	if (b.bad)
		return INSPECT_MORE;
	if (version < COMPRESSED || memcmp(b.p, mark, n) != 0 || len < HEAD)
		return INSPECT_NO;
	if (n < 3)
		return INSPECT_MORE;
	raise(s, INSPECT_SURE);
	if (bytes_left(&message) < HEAD)
		return INSPECT_MORE;
	bool first = version == FIRST, second = version == SECOND;

	if ((first && smb_first_wanted(message)) || (second && smb_second_wanted(message))) {
		if (bytes_left(&message) < len && bytes_left(&message) < WAIT_MOST)
			return INSPECT_MORE;
		if (bytes_left(&message) > len)
			message.end = message.p + len;
		if (first)
			smb_first_read(s, message, sink);
		else
			smb_second_read(s, message, sink);
	}
	s->frames++;
	raise(s,
	      version == ENCRYPTED || s->frames == FRAMES_MOST ? INSPECT_DONE : INSPECT_NAMED);
	return INSPECT_SURE;
}

static bool
step(struct smb *s, struct pdu *side, struct bytes *data, const struct inspect_sink *sink)
{
	if (!pdu_begins(side, data))
		return false;
	struct bytes b = *data;
	uint8_t kind = bytes_u8(&b);
	uint32_t len = bytes_be24(&b);

	if (kind != MESSAGE && (kind < SESSION_FIRST || kind > SESSION_LAST))
		return fail(s, side, data);
	if (b.bad)
		return false;
	enum inspect_answer found = len <= SESSION_MOST ? INSPECT_SURE : INSPECT_NO;

	if (kind == MESSAGE)
		found = read_message(s, b, len, sink);
	if (found == INSPECT_NO)
		return fail(s, side, data);
	if (found == INSPECT_MORE)
		return false;
	side->blind = false;
	side->skip = FRAME + len;
	return s->answer != INSPECT_DONE;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct smb *s = state;
	struct pdu *side = &s->side[view->dir];

	if (view->lost)
		pdu_lost(side);
	while (step(s, side, &view->data, sink))
		;
	if (s->refused)
		return INSPECT_NO;
	return s->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)s->answer;
}

static const struct inspect_field fields[SMB_FIELDS] = {
	[SMB_DIALECT] = { "dialect", INSPECT_TEXT }, [SMB_SHARE] = { "share", INSPECT_TEXT },
	[SMB_PIPE] = { "pipe", INSPECT_TEXT },       [SMB_USER] = { "user", INSPECT_TEXT },
	[SMB_DOMAIN] = { "domain", INSPECT_TEXT },
};

/* A message's mark, or a session's packet. */
static const struct inspect_start starts[] = {
	{ .count = 8,
	  .bytes = { INSPECT_IS(MESSAGE),
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     { COMPRESSED, FIRST },
		     INSPECT_IS('S'),
		     INSPECT_IS('M'),
		     INSPECT_IS('B') } },
	{ .count = 4,
	  .bytes = { { SESSION_FIRST, SESSION_LAST },
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     { 0, SESSION_MOST } } },
	{ .most = 3, .count = 1, .bytes = { { SESSION_FIRST, SESSION_LAST } } },
};

const struct inspector inspect_smb = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "smb",
	.state_size = sizeof(struct smb),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = SMB_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
