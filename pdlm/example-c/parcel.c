/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * An example of a module in C, to begin your own with. It stands outside barn's build and needs
 * its headers only: man 3 barn-inspector.
 *
 * Parcel is a protocol that was made up for it, over TCP. Each side sends messages, and each
 * has a head of four bytes before its body:
 *
 *	'P'   kind   length of the body, two bytes, most significant first
 *
 *	kind 'H'  from the client, the first: a hello; the body is the name of who ships
 *	kind 'O'  from the server, the first: welcome
 *	kind 'S'  from the client: ship; the body is what
 *	kind 'D'  from the server: "come to this port"; two bytes, the port of its data flow
 *	kind 'B'  from either: bye; with it the conversation is over
 *
 * Its name is a field that text could cut out as well, but the number of parcels, and a length
 * that leads from one message to the next over any number of packets, need a state.
 */
#include <barn/inspector.h>

enum { HEAD = 4, BODY_MAX = 4096 };

enum { SHIPPER, PARCELS }; /* of fields[] */

static const struct barn_inspector_field fields[] = {
	[SHIPPER] = { "shipper", BARN_INSPECTOR_TEXT },
	[PARCELS] = { "parcels", BARN_INSPECTOR_NUMBER },
};

/* Of a flow. All zero at its beginning, and nobody frees it: no pointer to memory of its own.
 */
struct parcel {
	uint32_t parcels;
	bool greeted; /* the first message has been seen, from whichever side */
};

static bool
is_kind(uint8_t kind, uint8_t dir)
{
	switch (kind) {
	case 'H':
	case 'S': return dir == BARN_INSPECTOR_CLIENT;
	case 'O':
	case 'D': return dir == BARN_INSPECTOR_SERVER;
	case 'B': return true;
	default: return false;
	}
}

static void
announce(struct barn_bytes body, const struct barn_inspector_sink *sink)
{
	struct barn_inspector_announcement data = {
		.protocol = "parcel-data",
		.host = BARN_INSPECTOR_SERVER,
		.port = barn_bytes_be16(&body),
		.transport = BARN_INSPECTOR_TCP,
	};

	if (!body.bad)
		sink->announce(sink->self, &data);
}

/* A whole message. False: it cannot be one. */
static bool
read_message(struct parcel *p, uint8_t kind, struct barn_bytes body,
	     const struct barn_inspector_sink *sink)
{
	if (!p->greeted && kind != 'H' && kind != 'O')
		return false;
	p->greeted = true;
	switch (kind) {
	case 'H': sink->field(sink->self, SHIPPER, body); break;
	case 'S': p->parcels++; break;
	case 'D': announce(body, sink); break;
	case 'B': sink->number(sink->self, PARCELS, p->parcels); break;
	default: break;
	}
	return true;
}

/*
 * view->data is what has not been consumed of one side. What is whole is read and consumed, by
 * moving view->data.p; the rest comes again, with more behind it.
 */
static enum barn_inspector_answer
feed(void *state, struct barn_inspector_view *view, const struct barn_inspector_sink *sink)
{
	struct parcel *p = state;

	/* After a gap nobody knows where a message begins. */
	if (view->lost)
		return p->greeted ? BARN_INSPECTOR_DONE : BARN_INSPECTOR_NO;
	for (;;) {
		struct barn_bytes b = view->data, body;
		uint8_t magic = barn_bytes_u8(&b), kind = barn_bytes_u8(&b);
		uint16_t length = barn_bytes_be16(&b);

		/* What is there must fit, be it only a byte; what is missing is read as 0. */
		if (barn_bytes_left(&view->data) > 0 && magic != 'P')
			return BARN_INSPECTOR_NO;
		if (barn_bytes_left(&view->data) > 1 && !is_kind(kind, view->dir))
			return BARN_INSPECTOR_NO;
		if (length > BODY_MAX)
			return BARN_INSPECTOR_NO;
		body = barn_bytes_take(&b, length);
		if (b.bad)
			break;
		if (!read_message(p, kind, body, sink))
			return BARN_INSPECTOR_NO;
		view->data.p = b.p;
	}
	return p->greeted ? BARN_INSPECTOR_NAMED : BARN_INSPECTOR_MORE;
}

/* How it begins, so that barn need not ask about each flow: 'P' and the kinds of a greeting. */
static const struct barn_inspector_start starts[] = {
	{ .from = BARN_INSPECTOR_FROM_CLIENT,
	  .count = 2,
	  .bytes = { { 'P', 'P' }, { 'H', 'H' } } },
	{ .from = BARN_INSPECTOR_FROM_SERVER,
	  .count = 2,
	  .bytes = { { 'P', 'P' }, { 'O', 'O' } } },
};

static const struct barn_inspector parcel = {
	.abi = BARN_INSPECTOR_ABI,
	.size = sizeof(struct barn_inspector),
	.name = "parcel",
	.state_size = sizeof(struct parcel),
	.transports = BARN_INSPECTOR_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};

static const struct barn_inspector *const inspectors[] = { &parcel };

/* All else that barn knows of it is text, as in any module: man 5 pdlm. */
static const char text[] =
	"protocol parcel {\n"
	"	title \"Parcel, an example of a module in C\"\n"
	"	attribute category other\n"
	"	port tcp 4040\n"
	"	inspect parcel\n"
	"	sub-class shipper glob shipper\n"
	"	test \"a hello\" over tcp { client \"PH\" hex 00 03 \"bob\" } => parcel\n"
	"	test \"a data flow\" over tcp {\n"
	"		client \"PH\" hex 00 03 \"bob\"\n"
	"		server \"PO\" hex 00 00 \"PD\" hex 00 02 10 00\n"
	"		expect parcel-data over tcp at server port 4096\n"
	"	} => parcel\n"
	"	test \"of another kind\" over tcp { client \"PX\" hex 00 00 } => unknown\n"
	"}\n"
	"protocol parcel-data {\n"
	"	title \"Parcel, the data of an example\"\n"
	"	attribute category other\n"
	"}\n";

/* The one symbol that barn looks for. */
__attribute__((visibility("default")))
const struct barn_inspector_module barn_inspector_module = {
	.abi = BARN_INSPECTOR_ABI,
	.size = sizeof(struct barn_inspector_module),
	.text = text,
	.inspectors = inspectors,
	.inspector_count = sizeof(inspectors) / sizeof(inspectors[0]),
};
