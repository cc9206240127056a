/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/dialogue.h"
#include "classify/room.h"
#include "classify/step.h"

#include <stdlib.h>

enum { HAND_OVERS = 8 }; /* that one packet can bring */

/*
 * The bounds, of a table of 1 Mi flows and, below, of a small one: flows under inspection, and
 * bytes of streams and of notes. ARCHITECTURE.md has the list.
 */
enum {
	FLOWS = 1 << 20,
	INSPECTED = 65536,
	INSPECTED_LEAST = 1024,
	STREAMS = 64 << 20,
	NOTES = 64 << 20
};
enum { STREAMS_LEAST = 1 << 20, NOTES_LEAST = 1 << 20, STREAM_EACH = 1024, NOTES_EACH = 256 };

static uint32_t
between(uint64_t value, uint32_t least, uint32_t most)
{
	return value < least ? least : value > most ? most : (uint32_t)value;
}

static enum barn_err
take_memory(struct classify *c, uint32_t flows)
{
	uint32_t notes = between((uint64_t)flows * NOTES_EACH, NOTES_LEAST, NOTES);
	enum barn_err err;

	c->inspected = between(flows / 4, flows < INSPECTED_LEAST ? flows : INSPECTED_LEAST,
			       INSPECTED);
	c->stream_bytes = between((uint64_t)c->inspected * STREAM_EACH, STREAMS_LEAST, STREAMS);
	err = room_new(c);
	if (!err)
		err = pool_new(sizeof(struct wait), flows, &c->waits);
	if (!err)
		err = stream_store_new(
			&(struct stream_store_options){ .bytes = c->stream_bytes },
			&c->streams);
	if (!err)
		err = notes_store_new(notes, &c->notes);
	return err;
}

enum barn_err
classify_new(const struct classify_options *options, struct classify **classify)
{
	struct classify *c = calloc(1, sizeof(*c));
	enum barn_err err;

	if (!c)
		return BARN_ERR_MEMORY;
	c->hooks = options->hooks;
	c->dir_by_client = options->dir_by_client;
	c->meter = options->meter;
	err = take_memory(c, options->flows ? options->flows : FLOWS);
	if (!err && options->ndpi)
		err = ndpi_bridge_new(&c->ndpi);
	if (!err)
		err = epoch_new(options->registry, c->inspected, &c->epoch);
	if (err) {
		classify_free(c);
		return err;
	}
	*classify = c;
	return BARN_OK;
}

void
classify_free(struct classify *classify)
{
	struct epoch *epoch;

	if (!classify)
		return;
	ndpi_bridge_free(classify->ndpi);
	notes_store_free(classify->notes);
	stream_store_free(classify->streams);
	while ((epoch = classify->epoch)) {
		classify->epoch = epoch->older;
		epoch_free(epoch);
	}
	pool_free(classify->works);
	pool_free(classify->waits);
	free(classify->rings);
	free(classify);
}

/* An epoch ends with its last flow, unless new ones begin in it. */
static void
leave_epoch(struct classify *c, struct epoch *epoch)
{
	struct epoch **at = &c->epoch;

	if (epoch == c->epoch || epoch->works)
		return;
	while (*at != epoch)
		at = &(*at)->older;
	*at = epoch->older;
	c->cuts += rule_scratch_work(epoch->rules).cuts;
	epoch_free(epoch);
}

enum barn_err
classify_adopt(struct classify *classify, struct registry *registry)
{
	struct epoch *old = classify->epoch, *epoch;
	enum barn_err err = epoch_new(registry, classify->inspected, &epoch);

	if (err)
		return err;
	epoch->older = old;
	classify->epoch = epoch;
	leave_epoch(classify, old);
	return BARN_OK;
}

const struct registry *
classify_registry(const struct classify *classify)
{
	return classify->epoch->registry;
}

const struct classify_stats *
classify_stats(const struct classify *classify)
{
	return &classify->stats;
}

const struct stream_store_stats *
classify_streams(const struct classify *classify)
{
	return stream_store_stats(classify->streams);
}

uint64_t
classify_notes_refused(const struct classify *classify)
{
	return notes_store_refused(classify->notes);
}

void
classify_ask_custom(struct classify *classify, bool ask)
{
	struct epoch *epoch = classify->epoch;

	epoch->custom = ask ? registry_custom(epoch->registry) : NULL;
}

uint64_t
classify_cuts(const struct classify *classify)
{
	uint64_t cuts = classify->cuts;

	for (const struct epoch *e = classify->epoch; e; e = e->older)
		cuts += rule_scratch_work(e->rules).cuts;
	return cuts;
}

uint8_t
classify_dir(const struct classify *classify, const struct flow *flow,
	     const struct packet *packet, unsigned from)
{
	if (!classify->dir_by_client)
		return packet->dir;
	return from == flow->client ? PACKET_IN : PACKET_OUT;
}

void
classify_open(struct classify *classify, struct flow *flow, const struct packet *packet)
{
	open_flow(classify, flow, packet);
}

static void
give_back(struct classify *c, struct work *w)
{
	probe_clear(w);
	if (w->ndpi)
		ndpi_bridge_flow_free(c->ndpi, w->ndpi);
	stream_clear(&w->stream[0], c->streams);
	stream_clear(&w->stream[1], c->streams);
	room_leave(c, w);
}

void
classify_release(struct classify *c, struct flow *flow)
{
	struct wait *wait = work_wait(flow);
	struct epoch *epoch;

	if (!wait)
		return;
	epoch = wait->epoch;
	if (wait->alone)
		pool_put(c->waits, wait);
	else
		give_back(c, flow->work);
	flow->work = NULL;
	epoch->works--;
	leave_epoch(c, epoch);
}

static void
credit(struct classify *c, const struct flow *flow, const struct packet *packet, uint8_t dir,
       uint16_t protocol)
{
	c->hooks.credit(c->hooks.self, flow, packet->iface, dir, protocol, 1, packet->wire_len,
			flow_packets(flow) == 1);
	if (packet->leaves)
		c->hooks.credit(c->hooks.self, flow, packet->leaves - 1, PACKET_OUT, protocol,
				1, packet->wire_len, false);
}

/* The packet waits for the verdict; one interface too many does not, and counts as unknown. */
static void
wait_at(struct classify *c, struct flow *flow, const struct packet *packet, uint16_t iface,
	uint8_t dir)
{
	struct wait *w = work_wait(flow);
	unsigned i = 0;

	while (i < w->credit_count &&
	       (w->credits[i].iface != iface || w->credits[i].dir != dir))
		i++;
	if (i == WORK_CREDITS) {
		c->hooks.credit(c->hooks.self, flow, iface, dir, 0, 1, packet->wire_len, false);
		return;
	}
	if (i == w->credit_count)
		w->credits[w->credit_count++] = (struct credit){ iface, dir, 0, 0 };
	w->credits[i].packets++;
	w->credits[i].bytes += packet->wire_len;
}

static void
credit_later(struct classify *c, struct flow *flow, const struct packet *packet, uint8_t dir)
{
	wait_at(c, flow, packet, packet->iface, dir);
	if (packet->leaves)
		wait_at(c, flow, packet, packet->leaves - 1, PACKET_OUT);
}

/*
 * Bytes came that belong before the first ones that were seen, of a flow without a SYN: what
 * was read began in the middle. A flow without a verdict is looked at afresh; one with a
 * verdict is followed from here on.
 */
static void
start_over(struct step *s)
{
	struct work *w = s->w;
	struct stream *stream = &w->stream[s->dir];

	stream->fronted = 0;
	w->rules = (struct rule_memory){ .listed = false };
	if (!s->flow->verdict.final) {
		probe_clear(w);
		w->probed = 0;
		w->owner = NULL;
		w->owner_rule = w->child = w->application = 0;
		w->found = (struct custom_found){ .count = 0 };
	} else {
		stream_forget(stream, stream->len);
		stream->lost = 1;
	}
	for (unsigned i = 0; i < w->probe_count; i++)
		w->probes[i].at[s->dir] = stream->offset;
	w->line_at[s->dir] = stream->offset;
}

/* Who spoke until where, for as long as there is no verdict. */
static void
note_turn(struct work *w, uint8_t dir)
{
	uint64_t end = work_end(&w->stream[dir]);

	if (w->turn_count == 0)
		w->first_dir = dir;
	if (w->turn_count == 0 || ((w->first_dir + w->turn_count) & 1) == dir) {
		if (w->turn_count < WORK_TURNS)
			w->turn_end[w->turn_count++] = end;
		return;
	}
	w->turn_end[w->turn_count - 1] = end;
}

/* Puts the payload in order. Returns whether there is something new to look at. */
static bool
take_payload(struct step *s)
{
	const struct packet *p = s->packet;
	struct work *w = s->w;
	struct stream *stream = &w->stream[s->dir];
	uint32_t grown;
	bool ended;

	if (p->fragment && !p->reassembled) {
		/* The one that completes the datagram brings all of it, if it ever comes. */
		if (!s->flow->verdict.final)
			stream_part(stream, s->c->streams, p->payload);
		return false;
	}
	if (work_is_udp(s->flow)) {
		if (bytes_left(&p->payload) == 0)
			return false;
		if (s->flow->verdict.final)
			stream->datagrams++;
		else
			stream_datagram(stream, s->c->streams, p->payload);
		if (!s->flow->verdict.final && w->turn_count == 0)
			note_turn(w, s->dir);
		w->payloads++;
		return true;
	}
	if ((p->fault != PACKET_WHOLE && p->fault != PACKET_FRAGMENT_LOST) ||
	    p->tcp_flags & TCP_RST)
		return false;
	ended = stream->ended;
	grown = stream_add(stream, s->c->streams, p->tcp_seq, p->tcp_flags & TCP_SYN,
			   p->tcp_flags & TCP_FIN, p->payload, p->payload_len,
			   s->flow->verdict.final);
	if (stream->fronted)
		start_over(s);
	if (p->payload_len)
		w->payloads++;
	if (grown && !s->flow->verdict.final)
		note_turn(w, s->dir);
	if (grown && !w->turn_over[!s->dir] && w->stream[!s->dir].len) {
		w->turn[!s->dir] = w->stream[!s->dir].len;
		w->turn_over[!s->dir] = true;
	}
	return grown || stream->ended != ended;
}

/* The datagram at hand is the inner protocol's first; those before were the outer one's. */
static void
keep_datagram(struct step *s)
{
	struct work *w = s->w;

	stream_clear(&w->stream[0], s->c->streams);
	stream_clear(&w->stream[1], s->c->streams);
	stream_datagram(&w->stream[s->dir], s->c->streams, s->packet->payload);
}

void
classify_hand_over(struct step *s, uint16_t inner)
{
	struct work *w = s->w;
	const struct probe *probe = probe_owner(w);
	uint16_t outer = w->owner->number;

	if (work_is_udp(s->flow))
		keep_datagram(s);
	for (unsigned d = 0; d < 2; d++) {
		uint64_t read = s->at_lines || dialogue_has_lines(w->owner) ? w->line_at[d]
				: probe                                     ? probe->at[d]
					: w->stream[d].offset;

		if (read > w->stream[d].offset)
			stream_forget(&w->stream[d], (uint32_t)(read - w->stream[d].offset));
		w->line_at[d] = w->begin[d] = w->stream[d].offset;
		w->placed[d] = 0;
		w->turn[d] = 0;
		w->turn_over[d] = false;
	}
	notes_add(&s->flow->notes, s->c->notes, NOTE_OUTER, bytes_of(&outer, sizeof(outer)));
	probe_clear(w);
	w->outer = s->flow->verdict;
	w->has_outer = true;
	w->inner = inner;
	w->owner = NULL;
	w->opinion = w->hint = (struct opinion){ 0 };
	w->ndpi_answer = (struct ndpi_answer){ 0 };
	w->child = w->owner_rule = w->application = 0;
	w->found = (struct custom_found){ .count = 0 };
	w->confined = false; /* ports are the outer protocol's */
	w->rules = (struct rule_memory){ .listed = false };
	w->payloads = 0;
	w->probed = 0;
	memset(w->upgrade_step, 0, sizeof(w->upgrade_step));
	memset(w->upgrade_at, 0, sizeof(w->upgrade_at));
	w->turn_count = 0;
	s->flow->verdict.final = 0;
	s->hand_over = s->at_lines = false;
	probe_inner(s);
}

/* Only rules want datagrams that have passed. */
static void
forget_datagrams(struct step *s)
{
	for (unsigned d = 0; d < 2; d++) {
		uint16_t datagrams = s->w->stream[d].datagrams;

		if (s->w->stream[d].len)
			stream_clear(&s->w->stream[d], s->c->streams);
		s->w->stream[d].datagrams = datagrams;
	}
}

/* Bytes that everybody has read are forgotten; a window that nobody can use is cut in half. */
static void
forget_read(struct step *s)
{
	struct work *w = s->w;
	const struct probe *probe = probe_owner(w);
	bool lines = dialogue_has_lines(w->owner);

	for (unsigned d = 0; d < 2; d++) {
		struct stream *stream = &w->stream[d];
		uint64_t read = work_end(stream);

		if (probe && probe->answer != INSPECT_DONE && probe->at[d] < read)
			read = probe->at[d];
		if (lines && w->line_at[d] < read)
			read = w->line_at[d];
		if (dialogue_waits(w, d))
			read = stream->offset;
		stream->lost = 0;
		if (read > stream->offset) {
			stream_forget(stream, (uint32_t)(read - stream->offset));
		} else if (stream->full || stream->len >= INSPECT_WINDOW) {
			stream_forget(stream, stream->len / 2 + 1);
			stream->lost = 1;
		}
	}
}

static bool
is_followed(struct work *w)
{
	const struct probe *probe = probe_owner(w);
	bool announced = !w->probed && w->owner && w->owner->inspector;

	return announced || (probe && probe->answer != INSPECT_DONE) || dialogue_wanted(w);
}

/* An announced flow has its verdict before its inspector has seen a byte. */
static void
follow(struct step *s)
{
	struct work *w = s->w;

	if (w->probed) {
		probe_feed(s);
		return;
	}
	w->probed = 3;
	probe_attach(s, w->owner);
}

/*
 * Decides, or follows what was decided; again from the start where an inner protocol begins. A
 * module may take the same bytes for its own again and again, so that has an end; what is left
 * then is looked at with the next packet.
 */
static void
look(struct step *s)
{
	struct work *w = s->w;
	unsigned rounds = 0;

	do {
		s->hand_over = false;
		if (!s->flow->verdict.final)
			decide(s);
		else
			follow(s);
		if (s->flow->verdict.final && !s->hand_over && dialogue_wanted(w))
			dialogue_read(s);
		if (!s->hand_over)
			break;
		classify_hand_over(s, s->inner);
	} while (w->stream[s->dir].len && ++rounds < HAND_OVERS);
}

void
classify_packet(struct classify *classify, struct flow *flow, const struct packet *packet,
		unsigned from)
{
	struct step s = { .c = classify, .flow = flow, .packet = packet };
	uint8_t dir = classify_dir(classify, flow, packet, from);

	if (!flow->work || flow->verdict.final)
		credit(classify, flow, packet, dir, flow->verdict.protocol);
	else
		credit_later(classify, flow, packet, dir);
	if (!flow->work || !open_work(classify, flow, packet, from))
		return;
	s.w = flow->work;
	s.dir = from == flow->client ? INSPECT_CLIENT : INSPECT_SERVER;
	room_clear(classify, s.w);
	if (take_payload(&s))
		look(&s);
	if (flow->verdict.final && !is_followed(s.w)) {
		classify_release(classify, flow);
		return;
	}
	if (flow->verdict.final && work_is_udp(flow))
		forget_datagrams(&s);
	else if (flow->verdict.final)
		forget_read(&s);
	stream_keep(&s.w->stream[s.dir], classify->streams);
	room_settle(classify, s.w);
}

/* Of a datagram that was never whole the first fragment is looked at, as if it were snapped. */
static void
look_at_part(struct step *s, uint8_t dir)
{
	const struct flow_key *key = &s->flow->key;
	struct stream *stream = &s->w->stream[dir];
	unsigned from = dir == INSPECT_CLIENT ? s->flow->client : !s->flow->client;
	struct packet packet = {
		.time_ns = s->flow->last_ns,
		.serial = s->flow->id,
		.ip_version = key->ip_version,
		.ip_proto = key->ip_proto,
		.src = key->addr[from],
		.dst = key->addr[!from],
		.src_port = key->port[from],
		.dst_port = key->port[!from],
		.path_key = key->path,
	};

	if (!stream_part_stands(stream))
		return;
	packet.payload = bytes_of(stream->data, stream->len);
	packet.payload_len = stream->len + 1;
	s->packet = &packet;
	s->dir = dir;
	s->w->payloads++;
	note_turn(s->w, dir);
	look(s);
	s->packet = NULL;
}

void
classify_finish(struct classify *classify, struct flow *flow)
{
	const struct wait *wait = work_wait(flow);
	struct step s = { .c = classify,
			  .flow = flow,
			  .w = wait && !wait->alone ? flow->work : NULL };

	for (uint8_t dir = 0; s.w && dir < 2 && !flow->verdict.final; dir++)
		look_at_part(&s, dir);
	if (wait && !flow->verdict.final && wait->alone)
		decide_alone(classify, flow);
	else if (wait && !flow->verdict.final)
		decide_finally(&s);
	classify_release(classify, flow);
}

void
classify_close(struct classify *classify, struct flow *flow)
{
	notes_free(&flow->notes, classify->notes);
}
