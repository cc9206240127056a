/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/fragment.h"

#include "base/hash.h"
#include "base/pool.h"
#include "wire/early.h"

#include <stdlib.h>

enum {
	UNIT = 8, /* offsets count in units of 8 bytes */
	BLOCK = 1024,
	BLOCK_UNITS = BLOCK / UNIT,
	DATA_MAX = 65535,
	BLOCKS_MAX = (DATA_MAX + BLOCK - 1) / BLOCK,
	DATAGRAMS = 1024, /* the bounds where none are stated */
	BYTES = 4 * 1024 * 1024,
	HELD = 4096, /* fragments that wait for the first of their datagram */
	BLOCKS_LEAST = 128 * 1024 / BLOCK, /* room for any one datagram, and some */
	IP4_HEADER = 20,
	IP6_HEADER = 40,
	HEADER_MAX = IP6_HEADER,
};

static const uint64_t WHOLE_WITHIN_NS = 30 * UINT64_C(1000000000);
static const uint64_t REMEMBERED_NS = UINT64_C(1000000000);

struct block {
	uint64_t came[BLOCK_UNITS / 64]; /* one bit a unit */
	uint8_t data[BLOCK];
};

struct fragment_key {
	union packet_addr src, dst;
	uint64_t path_key;
	uint64_t id; /* version << 40 | protocol << 32 | id; RFC 8200 leaves the protocol out */
};

_Static_assert(sizeof(struct fragment_key) == 6 * sizeof(uint64_t), "hashed as words");

struct fragment_datagram {
	struct fragment_key key;
	struct fragment_datagram *chain;         /* next of the same bucket */
	struct fragment_datagram *older, *newer; /* all, by age */
	uint64_t hash;
	uint64_t first_ns;
	uint64_t joined_ns;
	bool has_end;   /* len is known */
	bool has_start; /* proto and header are those of the first fragment */
	bool spoiled;   /* a fragment was captured in part, or memory ran out: never whole */
	bool joined;
	bool known; /* transport */
	struct fragment_transport transport;
	uint8_t proto;
	uint8_t header[HEADER_MAX];
	uint32_t len;   /* of the whole data */
	uint32_t reach; /* end of the farthest fragment */
	uint32_t units; /* that came */
	struct early_list held;
	struct block *blocks[BLOCKS_MAX];
};

struct fragment_table {
	struct hash_key key;
	struct pool *datagrams;
	struct pool *blocks;
	struct fragment_datagram **buckets;
	uint32_t mask;
	struct fragment_datagram *oldest, *newest;
	struct early *early;
	struct wire_stats *stats;
	uint8_t joined[HEADER_MAX + DATA_MAX + UNIT];
};

/* A power of two, at least n. */
static uint32_t
power(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p *= 2;
	return p;
}

enum barn_err
fragment_new(const struct wire_options *options, struct wire_stats *stats,
	     struct fragment_table **table)
{
	uint32_t datagrams =
		options->fragment_datagrams ? options->fragment_datagrams : DATAGRAMS;
	uint32_t bytes = options->fragment_bytes ? options->fragment_bytes : BYTES;
	uint32_t blocks = bytes / BLOCK > BLOCKS_LEAST ? bytes / BLOCK : BLOCKS_LEAST;
	struct fragment_table *t;

	if (datagrams > UINT32_MAX / 4)
		return BARN_ERR_ARGUMENT;
	t = calloc(1, sizeof(*t));
	if (!t)
		return BARN_ERR_MEMORY;
	t->key = (struct hash_key){ .k = { options->seed[0], options->seed[1] } };
	t->stats = stats;
	t->mask = power(datagrams) - 1;
	t->buckets = calloc((size_t)t->mask + 1, sizeof(*t->buckets));
	if (!t->buckets || early_new(HELD, &t->early) != BARN_OK ||
	    pool_new(sizeof(struct fragment_datagram), datagrams, &t->datagrams) != BARN_OK ||
	    pool_new(sizeof(struct block), blocks, &t->blocks) != BARN_OK) {
		fragment_free(t);
		return BARN_ERR_MEMORY;
	}
	*table = t;
	return BARN_OK;
}

void
fragment_free(struct fragment_table *table)
{
	if (!table)
		return;
	pool_free(table->datagrams);
	pool_free(table->blocks);
	early_free(table->early);
	free(table->buckets);
	free(table);
}

static void
append(struct fragment_table *t, struct fragment_datagram *g)
{
	g->older = t->newest;
	g->newer = NULL;
	if (t->newest)
		t->newest->newer = g;
	else
		t->oldest = g;
	t->newest = g;
}

static void
detach(struct fragment_table *t, struct fragment_datagram *g)
{
	if (g->older)
		g->older->newer = g->newer;
	else
		t->oldest = g->newer;
	if (g->newer)
		g->newer->older = g->older;
	else
		t->newest = g->older;
}

static void
release_blocks(struct fragment_table *t, struct fragment_datagram *g)
{
	for (size_t i = 0; i < BLOCKS_MAX; i++) {
		pool_put(t->blocks, g->blocks[i]);
		g->blocks[i] = NULL;
	}
}

static void
drop(struct fragment_table *t, struct fragment_datagram *g)
{
	struct fragment_datagram **link = &t->buckets[g->hash & t->mask];

	while (*link != g)
		link = &(*link)->chain;
	*link = g->chain;
	detach(t, g);
	release_blocks(t, g);
	early_ready(t->early, &g->held, NULL);
	t->stats->datagrams_evicted += !g->joined;
	pool_put(t->datagrams, g);
}

/* The oldest goes, but for one; false if there is no other. */
static bool
evict(struct fragment_table *t, const struct fragment_datagram *keep)
{
	struct fragment_datagram *g = t->oldest;

	if (g && g == keep)
		g = g->newer;
	if (!g)
		return false;
	drop(t, g);
	return true;
}

static bool
stale(const struct fragment_datagram *g, const struct fragment *f)
{
	uint64_t now = f->packet->time_ns;

	if (g->joined)
		return f->offset == 0 || now > g->joined_ns + REMEMBERED_NS;
	return now > g->first_ns + WHOLE_WITHIN_NS;
}

static struct fragment_datagram *
find(struct fragment_table *t, const struct fragment_key *key, uint64_t hash)
{
	struct fragment_datagram *g = t->buckets[hash & t->mask];

	while (g && (g->hash != hash || memcmp(&g->key, key, sizeof(*key)) != 0))
		g = g->chain;
	return g;
}

static struct fragment_datagram *
find_or_make(struct fragment_table *t, const struct fragment *f)
{
	const struct packet *p = f->packet;
	uint8_t proto = p->ip_version == 4 ? f->proto : 0;
	struct fragment_key key = {
		.src = p->src,
		.dst = p->dst,
		.path_key = f->path_key,
		.id = (uint64_t)p->ip_version << 40 | (uint64_t)proto << 32 | f->id,
	};
	uint64_t words[6], hash;
	struct fragment_datagram *g;

	memcpy(words, &key, sizeof(words));
	hash = hash_words(&t->key, words, 6);
	g = find(t, &key, hash);
	if (g && !stale(g, f))
		return g;
	if (g)
		drop(t, g);
	if (pool_used(t->datagrams) == pool_bound(t->datagrams))
		evict(t, NULL);
	g = pool_get(t->datagrams);
	*g = (struct fragment_datagram){ .key = key,
					 .hash = hash,
					 .first_ns = p->time_ns,
					 .chain = t->buckets[hash & t->mask] };
	t->buckets[hash & t->mask] = g;
	append(t, g);
	return g;
}

/* The block of a unit, made if need be at the cost of other datagrams. */
static struct block *
block_of(struct fragment_table *t, struct fragment_datagram *g, uint32_t unit)
{
	struct block *block = g->blocks[unit / BLOCK_UNITS];

	if (block)
		return block;
	while (pool_used(t->blocks) == pool_bound(t->blocks) && evict(t, g))
		continue;
	block = pool_get(t->blocks);
	if (block)
		memset(block->came, 0, sizeof(block->came));
	g->blocks[unit / BLOCK_UNITS] = block;
	return block;
}

/* Copies unit by unit what had not come; the last unit of a datagram may be short. */
static void
store(struct fragment_table *t, struct fragment_datagram *g, uint32_t offset,
      const uint8_t *data, uint32_t len)
{
	for (uint32_t done = 0; done < len; done += UNIT) {
		uint32_t unit = (offset + done) / UNIT, at = unit % BLOCK_UNITS;
		struct block *block = block_of(t, g, unit);
		uint64_t bit = UINT64_C(1) << at % 64;
		uint32_t n = len - done < UNIT ? len - done : UNIT;

		if (!block || block->came[at / 64] & bit)
			continue;
		block->came[at / 64] |= bit;
		memcpy(block->data + (size_t)at * UNIT, data + done, n);
		g->units++;
	}
}

/* Whether the fragment can be part of the datagram; notes where the datagram ends. */
static bool
fits(struct fragment_datagram *g, const struct fragment *f, uint32_t len)
{
	uint32_t end = f->offset + len;

	if (len == 0 || end > DATA_MAX || (g->has_end && end > g->len))
		return false;
	if (!f->more) {
		if (g->has_end ? end != g->len : end < g->reach)
			return false;
		g->has_end = true;
		g->len = end;
	}
	if (end > g->reach)
		g->reach = end;
	return true;
}

/* A header as the datagram had before it was cut: without options and extensions. */
static void
note_start(struct fragment_datagram *g, const struct fragment *f)
{
	const struct packet *p = f->packet;
	uint8_t *h = g->header;

	g->has_start = true;
	g->proto = f->proto;
	memset(h, 0, HEADER_MAX);
	if (p->ip_version == 4) {
		h[0] = 0x45;
		h[1] = p->tos;
		h[4] = (uint8_t)(f->id >> 8);
		h[5] = (uint8_t)f->id;
		h[8] = p->ttl;
		h[9] = f->proto;
		memcpy(h + 12, p->src.b, 4);
		memcpy(h + 16, p->dst.b, 4);
	} else {
		h[0] = (uint8_t)(0x60 | p->tos >> 4);
		h[1] = (uint8_t)(p->tos << 4);
		h[6] = f->proto;
		h[7] = p->ttl;
		memcpy(h + 8, p->src.b, 16);
		memcpy(h + 24, p->dst.b, 16);
	}
}

/* RFC 1071, over the IPv4 header without its options. */
static uint16_t
checksum(const uint8_t *header)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < IP4_HEADER; i += 2)
		sum += (uint32_t)(header[i] << 8 | header[i + 1]);
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* A datagram of 65535 bytes has no room for its header's; its length field then says 0. */
static void
finish_header(uint8_t *h, uint32_t data_len)
{
	bool v4 = h[0] >> 4 == 4;
	uint32_t len = v4 ? data_len + IP4_HEADER : data_len;
	uint8_t *field = v4 ? h + 2 : h + 4;
	uint16_t sum;

	if (len > DATA_MAX)
		len = 0;
	field[0] = (uint8_t)(len >> 8);
	field[1] = (uint8_t)len;
	if (!v4)
		return;
	sum = checksum(h);
	h[10] = (uint8_t)(sum >> 8);
	h[11] = (uint8_t)sum;
}

static void
join(struct fragment_table *t, struct fragment_datagram *g, uint64_t now,
     struct fragment_joined *joined)
{
	size_t header = g->header[0] >> 4 == 4 ? IP4_HEADER : IP6_HEADER;
	uint8_t *data = t->joined + header;

	memcpy(t->joined, g->header, header);
	finish_header(t->joined, g->len);
	for (uint32_t at = 0; at < g->len; at += BLOCK) {
		uint32_t n = g->len - at < BLOCK ? g->len - at : BLOCK;

		memcpy(data + at, g->blocks[at / BLOCK]->data, n);
	}
	joined->network = bytes_of(t->joined, header + g->len);
	joined->data = bytes_of(data, g->len);
	joined->proto = g->proto;
	g->joined = true;
	g->joined_ns = now;
	release_blocks(t, g);
	t->stats->datagrams_joined++;
}

struct fragment_datagram *
fragment_add(struct fragment_table *table, const struct fragment *f,
	     struct fragment_joined *joined)
{
	struct fragment_datagram *g = find_or_make(table, f);
	uint32_t len = f->more ? f->len / UNIT * UNIT : f->len;

	joined->network = (struct bytes){ 0 };
	table->stats->fragments++;
	if (g->joined || !fits(g, f, len))
		return g;
	if (f->offset == 0 && !g->has_start)
		note_start(g, f);
	if (bytes_left(&f->data) < len && !g->spoiled) {
		g->spoiled = true;
		release_blocks(table, g);
	}
	if (g->spoiled)
		return g;
	store(table, g, f->offset, f->data.p, len);
	if (g->has_end && g->has_start && g->units == (g->len + UNIT - 1) / UNIT)
		join(table, g, f->packet->time_ns, joined);
	return g;
}

void
fragment_learn(struct fragment_table *table, struct fragment_datagram *datagram,
	       const struct fragment_transport *transport)
{
	datagram->transport = *transport;
	datagram->known = true;
	early_ready(table->early, &datagram->held, transport);
}

bool
fragment_hold(struct fragment_table *table, struct fragment_datagram *datagram,
	      const struct packet *packet)
{
	return early_wait(table->early, &datagram->held, packet);
}

bool
fragment_early(struct fragment_table *table, struct packet *packet)
{
	return early_take(table->early, packet);
}

void
fragment_expire(struct fragment_table *table, uint64_t time_ns)
{
	while (early_any(table->early) && table->oldest &&
	       time_ns > table->oldest->first_ns + WHOLE_WITHIN_NS)
		drop(table, table->oldest);
}

void
fragment_flush(struct fragment_table *table)
{
	while (table->oldest)
		drop(table, table->oldest);
}

const struct fragment_transport *
fragment_known(const struct fragment_datagram *datagram)
{
	return datagram->known ? &datagram->transport : NULL;
}
