/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Fragments that come before the first of their datagram. */
#include "wire_parts.h"

TEST(fragment_before_the_first_waits_for_it)
{
	for (int v6 = 0; v6 < 2; v6++) {
		struct wire *wire = wire_of(0, 0);
		struct packet p = give_third(wire, v6, 1, 2), early;

		CHECK(p.held);
		CHECK_EQ(p.ip_proto, 17);
		CHECK_EQ(p.src_port, 0);
		CHECK(give_third(wire, v6, 1, 1).held);
		CHECK(!wire_early(wire, &early));
		p = give_third(wire, v6, 1, 0);
		CHECK(!p.held);
		for (int i = 0; i < 2; i++) {
			CHECK(wire_early(wire, &early));
			CHECK(!early.held && early.fragment);
			CHECK_EQ(early.fault, PACKET_WHOLE);
			CHECK_EQ(early.src_port, p.src_port);
			CHECK_EQ(early.dst_port, p.dst_port);
			CHECK_EQ(early.ip_version, v6 ? 6 : 4);
			CHECK(early.wire_len > 0);
			CHECK_EQ(bytes_left(&early.frame), 0);
		}
		CHECK(!wire_early(wire, &early));
		CHECK_EQ(wire_stats(wire)->held, 2);
		wire_free(wire);
	}
}

TEST(fragment_whose_first_never_comes_is_lost)
{
	struct wire *wire = wire_of(0, 0);
	struct part second = { .id = 1, .from = 400, .to = WHOLE + 8 };
	struct part other = { .id = 2, .from = 400, .to = WHOLE + 8 };
	struct packet early;

	give(wire, datagram(WHOLE), &second);
	other.time_ns = 31 * UINT64_C(1000000000);
	give(wire, datagram(WHOLE), &other);
	CHECK(wire_early(wire, &early));
	CHECK_EQ(early.fault, PACKET_FRAGMENT_LOST);
	CHECK_EQ(early.src_port, 0);
	CHECK(!wire_early(wire, &early));
	wire_flush(wire);
	CHECK(wire_early(wire, &early));
	CHECK_EQ(early.fault, PACKET_FRAGMENT_LOST);
	CHECK(!wire_early(wire, &early));
	CHECK_EQ(wire_stats(wire)->faults[PACKET_FRAGMENT_LOST], 2);
	wire_free(wire);
}

TEST(flood_of_later_fragments_is_bounded)
{
	struct wire *wire = wire_of(16384, 0);
	uint64_t held = 0, given = 0;
	struct packet early;

	for (uint32_t id = 0; id < 10000; id++) {
		struct part second = { .id = (uint16_t)id, .from = 400, .to = WHOLE + 8 };
		struct packet p = give(wire, datagram(WHOLE), &second);

		held += p.held;
		given += p.fault == PACKET_FRAGMENT_LOST;
		while (wire_early(wire, &early))
			given++;
	}
	CHECK(held < 10000 && held >= 4096);
	wire_flush(wire);
	while (wire_early(wire, &early))
		given++;
	CHECK_EQ(given, 10000);
	wire_free(wire);
}
