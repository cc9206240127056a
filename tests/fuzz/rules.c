/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * A module's text and, behind its first NUL, what a flow sends: the client the odd steps, the
 * server the even ones. At each step all rules together, with Hyperscan and without, say what
 * each says alone.
 */
#include "match/rule.h"
#include "pdl/pdl.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FLOW = 1024, STEPS = 16, RULES = 256 };

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

struct rules {
	const struct rule *rule[RULES];
	uint16_t count;
};

struct told {
	bool number[RULES];
};

static void
collect(const struct pdl_set *set, uint8_t transport, struct rules *rules)
{
	rules->count = 0;
	for (size_t i = 0; i < pdl_set_count(set); i++) {
		const struct pdl_protocol *p = pdl_set_at(set, i);

		for (unsigned n = 0; n < p->rule_count && rules->count < RULES; n++)
			if (p->rules[n].transports & transport)
				rules->rule[rules->count++] = p->rules[n].rule;
	}
}

static struct rule_set *
set_of(const struct rules *rules, bool udp, bool no_scan)
{
	struct rule_set_options options = { .udp = udp, .no_scan = no_scan };
	struct rule_set *set = NULL;

	demand(rule_set_new(&options, &set) == BARN_OK);
	for (uint16_t i = 0; i < rules->count; i++)
		demand(rule_set_add(set, rules->rule[i], i) == BARN_OK);
	demand(rule_set_compile(set) == BARN_OK);
	return set;
}

static bool
note(void *self, uint16_t number)
{
	struct told *told = self;

	told->number[number] = true;
	return true;
}

static void
compare(const struct rules *rules, struct rule_set *const sets[2], struct rule_scratch *scratch,
	struct rule_memory memories[2], const struct match_view *view)
{
	struct told told[4] = { { { false } } };
	enum match_answer all[4], later = MATCH_NO;

	for (unsigned k = 0; k < 2; k++) {
		all[k] = rule_set_run(sets[k], view, scratch, NULL, note, &told[k]);
		all[k + 2] =
			rule_set_run(sets[k], view, scratch, &memories[k], note, &told[k + 2]);
	}
	for (uint16_t i = 0; i < rules->count; i++) {
		enum match_answer alone =
			rule_run(rules->rule[i], view, rule_scratch_regex(scratch));

		if (alone == MATCH_LATER)
			later = MATCH_LATER;
		for (unsigned k = 0; k < 4; k++)
			demand(told[k].number[i] == (alone == MATCH_YES));
	}
	for (unsigned k = 0; k < 4; k++)
		demand(all[k] == later);
}

/* Both sides' bytes lie one behind the other in `flow`, in two halves. */
static void
converse(const struct rules *rules, struct rule_set *const sets[2],
	 struct rule_scratch *scratch, const uint8_t *flow, uint32_t half, bool udp)
{
	uint32_t ends[2][STEPS];
	struct match_view view = { .udp = udp };
	struct rule_memory memories[2] = { { .listed = false } };
	uint32_t step = half / (STEPS / 2) + 1;

	for (unsigned dir = 0; dir < 2; dir++) {
		view.side[dir].data = flow + dir * half;
		view.side[dir].ends = ends[dir];
	}
	compare(rules, sets, scratch, memories, &view);
	for (unsigned i = 0; i < STEPS; i++) {
		struct match_side *side = &view.side[i % 2], *other = &view.side[!(i % 2)];

		side->len = side->len + step < half ? side->len + step : half;
		if (udp)
			ends[i % 2][side->datagrams++] = side->len;
		other->turn_over = other->turn_over || other->len > 0;
		side->turn = side->turn_over ? side->turn : side->len;
		compare(rules, sets, scratch, memories, &view);
	}
	view.side[0].closed = view.side[1].closed = true;
	compare(rules, sets, scratch, memories, &view);
}

static void
check(const struct pdl_set *modules, const uint8_t *flow, size_t size, bool udp)
{
	static struct rules rules;
	struct rule_set *sets[2];
	struct rule_scratch *scratch = NULL;
	struct rule_scratch_options options = {
		.sets = (const struct rule_set *const *)sets,
		.set_count = 2,
	};

	collect(modules, udp ? PDL_UDP : PDL_TCP, &rules);
	for (unsigned k = 0; k < 2; k++)
		sets[k] = set_of(&rules, udp, k);
	demand(rule_scratch_new(&options, &scratch) == BARN_OK);
	converse(&rules, sets, scratch, flow, (uint32_t)(size < FLOW ? size : FLOW) / 2, udp);
	rule_scratch_free(scratch);
	for (unsigned k = 0; k < 2; k++)
		rule_set_free(sets[k]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = size ? memchr(data, 0, size) : NULL;
	size_t text = nul ? (size_t)(nul - data) : size;
	const uint8_t *flow = nul ? nul + 1 : data;
	struct barn_faults faults = { 0 };
	struct pdl_set *set = NULL;

	demand(pdl_set_new(NULL, &set) == BARN_OK);
	if (pdl_set_add(set, "fuzz", (const char *)data, text, &faults) == BARN_OK)
		for (unsigned udp = 0; udp < 2; udp++)
			check(set, flow, size - (size_t)(flow - data), udp);
	pdl_set_free(set);
	return 0;
}
