/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/ledger.h"

#include <barn/stats.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit.h"

static const uint64_t SECOND = 1000000000;
static const struct discovery_kind plain = { .flows = 1, .ip_version = 4 };

struct rig {
	struct ledger *ledger;
	struct discovery *worker[2];
	uint64_t now_ns;
};

static void
begin(struct rig *r)
{
	CHECK_EQ(ledger_new(2, 4, &r->ledger), BARN_OK);
	for (unsigned i = 0; i < 2; i++)
		CHECK_EQ(discovery_new(2, 4, &r->worker[i]), BARN_OK);
	r->now_ns = 1000 * SECOND;
}

static void
end(struct rig *r)
{
	ledger_free(r->ledger);
	discovery_free(r->worker[0]);
	discovery_free(r->worker[1]);
}

static void
count(struct rig *r, unsigned worker, uint16_t iface, uint16_t protocol, uint32_t bytes)
{
	discovery_interface(r->worker[worker], iface, PACKET_IN, bytes);
	discovery_credit(r->worker[worker], iface, PACKET_IN, protocol, plain, 1, bytes);
}

static void
update(struct rig *r, unsigned seconds)
{
	const struct discovery *both[2] = { r->worker[0], r->worker[1] };

	r->now_ns += seconds * SECOND;
	CHECK_EQ(ledger_update(r->ledger, both, 2, r->now_ns), BARN_OK);
}

static struct barn_stats_row
row(const struct rig *r, uint16_t iface, uint16_t protocol)
{
	struct barn_stats_row row;

	ledger_row(r->ledger, iface, protocol, &row);
	return row;
}

TEST(workers_are_added_up_on_top_of_what_was_before_the_start)
{
	struct rig r;
	struct discovery_cell cell = { .packets = 5, .bytes = 5000000, .flows = 2 };

	begin(&r);
	CHECK_EQ(ledger_restore(r.ledger, 1, PACKET_IN, 9, &cell, 777), BARN_OK);
	CHECK_EQ(ledger_restore(r.ledger, 1, PACKET_IN, UINT16_MAX, &cell, 888), BARN_OK);
	count(&r, 0, 1, 2, 100);
	update(&r, 0);
	CHECK_EQ(row(&r, 1, 9).bytes[0], 5000000);
	CHECK_EQ(row(&r, 1, 9).flows[0], 2);
	CHECK_EQ(row(&r, 1, UINT16_MAX).packets[0], 6);
	CHECK_EQ(row(&r, 1, UINT16_MAX).bytes[0], 5000100);
	CHECK_EQ(row(&r, 0, UINT16_MAX).bytes[0], 0);
	count(&r, 1, 1, 2, 100);
	update(&r, 5);
	CHECK_EQ(row(&r, 1, 2).bytes[0], 200);
	CHECK_EQ(row(&r, 1, 2).ip4_packets[0], 2);
	/* 200 bytes in 5 s of 300; what was before the start is in no rate. */
	CHECK_EQ(row(&r, 1, UINT16_MAX).bps[0], 5);
	CHECK_EQ(row(&r, 1, 9).bps[0], 0);
	CHECK_EQ(row(&r, 1, 9).max_bps[0], 777);
	CHECK_EQ(row(&r, 1, UINT16_MAX).max_bps[0], 888);
	end(&r);
}

TEST(a_clear_is_of_one_interface_and_no_worker_notices)
{
	struct rig r;

	begin(&r);
	count(&r, 0, 0, 1, 1000);
	count(&r, 1, 1, 1, 1000);
	update(&r, 0);
	count(&r, 0, 0, 1, 100000);
	update(&r, 5);
	CHECK(row(&r, 0, 1).max_bps[0] > 0);
	CHECK_EQ(ledger_clear(r.ledger, 0), BARN_OK);
	CHECK_EQ(row(&r, 0, 1).bytes[0], 0);
	CHECK_EQ(row(&r, 0, 1).flows[0], 0);
	CHECK_EQ(row(&r, 0, UINT16_MAX).packets[0], 0);
	CHECK_EQ(row(&r, 0, 1).max_bps[0], 0);
	CHECK_EQ(row(&r, 1, 1).bytes[0], 1000);
	count(&r, 1, 0, 1, 60);
	update(&r, 1);
	CHECK_EQ(row(&r, 0, 1).bytes[0], 60);
	CHECK_EQ(row(&r, 0, UINT16_MAX).packets[0], 1);
	CHECK_EQ(discovery_cell(r.worker[0], 0, PACKET_IN, 1)->bytes, 101000);
	end(&r);
}

TEST(protocols_that_come_later_are_counted)
{
	struct rig r;

	begin(&r);
	update(&r, 0);
	CHECK_EQ(discovery_grow(r.worker[1], 200), BARN_OK);
	count(&r, 1, 0, 199, 77);
	update(&r, 5);
	CHECK(ledger_protocols(r.ledger) >= 200);
	CHECK_EQ(row(&r, 0, 199).bytes[0], 77);
	CHECK(row(&r, 0, 199).bps[0] > 0);
	CHECK_EQ(ledger_clear(r.ledger, 0), BARN_OK);
	CHECK_EQ(row(&r, 0, 199).bytes[0], 0);
	end(&r);
}

TEST(what_is_published_is_what_the_ledger_has_and_falls_to_nothing)
{
	static const struct segment_room room = {
		{ [BARN_STATS_INTERFACES] = 2, [BARN_STATS_PROTOCOLS] = 4 }
	};
	struct barn_stats_interface interfaces[2] = { { .name = "eth0", .ifindex = 2 },
						      { .name = "eth1", .ifindex = 3 } };
	struct barn_stats_interface seen;
	char path[] = "/tmp/barn-ledger.XXXXXX";
	struct barn_stats_row rows[1 + 4], want;
	struct barn_stats *stats;
	struct segment *segment;
	struct rig r;
	bool changed, whole;
	int fd = mkstemp(path);

	(void)close(fd);
	begin(&r);
	CHECK_EQ(segment_make(AT_FDCWD, path, 0600, &room, &fd), BARN_OK);
	CHECK_EQ(segment_open(fd, &segment), BARN_OK);
	(void)close(fd);
	segment_count(segment, BARN_STATS_INTERFACES, 2, true);
	ledger_interval(r.ledger, 1, 30);
	CHECK_EQ(ledger_interval_s(r.ledger, 1), 30);
	update(&r, 0);
	count(&r, 0, 1, 3, 1000000);
	update(&r, 5);
	ledger_publish(r.ledger, segment, interfaces, true);
	segment_publish(segment);
	CHECK_EQ(barn_stats_open(path, &stats), BARN_OK);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	CHECK_EQ(barn_stats_read_interface(stats, 1, &seen, sizeof(seen), rows, sizeof(rows[0]),
					   5, &whole),
		 BARN_OK);
	CHECK(whole);
	CHECK_STR(seen.name, "eth1");
	want = row(&r, 1, 3);
	CHECK(want.bps[0] > 0);
	CHECK_MEM(&rows[1 + 3], &want, sizeof(want));
	CHECK_EQ(rows[0].bytes[0], 1000000);
	for (unsigned i = 0; i < 600; i++) {
		update(&r, 1);
		ledger_publish(r.ledger, segment, NULL, false);
	}
	CHECK_EQ(barn_stats_row(stats, 1, 3, &rows[0]), BARN_OK);
	CHECK_EQ(rows[0].bps[0], 0);
	CHECK_EQ(rows[0].bytes[0], 1000000);
	CHECK_EQ(rows[0].max_bps[0], want.max_bps[0]);
	barn_stats_close(stats);
	segment_close(segment, false);
	(void)unlink(path);
	end(&r);
}
