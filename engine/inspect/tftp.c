/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * TFTP (RFC 1350; options, RFC 2347). The client asks at port 69, and the server answers from a
 * port of its own to the client's (section 4): a flow that only the request can announce. The
 * rules of the module know transfers whose request was not seen.
 *
 *	1 or 2 │ name │ 0 │ mode │ 0 │ option │ 0 │ value │ 0 ...
 */
#include "inspect/inspector.h"

enum { FILE_NAME, MODE };

static const struct inspect_field fields[] = {
	[FILE_NAME] = { "filename", INSPECT_TEXT },
	[MODE] = { "mode", INSPECT_TEXT },
};

enum { READ = 1, WRITE = 2, TEXT_MOST = 255, LIFE_S = 60 };

struct tftp {
	bool asked;
};

/* A text that a zero ends. False if there is none of a proper length. */
static bool
take_text(struct bytes *b, struct bytes *text)
{
	const uint8_t *start = b->p;

	for (size_t i = 0; i <= TEXT_MOST; i++) {
		uint8_t c = bytes_u8(b);

		if (b->bad || (c != 0 && c < ' '))
			return false;
		if (c == 0) {
			*text = bytes_of(start, i);
			return i > 0;
		}
	}
	return false;
}

static bool
is_mode(const struct bytes *mode)
{
	return bytes_is(mode, "octet") || bytes_is(mode, "netascii") || bytes_is(mode, "mail");
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct tftp *s = state;
	struct bytes b = view->data, name, mode;
	uint16_t operation = bytes_be16(&b);
	struct inspect_announcement data = {
		.protocol = "tftp",
		.host = view->dir,
		.port = view->port[view->dir],
		.transport = INSPECT_UDP,
		.life_s = LIFE_S,
	};

	bytes_skip(&view->data, bytes_left(&view->data));
	if ((operation != READ && operation != WRITE) || !take_text(&b, &name) ||
	    !take_text(&b, &mode) || !is_mode(&mode))
		return s->asked ? INSPECT_NAMED : INSPECT_NO;
	s->asked = true;
	sink->field(sink->self, FILE_NAME, name);
	sink->field(sink->self, MODE, mode);
	if (data.port)
		sink->announce(sink->self, &data);
	return INSPECT_NAMED;
}

/* A request. */
static const struct inspect_start starts[] = {
	{ .least = 6, .count = 3, .bytes = { INSPECT_IS(0), { READ, WRITE }, { ' ', 0xff } } },
};

const struct inspector inspect_tftp = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "tftp",
	.state_size = sizeof(struct tftp),
	.transports = INSPECT_UDP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
