/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/gate.h"
#include "starts_rig.h"
#include "unit.h"

#include <stdlib.h>

enum { ENTRIES = 300, ROUNDS = 20000 };

static struct arena *arena;
static struct gate_entry entries[ENTRIES];

/* Those of the transport, again and again, so that many words are needed. */
static struct gate *
make(unsigned count, enum inspect_transport transport)
{
	struct gate *gate = NULL;
	size_t at = 0;

	CHECK_EQ(arena_new(64 << 20, &arena), BARN_OK);
	for (unsigned i = 0; i < count; at++) {
		const struct inspector *one = inspectors[at % inspectors_count];

		if (!(one->transports & transport))
			continue;
		entries[i] = (struct gate_entry){ one, (uint16_t)(1000 - i) };
		i++;
	}
	CHECK_EQ(gate_new(arena, entries, count, transport, &gate), BARN_OK);
	return gate;
}

static void
compare(const struct gate *gate, unsigned count, const struct inspect_view *view)
{
	uint16_t numbers[ENTRIES];
	unsigned passed = gate_pass(gate, view, numbers), at = 0;

	for (unsigned i = 0; i < count; i++) {
		if (!inspector_may(entries[i].inspector, view))
			continue;
		CHECK(at < passed);
		CHECK_EQ(numbers[at++], entries[i].number);
	}
	CHECK_EQ(at, passed);
}

static void
run(unsigned count, enum inspect_transport transport)
{
	const struct gate *gate = make(count, transport);
	struct rig rig = { .seed = count + transport };

	for (unsigned round = 0; round < ROUNDS / count; round++) {
		const struct inspector *one = entries[round % count].inspector;
		struct inspect_view view = rig_view(&rig, one, (uint8_t)transport);

		view.lost = round % 64 == 0;
		if (round % 50 == 0)
			view.data = bytes_of(rig.bytes, 0);
		compare(gate, count, &view);
	}
	arena_free(arena);
}

TEST(those_pass_that_may_and_in_their_order)
{
	run(10, INSPECT_TCP);
	run(10, INSPECT_UDP);
	run(ENTRIES, INSPECT_TCP);
	run(ENTRIES, INSPECT_UDP);
}

TEST(who_tells_nothing_is_always_asked_and_who_tells_of_no_start_never)
{
	static const struct inspect_start nothing[1];
	static const struct inspector silent = { .transports = INSPECT_TCP };
	static const struct inspector never = { .transports = INSPECT_TCP, .starts = nothing };
	struct gate_entry three[] = { { &silent, 7 }, { &never, 8 }, { &silent, 9 } };
	struct inspect_view view = { .transport = INSPECT_TCP, .data = bytes_of("x", 1) };
	struct gate *gate = NULL;
	uint16_t numbers[3];

	CHECK_EQ(arena_new(1 << 20, &arena), BARN_OK);
	CHECK_EQ(gate_new(arena, three, 3, INSPECT_TCP, &gate), BARN_OK);
	CHECK_EQ(gate_pass(gate, &view, numbers), 2);
	CHECK_EQ(numbers[0], 7);
	CHECK_EQ(numbers[1], 9);
	CHECK_EQ(gate_new(arena, three, 0, INSPECT_TCP, &gate), BARN_OK);
	CHECK_EQ(gate_pass(gate, &view, numbers), 0);
	arena_free(arena);
}
