/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Customers with equal addresses and ports in tunnels whose identifiers are those of one
 * direction. The model is the sender: it knows whose packet it is. Fixed seeds.
 */
#include "flow/way.h"

#include "flow_rig.h"

enum { CUSTOMERS = 6, STEPS = 60 };

struct customer {
	uint32_t way[2], number[2], transaction;
	unsigned step, seen;
	uint64_t flow, packets[2];
};

static uint64_t state;

static uint32_t
below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

static struct packet
packet_in(uint8_t proto, unsigned side, uint32_t way)
{
	serial++;
	struct packet p = { .ip_version = 4,
			    .ip_proto = proto,
			    .path_key = 5,
			    .path_way = way,
			    .wire_len = 100,
			    .serial = serial,
			    .time_ns = start + serial };

	p.src.b[0] = side ? 10 : 9;
	p.dst.b[0] = side ? 9 : 10;
	p.src_port = side ? 80 : 1000;
	p.dst_port = side ? 1000 : 80;
	return p;
}

/* The customer's next packet over TCP: a handshake, then bytes either way. */
static struct packet
tcp_next(struct customer *c, unsigned *side)
{
	struct packet p;
	unsigned step = c->step++;

	*side = step < 3 ? step & 1 : below(2);
	p = packet_in(6, *side, c->way[*side]);
	p.tcp_seq = c->number[*side];
	p.tcp_flags = step == 0 ? TCP_SYN : step == 1 ? TCP_SYN | TCP_ACK : TCP_ACK;
	p.payload_len = step < 3 ? 0 : below(1400);
	c->number[*side] += p.payload_len + (step < 2);
	if (step)
		p.tcp_ack = c->number[!*side];
	return p;
}

/* Each must always meet its own flow, and nobody else's. */
static void
meet(struct customer *c, struct packet *p, unsigned side)
{
	if (below(2))
		table_prefetch(table, p);
	flow = table_packet(table, p, &from, &fresh);
	CHECK_EQ(from, side);
	CHECK_EQ(fresh, c->seen == 0);
	if (c->seen++ == 0)
		c->flow = flow->id;
	c->packets[side]++;
	CHECK_EQ(flow->id, c->flow);
	for (unsigned s = 0; s < 2; s++)
		CHECK_EQ(flow->packets[s], c->packets[s]);
}

static void
customers_new(struct customer customers[CUSTOMERS], bool symmetric)
{
	memset(customers, 0, CUSTOMERS * sizeof(customers[0]));
	for (uint32_t i = 0; i < CUSTOMERS; i++) {
		struct customer *c = &customers[i];

		c->way[0] = 1 + i;
		c->way[1] = symmetric ? c->way[0] : 1 + (i + 1) % CUSTOMERS;
		c->number[0] = (i + 1) * 0x20000000u + below(1 << 20);
		c->number[1] = (i + 1) * 0x17000000u + below(1 << 20);
		c->transaction = i << 24 | below(1 << 24);
	}
}

TEST(connections_with_equal_addresses_keep_to_their_tunnels)
{
	struct customer customers[CUSTOMERS];

	for (state = 0; state < 300; state++) {
		uint64_t seed = state;

		begin(64);
		customers_new(customers, seed % 3 == 0);
		for (unsigned i = 0; i < CUSTOMERS * STEPS; i++) {
			struct customer *c = &customers[below(CUSTOMERS)];
			unsigned side;
			struct packet p = tcp_next(c, &side);

			meet(c, &p, side);
		}
		CHECK_EQ(table_stats(table)->flows, CUSTOMERS);
		finish();
		state = seed;
	}
}

TEST(seen_from_their_middle_they_are_told_apart_by_their_numbers)
{
	struct customer customers[CUSTOMERS];

	for (state = 0; state < 300; state++) {
		uint64_t seed = state;

		begin(64);
		customers_new(customers, false);
		for (unsigned i = 0; i < CUSTOMERS; i++)
			customers[i].step = 3;
		for (unsigned i = 0; i < CUSTOMERS * STEPS; i++) {
			struct customer *c = &customers[below(CUSTOMERS)];
			unsigned side;
			struct packet p = tcp_next(c, &side);

			meet(c, &p, side);
		}
		finish();
		state = seed;
	}
}

TEST(transactions_are_told_apart_by_their_numbers)
{
	struct customer customers[CUSTOMERS];

	for (state = 0; state < 300; state++) {
		uint64_t seed = state;

		begin(64);
		customers_new(customers, seed % 3 == 0);
		for (unsigned i = 0; i < CUSTOMERS * STEPS; i++) {
			struct customer *c = &customers[below(CUSTOMERS)];
			unsigned side = c->step++ ? below(2) : 0;
			struct packet p = packet_in(17, side, c->way[side]);
			uint8_t bytes[12] = { (uint8_t)(c->transaction >> 24),
					      (uint8_t)(c->transaction >> 16), (uint8_t)side };

			p.payload = bytes_of(bytes, sizeof(bytes));
			p.payload_len = sizeof(bytes);
			meet(c, &p, side);
		}
		finish();
		state = seed;
	}
}

/* What one packet of a tunnel meets. */
static bool
is_fresh(uint8_t proto, unsigned side, uint32_t way, uint8_t flags, uint32_t seq, uint32_t ack)
{
	struct packet p = packet_in(proto, side, way);

	p.tcp_flags = flags;
	p.tcp_seq = seq;
	p.tcp_ack = ack;
	flow = table_packet(table, &p, &from, &fresh);
	return fresh;
}

TEST(who_answers_nobody_is_a_flow_of_its_own)
{
	begin(16);
	CHECK(is_fresh(6, 0, 1, TCP_SYN, 1000, 0));
	CHECK(is_fresh(6, 1, 2, TCP_SYN | TCP_ACK, 77, 0x40000000));
	CHECK(!is_fresh(6, 1, 3, TCP_SYN | TCP_ACK, 99, 1001));
	CHECK(!is_fresh(6, 0, 1, TCP_ACK, 1001, 100));
	CHECK(!is_fresh(6, 1, 2, TCP_ACK, 78, 0x40000000));
	CHECK(is_fresh(6, 1, 4, TCP_ACK, 78, 0x40000000));
	finish();
}

TEST(of_several_that_wait_the_oldest_is_answered)
{
	begin(16);
	for (uint32_t i = 1; i <= 3; i++)
		CHECK(is_fresh(17, 0, i, 0, 0, 0));
	for (uint32_t i = 1; i <= 3; i++) {
		CHECK(!is_fresh(17, 1, 10 + i, 0, 0, 0));
		CHECK_EQ(flow->id, i);
	}
	CHECK(is_fresh(17, 1, 20, 0, 0, 0));
	finish();
}

TEST(equal_identifiers_of_both_directions_belong_together)
{
	begin(16);
	for (uint32_t i = 1; i <= 3; i++)
		CHECK(is_fresh(17, 0, i, 0, 0, 0));
	for (uint32_t i = 3; i >= 1; i--) {
		CHECK(!is_fresh(17, 1, i, 0, 0, 0));
		CHECK_EQ(flow->id, i);
	}
	finish();
}

TEST(the_next_connection_is_in_the_same_tunnel)
{
	begin(16);
	CHECK(is_fresh(6, 0, 1, TCP_SYN, 1000, 0));
	CHECK(!is_fresh(6, 1, 2, TCP_SYN | TCP_ACK, 5000, 1001));
	CHECK(!is_fresh(6, 1, 2, TCP_RST, 5001, 1001));
	CHECK(is_fresh(6, 0, 1, TCP_SYN, 0x70000000, 0));
	/* Late, with a number that fits no longer. */
	CHECK(!is_fresh(6, 1, 2, TCP_ACK, 5001, 1001));
	finish();
}

TEST(in_the_same_key_at_most_two_buckets_are_filled)
{
	begin(4096);
	for (uint32_t i = 1; i <= 1000; i++)
		CHECK(is_fresh(17, 0, i, 0, 0, 0));
	CHECK_EQ(table_stats(table)->flows, 2 * BUCKET_PLACES);
	finish();
}
