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

#include "inspect/inspector.h"
#include "unit.h"
#include <stdlib.h>

enum { FEED_LOG = 65536 };

struct feed {
	const struct inspector *inspector;
	uint8_t transport;
	uint16_t port[2];
	uint64_t time_ns;
	bool lost, snapped; /* of the next call; lost goes off by itself */
	uint8_t *window[2];
	size_t len[2];
	uint32_t datagram[2];
	void *state;
	enum inspect_answer answer;
	unsigned calls;
	size_t log_len;
	char log[FEED_LOG];
};

/* One step of a conversation, for the tests that cut it at every place. */
struct feed_step {
	enum inspect_dir dir;
	const void *data;
	size_t len;
};

#define FEED_STEP(dir, text)                  \
	{                                     \
		(dir), (text), strlen((text)) \
	}

static inline void
feed_log(struct feed *f, const char *key, struct bytes value)
{
	size_t key_len = strlen(key), n = bytes_left(&value);

	if (f->log_len + key_len + n + 3 > FEED_LOG)
		return;
	memcpy(f->log + f->log_len, key, key_len);
	f->log_len += key_len;
	f->log[f->log_len++] = '=';
	if (n > 0)
		memcpy(f->log + f->log_len, value.p, n);
	f->log_len += n;
	f->log[f->log_len++] = '\n';
	f->log[f->log_len] = 0;
}

static inline void
feed_on_field(void *self, unsigned field, struct bytes value)
{
	struct feed *f = self;

	CHECK(field < f->inspector->field_count);
	CHECK(f->inspector->fields[field].kind != INSPECT_NUMBER);
	CHECK(!value.bad && value.p <= value.end);
	feed_log(f, f->inspector->fields[field].name, value);
}

static inline void
feed_on_number(void *self, unsigned field, uint64_t value)
{
	struct feed *f = self;
	char text[24];

	CHECK(field < f->inspector->field_count);
	CHECK_EQ(f->inspector->fields[field].kind, INSPECT_NUMBER);
	snprintf(text, sizeof(text), "%" PRIu64, value);
	feed_log(f, f->inspector->fields[field].name, bytes_of(text, strlen(text)));
}

static inline void
feed_on_announce(void *self, const struct inspect_announcement *a)
{
	feed_log(self, "announce", bytes_of(a->protocol, strlen(a->protocol)));
}

static inline void
feed_on_name(void *self, uint8_t ip_version, const uint8_t *address, struct bytes name,
	     uint32_t ttl_s)
{
	char text[400];
	size_t n = 0;

	for (unsigned i = 0; i < (ip_version == 4 ? 4u : 16u); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%02x", address[i]);
	snprintf(text + n, sizeof(text) - n, " %.*s %u", (int)bytes_left(&name),
		 (const char *)name.p, ttl_s);
	feed_log(self, "name", bytes_of(text, strlen(text)));
}

static inline void
feed_on_inner(void *self, const char *protocol)
{
	const char *text = protocol ? protocol : "(afresh)";

	feed_log(self, "inner", bytes_of(text, strlen(text)));
}

static inline void
feed_init(struct feed *f, const struct inspector *inspector, enum inspect_transport transport)
{
	memset(f, 0, sizeof(*f));
	f->inspector = inspector;
	f->transport = (uint8_t)transport;
	f->port[0] = 40000;
	f->port[1] = 40001;
	f->answer = INSPECT_MORE;
	f->state = calloc(1, inspector->state_size);
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
					   .inner = feed_on_inner };
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

/* All steps, one after another, each in pieces of `piece` bytes and cut once more at `cut`. */
static inline void
feed_run(struct feed *f, const struct feed_step *steps, size_t count, size_t piece, size_t cut)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++) {
		const uint8_t *data = steps[i].data;

		for (size_t at = 0, n; at < steps[i].len; at += n, total += n) {
			n = steps[i].len - at < piece ? steps[i].len - at : piece;
			if (total < cut && total + n > cut)
				n = cut - total;
			feed_stream(f, steps[i].dir, data + at, n);
		}
	}
}

/*
 * Whether a conversation gives the same answer and the same log whole, byte by byte, in threes,
 * and cut in two at each of its bytes.
 */
static inline void
feed_splits(const struct inspector *inspector, const struct feed_step *steps, size_t count,
	    enum inspect_answer answer, const char *log)
{
	static struct feed f;
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += steps[i].len;
	for (size_t i = 0; i < total + 3; i++) {
		size_t piece = i == total ? SIZE_MAX : i == total + 1 ? 1 : 3;

		feed_init(&f, inspector, INSPECT_TCP);
		feed_run(&f, steps, count, i < total ? SIZE_MAX : piece, i < total ? i : 0);
		if (f.answer != answer || strcmp(f.log, log) != 0)
			printf("split %zu of %zu\n", i, total);
		CHECK_STR(f.log, log);
		CHECK_EQ(f.answer, answer);
		feed_fini(&f);
	}
}

/* Reproducible noise (xorshift64*); never seeded by time. */
static inline uint64_t
feed_random(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1du;
}

static inline void
feed_noise(uint64_t *seed, uint8_t *to, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = (uint8_t)(feed_random(seed) >> 56);
}

#endif
