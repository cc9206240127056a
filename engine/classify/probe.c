/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/guard.h"
#include "classify/meter.h"
#include "classify/step.h"

/* Without a SYN, what is seen first may begin anywhere. */
static bool
is_joined_late(const struct stream *stream)
{
	return !stream->synced && stream->offset == 0;
}

/* What the inspector has not read of the direction at hand. */
static struct inspect_view
view_of(const struct step *s, struct probe *p)
{
	const struct stream *stream = &s->w->stream[s->dir];
	const struct flow_key *key = &s->flow->key;
	struct inspect_view view = {
		.time_ns = s->packet->time_ns,
		.dir = s->dir,
		.port = { key->port[s->flow->client], key->port[!s->flow->client] },
	};

	if (work_is_udp(s->flow)) {
		view.transport = INSPECT_UDP;
		view.data = s->packet->payload;
		view.snapped = bytes_left(&view.data) < s->packet->payload_len;
		view.datagram = stream->datagrams ? stream->datagrams - 1u : 0;
		return view;
	}
	view.transport = INSPECT_TCP;
	if (p->at[s->dir] < stream->offset) {
		p->at[s->dir] = stream->offset;
		view.lost = true;
	}
	view.data = work_from(stream, p->at[s->dir]);
	view.lost |=
		(stream->lost || is_joined_late(stream)) && p->at[s->dir] == stream->offset;
	view.ended = stream->ended;
	return view;
}

static void
feed(struct step *s, struct probe *p, void *state)
{
	struct inspect_view view = view_of(s, p);
	struct inspect_sink sink = sink_of(s);
	const struct inspect_view given = view;
	uint64_t began;
	int answer;

	if (bytes_left(&view.data) == 0 && !view.ended)
		return;
	began = meter_start(s->c->meter);
	s->probe = p;
	answer = (int)p->protocol->inspector->feed(state, &view, &sink);
	s->probe = NULL;
	meter_inspector(s->c->meter, p->protocol->number, began);
	guard_answer(s, p, &given, &view, answer);
}

static void
own(struct step *s, const struct probe *p)
{
	if (!s->w->owner && p->answer >= INSPECT_SURE)
		s->w->owner = p->protocol;
}

static void
drop(struct work *w, unsigned i)
{
	struct probe *p = &w->probes[i];

	if (p->state)
		pool_put(w->wait.epoch->states[p->protocol->number], p->state);
	*p = w->probes[--w->probe_count];
}

/* Room for one more: of those that consider the flow the one that is least sure must go. */
static void
make_room(struct work *w)
{
	unsigned least = 0;

	for (unsigned i = 1; i < w->probe_count; i++)
		if (w->probes[i].answer < w->probes[least].answer)
			least = i;
	drop(w, least);
}

/*
 * Shows the flow to an inspector for the first time. The state is on trial: most inspectors say
 * no at once, and only those that do not are given one of the flow's own.
 */
static void
try_one(struct step *s, const struct protocol *protocol)
{
	const struct inspector *inspector = protocol->inspector;
	struct epoch *epoch = s->w->wait.epoch;
	struct work *w = s->w;
	struct probe p = { .protocol = protocol,
			   .at = { w->stream[0].offset, w->stream[1].offset } };

	memset(epoch->trial, 0,
	       inspector->clear_size ? inspector->clear_size : inspector->state_size);
	p.answer = INSPECT_MORE;
	feed(s, &p, epoch->trial);
	if (p.answer == INSPECT_NO ||
	    (w->probe_count == WORK_PROBES && p.answer < INSPECT_LIKELY))
		return;
	if (w->probe_count == WORK_PROBES)
		make_room(w);
	if (inspector->state_size) {
		p.state = pool_get(epoch->states[protocol->number]);
		if (!p.state)
			return;
		memcpy(p.state, epoch->trial, inspector->state_size);
	}
	w->probes[w->probe_count++] = p;
	own(s, &p);
}

static bool
is_live(const struct work *w, const struct protocol *protocol)
{
	for (unsigned i = 0; i < w->probe_count; i++)
		if (w->probes[i].protocol == protocol)
			return true;
	return false;
}

bool
probe_refuses(const struct step *s, uint16_t protocol)
{
	const struct protocol *p = registry_protocol(work_registry(s), protocol);
	uint8_t transport = work_is_udp(s->flow) ? INSPECT_UDP : INSPECT_TCP;

	return p->inspector && p->inspector->transports & transport && s->w->probed &&
	       !is_live(s->w, p);
}

static void
feed_live(struct step *s)
{
	struct work *w = s->w;

	for (unsigned i = w->probe_count; i-- > 0 && !s->hand_over;) {
		struct probe *p = &w->probes[i];

		if (p->answer == INSPECT_DONE)
			continue;
		feed(s, p, p->state);
		own(s, p);
		if (p->answer == INSPECT_NO)
			drop(w, i);
	}
}

/*
 * Datagrams of the outer protocol go on beside those of the inner one (STUN's beside RTP's):
 * they are not taken for one that begins.
 */
static bool
is_outer(const struct step *s, uint16_t number)
{
	uint16_t field, outer;
	struct bytes value;

	if (!s->w->has_outer || !work_is_udp(s->flow))
		return false;
	for (uint32_t at = 0; notes_next(s->flow->notes, &at, &field, &value);) {
		if (field != NOTE_OUTER || bytes_left(&value) != sizeof(outer))
			continue;
		memcpy(&outer, value.p, sizeof(outer));
		if (outer == number)
			return true;
	}
	return false;
}

/*
 * All inspectors of the transport that may say something are tried with the first bytes of each
 * direction: a flow that is seen from its middle, or one side only, shows its face on one side
 * alone.
 */
static void
try_all(struct step *s)
{
	const struct work *w = s->w;
	struct probe none = { .at = { w->stream[0].offset, w->stream[1].offset } };
	struct inspect_view view = view_of(s, &none);
	const uint16_t *numbers = w->wait.epoch->passed;
	unsigned count = gate_pass(registry_gate(work_registry(s), view.transport), &view,
				   w->wait.epoch->passed);

	for (unsigned i = 0; i < count && !w->owner && !s->hand_over; i++) {
		const struct protocol *p = registry_protocol(work_registry(s), numbers[i]);

		if (!is_live(w, p) && !is_outer(s, numbers[i]) && !guard_bars(w, p->number))
			try_one(s, p);
	}
}

void
probe_feed(struct step *s)
{
	struct work *w = s->w;
	uint8_t tried = (uint8_t)(1u << s->dir);

	feed_live(s);
	if (w->owner || s->flow->verdict.final || w->probed & tried || s->hand_over)
		return;
	w->probed |= tried;
	try_all(s);
}

static void
attach(struct step *s, const struct protocol *protocol)
{
	struct work *w = s->w;

	if (is_live(w, protocol) || guard_bars(w, protocol->number))
		return;
	if (w->probe_count == WORK_PROBES)
		drop(w, 0);
	try_one(s, protocol);
}

void
probe_attach(struct step *s, const struct protocol *protocol)
{
	uint8_t transport = work_is_udp(s->flow) ? INSPECT_UDP : INSPECT_TCP;

	if (protocol->inspector && protocol->inspector->transports & transport)
		attach(s, protocol);
}

void
probe_inner(struct step *s)
{
	const struct protocol *p = registry_protocol(work_registry(s), s->w->inner);

	if (s->w->inner && p->inspector && !p->inspector->transports)
		attach(s, p);
}

struct probe *
probe_owner(struct work *w)
{
	for (unsigned i = 0; i < w->probe_count; i++)
		if (w->probes[i].protocol == w->owner)
			return &w->probes[i];
	return NULL;
}

void
probe_settle(struct step *s)
{
	for (unsigned i = s->w->probe_count; i-- > 0;)
		if (s->w->probes[i].protocol != s->w->owner)
			drop(s->w, i);
}

void
probe_clear(struct work *w)
{
	while (w->probe_count)
		drop(w, w->probe_count - 1u);
}
