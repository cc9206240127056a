/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/inside.h"
#include "flow_rig.h"

TEST(both_directions_are_one_flow_and_counted_by_end)
{
	begin(16);
	tcp(1, false, TCP_SYN, 0);
	CHECK(fresh);
	CHECK_EQ(from, FLOW_A);
	tcp(1, true, TCP_SYN | TCP_ACK, 5);
	CHECK(!fresh);
	CHECK_EQ(from, FLOW_B);
	tcp(1, false, TCP_ACK, 9);
	CHECK_EQ(flow->packets[FLOW_A], 2);
	CHECK_EQ(flow->packets[FLOW_B], 1);
	CHECK_EQ(flow->bytes[FLOW_A], 200);
	CHECK_EQ(flow->bytes[FLOW_B], 100);
	CHECK_EQ(flow->id, 1);
	CHECK_EQ(flow->first_ns, start);
	CHECK_EQ(flow->last_ns, start + 9);
	CHECK_EQ(table_stats(table)->flows, 1);
	finish();
}

TEST(other_paths_protocols_and_versions_are_other_flows)
{
	struct packet p;

	begin(16);
	p = packet_of(1, false, 6, TCP_SYN, 0);
	table_packet(table, &p, &from, &fresh);
	p.path_key = 9;
	table_packet(table, &p, &from, &fresh);
	CHECK(fresh);
	p.ip_proto = 17;
	table_packet(table, &p, &from, &fresh);
	CHECK(fresh);
	p.ip_version = 6;
	table_packet(table, &p, &from, &fresh);
	CHECK(fresh);
	p.src.b[15] = 1;
	table_packet(table, &p, &from, &fresh);
	CHECK(fresh);
	p.ip_version = 0;
	table_packet(table, &p, &from, &fresh);
	CHECK(fresh);
	CHECK_EQ(table_stats(table)->flows, 6);
	table_packet(table, &p, &from, &fresh);
	CHECK(!fresh);
	finish();
}

TEST(close_ends_in_order_of_id)
{
	begin(4096);
	for (uint32_t n = 0; n < 3000; n++)
		udp(n, false, 0);
	/* Holes, and numbers used again. */
	for (uint32_t n = 0; n < 3000; n += 3) {
		tcp(n, false, TCP_SYN, 50 * second);
		udp(n, true, 50 * second);
	}
	table_tick(table, start + 70 * second);
	for (uint32_t n = 0; n < 500; n++)
		tcp(n, true, TCP_RST, 71 * second);
	memset(&gone, 0, sizeof(gone));
	table_close(table, start + 75 * second);
	CHECK(gone.total > 1000);
	for (unsigned i = 1; i < gone.total; i++)
		CHECK(gone.ids[i] > gone.ids[i - 1]);
	CHECK(gone.count[FLOW_SHUTDOWN] > 0);
	CHECK(gone.count[FLOW_RST] >= 500);
	CHECK_EQ(table_stats(table)->flows, 0);
	/* And the table can be used on. */
	udp(1, false, 0);
	CHECK(fresh);
	table_close(table, start + 61 * second);
	CHECK_EQ(gone.last_end, FLOW_IDLE);
	table_free(table);
}

static void
add_id(void *self, struct flow *f)
{
	*(uint64_t *)self += f->id;
}

TEST(an_empty_table_has_empty_buckets)
{
	static const struct bucket empty;

	begin(2000);
	for (uint32_t n = 0; n < 10000; n++)
		udp(n, false, 0);
	table_close(table, start);
	for (uint64_t i = 0; i <= table->mask; i++) {
		CHECK_EQ(table->buckets[i].away, empty.away);
		CHECK_MEM(table->buckets[i].tag, empty.tag, sizeof(empty.tag));
	}
	finish();
}

TEST(nobody_is_evicted_for_want_of_a_place_in_a_bucket)
{
	begin(1 << 16);
	for (uint32_t n = 0; n < 1 << 16; n++)
		udp(n, false, 0);
	CHECK_EQ(gone.total, 0);
	finish();
}

TEST(each_visits_every_flow_once)
{
	uint64_t sum = 0;

	begin(100);
	for (uint32_t n = 1; n <= 50; n++)
		udp(n, false, 0);
	tcp(1, false, TCP_RST, 0);
	table_tick(table, start + 12 * second);
	CHECK_EQ(gone.total, 1);
	table_each(table, add_id, &sum);
	CHECK_EQ(sum, 50 * 51 / 2);
	finish();
}

TEST(wrong_options_are_refused)
{
	struct table_options options = { .flows = 1 };
	struct table *t;

	CHECK_EQ(table_new(&options, &t), BARN_ERR_ARGUMENT);
	options.ended = note_end;
	options.flows = UINT32_MAX;
	CHECK_EQ(table_new(&options, &t), BARN_ERR_ARGUMENT);
	table_free(NULL);
}

TEST(announced_packets_find_the_same_flows)
{
	struct packet batch[64];
	struct flow *plain[64];

	begin(1000);
	for (uint32_t i = 0; i < 64; i++) {
		batch[i] = packet_of(i % 40, i % 3 == 0, 17, 0, i);
		plain[i] = table_packet(table, &batch[i], &from, &fresh);
	}
	for (uint32_t i = 0; i < 64; i++)
		table_prefetch(table, &batch[i]);
	for (uint32_t i = 0; i < 64; i++) {
		flow = table_packet(table, &batch[i], &from, &fresh);
		CHECK(!fresh);
		CHECK(flow == plain[i]);
		CHECK_EQ(from, i % 3 == 0 ? FLOW_B : FLOW_A);
	}
	CHECK_EQ(table_stats(table)->flows, 40);
	finish();
}

TEST(announced_packets_may_be_new_left_out_or_too_many)
{
	struct packet batch[200];

	begin(1000);
	for (uint32_t i = 0; i < 200; i++) {
		batch[i] = packet_of(i, false, 17, 0, 0);
		table_prefetch(table, &batch[i]);
	}
	for (uint32_t i = 0; i < 200; i += 1 + i % 7) {
		flow = table_packet(table, &batch[i], &from, &fresh);
		CHECK(fresh);
		CHECK_EQ(flow->id, batch[i].serial);
		CHECK_EQ(flow->key.port[FLOW_A], batch[i].src_port);
		table_packet(table, &batch[i], &from, &fresh);
		CHECK(!fresh);
	}
	finish();
}

TEST(a_packet_that_was_not_announced_is_no_other)
{
	struct packet batch[40];

	begin(1000);
	for (uint32_t i = 0; i < 40; i++)
		establish(i, 0);
	for (uint32_t i = 0; i < 40; i++) {
		batch[i] = packet_of(i, false, 6, TCP_ACK, 0);
		if (i != 0 && i != 7)
			table_prefetch(table, &batch[i]);
	}
	for (uint32_t i = 0; i < 40; i++) {
		flow = table_packet(table, &batch[i], &from, &fresh);
		CHECK(!fresh);
		CHECK_EQ(flow->key.port[FLOW_A], batch[i].src_port);
		CHECK_EQ(flow->packets[FLOW_A], 3);
	}
	finish();
}

TEST(announced_packets_may_be_passed_over)
{
	struct packet batch[60];

	begin(1000);
	for (uint32_t i = 0; i < 60; i++)
		establish(i, 0);
	for (uint32_t i = 0; i < 60; i++) {
		batch[i] = packet_of(i, false, 6, TCP_ACK, 0);
		table_prefetch(table, &batch[i]);
	}
	for (uint32_t i = 55; i < 60; i++) {
		flow = table_packet(table, &batch[i], &from, &fresh);
		CHECK_EQ(flow->key.port[FLOW_A], batch[i].src_port);
		CHECK_EQ(flow->packets[FLOW_A], 3);
	}
	finish();
}

TEST(a_packet_without_a_serial_is_not_announced)
{
	struct packet p;

	begin(1000);
	establish(1, 0);
	establish(2, 0);
	p = packet_of(1, false, 6, TCP_ACK, 0);
	p.serial = 0;
	table_prefetch(table, &p);
	p.src_port = 20002;
	flow = table_packet(table, &p, &from, &fresh);
	CHECK_EQ(flow->key.port[FLOW_A], 20002);
	finish();
}

TEST(a_flow_that_left_after_the_announcement_is_not_found)
{
	struct packet batch[3];

	begin(1);
	batch[0] = packet_of(1, false, 17, 0, 0);
	batch[1] = packet_of(2, false, 17, 0, 1);
	batch[2] = packet_of(1, false, 17, 0, 2);
	table_packet(table, &batch[0], &from, &fresh);
	for (uint32_t i = 1; i < 3; i++)
		table_prefetch(table, &batch[i]);
	table_packet(table, &batch[1], &from, &fresh);
	CHECK(fresh);
	table_packet(table, &batch[2], &from, &fresh);
	CHECK(fresh);
	finish();
}

TEST(steering_is_the_same_for_both_directions_all_ports_and_paths)
{
	struct packet p = packet_of(1, false, 6, 0, 0), q = packet_of(2, true, 17, 0, 0);
	uint64_t want = table_steer(&p);

	q.path_key = 99;
	CHECK_EQ(table_steer(&q), want);
	q.dst.b[3] ^= 1;
	CHECK(table_steer(&q) != want);
}

TEST(steering_spreads_addresses_evenly)
{
	unsigned load[8] = { 0 };

	for (uint32_t n = 0; n < 8000; n++) {
		struct packet p = packet_of(n << 12, false, 6, 0, 0);
		load[table_steer(&p) % 8]++;
	}
	for (int i = 0; i < 8; i++)
		CHECK(load[i] > 850 && load[i] < 1150);
}
