/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * SSH: each side's identification (RFC 4253, section 4.2), then its KEXINIT (section 7.1), the
 * last that can be read: what it can do, in its own order, which tells programs apart. HASSH
 * (Salesforce, 2018) is MD5 over four of its ten lists, ';' between them: key exchange, and
 * ciphers, checks and compression of the own direction.
 *
 *	length │ padding │ 20 │ cookie, 16 bytes │ 10 lists behind their lengths │ 0 or 1 │ 0
 */
#include "inspect/inspector.h"
#include <openssl/evp.h>

enum { CLIENT, SERVER, VERSION, HASSH, HASSH_SERVER };

static const struct inspect_field fields[] = {
	[CLIENT] = { "client", INSPECT_TEXT },
	[SERVER] = { "server", INSPECT_TEXT },
	[VERSION] = { "version", INSPECT_TEXT },
	[HASSH] = { "hassh", INSPECT_TEXT },
	[HASSH_SERVER] = { "hassh-server", INSPECT_TEXT },
};

enum {
	LINE_MOST = 255,
	KEXINIT = 20,
	COOKIE = 16,
	LISTS = 10,
	PACKET_MOST = 8192,
	DIGEST = 16
};
enum { PACKET_LEAST = 64, PADDING_LEAST = 4 };
enum stage { BANNER, KEYS, OVER };

struct ssh {
	uint8_t stage[2];
	bool version;
	uint8_t answer; /* enum inspect_answer */
};

/* "SSH-", a version of digits and points, '-', and the software. */
static enum inspect_answer
read_banner(struct ssh *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct bytes b = view->data, line;
	size_t left = bytes_left(&b);

	if (memcmp(b.p, "SSH-", left < 4 ? left : 4) != 0)
		return INSPECT_NO;
	if (!bytes_line(&b, &line))
		return left > LINE_MOST ? INSPECT_NO : INSPECT_MORE;
	bytes_skip(&line, 4);
	struct bytes version = line, software;

	if (!bytes_seek(&line, '-'))
		return INSPECT_NO;
	version.end = line.p;
	bytes_skip(&line, 1);
	software = line;
	bool two = bytes_is(&version, "2.0") || bytes_is(&version, "1.99");

	if (bytes_left(&version) < 3 || bytes_left(&version) > 4 || version.p[1] != '.' ||
	    (!two && version.p[0] != '1') || bytes_left(&software) == 0 ||
	    bytes_left(&software) > LINE_MOST)
		return INSPECT_NO;
	for (; bytes_left(&line) > 0;)
		if (bytes_u8(&line) < ' ')
			return INSPECT_NO;
	sink->field(sink->self, view->dir == INSPECT_CLIENT ? CLIENT : SERVER, software);
	if (!s->version)
		sink->field(sink->self, VERSION, version);
	s->version = true;
	/* Version 1 goes on with packets of its own. */
	s->stage[view->dir] = two ? KEYS : OVER;
	view->data.p = b.p;
	return INSPECT_NAMED;
}

/* The own direction's ciphers, checks and compression are lists 2, 4, 6, or 3, 5, 7. */
static void
tell_hassh(const struct bytes *list, uint8_t dir, const struct inspect_sink *sink)
{
	static const char digits[] = "0123456789abcdef";
	unsigned own = dir == INSPECT_CLIENT ? 2 : 3;
	const unsigned which[] = { 0, own, own + 2, own + 4 };
	char text[PACKET_MOST];
	uint8_t digest[EVP_MAX_MD_SIZE], hex[2 * DIGEST];
	unsigned size;
	size_t n = 0;

	for (unsigned i = 0; i < 4; i++) {
		size_t len = bytes_left(&list[which[i]]);

		if (i > 0)
			text[n++] = ';';
		memcpy(text + n, list[which[i]].p, len);
		n += len;
	}
	if (!EVP_Digest(text, n, digest, &size, EVP_md5(), NULL))
		return;
	for (unsigned i = 0; i < DIGEST; i++) {
		hex[2 * i] = (uint8_t)digits[digest[i] >> 4];
		hex[2 * i + 1] = (uint8_t)digits[digest[i] & 15];
	}
	sink->field(sink->self, dir == INSPECT_CLIENT ? HASSH : HASSH_SERVER,
		    bytes_of(hex, sizeof(hex)));
}

static bool
is_list(struct bytes b)
{
	while (bytes_left(&b) > 0) {
		uint8_t c = bytes_u8(&b);

		if (c <= ' ' || c >= 0x7f)
			return false;
	}
	return true;
}

static enum inspect_answer
read_keys(struct ssh *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct bytes b = view->data, packet, list[LISTS];
	uint32_t length = bytes_be32(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (length < PACKET_LEAST || length > PACKET_MOST - 4)
		return INSPECT_NO;
	struct bytes head = b;
	uint8_t padding = bytes_u8(&head), message = bytes_u8(&head);

	if (!head.bad && (message != KEXINIT || padding < PADDING_LEAST))
		return INSPECT_NO;
	if (bytes_left(&b) < length)
		return INSPECT_MORE;
	packet = bytes_take(&b, length);
	bytes_skip(&packet, 2 + COOKIE);
	for (unsigned i = 0; i < LISTS; i++) {
		list[i] = bytes_take(&packet, bytes_be32(&packet));
		if (packet.bad || !is_list(list[i]))
			return INSPECT_NO;
	}
	/* Whether a guess follows, and what is reserved; then the padding. */
	bool guess = bytes_u8(&packet) <= 1, reserved = bytes_be32(&packet) == 0;

	if (!guess || !reserved || packet.bad || bytes_left(&packet) != padding)
		return INSPECT_NO;
	tell_hassh(list, view->dir, sink);
	s->stage[view->dir] = OVER;
	return INSPECT_NAMED;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct ssh *s = state;
	uint8_t *stage = &s->stage[view->dir];
	enum inspect_answer found;

	if (view->lost && s->answer)
		*stage = OVER;
	while (*stage != OVER && bytes_left(&view->data) > 0) {
		uint8_t before = *stage;

		found = before == BANNER ? read_banner(s, view, sink) : INSPECT_NO;
		if (found == INSPECT_NO)
			found = read_keys(s, view, sink);
		if (found == INSPECT_NO && s->answer < INSPECT_SURE)
			return INSPECT_NO;
		if (found == INSPECT_NO)
			*stage = OVER;
		if (found == INSPECT_NAMED)
			s->answer = INSPECT_NAMED;
		if (found == INSPECT_MORE || *stage == before)
			break;
	}
	if (*stage == OVER)
		bytes_skip(&view->data, bytes_left(&view->data));
	if (s->stage[0] == OVER && s->stage[1] == OVER)
		return INSPECT_DONE;
	return s->answer ? (enum inspect_answer)s->answer : INSPECT_MORE;
}

const struct inspector inspect_ssh = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "ssh",
	.state_size = sizeof(struct ssh),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
