/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/table.h"

#include "flow/inside.h"
#include "flow/key.h"
#include "flow/way.h"

#include <stdlib.h>
#include <sys/mman.h>

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

/* Every packet is somewhere else: large pages save most of the walks through page tables. */
static void
ask_for_large_pages(void *block, size_t size)
{
	const uintptr_t large = 2 << 20;
	uintptr_t from = ((uintptr_t)block + large - 1) & ~(large - 1);
	uintptr_t to = ((uintptr_t)block + size) & ~(large - 1);

	if (from < to)
		(void)madvise((void *)from, to - from, MADV_HUGEPAGE);
}

/* Zeroed memory that is not touched here: the kernel gives the pages that get used. */
static enum barn_err
take_memory(struct table *t, uint64_t buckets)
{
	uint64_t n = t->bound;
	size_t size = LINE + buckets * sizeof(*t->buckets) + n * sizeof(*t->flows) +
		      (n + WHEEL_SLOTS + 1) * sizeof(*t->wheel) + (n + 1) * sizeof(*t->loose) +
		      n * sizeof(*t->syn) + n * sizeof(*t->way) + n * sizeof(*t->spare);

	t->block = calloc(1, size);
	if (!t->block)
		return BARN_ERR_MEMORY;
	ask_for_large_pages(t->block, size);
	t->buckets =
		(struct bucket *)(((uintptr_t)t->block + LINE - 1) & ~(uintptr_t)(LINE - 1));
	t->flows = (struct flow *)(void *)(t->buckets + buckets);
	t->wheel = (struct chain *)(void *)(t->flows + n);
	t->loose = t->wheel + n + WHEEL_SLOTS + 1;
	t->syn = (struct syn *)(void *)(t->loose + n + 1);
	t->way = (struct way *)(void *)(t->syn + n);
	t->spare = (uint32_t *)(void *)(t->way + n);
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
	place_remove(table, n);
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
take_number(struct table *table, const struct packet *packet)
{
	if (table->n_spare == 0 && table->fresh == table->bound)
		wheel_turn(table, packet->time_ns);
	if (table->n_spare == 0 && table->fresh == table->bound)
		evict(table, evict_any(table, packet->serial), packet->time_ns);
	return table->n_spare ? table->spare[--table->n_spare] : table->fresh++;
}

static uint32_t
create(struct table *table, const struct flow_key *key, unsigned from,
       const struct packet *packet)
{
	uint64_t hash = key_hash(key, &table->seed);
	uint32_t n = take_number(table, packet), victim;

	if (table->stats.flows == 0)
		table->position = packet->time_ns >> WHEEL_SHIFT;
	if (!place_put(table, hash, n, packet->serial, &victim)) {
		evict(table, victim, packet->time_ns);
		place_put(table, hash, n, packet->serial, &victim);
	}
	table->flows[n] = (struct flow){
		.key = *key,
		.first_ns = packet->time_ns,
		.last_ns = packet->time_ns,
		.id = packet->serial,
		.client = from & 1,
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

/* In these states packets without SYN, FIN and RST change nothing. */
static inline bool
settled(const struct flow *flow, const struct packet *packet)
{
	return (packet->tcp_flags & (TCP_SYN | TCP_FIN | TCP_RST)) == 0 &&
	       flow->state >= FLOW_ESTABLISHED;
}

static void
look_ahead(struct table *table)
{
	struct ahead *a = &table->ahead[table->staged++ % AHEAD];
	uint32_t n = place_guess(table, a->where);

	__builtin_prefetch(&table->flows[n], 1);
	__builtin_prefetch(&table->flows[n].last_ns, 1);
	a->where = (uint64_t)n << 1 | (a->where & 1);
}

/*
 * The bucket of this packet is under way; that of one some packets earlier has come, so that
 * its flow can be sent for.
 */
void
table_prefetch(struct table *table, const struct packet *packet)
{
	struct ahead *a = &table->ahead[table->tail % AHEAD];
	unsigned from;

	if (table->tail - table->head == AHEAD || packet->serial == 0)
		return;
	table->tail++;
	from = key_of(packet, &a->key);
	a->serial = packet->serial;
	a->where = (key_hash(&a->key, &table->seed) & ~(uint64_t)1) | from;
	place_prefetch(table, a->where);
	if (table->tail - table->staged > AHEAD_FLOWS)
		look_ahead(table);
}

/* The packet's key, its sender, and the number of its flow, if there is one. */
static uint32_t
identify(struct table *table, const struct packet *packet, struct flow_key *key, unsigned *from)
{
	while (table->head != table->tail) {
		const struct ahead *a = &table->ahead[table->head++ % AHEAD];

		if (a->serial == packet->serial)
			break;
	}
	if ((int32_t)(table->staged - table->head) < 0)
		table->staged = table->head;
	*from = key_of(packet, key);
	if (packet->path_way)
		return way_find(table, key, key_hash(key, &table->seed), packet, *from);
	return place_find(table, key, key_hash(key, &table->seed));
}

static void
keep_way(struct table *table, uint32_t n, const struct packet *packet, unsigned from,
	 bool fresh, uint32_t other)
{
	if (fresh)
		way_start(&table->way[n], packet, from, other);
	way_learn(&table->way[n], packet, from);
}

/* All that may happen to a packet. */
static __attribute__((noinline)) struct flow *
any_packet(struct table *table, const struct packet *packet, unsigned *from, bool *fresh)
{
	struct flow_key key;
	uint32_t n = identify(table, packet, &key, from), other = 0;

	if (n != INSIDE_NONE && (inside_over(table, &table->flows[n], packet->time_ns) ||
				 state_reopens(table, n, packet, *from))) {
		/* The next connection is in the same tunnel. */
		other = packet->path_way ? table->way[n].id[*from ^ 1] : 0;
		table_leave(table, n, FLOW_IDLE);
		n = INSIDE_NONE;
	}
	*fresh = n == INSIDE_NONE;
	if (n == INSIDE_NONE)
		n = create(table, &key, *from, packet);
	if (packet->path_way)
		keep_way(table, n, packet, *from, *fresh, other);
	count(&table->flows[n], packet, *from);
	if (!settled(&table->flows[n], packet))
		state_advance(table, n, packet, *from);
	return &table->flows[n];
}

/* The short way: the packet was announced, its flow is where it was guessed, and stays. */
struct flow *
table_packet(struct table *table, const struct packet *packet, unsigned *from, bool *fresh)
{
	const struct ahead *a = &table->ahead[table->head % AHEAD];
	struct flow *flow;

	if (table->staged != table->tail && table->staged - table->head < AHEAD_FLOWS)
		look_ahead(table);
	if (table->staged == table->head || a->serial != packet->serial)
		return any_packet(table, packet, from, fresh);
	flow = &table->flows[a->where >> 1];
	if (!key_equal(&flow->key, &a->key) || !settled(flow, packet) ||
	    inside_over(table, flow, packet->time_ns) ||
	    (packet->path_way &&
	     !way_settled(&table->way[a->where >> 1], packet, a->where & 1)))
		return any_packet(table, packet, from, fresh);
	table->head++;
	*from = a->where & 1;
	*fresh = false;
	count(flow, packet, *from);
	return flow;
}

struct flow *
table_find(struct table *table, const struct packet *packet, unsigned *from)
{
	struct flow_key key;
	uint64_t hash;
	uint32_t n;

	*from = key_of(packet, &key);
	hash = key_hash(&key, &table->seed);
	n = packet->path_way ? way_find(table, &key, hash, packet, *from)
			     : place_find(table, &key, hash);
	return n == INSIDE_NONE ? NULL : &table->flows[n];
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

uint32_t
table_way(const struct table *table, const struct flow *flow, unsigned from)
{
	return table->way[flow - table->flows].id[from];
}

const struct table_stats *
table_stats(const struct table *table)
{
	return &table->stats;
}
