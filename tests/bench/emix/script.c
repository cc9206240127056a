/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "script.h"

#include "elastic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	UDP_HEADERS = 14 + 20 + 8,
	TCP_HEADERS = 14 + 20 + 20,
	SYN_OPTIONS = 4,
	TCP_FRAME = 6, /* packets of the handshake and of the close */
	ROUNDS_MAX = 200,
	SCALE = 100000,
};

/* Whether an exchange starts at message i. */
static bool
starts(const struct app *app, const struct dialogue *d, size_t i)
{
	const struct message *m = &d->messages.at[i];
	size_t len = app->prompt.len;

	if (i < app->head)
		return false;
	if (len == 0)
		return app_says(m, &app->exchange);
	m--;
	return i > 0 && m->from == CONVO_SERVER && m->len >= len &&
	       memcmp(m->bytes + m->len - len, app->prompt.at, len) == 0;
}

static size_t
next_start(const struct app *app, const struct dialogue *d, size_t i)
{
	while (i < d->messages.n && !starts(app, d, i))
		i++;
	return i;
}

static void
copy_range(struct messages *to, const struct dialogue *d, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		message_add(to, &d->messages.at[i]);
}

/* Head, so many exchanges, tail. False when there is nothing to repeat. */
static bool
assemble(struct messages *to, const struct app *app, const struct dialogue *d, long exchanges)
{
	size_t first = next_start(app, d, 0), last = first, at = first;

	for (size_t i = first; i < d->messages.n; i = next_start(app, d, i + 1))
		last = i;
	if (exchanges > 0 && first == last)
		return false;
	copy_range(to, d, 0, first);
	for (long i = 0; i < exchanges; i++) {
		size_t end = next_start(app, d, at + 1);

		copy_range(to, d, at, end);
		at = end >= last ? first : end;
	}
	copy_range(to, d, last, d->messages.n);
	return true;
}

static size_t
total_len(const struct messages *list)
{
	size_t total = 0;

	for (size_t i = 0; i < list->n; i++)
		total += list->at[i].len;
	return total;
}

/* The payload of a whole flow; negative when the headers alone are too long. */
static long
payload_wanted(const struct app *app, uint8_t proto)
{
	long frames = (long)app->packets * app->average;

	if (proto == 17)
		return frames - (long)app->packets * UDP_HEADERS;
	return frames - (long)app->packets * TCP_HEADERS - 2 * SYN_OPTIONS;
}

/* Changes the free parts, evenly, until the payload is as wanted. The head stays as it is. */
static bool
stretch(struct messages *list, const struct app *app, size_t head, long wanted)
{
	long need = wanted - (long)total_len(list);
	struct elastic_part *parts = calloc(list->n + 1, sizeof(*parts));
	long n = 0;

	if (!parts)
		return false;
	for (size_t i = head; i < list->n; i++) {
		parts[i] = elastic_find(app, &list->at[i]);
		n += parts[i].rule != NULL;
	}
	for (int round = 0; round < ROUNDS_MAX && need; round++) {
		long left = n, before = need;

		for (size_t i = head; i < list->n && need; i++) {
			long share = left ? need / left : 0;

			if (!parts[i].rule)
				continue;
			left--;
			if (share == 0)
				share = need > 0 ? 1 : -1;
			need -= elastic_resize(&list->at[i], &parts[i], share);
		}
		if (need == before)
			break;
	}
	free(parts);
	return need == 0;
}

static size_t
count_segments(const struct script *s)
{
	size_t n = 0;

	if (s->proto == 17)
		return s->messages.n;
	for (size_t i = 0; i < s->messages.n; i++)
		n += (s->messages.at[i].len + s->mss - 1) / s->mss;
	return n;
}

static struct step *
add_step(struct script *s, enum convo_from from, uint8_t flags)
{
	struct step *step = &s->steps[s->n++];

	*step = (struct step){ .from = (uint8_t)from, .flags = flags };
	return step;
}

static enum convo_from
other(enum convo_from from)
{
	return from == CONVO_CLIENT ? CONVO_SERVER : CONVO_CLIENT;
}

/* Segments, and bare ACKs spread evenly among them. */
static void
lay_tcp(struct script *s, size_t segments, size_t acks, enum convo_from closer)
{
	size_t done = 0;

	add_step(s, CONVO_CLIENT, FRAME_SYN);
	add_step(s, CONVO_SERVER, FRAME_SYN | FRAME_ACK);
	add_step(s, CONVO_CLIENT, FRAME_ACK);
	for (size_t i = 0; i < s->messages.n; i++) {
		const struct message *m = &s->messages.at[i];

		for (size_t at = 0; at < m->len; at += s->mss) {
			size_t len = m->len - at < s->mss ? m->len - at : s->mss;
			struct step *step = add_step(s, m->from, FRAME_ACK);

			step->message = (uint32_t)i;
			step->offset = (uint32_t)at;
			step->len = (uint32_t)len;
			if (at + len == m->len)
				step->flags |= FRAME_PSH;
			done++;
			if (done * acks / segments > (done - 1) * acks / segments)
				add_step(s, other(m->from), FRAME_ACK);
		}
	}
	add_step(s, closer, FRAME_FIN | FRAME_ACK);
	add_step(s, other(closer), FRAME_FIN | FRAME_ACK);
	add_step(s, closer, FRAME_ACK);
}

static void
lay_udp(struct script *s)
{
	for (size_t i = 0; i < s->messages.n; i++) {
		struct step *step = add_step(s, s->messages.at[i].from, 0);

		step->message = (uint32_t)i;
		step->len = (uint32_t)s->messages.at[i].len;
	}
}

static bool
lay(struct script *s, const struct app *app, const struct dialogue *d)
{
	size_t segments = count_segments(s);
	size_t frame = s->proto == 6 ? TCP_FRAME : 0;
	size_t acks = app->packets - frame - segments; /* wraps when there are too many */

	if (segments == 0 || acks > segments || (s->proto == 17 && acks))
		return false;
	s->steps = calloc(app->packets, sizeof(*s->steps));
	if (!s->steps)
		return false;
	if (s->proto == 6)
		lay_tcp(s, segments, acks, d->closer);
	else
		lay_udp(s);
	return true;
}

bool
script_build(struct script *s, const struct app *app, const struct dialogue *d, long exchanges,
	     const struct variation *v)
{
	size_t head = next_start(app, d, 0);

	*s = (struct script){ .proto = d->proto, .mss = SCRIPT_MSS };
	if (d->mss && d->mss < SCRIPT_MSS)
		s->mss = d->mss;
	if (!assemble(&s->messages, app, d, exchanges))
		return false;
	if (v && app->vary)
		app->vary(&s->messages, v);
	if (stretch(&s->messages, app, head, payload_wanted(app, s->proto)) && lay(s, app, d))
		return true;
	script_free(s);
	return false;
}

void
script_free(struct script *s)
{
	message_clear(&s->messages);
	free(s->steps);
	*s = (struct script){ 0 };
}

/* How unlike the recording this many exchanges make the flow; negative: they cannot. */
static double
cost(const struct app *app, const struct dialogue *d, long exchanges)
{
	struct script s;
	struct messages plain = { 0 };
	size_t segments, acks;
	double stretched;

	if (!script_build(&s, app, d, exchanges, NULL))
		return -1;
	assemble(&plain, app, d, exchanges);
	stretched = fabs((double)total_len(&plain) / (double)total_len(&s.messages) - 1);
	segments = count_segments(&s);
	acks = s.proto == 6 ? s.n - TCP_FRAME - segments : 0;
	message_clear(&plain);
	script_free(&s);
	return stretched + fabs((double)acks / (double)segments - d->acks);
}

long
script_fit(const struct app *app, const struct dialogue *d)
{
	double best_cost = -1;
	long best = -1;

	/* An exchange has at least one packet. */
	for (long n = 0; n <= (long)app->packets; n++) {
		double this_cost = cost(app, d, n);

		if (this_cost < 0 || (best >= 0 && this_cost >= best_cost))
			continue;
		best = n;
		best_cost = this_cost;
	}
	return best;
}

/* The least that can lie between a step and the one before it, and its share of the rest. */
static void
pace(const struct script *s, size_t i, uint64_t rtt_ns, struct rng *rng, uint64_t *least_ns,
     uint64_t *weight)
{
	const struct step *step = &s->steps[i], *last = &s->steps[i - 1];
	bool speaks = step->len > 0 || step->flags & FRAME_FIN;

	*weight = 20 + rng_below(rng, 20);
	if (s->proto == 17)
		*least_ns = s->messages.at[step->message].gap_ns, *weight = 0;
	else if (step->from == last->from)
		*least_ns = 15000 + rng_below(rng, 60000);
	else
		*least_ns = rtt_ns / 2 + rng_below(rng, 500000);
	/* The client's user thinks; the server only works. */
	if (s->proto == 6 && speaks && step->from == CONVO_CLIENT && step->offset == 0)
		*weight = 500 + rng_below(rng, 2000);
}

void
script_time(struct script *s, struct rng *rng, uint64_t duration_ns)
{
	uint64_t rtt_ns = 1000000 + rng_below(rng, 40000000);
	uint64_t *least = calloc(s->n, sizeof(*least)), *weight = calloc(s->n, sizeof(*weight));
	uint64_t least_sum = 0, weight_sum = 0, scale = SCALE, rest, now = 0;

	for (size_t i = 1; least && weight && i < s->n; i++) {
		pace(s, i, rtt_ns, rng, &least[i], &weight[i]);
		least_sum += least[i];
		weight_sum += weight[i];
	}
	/* In a short flow even the shortest gaps shrink. */
	if (least_sum > duration_ns / 2)
		scale = duration_ns / 2 / (least_sum / SCALE + 1);
	rest = duration_ns - least_sum / SCALE * scale - (least_sum % SCALE * scale) / SCALE;
	for (size_t i = 1; least && weight && i < s->n; i++) {
		now += least[i] * scale / SCALE;
		if (weight_sum)
			now += rest / weight_sum * weight[i];
		s->steps[i].time_ns = now;
	}
	free(least);
	free(weight);
}
