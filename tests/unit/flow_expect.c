/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/expect.h"
#include "unit.h"

static struct expect_table *table;
static struct expect_entry met;

static void
begin(uint32_t bound)
{
	const uint64_t seed[2] = { 1, 2 };

	CHECK_EQ(expect_new(bound, seed, &table), BARN_OK);
}

/* TCP to 10.0.0.n, port 40000, announced by packet 10, good until 1000. */
static struct expect_entry
entry(uint8_t n)
{
	return (struct expect_entry){
		.to = { .b = { 10, 0, 0, n } },
		.path = 7,
		.until_ns = 1000,
		.by_flow = 3,
		.by_serial = 10,
		.port = 40000,
		.protocol = 20,
		.ip_version = 4,
		.ip_proto = 6,
	};
}

static struct packet
packet(uint8_t n)
{
	return (struct packet){
		.src = { .b = { 10, 0, 0, 250 } },
		.dst = { .b = { 10, 0, 0, n } },
		.src_port = 1234,
		.dst_port = 40000,
		.path_key = 7,
		.ip_version = 4,
		.ip_proto = 6,
		.serial = 11,
		.time_ns = 1000,
	};
}

static void
announce(uint8_t n)
{
	struct expect_entry e = entry(n);

	expect_add(table, &e);
}

static bool
meet(struct packet p)
{
	return expect_meet(table, &p, &met);
}

TEST(the_announced_flow_is_met_once)
{
	begin(4);
	announce(1);
	CHECK(!meet(packet(2)));
	CHECK(meet(packet(1)));
	CHECK_EQ(met.protocol, 20);
	CHECK_EQ(met.by_flow, 3);
	CHECK(!meet(packet(1)));
	CHECK_EQ(expect_stats(table)->announced, 1);
	CHECK_EQ(expect_stats(table)->met, 1);
	expect_free(table);
}

TEST(one_for_many_stays)
{
	struct expect_entry e = entry(1);

	begin(4);
	e.many = true;
	expect_add(table, &e);
	CHECK(meet(packet(1)));
	CHECK(meet(packet(1)));
	expect_free(table);
}

TEST(the_announced_end_may_also_open_the_flow)
{
	struct packet p = packet(1);

	begin(4);
	announce(1);
	p.src = p.dst;
	p.src_port = p.dst_port;
	p.dst.b[3] = 250;
	p.dst_port = 20;
	CHECK(meet(p));
	expect_free(table);
}

TEST(the_receiver_goes_before_the_sender)
{
	struct packet p = packet(1);
	struct expect_entry e = entry(2);

	begin(4);
	announce(1);
	e.protocol = 99;
	expect_add(table, &e);
	p.src.b[3] = 2;
	p.src_port = 40000;
	CHECK(meet(p));
	CHECK_EQ(met.protocol, 20);
	CHECK(meet(p));
	CHECK_EQ(met.protocol, 99);
	expect_free(table);
}

TEST(port_path_transport_and_version_must_be_equal)
{
	struct packet p[4];

	begin(4);
	announce(1);
	for (int i = 0; i < 4; i++)
		p[i] = packet(1);
	p[0].dst_port++;
	p[1].path_key++;
	p[2].ip_proto = 17;
	p[3].ip_version = 6;
	for (int i = 0; i < 4; i++)
		CHECK(!meet(p[i]));
	CHECK(meet(packet(1)));
	expect_free(table);
}

TEST(it_holds_only_for_later_packets)
{
	struct packet p = packet(1);

	begin(4);
	announce(1);
	p.serial = 10;
	CHECK(!meet(p));
	p.serial = 11;
	CHECK(meet(p));
	expect_free(table);
}

TEST(it_holds_until_its_time_and_not_longer)
{
	struct packet p = packet(1);

	begin(4);
	announce(1);
	p.time_ns = 1001;
	CHECK(!meet(p));
	CHECK_EQ(expect_stats(table)->met, 0);
	CHECK(!meet(packet(1)));
	expect_free(table);
}

TEST(an_equal_announcement_renews_its_life)
{
	struct packet p = packet(1);
	struct expect_entry e = entry(1);

	begin(4);
	announce(1);
	e.until_ns = 2000;
	e.by_serial = 15;
	expect_add(table, &e);
	announce(1);
	p.time_ns = 2000;
	CHECK(meet(p));
	CHECK_EQ(met.by_serial, 10);
	CHECK(!meet(p));
	expect_free(table);
}

TEST(only_what_is_new_or_was_over_counts_as_announced)
{
	struct expect_entry e = entry(1);

	begin(4);
	announce(1);
	announce(1);
	CHECK_EQ(expect_stats(table)->announced, 1);
	e.alias = true;
	e.port++;
	expect_add(table, &e);
	CHECK_EQ(expect_stats(table)->announced, 1);
	e = entry(1);
	e.told_ns = 1001;
	e.until_ns = 3000;
	expect_add(table, &e);
	CHECK_EQ(expect_stats(table)->announced, 2);
	expect_free(table);
}

TEST(one_for_many_is_met_once_by_many_flows)
{
	struct expect_entry e = entry(1);

	begin(4);
	e.many = true;
	expect_add(table, &e);
	CHECK(meet(packet(1)));
	CHECK(meet(packet(1)));
	CHECK_EQ(expect_stats(table)->met, 1);
	CHECK_EQ(expect_stats(table)->flows, 2);
	expect_free(table);
}

/* Two customers with the same addresses, in tunnels whose identifiers differ by direction. */
TEST(each_tunnel_has_its_own)
{
	struct expect_entry e = entry(1);
	struct packet p = packet(1), q = packet(1);

	begin(8);
	e.way[0] = 17;
	e.way[1] = 23;
	expect_add(table, &e);
	e.way[0] = 23;
	e.way[1] = 42;
	e.protocol = 21;
	e.by_flow++;
	expect_add(table, &e);
	p.path_way = 17;
	CHECK(meet(p));
	CHECK_EQ(met.protocol, 20);
	q.path_way = 23;
	CHECK(meet(q));
	CHECK_EQ(met.protocol, 21);
	p.path_way = q.path_way = 0;
	CHECK(!meet(p));
	expect_free(table);
}

/* Only what goes to the control connection's other side was seen of both. */
TEST(what_two_customers_announce_at_one_end_has_two_places)
{
	struct expect_entry e = entry(1);
	struct packet p = packet(1);

	begin(8);
	e.way[1] = 23;
	expect_add(table, &e);
	e.way[1] = 24;
	e.by_flow++;
	expect_add(table, &e);
	p.path_way = 17;
	CHECK(meet(p));
	p.path_way = 18;
	CHECK(meet(p));
	CHECK(!meet(p));
	expect_free(table);
}

TEST(another_tunnel_is_better_than_none)
{
	struct expect_entry e = entry(1);
	struct packet p = packet(1);

	begin(8);
	e.way[0] = 17;
	e.way[1] = 23;
	expect_add(table, &e);
	p.path_way = 99;
	CHECK(meet(p));
	p.path_way = 17;
	CHECK(!meet(p));
	expect_free(table);
}

TEST(another_protocol_for_an_end_replaces_the_first)
{
	struct expect_entry e = entry(1);

	begin(4);
	announce(1);
	e.protocol = 21;
	expect_add(table, &e);
	CHECK(meet(packet(1)));
	CHECK_EQ(met.protocol, 21);
	expect_free(table);
}

TEST(the_oldest_goes_at_the_bound)
{
	begin(2);
	announce(1);
	announce(2);
	announce(1);
	announce(3);
	CHECK_EQ(expect_stats(table)->evicted, 1);
	CHECK(!meet(packet(2)));
	CHECK(meet(packet(1)));
	CHECK(meet(packet(3)));
	expect_free(table);
}

TEST(a_bound_of_nothing_is_refused)
{
	const uint64_t seed[2] = { 1, 2 };

	CHECK_EQ(expect_new(0, seed, &table), BARN_ERR_ARGUMENT);
	expect_free(NULL);
}
