/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/inside.h"

/*
 * A packet moves nothing here: a flow stays in its slot until the wheel comes by, and is then
 * ended, or put where its last packet says. Only a shorter idle time moves it at once. Slots
 * are named by time, so a slot is whatever lies 1024 slots apart; who has a longer idle time
 * than that is looked at once a turn.
 */

static uint32_t
slot_head(const struct table *table, uint64_t slot)
{
	return table->bound + (uint32_t)(slot % WHEEL_SLOTS);
}

void
wheel_leave(struct table *table, uint32_t n)
{
	chain_leave(table->wheel, n);
}

void
wheel_place(struct table *table, uint32_t n)
{
	const struct flow *flow = &table->flows[n];
	uint64_t idle = table->idle_ns[flow->state];
	uint64_t until = flow->last_ns > UINT64_MAX - idle ? UINT64_MAX : flow->last_ns + idle;
	uint64_t slot = until >> WHEEL_SHIFT;

	if (slot < table->position)
		slot = table->position;
	chain_leave(table->wheel, n);
	chain_join(table->wheel, slot_head(table, slot), n);
}

static void
examine(struct table *table, uint64_t slot, uint64_t now_ns)
{
	uint32_t list = table->bound + WHEEL_SLOTS;

	chain_move(table->wheel, slot_head(table, slot), list);
	while (chain_linked(table->wheel, list)) {
		uint32_t n = table->wheel[list].next;

		if (inside_over(table, &table->flows[n], now_ns))
			table_leave(table, n, FLOW_IDLE);
		else
			wheel_place(table, n);
	}
}

/*
 * When time has gone back, so does the wheel: every flow is still in a slot that comes by
 * within a turn. When time leaps, one turn sees all.
 */
void
wheel_turn(struct table *table, uint64_t now_ns)
{
	uint64_t slot = now_ns >> WHEEL_SHIFT, from = table->position;

	if (slot > from && slot - from > WHEEL_SLOTS)
		from = slot - WHEEL_SLOTS;
	table->position = slot;
	for (; from < slot; from++)
		examine(table, from, now_ns);
}
