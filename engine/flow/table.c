/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/table.h"

#include "flow/inside.h"
#include "flow/key.h"

#include <stdlib.h>

enum { FLOWS_DEFAULT = 1 << 20, FLOWS_MAX = 1 << 26, LINE = 64 };

/* See flow.h for the reasons. */
static const uint32_t idle_default_s[FLOW_STATES] = {
	[FLOW_NEW] = 60,     [FLOW_SYN] = 40,    [FLOW_ESTABLISHED] = 600,
	[FLOW_CLOSING] = 60, [FLOW_CLOSED] = 10, [FLOW_ANSWERED] = 180,
};

/* Twice as many places as flows at least: two buckets that are both full are very rare. */
static uint64_t
buckets_for(uint32_t flows)
{
	uint64_t n = 2;

	while (n * BUCKET_PLACES < (uint64_t)flows * 2)
		n *= 2;
	return n;
}

/* Zeroed memory that is not touched here: the kernel gives the pages that get used. */
static enum barn_err
take_memory(struct table *t, uint64_t buckets)
{
	uint64_t n = t->bound;
	size_t size = LINE + buckets * sizeof(*t->buckets) + n * sizeof(*t->flows) +
		      (n + WHEEL_SLOTS + 1) * sizeof(*t->wheel) + (n + 1) * sizeof(*t->loose) +
		      n * sizeof(*t->syn) + n * sizeof(*t->spare);

	t->block = calloc(1, size);
	if (!t->block)
		return BARN_ERR_MEMORY;
	t->buckets =
		(struct bucket *)(((uintptr_t)t->block + LINE - 1) & ~(uintptr_t)(LINE - 1));
	t->flows = (struct flow *)(void *)(t->buckets + buckets);
	t->wheel = (struct chain *)(void *)(t->flows + n);
	t->loose = t->wheel + n + WHEEL_SLOTS + 1;
	t->syn = (struct syn *)(void *)(t->loose + n + 1);
	t->spare = (uint32_t *)(void *)(t->syn + n);
	for (uint32_t i = 0; i <= WHEEL_SLOTS; i++)
		chain_alone(t->wheel, t->bound + i);
	chain_alone(t->loose, t->bound);
	return BARN_OK;
}

enum barn_err
table_new(const struct table_options *options, struct table **table)
{
	uint32_t bound = options->flows ? options->flows : FLOWS_DEFAULT;
	uint64_t buckets = buckets_for(bound);
	struct table *t;

	if (bound > FLOWS_MAX || !options->ended)
		return BARN_ERR_ARGUMENT;
	t = aligned_alloc(LINE, (sizeof(*t) + LINE - 1) / LINE * LINE);
	if (!t)
		return BARN_ERR_MEMORY;
	*t = (struct table){
		.seed = { { options->seed[0], options->seed[1] } },
		.mask = buckets - 1,
		.bound = bound,
		.ended = options->ended,
		.self = options->self,
	};
	for (int i = 0; i < FLOW_STATES; i++)
		t->idle_ns[i] = 1000000000ull *
				(options->idle_s[i] ? options->idle_s[i] : idle_default_s[i]);
	if (take_memory(t, buckets) != BARN_OK) {
		free(t);
		return BARN_ERR_MEMORY;
	}
	*table = t;
	return BARN_OK;
}

void
table_free(struct table *table)
{
	if (!table)
		return;
	free(table->block);
	free(table);
}

/* The two buckets of a hash, and the tag, are bits of it that do not overlap. */
static struct bucket *
first_of(const struct table *table, uint64_t hash)
{
	return &table->buckets[hash & table->mask];
}

static struct bucket *
second_of(const struct table *table, uint64_t hash)
{
	uint64_t n = hash >> 24 & table->mask;

	return &table->buckets[n == (hash & table->mask) ? n ^ 1 : n];
}

static uint16_t
tag_of(uint64_t hash)
{
	uint16_t tag = (uint16_t)(hash >> 48);

	return tag ? tag : 1;
}

static uint32_t
find_in(const struct table *table, const struct bucket *bucket, const struct ahead *a)
{
	unsigned places = bucket_match(bucket, tag_of(a->hash));

	for (; places; places &= places - 1) {
		uint32_t n = bucket->index[bucket_first(places)];

		if (key_equal(&table->flows[n].key, &a->key))
			return n;
	}
	return INSIDE_NONE;
}

static uint32_t
find(const struct table *table, const struct ahead *a)
{
	const struct bucket *first = first_of(table, a->hash);
	uint32_t n = find_in(table, first, a);

	if (n == INSIDE_NONE && first->away)
		n = find_in(table, second_of(table, a->hash), a);
	return n;
}

static void
remove_from_bucket(struct table *table, uint32_t n)
{
	uint64_t hash = key_hash(&table->flows[n].key, &table->seed);
	struct bucket *first = first_of(table, hash), *second = second_of(table, hash);

	for (unsigned i = 0; i < BUCKET_PLACES; i++) {
		if (first->tag[i] && first->index[i] == n) {
			first->tag[i] = 0;
			return;
		}
		if (second->tag[i] && second->index[i] == n) {
			second->tag[i] = 0;
			first->away--;
			return;
		}
	}
}

/* What the state says of the end goes before what brought it about. */
static enum flow_end
end_of(const struct flow *flow, enum flow_end end)
{
	if (flow->state == FLOW_CLOSED)
		return flow->fin == 3 ? FLOW_FIN : FLOW_RST;
	if (flow->state == FLOW_CLOSING && end == FLOW_IDLE)
		return FLOW_FIN;
	return end;
}

void
table_leave(struct table *table, uint32_t n, enum flow_end end)
{
	struct flow *flow = &table->flows[n];

	end = end_of(flow, end);
	remove_from_bucket(table, n);
	wheel_leave(table, n);
	if (chain_linked(table->loose, n))
		chain_leave(table->loose, n);
	table->stats.flows--;
	table->stats.ended[end]++;
	table->ended(table->self, flow, end);
	flow->key.ip_version = INSIDE_LEFT;
	table->spare[table->n_spare++] = n;
}

static void
evict(struct table *table, uint32_t n, uint64_t now_ns)
{
	bool over = inside_over(table, &table->flows[n], now_ns);

	table_leave(table, n, over ? FLOW_IDLE : FLOW_EVICTED);
}

/* A number for a new flow; at the bound what has expired goes first, then whom evict.c names.
 */
static uint32_t
take_number(struct table *table, uint64_t now_ns)
{
	if (table->n_spare == 0 && table->fresh == table->bound)
		wheel_turn(table, now_ns);
	if (table->n_spare == 0 && table->fresh == table->bound)
		evict(table, evict_any(table), now_ns);
	return table->n_spare ? table->spare[--table->n_spare] : table->fresh++;
}

/*
 * The first bucket while it is at most half full, so that most flows are found in one look;
 * then the emptier of the two. Both full: one of the sixteen leaves.
 */
static void
put_in_bucket(struct table *table, uint64_t hash, uint32_t n, uint64_t now_ns)
{
	struct bucket *first = first_of(table, hash), *second = second_of(table, hash);
	unsigned left = bucket_match(first, 0), other = bucket_match(second, 0), place;
	struct bucket *bucket = first;

	if (!left && !other) {
		evict(table, evict_of(table, first, second), now_ns);
		left = bucket_match(first, 0);
		other = bucket_match(second, 0);
	}
	if (bucket_count(left) < BUCKET_PLACES / 2 &&
	    bucket_count(other) > bucket_count(left)) {
		bucket = second;
		left = other;
		first->away++;
	}
	place = bucket_first(left);
	bucket->tag[place] = tag_of(hash);
	bucket->index[place] = n;
}

static uint32_t
create(struct table *table, const struct ahead *a, const struct packet *packet)
{
	uint32_t n = take_number(table, packet->time_ns);
	struct flow *flow = &table->flows[n];

	if (table->stats.flows == 0)
		table->position = packet->time_ns >> WHEEL_SHIFT;
	put_in_bucket(table, a->hash, n, packet->time_ns);
	*flow = (struct flow){
		.key = a->key,
		.first_ns = packet->time_ns,
		.last_ns = packet->time_ns,
		.id = packet->serial,
		.client = a->from & 1,
		.state = FLOW_NEW,
	};
	table->syn[n] = (struct syn){ .known = 0 };
	chain_alone(table->wheel, n);
	chain_alone(table->loose, n);
	chain_join(table->loose, table->bound, n);
	wheel_place(table, n);
	table->stats.created++;
	table->stats.flows++;
	if (table->stats.flows > table->stats.flows_peak)
		table->stats.flows_peak = table->stats.flows;
	return n;
}

/* Counts stop at their largest value: nothing goes back. */
static inline void
count(struct flow *flow, const struct packet *packet, unsigned from)
{
	flow->packets[from] += flow->packets[from] != UINT32_MAX;
	flow->bytes[from] += packet->wire_len;
	if (packet->time_ns > flow->last_ns)
		flow->last_ns = packet->time_ns;
	else if (packet->time_ns < flow->first_ns)
		flow->first_ns = packet->time_ns;
}

static void
look_ahead(const struct table *table, struct ahead *a)
{
	const struct bucket *bucket = first_of(table, a->hash);
	unsigned places = bucket_match(bucket, tag_of(a->hash));

	if (!places && bucket->away) {
		bucket = second_of(table, a->hash);
		places = bucket_match(bucket, tag_of(a->hash));
	}
	if (!places)
		return;
	a->hint = bucket->index[bucket_first(places)];
	__builtin_prefetch(&table->flows[a->hint], 1);
	__builtin_prefetch(&table->flows[a->hint].last_ns, 1);
}

static inline void
describe(const struct table *table, const struct packet *packet, struct ahead *a)
{
	a->from = key_of(packet, &a->key);
	a->hash = key_hash(&a->key, &table->seed);
	a->packet = packet;
	a->serial = packet->serial;
	a->hint = INSIDE_NONE;
}

/* What is known of this packet: mostly it was announced, and is the next in the row. */
static inline const struct ahead *
announced(struct table *table, const struct packet *packet)
{
	while (table->staged != table->tail && table->staged - table->head < AHEAD_FLOWS)
		look_ahead(table, &table->ahead[table->staged++ % AHEAD]);
	while (table->head != table->tail) {
		const struct ahead *a = &table->ahead[table->head++ % AHEAD];

		if ((int32_t)(table->staged - table->head) < 0)
			table->staged = table->head;
		if (a->packet == packet && a->serial == packet->serial)
			return a;
	}
	table->staged = table->head;
	describe(table, packet, &table->single);
	return &table->single;
}

void
table_prefetch(struct table *table, const struct packet *packet)
{
	struct ahead *a = &table->ahead[table->tail % AHEAD];

	if (table->tail - table->head == AHEAD)
		return;
	table->tail++;
	describe(table, packet, a);
	__builtin_prefetch(first_of(table, a->hash));
}

/* In these states packets without SYN, FIN and RST change nothing. */
static inline bool
settled(const struct flow *flow, const struct packet *packet)
{
	return (packet->tcp_flags & (TCP_SYN | TCP_FIN | TCP_RST)) == 0 &&
	       flow->state >= FLOW_ESTABLISHED;
}

struct flow *
table_packet(struct table *table, const struct packet *packet, unsigned *from, bool *fresh)
{
	const struct ahead *a = announced(table, packet);
	uint32_t n = a->hint;
	struct flow *flow;

	if (n == INSIDE_NONE || !key_equal(&table->flows[n].key, &a->key))
		n = find(table, a);
	if (n != INSIDE_NONE &&
	    (inside_over(table, &table->flows[n], packet->time_ns) ||
	     (packet->tcp_flags & TCP_SYN && state_reopens(table, n, packet, a->from)))) {
		table_leave(table, n, FLOW_IDLE);
		n = INSIDE_NONE;
	}
	*fresh = n == INSIDE_NONE;
	if (n == INSIDE_NONE)
		n = create(table, a, packet);
	*from = a->from;
	flow = &table->flows[n];
	count(flow, packet, a->from);
	if (!settled(flow, packet))
		state_advance(table, n, packet, a->from);
	return flow;
}

void
table_tick(struct table *table, uint64_t now_ns)
{
	wheel_turn(table, now_ns);
}

void
table_each(struct table *table, void (*visit)(void *self, struct flow *flow), void *self)
{
	for (uint32_t n = 0; n < table->fresh; n++)
		if (table->flows[n].key.ip_version != INSIDE_LEFT)
			visit(self, &table->flows[n]);
}

static int
by_id(const void *one, const void *other, void *flows)
{
	uint32_t n = *(const uint32_t *)one, m = *(const uint32_t *)other;
	const struct flow *a = (const struct flow *)flows + n;
	const struct flow *b = (const struct flow *)flows + m;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return n < m ? -1 : n > m;
}

/*
 * The row of those that leave stands at the end of spare[]. While they leave, numbers are given
 * back from below, and as those in use and those given back are at most the bound, what is
 * overwritten has been read.
 */
void
table_close(struct table *table, uint64_t now_ns)
{
	uint32_t flows = table->stats.flows, *row = table->spare + (table->bound - flows);
	uint32_t found = 0;

	for (uint32_t n = 0; n < table->fresh; n++)
		if (table->flows[n].key.ip_version != INSIDE_LEFT)
			row[found++] = n;
	qsort_r(row, flows, sizeof(*row), by_id, table->flows);
	for (uint32_t i = 0; i < flows; i++) {
		uint32_t n = row[i];
		bool over = inside_over(table, &table->flows[n], now_ns);

		table_leave(table, n, over ? FLOW_IDLE : FLOW_SHUTDOWN);
	}
}

/*
 * Of the two addresses alone: neither ports nor path, so that fragments and the flows that a
 * control connection announces stay with it. Not keyed: who sends to one worker on purpose
 * loads that one, and the reader cannot know the workers' keys.
 */
uint64_t
table_steer(const struct packet *packet)
{
	uint64_t src = hash_mix(packet->src.q[0] ^ hash_mix(packet->src.q[1] + 1));
	uint64_t dst = hash_mix(packet->dst.q[0] ^ hash_mix(packet->dst.q[1] + 1));

	if (packet->ip_version == 0)
		return hash_mix(packet->ethertype);
	return hash_mix(src + dst + packet->ip_version);
}

const struct table_stats *
table_stats(const struct table *table)
{
	return &table->stats;
}
