/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/chain.h"

enum { MESSAGES_MOST = 256, TEXT_MOST = 128 };

void
chain_stop(struct chain *chain)
{
	chain->over = true;
}

bool
chain_new(struct chain_set *set, uint8_t number)
{
	uint32_t bit = UINT32_C(1) << (number & 31), *word = &set->bits[number >> 5];
	bool is_new = !(*word & bit);

	*word |= bit;
	return is_new;
}

void
chain_tell(struct chain_set *set, unsigned field, uint8_t number,
	   const struct inspect_sink *sink)
{
	if (chain_new(set, number))
		sink->number(sink->self, field, number);
}

void
chain_text(unsigned field, struct bytes text, const struct inspect_sink *sink)
{
	size_t n = bytes_left(&text);

	if (text.bad || n == 0 || n > TEXT_MOST)
		return;
	for (struct bytes b = text; bytes_left(&b) > 0;) {
		uint8_t c = bytes_u8(&b);

		if (c < ' ' || c == 0x7f)
			return;
	}
	sink->field(sink->self, field, text);
}

/* One message is this; whether the next may be read. */
static bool
judge(const struct chain_protocol *p, struct chain *c, enum inspect_answer found, uint8_t dir)
{
	if (found == INSPECT_NO) {
		c->run[dir] = 0;
		return false;
	}
	c->read++;
	if (found == INSPECT_MORE)
		return true;
	if (c->run[dir] < p->enough)
		c->run[dir]++;
	if (found == INSPECT_LIKELY && c->run[dir] >= p->enough)
		found = INSPECT_SURE;
	if (found >= INSPECT_SURE)
		found = INSPECT_NAMED;
	if (c->answer < found)
		c->answer = (uint8_t)found;
	return true;
}

static enum inspect_answer
say(const struct chain_protocol *p, const struct chain *c)
{
	if (c->answer == INSPECT_NAMED &&
	    (c->over || c->read >= (p->most ? p->most : MESSAGES_MOST)))
		return INSPECT_DONE;
	return c->answer ? (enum inspect_answer)c->answer : INSPECT_MORE;
}

/* Not a message: another protocol, or the middle of a message behind a gap. */
static enum inspect_answer
fail(const struct chain_protocol *p, struct chain *c, struct inspect_view *view)
{
	c->run[view->dir] = 0;
	if (c->answer < INSPECT_SURE)
		return INSPECT_NO;
	bytes_skip(&view->data, bytes_left(&view->data));
	return say(p, c);
}

static enum inspect_answer
feed_tcp(const struct chain_protocol *p, struct chain *c, struct inspect_view *view,
	 const struct inspect_sink *sink)
{
	struct bytes *data = &view->data;

	if (view->lost) {
		c->skip[view->dir] = 0;
		c->run[view->dir] = 0;
	}
	while (bytes_left(data) > 0 && !c->over) {
		size_t left = bytes_left(data), length = 0;
		size_t n = left < c->skip[view->dir] ? left : c->skip[view->dir];

		bytes_skip(data, n);
		c->skip[view->dir] -= (uint32_t)n;
		left -= n;
		if (left == 0)
			break;
		enum inspect_answer found = p->length(*data, &length);

		if (found == INSPECT_NO)
			return fail(p, c, view);
		if (found == INSPECT_MORE || left < (length < p->want ? length : p->want))
			break;
		struct bytes rest = *data;
		struct chain_message m = {
			.b = bytes_take(&rest, length < p->want ? length : p->want),
			.length = length,
			.dir = view->dir,
		};

		if (!judge(p, c, p->message(c, &m, sink), view->dir))
			return fail(p, c, view);
		n = left < length ? left : length;
		bytes_skip(data, n);
		c->skip[view->dir] = (uint32_t)(length - n);
	}
	return say(p, c);
}

/* Whether the lengths lead to the datagram's end: before that nothing in it is told. */
static bool
fills(const struct chain_protocol *p, struct bytes data, bool snapped)
{
	while (bytes_left(&data) > 0) {
		size_t length = 0, left = bytes_left(&data);

		if (p->length(data, &length) != INSPECT_SURE || length == 0)
			return false;
		if (length > left)
			return snapped;
		bytes_skip(&data, length);
	}
	return true;
}

static enum inspect_answer
feed_udp(const struct chain_protocol *p, struct chain *c, struct inspect_view *view,
	 const struct inspect_sink *sink)
{
	struct bytes data = view->data;

	bytes_skip(&view->data, bytes_left(&view->data));
	c->run[view->dir] = c->run[view->dir] ? 1 : 0;
	if (!fills(p, data, view->snapped))
		return fail(p, c, view);
	do {
		size_t length = 0, left = bytes_left(&data);

		p->length(data, &length);
		struct chain_message m = {
			.b = bytes_take(&data, length < left ? length : left),
			.length = length,
			.dir = view->dir,
			.datagram = true,
		};

		if (!judge(p, c, p->message(c, &m, sink), view->dir))
			return fail(p, c, view);
	} while (bytes_left(&data) > 0 && !c->over);
	return say(p, c);
}

enum inspect_answer
chain_feed(const struct chain_protocol *protocol, void *state, struct inspect_view *view,
	   const struct inspect_sink *sink)
{
	return view->transport == INSPECT_UDP ? feed_udp(protocol, state, view, sink)
					      : feed_tcp(protocol, state, view, sink);
}
