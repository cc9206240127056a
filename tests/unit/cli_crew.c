/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/crew.h"
#include "unit.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LANES = 4, PACKETS = 20000 };

struct state {
	struct crew *crew;
	uint64_t last[LANES];
	_Atomic uint8_t done[PACKETS + 1];
	_Atomic unsigned wrong;
	bool settle;
};

/* Any order of lanes, some packets slow. */
static uint32_t
noise(uint64_t serial)
{
	return (uint32_t)(serial * 2654435761u) >> 8;
}

static void
handle(void *self, unsigned lane, const struct packet *packet, uint64_t *slot)
{
	struct state *s = self;
	uint64_t serial = packet->serial;

	s->wrong += serial <= s->last[lane];
	s->last[lane] = serial;
	s->wrong += *packet->frame.p != (uint8_t)serial;
	if (noise(serial) % 50 == 0)
		sched_yield();
	if (s->settle && noise(serial) % 7 == 0) {
		crew_settle(s->crew, lane, serial);
		for (uint64_t i = serial > 600 ? serial - 600 : 1; i < serial; i++)
			s->wrong += !s->done[i];
	}
	s->done[serial] = 1;
	if (slot)
		*slot = serial;
}

static void
run(struct state *s, size_t (*size)(uint64_t serial))
{
	static uint8_t bytes[1 << 19];
	static uint64_t slots[PACKETS + 1];
	struct crew_options options = { .lanes = LANES, .packet = handle, .self = s };

	memset(slots, 0, sizeof(slots));
	CHECK_EQ(crew_new(&options, &s->crew), BARN_OK);
	for (uint64_t i = 1; i <= PACKETS; i++) {
		struct packet packet = { .serial = i };
		size_t n = size(i);

		bytes[0] = (uint8_t)i;
		packet.frame = bytes_of(bytes, n);
		packet.network = bytes_of(bytes, n);
		packet.payload = bytes_of(bytes + n, 0);
		CHECK_EQ(crew_deal(s->crew, noise(i) % LANES, &packet, &slots[i]), BARN_OK);
		if (i == PACKETS / 2) {
			crew_quiet(s->crew);
			for (uint64_t k = 1; k <= i; k++)
				CHECK_EQ(slots[k], k);
		}
	}
	crew_quiet(s->crew);
	crew_settle(s->crew, 0, PACKETS);
	for (uint64_t k = 1; k <= PACKETS; k++)
		CHECK_EQ(slots[k], k);
	crew_free(s->crew);
	CHECK_EQ(s->wrong, 0);
}

static size_t
small(uint64_t serial)
{
	return 60 + serial % 10;
}

/* Some fill a batch, some are larger than one. */
static size_t
various(uint64_t serial)
{
	return serial % 997 == 0 ? 1 << 19 : serial % 31 == 0 ? 65535 : 100;
}

TEST(each_lane_sees_its_packets_in_order_and_quiet_means_finished)
{
	static struct state s;

	run(&s, small);
}

TEST(frames_of_any_size_pass)
{
	static struct state s;

	run(&s, various);
}

TEST(settle_waits_for_all_that_came_before)
{
	static struct state s;

	s.settle = true;
	run(&s, small);
}

static void
check_windows(void *self, unsigned lane, const struct packet *packet, uint64_t *slot)
{
	struct bytes b = packet->payload, n = packet->network;
	unsigned *good = self;

	(void)lane;
	(void)slot;
	*good = bytes_left(&packet->frame) == 10 && packet->frame.p[9] == 9 &&
		bytes_left(&n) == 4 && bytes_left(&b) == 3 && b.p[2] == 'c' &&
		n.p[0] == (packet->serial == 1 ? 2 : 'x');
}

TEST(windows_point_into_the_copies)
{
	uint8_t frame[10] = { 0, 1, 2, 3, 4, 'a', 'b', 'c', 8, 9 }, joined[4] = "xabc";
	unsigned good[2] = { 0 };

	for (unsigned i = 0; i < 2; i++) {
		struct crew_options options = { 1, check_windows, &good[i] };
		struct packet packet = { .serial = i + 1, .frame = bytes_of(frame, 10) };
		struct crew *crew;

		/* Inside the frame, or, for a datagram that was joined, outside of it. */
		packet.network = i ? bytes_of(joined, 4) : bytes_of(frame + 2, 4);
		packet.payload = i ? bytes_of(joined + 1, 3) : bytes_of(frame + 5, 3);
		CHECK_EQ(crew_new(&options, &crew), BARN_OK);
		CHECK_EQ(crew_deal(crew, 0, &packet, NULL), BARN_OK);
		crew_free(crew);
		CHECK(good[i]);
	}
}
