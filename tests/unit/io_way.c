/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What of the ways needs no interface: tags and offload headers, verdict messages, checksums,
 * one link shown on the other, a replay's pace. */
#include "io/checksum.h"
#include "io/link.h"
#include "io/nfqueue.h"
#include "io/ring.h"
#include "unit.h"
#include <arpa/inet.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <linux/netlink.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>

TEST(kinds_are_sorted_complete_and_found_by_name)
{
	const struct way_kind *const *kinds = way_kinds();

	for (unsigned i = 0; kinds[i]; i++) {
		const struct way_kind *k = kinds[i];

		CHECK(i == 0 || strcmp(kinds[i - 1]->name, k->name) < 0);
		CHECK(way_named(k->name) == k);
		CHECK(k->probe && k->open);
	}
	CHECK(way_named("tap") == &way_tap);
	CHECK(!way_named("ta"));
}

static const uint8_t macs[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

static struct ring_frame
tagged(uint8_t *room, uint32_t status)
{
	memcpy(room + RING_RESERVE, macs, sizeof macs);
	memcpy(room + RING_RESERVE + 12, (uint8_t[]){ 0x08, 0, 0x45 }, 3);
	return (struct ring_frame){ .data = room + RING_RESERVE,
				    .captured = 15,
				    .length = 60,
				    .status = status,
				    .vlan_tci = 0x6123,
				    .vlan_tpid = 0x88a8 };
}

TEST(a_tag_goes_back_between_addresses_and_type)
{
	uint8_t room[64] = { 0 };
	struct ring_frame f = tagged(room, TP_STATUS_VLAN_VALID | TP_STATUS_VLAN_TPID_VALID);

	CHECK(ring_untake_tag(&f, NULL));
	CHECK_EQ(f.captured, 19);
	CHECK_EQ(f.length, 64);
	CHECK_MEM(f.data, macs, sizeof macs);
	CHECK_MEM(f.data + 12, ((uint8_t[]){ 0x88, 0xa8, 0x61, 0x23, 0x08, 0, 0x45 }), 7);
}

TEST(a_tag_of_unsaid_kind_is_8100_and_none_changes_nothing)
{
	uint8_t room[64] = { 0 };
	struct ring_frame f = tagged(room, TP_STATUS_VLAN_VALID);

	CHECK(ring_untake_tag(&f, NULL));
	CHECK_MEM(f.data + 12, ((uint8_t[]){ 0x81, 0, 0x61, 0x23 }), 4);
	f = tagged(room, 0);
	CHECK(!ring_untake_tag(&f, NULL));
	CHECK(f.data == room + RING_RESERVE);
	CHECK_EQ(f.captured, 15);
}

TEST(offsets_of_an_offload_header_move_with_the_tag_if_they_mean_something)
{
	struct virtio_net_hdr h = { .flags = VIRTIO_NET_HDR_F_NEEDS_CSUM,
				    .gso_type = VIRTIO_NET_HDR_GSO_TCPV4,
				    .hdr_len = 54,
				    .csum_start = 34,
				    .csum_offset = 16 };
	struct virtio_net_hdr none = { .gso_type = VIRTIO_NET_HDR_GSO_NONE };
	uint8_t room[64] = { 0 };
	struct ring_frame f = tagged(room, TP_STATUS_VLAN_VALID);

	CHECK(ring_untake_tag(&f, &h));
	CHECK_EQ(h.csum_start, 38);
	CHECK_EQ(h.csum_offset, 16);
	CHECK_EQ(h.hdr_len, 58);
	f = tagged(room, TP_STATUS_VLAN_VALID);
	CHECK(ring_untake_tag(&f, &none));
	CHECK_EQ(none.csum_start, 0);
	CHECK_EQ(none.hdr_len, 0);
}

/* A message as the kernel would read it. */
struct told {
	unsigned type, queue, id, verdict;
	uint32_t mark;
	bool marked, conntrack;
	size_t payload;
};

static unsigned
read_told(const uint8_t *p, size_t size, struct told *told)
{
	unsigned n = 0;

	while (size > 0) {
		struct nlmsghdr m;
		struct nfgenmsg g;
		size_t at = sizeof m + sizeof g;

		memcpy(&m, p, sizeof m);
		memcpy(&g, p + sizeof m, sizeof g);
		CHECK(m.nlmsg_len <= size && m.nlmsg_len % 4 == 0);
		CHECK(m.nlmsg_type >> 8 == NFNL_SUBSYS_QUEUE);
		told[n] =
			(struct told){ .type = m.nlmsg_type & 0xff, .queue = ntohs(g.res_id) };
		while (at < m.nlmsg_len) {
			struct nlattr a;
			uint32_t value[2] = { 0 };

			memcpy(&a, p + at, sizeof a);
			CHECK(a.nla_len >= sizeof a && at + a.nla_len <= m.nlmsg_len);
			memcpy(value, p + at + 4, a.nla_len < 12 ? a.nla_len - 4U : 8);
			if (a.nla_type == NFQA_VERDICT_HDR) {
				told[n].verdict = ntohl(value[0]);
				told[n].id = ntohl(value[1]);
			} else if (a.nla_type == NFQA_MARK) {
				told[n].marked = true;
				told[n].mark = ntohl(value[0]);
			} else if (a.nla_type == NFQA_PAYLOAD) {
				told[n].payload = a.nla_len - 4U;
			} else {
				told[n].conntrack = true;
			}
			at += (a.nla_len + 3U) & ~3U;
		}
		p += m.nlmsg_len;
		size -= m.nlmsg_len;
		n++;
	}
	return n;
}

static uint8_t out[4096] __attribute__((aligned(8)));
static struct told told[WAY_BATCH];

static unsigned
tell(const struct nfqueue_packet *p, const struct way_verdict *v, unsigned count, bool ct)
{
	uint64_t todo = (1ULL << count) - 1;
	size_t size = nfqueue_write(out, sizeof out, p, v, count, ct, &todo);

	CHECK_EQ(todo, 0);
	return read_told(out, size, told);
}

TEST(packets_that_pass_alike_are_one_message_with_the_last_number)
{
	struct nfqueue_packet p[4] = { { .id = 7 }, { .id = 8 }, { .id = 9 }, { .id = 10 } };
	struct way_verdict v[4] = { { .action = WAY_FORWARD } };

	CHECK_EQ(tell(p, v, 4, false), 1);
	CHECK_EQ(told[0].type, NFQNL_MSG_VERDICT_BATCH);
	CHECK_EQ(told[0].id, 10);
	CHECK_EQ(told[0].verdict, NF_ACCEPT);
	CHECK(!told[0].marked);
}

TEST(a_drop_among_others_parts_the_run_and_order_stays)
{
	struct nfqueue_packet p[4] = { { .id = 7 }, { .id = 8 }, { .id = 9 }, { .id = 10 } };
	struct way_verdict v[4] = { [1] = { .action = WAY_DROP } };

	CHECK_EQ(tell(p, v, 4, false), 3);
	CHECK_EQ(told[0].id, 7);
	CHECK_EQ(told[0].type, NFQNL_MSG_VERDICT);
	CHECK_EQ(told[1].id, 8);
	CHECK_EQ(told[1].verdict, NF_DROP);
	CHECK_EQ(told[2].id, 10);
	CHECK_EQ(told[2].type, NFQNL_MSG_VERDICT_BATCH);
}

TEST(queues_that_interleave_have_a_run_each)
{
	struct nfqueue_packet p[4] = {
		{ .id = 1 }, { .id = 5, .queue = 1 }, { .id = 2 }, { .id = 6, .queue = 1 }
	};
	struct way_verdict v[4] = { { .action = WAY_FORWARD } };

	CHECK_EQ(tell(p, v, 4, false), 2);
	CHECK_EQ(told[0].queue, 0);
	CHECK_EQ(told[0].id, 2);
	CHECK_EQ(told[1].queue, 1);
	CHECK_EQ(told[1].id, 6);
}

TEST(a_mark_keeps_the_bits_outside_its_mask)
{
	struct nfqueue_packet p[2] = { { .id = 1, .mark = 0xff00 }, { .id = 2, .mark = 1 } };
	struct way_verdict v[2] = { { .mark = 0xffff, .mark_mask = 0x30 },
				    { .mark = 0xffff, .mark_mask = 0x30 } };

	/* Different marks come of it, so they are two messages. */
	CHECK_EQ(tell(p, v, 2, false), 2);
	CHECK(told[0].marked && told[1].marked);
	CHECK_EQ(told[0].mark, 0xff30);
	CHECK_EQ(told[1].mark, 0x31);
}

TEST(a_changed_packet_and_a_connections_mark_stand_alone)
{
	uint8_t data[30] = { 0x45 };
	struct nfqueue_packet p[3] = { { .id = 1 },
				       { .id = 2, .data = data, .size = sizeof data },
				       { .id = 3 } };
	struct way_verdict v[3] = {
		[1] = { .action = WAY_CHANGED }, [2] = { .ct_mark = 1, .ct_mark_mask = 1 }
	};

	CHECK_EQ(tell(p, v, 3, true), 3);
	CHECK_EQ(told[1].payload, 30);
	CHECK(told[2].conntrack && !told[1].conntrack);
	p[1].cut = true;
	CHECK_EQ(tell(p, v, 3, false), 1);
	CHECK_EQ(told[0].id, 3);
	CHECK_EQ(told[0].payload, 0);
}

TEST(what_has_no_room_stays_to_be_told)
{
	static uint8_t data[3000];
	struct nfqueue_packet p[2] = { { .id = 1, .data = data, .size = sizeof data },
				       { .id = 2, .data = data, .size = sizeof data } };
	struct way_verdict v[2] = { { .action = WAY_CHANGED }, { .action = WAY_CHANGED } };
	uint64_t todo = 3;
	size_t size = nfqueue_write(out, sizeof out, p, v, 2, false, &todo);

	CHECK_EQ(todo, 2);
	CHECK_EQ(read_told(out, size, told), 1);
	size = nfqueue_write(out, sizeof out, p, v, 2, false, &todo);
	CHECK_EQ(todo, 0);
	CHECK_EQ(read_told(out, size, told), 1);
	CHECK_EQ(told[0].id, 2);
}

/* Made by hand: 10.0.0.1:1000 to 10.0.0.2:2000, "abc"; its checksum is not. */
static const uint8_t udp4[] = { 0x45, 0,    0, 31, 0,    0,    0,   0,   64, 17,   0,
				0,    10,   0, 0,  1,    10,   0,   0,   2,  0x03, 0xe8,
				0x07, 0xd0, 0, 11, 0xaa, 0xbb, 'a', 'b', 'c' };

static uint32_t
verify4(const uint8_t *p, size_t size)
{
	uint32_t sum = p[9] + (uint32_t)(size - 20);

	for (size_t i = 12; i < size; i++)
		sum += i % 2 ? p[i] : (uint32_t)p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

TEST(an_unfinished_checksum_is_made_right)
{
	uint8_t p[sizeof udp4];

	memcpy(p, udp4, sizeof p);
	CHECK(checksum_finish(p, sizeof p));
	CHECK_EQ(verify4(p, sizeof p), 0xffff);
	CHECK(p[26] != 0xaa || p[27] != 0xbb);
}

TEST(what_is_cut_or_a_fragment_or_neither_protocol_is_left_alone)
{
	uint8_t p[sizeof udp4];

	memcpy(p, udp4, sizeof p);
	for (size_t size = 0; size < sizeof p; size++)
		CHECK(!checksum_finish(p, size));
	p[6] = 0x20;
	CHECK(!checksum_finish(p, sizeof p));
	p[6] = 0;
	p[9] = 1;
	CHECK(!checksum_finish(p, sizeof p));
	p[9] = 17;
	CHECK_MEM(p, udp4, sizeof p);
}

TEST(two_dead_links_do_not_hold_each_other_down)
{
	struct link_mirror m = { .held = { false } };

	CHECK_EQ(link_mirror_step(&m, 0, false), LINK_SET_DOWN);
	/* The other one says so itself, as we have set it down. */
	CHECK_EQ(link_mirror_step(&m, 1, false), LINK_NOTHING);
	CHECK_EQ(link_mirror_step(&m, 0, false), LINK_NOTHING);
	CHECK_EQ(link_mirror_step(&m, 0, true), LINK_SET_UP);
	CHECK_EQ(link_mirror_step(&m, 0, true), LINK_NOTHING);
	CHECK_EQ(link_mirror_step(&m, 1, false), LINK_SET_DOWN);
	CHECK_EQ(link_mirror_step(&m, 1, true), LINK_SET_UP);
}

static uint64_t
play(double pace, unsigned *frames)
{
	static char path[512];
	const char *const paths[] = { path };
	struct way_options o = { .interfaces = paths, .interface_count = 1, .pace = pace };
	struct way_frame frame[WAY_BATCH];
	struct way_verdict verdicts[WAY_BATCH] = { { .action = WAY_FORWARD } };
	struct way_event event = { .interface = 0 };
	struct source_fault fault = { .text = "" };
	struct way *way;
	struct timespec from, to;
	const char *top = getenv("srcdir");

	(void)snprintf(path, sizeof path, "%s/captures/telnet/%s", top ? top : ".",
		       "busybox-client.pcap");
	CHECK_EQ(way_replay.open(&o, &way, &fault), BARN_OK);
	(void)clock_gettime(CLOCK_MONOTONIC, &from);
	*frames = 0;
	do {
		struct pollfd at = { .fd = way_replay.fd(way), .events = POLLIN };
		unsigned n;

		CHECK_EQ(poll(&at, 1, 5000), 1);
		while ((n = way_replay.receive(way, frame)) > 0) {
			*frames += n;
			way_replay.verdict(way, verdicts, n);
		}
	} while (!way_replay.event(way, &event));
	(void)clock_gettime(CLOCK_MONOTONIC, &to);
	CHECK_EQ(event.change, WAY_END);
	way_replay.close(way);
	return (uint64_t)(to.tv_sec - from.tv_sec) * 1000 + (uint64_t)(to.tv_nsec / 1000000) -
	       (uint64_t)(from.tv_nsec / 1000000);
}

/* The capture lasts 662 ms. */
TEST(a_replay_keeps_its_pace)
{
	unsigned all, paced;
	uint64_t at_once_ms = play(0, &all), paced_ms = play(4, &paced);

	CHECK(all > 0);
	CHECK_EQ(paced, all);
	CHECK(paced_ms >= 160);
	CHECK(at_once_ms < paced_ms);
}
