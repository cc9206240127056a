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

	wanted.by_serial = 100;
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

TEST(an_address_names_the_application_and_a_flow_what_it_runs_over)
{
	struct learn_entry name = server(1, 0, 0, 30);

	begin(8);
	name.carrier = 0;
	add(name);
	add(server(1, 6, 443, 31));
	CHECK(find(1, 6, 443, 0));
	CHECK_EQ(found.protocol, 30);
	CHECK_EQ(found.carrier, 5);
	CHECK(find(1, 6, 80, 0));
	CHECK_EQ(found.protocol, 30);
	CHECK_EQ(found.carrier, 0);
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
	wanted.by_serial = 100;
	CHECK(learn_find(table, &wanted, 0, &found));
	wanted.path = 8;
	CHECK(!learn_find(table, &wanted, 0, &found));
	learn_free(table);
}

TEST(it_holds_until_its_time_and_the_address_longer)
{
	struct learn_entry name = server(1, 0, 0, 31);

	begin(8);
	add(server(1, 6, 443, 31));
	CHECK(find(1, 6, 443, 1000));
	CHECK(!find(1, 6, 443, 1001));
	name.until_ns = 2000;
	add(name);
	CHECK(find(1, 6, 443, 1001));
	CHECK_EQ(found.protocol, 31);
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

TEST(flows_that_disagree_say_only_what_all_run_over)
{
	begin(8);
	add(told(4, 40, 1000, 31));
	add(told(9, 90, 2000, 32));
	CHECK(find(1, 6, 443, 100));
	CHECK_EQ(found.protocol, 5);
	CHECK_EQ(found.carrier, 0);
	CHECK(find(1, 6, 443, 1500));
	CHECK_EQ(found.protocol, 32);
	learn_free(table);
}

TEST(what_later_packets_told_is_not_seen_whoever_told_first)
{
	struct learn_entry wanted = server(1, 6, 443, 0);

	begin(8);
	add(told(9, 90, 2000, 32));
	add(told(4, 40, 1000, 31));
	wanted.by_serial = 9;
	CHECK(learn_find(table, &wanted, 100, &found));
	CHECK_EQ(found.protocol, 31);
	wanted.by_serial = 4;
	CHECK(!learn_find(table, &wanted, 100, &found));
	learn_free(table);
}

static struct learn_entry
name(uint8_t client, uint16_t protocol)
{
	struct learn_entry entry = server(1, 0, 0, protocol);

	entry.carrier = 0;
	entry.client.b[3] = client;
	entry.has_client = client;
	return entry;
}

TEST(names_of_one_address_that_disagree_say_nothing)
{
	begin(8);
	add(name(0, 30));
	add(name(0, 0));
	CHECK(!find(1, 6, 443, 0));
	learn_free(table);
}

TEST(what_a_client_was_told_counts_more_than_what_others_were)
{
	struct learn_entry wanted = server(1, 6, 443, 0);

	begin(8);
	add(name(0, 30));
	add(name(0, 31));
	add(name(7, 31));
	wanted.by_serial = 100;
	wanted.has_client = true;
	wanted.client.b[3] = 7;
	CHECK(learn_find(table, &wanted, 0, &found));
	CHECK_EQ(found.protocol, 31);
	wanted.client.b[3] = 8;
	CHECK(!learn_find(table, &wanted, 0, &found));
	learn_free(table);
}

TEST(what_the_site_says_of_a_name_is_not_made_doubtful_by_others)
{
	struct learn_entry strong = name(0, 30);

	begin(8);
	add(name(0, 31));
	strong.strong = true;
	add(strong);
	CHECK(find(1, 6, 443, 0));
	CHECK_EQ(found.protocol, 30);
	learn_free(table);
}

TEST(of_more_than_the_slots_the_first_stay)
{
	struct learn_end end;
	uint32_t at = 0;

	begin(8);
	for (uint16_t n = 9; n >= 1; n--)
		add(told(n, 40, 1000, n));
	CHECK(learn_walk(table, &at, &end));
	CHECK_EQ(end.count, LEARN_SLOTS);
	for (unsigned i = 0; i < LEARN_SLOTS; i++)
		CHECK(end.entries[i].by_serial <= LEARN_SLOTS);
	CHECK(!learn_walk(table, &at, &end));
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
	CHECK_EQ(learn_evicted(table), 1);
	learn_free(table);
}
