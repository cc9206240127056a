/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_STARTS_RIG_H
#define BARN_TESTS_STARTS_RIG_H

/* Beginnings of flows by chance, near what inspectors say that they begin with. */

#include "inspect/inspector.h"

enum { RIG_BYTES = 1400 };

struct rig {
	uint64_t seed;
	uint8_t bytes[RIG_BYTES];
};

static inline uint32_t
rig_chance(struct rig *r, uint32_t n)
{
	r->seed = r->seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((r->seed >> 32) * n >> 32);
}

/* A byte that is likely to mean something. */
static inline uint8_t
rig_byte(struct rig *r)
{
	static const uint8_t often[] =
		"\0\0\0\1\2\3\4\5\x08\x10\x16\x20\x30\x80\xff\r\n \tASaz09";

	return rig_chance(r, 2) ? often[rig_chance(r, sizeof(often) - 1)]
				: (uint8_t)rig_chance(r, 256);
}

static inline size_t
rig_length(struct rig *r)
{
	static const uint16_t longer[] = { 60, 120, 300, 1200, RIG_BYTES };

	return rig_chance(r, 3) ? 1 + rig_chance(r, 32) : longer[rig_chance(r, 5)];
}

static inline uint16_t
rig_port(struct rig *r)
{
	static const uint16_t ports[] = { 53, 69, 137, 1718, 1719, 5060, 5353, 40000 };

	return ports[rig_chance(r, 8)];
}

/* Chance, or one of the inspector's starts, or one with a byte that is wrong. */
static inline struct inspect_view
rig_view(struct rig *r, const struct inspector *inspector, uint8_t transport)
{
	struct inspect_view view = { .transport = transport,
				     .dir = (uint8_t)rig_chance(r, 2),
				     .snapped = transport == INSPECT_UDP && !rig_chance(r, 8),
				     .ended = transport == INSPECT_TCP && !rig_chance(r, 8),
				     .port = { rig_port(r), rig_port(r) },
				     .time_ns = UINT64_C(1700000000000000000) };
	const struct inspect_start *start = NULL;
	size_t len = rig_length(r);

	for (size_t i = 0; i < len; i++)
		r->bytes[i] = rig_byte(r);
	if (inspector->start_count && rig_chance(r, 4))
		start = &inspector->starts[rig_chance(r, inspector->start_count)];
	for (unsigned i = 0; start && i < start->count; i++)
		r->bytes[i] =
			(uint8_t)(start->bytes[i][0] +
				  rig_chance(r, start->bytes[i][1] - start->bytes[i][0] + 1u));
	if (start && start->count && rig_chance(r, 2))
		r->bytes[rig_chance(r, start->count)] = rig_byte(r);
	view.data = bytes_of(r->bytes, len);
	return view;
}

#endif
