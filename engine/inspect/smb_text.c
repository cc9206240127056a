/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/smb.h"

enum { LETTER_BYTES = 3, AUTHENTICATE = 3, UNICODE = 1 };

size_t
smb_text_wide(struct bytes wide, char text[SMB_TEXT])
{
	size_t len = 0;

	while (bytes_left(&wide) >= 2 && len + LETTER_BYTES < SMB_TEXT) {
		uint16_t c = bytes_le16(&wide);

		if (c == 0)
			break;
		if (c < ' ')
			return 0;
		if (c < 0x80) {
			text[len++] = (char)c;
		} else if (c < 0x800) {
			text[len++] = (char)(0xc0 | c >> 6);
			text[len++] = (char)(0x80 | (c & 0x3f));
		} else if (c >= 0xd800 && c < 0xe000) {
			text[len++] = '?'; /* half of a letter beyond 16 bits */
		} else {
			text[len++] = (char)(0xe0 | c >> 12);
			text[len++] = (char)(0x80 | (c >> 6 & 0x3f));
			text[len++] = (char)(0x80 | (c & 0x3f));
		}
	}
	return len;
}

/* MS-NLMP, section 2.2.1.3: length, room, and place from the message's start. */
static struct bytes
take_buffer(struct bytes *b, struct bytes message)
{
	uint16_t len = bytes_le16(b);

	bytes_skip(b, 2);
	bytes_skip(&message, bytes_le32(b));
	return bytes_take(&message, len);
}

static void
tell_text(struct bytes value, bool wide, unsigned field, const struct inspect_sink *sink)
{
	char text[SMB_TEXT];

	if (value.bad || bytes_left(&value) == 0)
		return;
	if (wide)
		value = bytes_of(text, smb_text_wide(value, text));
	if (bytes_left(&value) > 0 && bytes_left(&value) < SMB_TEXT)
		sink->field(sink->self, field, value);
}

void
smb_text_login(struct smb *s, struct bytes b, const struct inspect_sink *sink)
{
	static const char mark[] = "NTLMSSP";

	while (bytes_left(&b) > sizeof(mark) && !bytes_starts(&b, mark))
		bytes_skip(&b, 1);
	struct bytes message = b;

	bytes_skip(&b, sizeof(mark));
	if (bytes_le32(&b) != AUTHENTICATE || b.bad || s->user_told)
		return;
	bytes_skip(&b, 16); /* two proofs */
	struct bytes domain = take_buffer(&b, message), user = take_buffer(&b, message);

	bytes_skip(&b, 16); /* the machine, the session's key */
	bool wide = bytes_le32(&b) & UNICODE;

	if (b.bad)
		return;
	s->user_told = true;
	tell_text(user, wide, SMB_USER, sink);
	tell_text(domain, wide, SMB_DOMAIN, sink);
}

/* The last part of a path in UTF-8. */
static struct bytes
last_part(const char *text, size_t len)
{
	size_t at = len;

	while (at > 0 && text[at - 1] != '\\')
		at--;
	return bytes_of(text + at, len - at);
}

void
smb_text_share(struct smb *s, struct bytes path, const struct inspect_sink *sink)
{
	char text[SMB_TEXT];
	size_t len = smb_text_wide(path, text);
	struct bytes share = last_part(text, len);

	if (bytes_left(&share) == 0 || bytes_left(&share) == len)
		return;
	s->pipes = bytes_is(&share, "IPC$");
	/* The share of pipes is told if it is the only one. */
	if (s->share_told)
		return;
	s->share_told = !s->pipes;
	sink->field(sink->self, SMB_SHARE, share);
}

void
smb_text_pipe(struct smb *s, struct bytes name, const struct inspect_sink *sink)
{
	char text[SMB_TEXT];
	size_t len = smb_text_wide(name, text);
	struct bytes pipe = last_part(text, len);

	if (!s->pipes || s->pipe_told || bytes_left(&pipe) == 0)
		return;
	s->pipe_told = true;
	sink->field(sink->self, SMB_PIPE, pipe);
}
