/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/learn.h"
#include "unit.h"

static struct learn_table *table;
static struct learn_entry found;

static void
begin(uint32_t bound)
{
	const uint64_t seed[2] = { 1, 2 };

	CHECK_EQ(learn_new(bound, seed, &table), BARN_OK);
}

static struct learn_entry
server(uint8_t n, uint8_t proto, uint16_t port, uint16_t protocol)
{
	return (struct learn_entry){
		.addr = { .b = { 10, 0, 0, n } },
		.path = 7,
		.until_ns = 1000,
		.port = port,
		.ip_version = 4,
		.ip_proto = proto,
		.protocol = protocol,
		.carrier = 5,
	};
}

static void
add(struct learn_entry entry)
{
	learn_add(table, &entry);
}

static bool
find(uint8_t n, uint8_t proto, uint16_t port, uint64_t time_ns)
{
	struct learn_entry wanted = server(n, proto, port, 0);

	return learn_find(table, &wanted, time_ns, &found);
}

TEST(an_address_alone_answers_for_every_port)
{
	begin(8);
	add(server(1, 0, 0, 30));
	CHECK(find(1, 6, 443, 0));
	CHECK_EQ(found.protocol, 30);
	CHECK_EQ(found.carrier, 5);
	CHECK(find(1, 17, 443, 0));
	CHECK(!find(2, 6, 443, 0));
	learn_free(table);
}

TEST(the_exact_end_goes_before_the_address_alone)
{
	begin(8);
	add(server(1, 0, 0, 30));
	add(server(1, 6, 443, 31));
	CHECK(find(1, 6, 443, 0));
	CHECK_EQ(found.protocol, 31);
	CHECK(find(1, 6, 80, 0));
	CHECK_EQ(found.protocol, 30);
	learn_free(table);
}

TEST(a_server_answers_for_its_port_and_transport_only)
{
	begin(8);
	add(server(1, 6, 443, 31));
	CHECK(!find(1, 17, 443, 0));
	CHECK(!find(1, 6, 444, 0));
	learn_free(table);
}

TEST(another_path_is_another_network)
{
	struct learn_entry wanted = server(1, 6, 443, 0);

	begin(8);
	add(server(1, 6, 443, 31));
	wanted.path = 8;
	CHECK(!learn_find(table, &wanted, 0, &found));
	learn_free(table);
}

TEST(it_holds_until_its_time_and_the_address_longer)
{
	struct learn_entry name = server(1, 0, 0, 30);

	begin(8);
	add(server(1, 6, 443, 31));
	CHECK(find(1, 6, 443, 1000));
	CHECK(!find(1, 6, 443, 1001));
	name.until_ns = 2000;
	add(name);
	CHECK(find(1, 6, 443, 1001));
	CHECK_EQ(found.protocol, 30);
	learn_free(table);
}

TEST(the_same_again_renews_and_keeps_the_first_teller)
{
	struct learn_entry entry = server(1, 6, 443, 31);

	begin(8);
	entry.by_serial = 4;
	add(entry);
	entry.by_serial = 9;
	entry.until_ns = 3000;
	add(entry);
	entry.until_ns = 10;
	add(entry);
	CHECK(find(1, 6, 443, 3000));
	CHECK_EQ(found.by_serial, 4);
	learn_free(table);
}

static struct learn_entry
told(uint64_t by_serial, uint64_t told_ns, uint64_t until_ns, uint16_t protocol)
{
	struct learn_entry entry = server(1, 6, 443, protocol);

	entry.by_serial = by_serial;
	entry.told_ns = told_ns;
	entry.until_ns = until_ns;
	return entry;
}

TEST(what_stands_and_holds_is_not_replaced_by_a_later_packet)
{
	begin(8);
	add(told(4, 40, 1000, 31));
	add(told(9, 90, 2000, 32));
	CHECK(find(1, 6, 443, 100));
	CHECK_EQ(found.protocol, 31);
	learn_free(table);
}

TEST(an_earlier_packet_is_heard_although_it_tells_later)
{
	begin(8);
	add(told(9, 90, 2000, 32));
	add(told(4, 40, 1000, 31));
	CHECK(find(1, 6, 443, 100));
	CHECK_EQ(found.protocol, 31);
	learn_free(table);
}

TEST(what_has_expired_is_replaced)
{
	begin(8);
	add(told(4, 40, 80, 31));
	add(told(9, 90, 2000, 32));
	CHECK(find(1, 6, 443, 100));
	CHECK_EQ(found.protocol, 32);
	learn_free(table);
}

TEST(the_oldest_goes_at_the_bound)
{
	begin(2);
	for (uint8_t n = 1; n <= 3; n++)
		add(server(n, 6, 443, n));
	CHECK(!find(1, 6, 443, 0));
	CHECK(find(2, 6, 443, 0));
	CHECK(find(3, 6, 443, 0));
	learn_free(table);
}
