/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_INSPECT_FEED_H
#define BARN_TESTS_INSPECT_FEED_H

/*
 * Drives an inspector as the engine does, and writes down what it told:
 *
 *	struct feed f;
 *
 *	feed_init(&f, &inspect_http, INSPECT_TCP);
 *	feed_text(&f, INSPECT_CLIENT, "GET / HTTP/1.0\n\n");
 *	CHECK_EQ(f.answer, INSPECT_NAMED);
 *	CHECK_STR(f.log, "method=GET\nurl=/\nversion=1.0\n");
 *	feed_fini(&f);
 *
 * Over TCP each direction has a window: what was not consumed is presented again with the
 * next bytes behind it, in memory that ends where the bytes end, so that a read past them is
 * seen by the address sanitizer. After NO and DONE nothing is fed.
 */

#include "inspect_log.h"
#include <stdlib.h>

static inline void
feed_init(struct feed *f, const struct inspector *inspector, enum inspect_transport transport)
{
	memset(f, 0, sizeof(*f));
	f->inspector = inspector;
	f->transport = (uint8_t)transport;
	f->port[0] = 40000;
	f->port[1] = 40001;
	f->answer = INSPECT_MORE;
	f->state = malloc(inspector->state_size);
	memset(f->state, 0xa5, inspector->state_size);
	memset(f->state, 0,
	       inspector->clear_size ? inspector->clear_size : inspector->state_size);
}

static inline void
feed_fini(struct feed *f)
{
	free(f->window[0]);
	free(f->window[1]);
	free(f->state);
}

static inline void
feed_call(struct feed *f, enum inspect_dir dir, struct bytes *data, bool ended)
{
	const struct inspect_sink sink = { .self = f,
					   .field = feed_on_field,
					   .number = feed_on_number,
					   .announce = feed_on_announce,
					   .name = feed_on_name,
					   .inner = feed_on_inner,
					   .application = feed_on_application };
	struct inspect_view view = { .data = *data,
				     .time_ns = f->time_ns,
				     .dir = (uint8_t)dir,
				     .transport = f->transport,
				     .lost = f->lost,
				     .ended = ended,
				     .snapped = f->snapped,
				     .port = { f->port[0], f->port[1] },
				     .datagram = f->datagram[dir]++ };
	enum inspect_answer before = f->answer;

	f->lost = false;
	f->calls++;
	f->answer = f->inspector->feed(f->state, &view, &sink);
	/* What has been said stands: an answer never gets weaker, except to NO before SURE. */
	if (f->answer == INSPECT_NO)
		CHECK(before < INSPECT_SURE);
	else
		CHECK(f->answer >= before);
	CHECK(!view.data.bad && view.data.end == data->end);
	CHECK(view.data.p >= data->p && view.data.p <= data->end);
	*data = view.data;
}

static inline bool
feed_over(const struct feed *f)
{
	return f->answer == INSPECT_NO || f->answer == INSPECT_DONE;
}

/* Bytes of this direction were lost: what waited in front of the gap goes with them. */
static inline void
feed_gap(struct feed *f, enum inspect_dir dir)
{
	f->len[dir] = 0;
	f->lost = true;
}

/* The next bytes of a stream. */
static inline void
feed_stream(struct feed *f, enum inspect_dir dir, const void *data, size_t len)
{
	if (feed_over(f))
		return;
	uint8_t *window = malloc(f->len[dir] + len);

	if (f->len[dir] > 0)
		memcpy(window, f->window[dir], f->len[dir]);
	if (len > 0)
		memcpy(window + f->len[dir], data, len);
	struct bytes view = bytes_of(window, f->len[dir] + len);

	feed_call(f, dir, &view, false);
	free(f->window[dir]);
	f->len[dir] = bytes_left(&view);
	f->window[dir] = f->len[dir] > 0 ? malloc(f->len[dir]) : NULL;
	if (f->len[dir] > 0)
		memcpy(f->window[dir], view.p, f->len[dir]);
	free(window);
	if (f->len[dir] < INSPECT_WINDOW)
		return;
	f->len[dir] -= INSPECT_WINDOW / 2;
	memmove(f->window[dir], f->window[dir] + INSPECT_WINDOW / 2, f->len[dir]);
	f->lost = true;
}

static inline void
feed_datagram(struct feed *f, enum inspect_dir dir, const void *data, size_t len)
{
	uint8_t *copy = malloc(len);

	if (len > 0)
		memcpy(copy, data, len);
	struct bytes view = bytes_of(copy, len);

	if (!feed_over(f))
		feed_call(f, dir, &view, false);
	free(copy);
}

static inline void
feed_text(struct feed *f, enum inspect_dir dir, const char *text)
{
	feed_stream(f, dir, text, strlen(text));
}

#endif
