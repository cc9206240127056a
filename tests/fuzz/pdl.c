/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Module texts. Whatever the text is, there are faults or there are modules; modules print to a
 * text that parses and prints to itself; and their rules, asked about the text itself as if a
 * flow had sent it, never turn an answer round as bytes come, and tell why.
 */
#include "pdl/pdl.h"
#include "match/rule.h"
#include "pdl/why.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FLOW = 256, STEP = 16 };

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

static struct pdl_set *
parse(const char *text, size_t size, bool must)
{
	struct barn_faults faults = { 0 };
	struct pdl_set *set = NULL;
	enum barn_err err;

	demand(pdl_set_new(NULL, &set) == BARN_OK);
	err = pdl_set_add(set, "fuzz", text, size, &faults);
	demand(!must || err == BARN_OK);
	if (!err && pdl_set_count(set) > 0) {
		pdl_set_finish(set, &faults);
		return set;
	}
	demand(err == BARN_ERR_MEMORY || faults.count > 0);
	for (uint32_t i = 0; i < faults.count && i < BARN_FAULTS; i++)
		demand(faults.fault[i].line > 0 && faults.fault[i].column > 0 &&
		       faults.fault[i].text[0] != '\0');
	pdl_set_free(set);
	return NULL;
}

static void
print_all(const struct pdl_set *set, struct text *text)
{
	for (size_t i = 0; i < pdl_set_count(set); i++)
		pdl_print(pdl_set_at(set, i), text);
}

static void
check_print(const struct pdl_set *set)
{
	struct text once = { 0 }, twice = { 0 };
	struct pdl_set *again;

	print_all(set, &once);
	if (once.len < 1024 * 1024) {
		again = parse(text_str(&once), once.len, true);
		print_all(again, &twice);
		demand(strcmp(text_str(&once), text_str(&twice)) == 0);
		pdl_set_free(again);
	}
	text_fini(&once);
	text_fini(&twice);
}

static void
check_rule(const struct pdl_rule *source, struct regex_scratch *scratch, const uint8_t *data,
	   uint32_t size, bool udp)
{
	const struct rule *rule = source->rule;
	struct text why = { 0 };
	uint32_t ends[FLOW / STEP] = { 0 };
	struct match_view view = { .udp = udp };
	enum match_answer before = MATCH_LATER, after;

	for (uint32_t len = 0; len < size; len += STEP) {
		for (unsigned dir = 0; dir < 2; dir++) {
			struct match_side *side = &view.side[dir];

			side->data = data;
			side->len = side->turn = len;
			side->ends = ends;
			side->datagrams = (uint16_t)(udp ? len / STEP : 0);
		}
		ends[len / STEP] = len + STEP;
		view.first_known = len > 0;
		after = rule_run(rule, &view, scratch);
		demand(before == MATCH_LATER || before == after ||
		       regex_scratch_cuts(scratch) > 0);
		before = after;
	}
	view.side[0].closed = view.side[1].closed = true;
	demand(rule_run(rule, &view, scratch) != MATCH_LATER);
	demand(why_rule(&why, source, &view, "") == BARN_OK && (why.len > 0 || why.failed));
	text_fini(&why);
}

static void
check_rules(const struct pdl_protocol *protocol, const uint8_t *data, uint32_t size)
{
	struct regex_scratch *scratch = NULL;

	demand(regex_scratch_new(&scratch) == BARN_OK);
	for (unsigned i = 0; i < protocol->rule_count; i++) {
		const struct pdl_rule *rule = &protocol->rules[i];

		if (rule->transports & PDL_TCP)
			check_rule(rule, scratch, data, size, false);
		if (rule->transports & PDL_UDP)
			check_rule(rule, scratch, data, size, true);
	}
	regex_scratch_free(scratch);
	for (unsigned i = 0; i < protocol->test_count; i++) {
		struct text why = { 0 };

		demand(why_test(&why, protocol, &protocol->tests[i]) == BARN_OK);
		text_fini(&why);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *exact = malloc(size + 1);
	struct pdl_set *set;

	demand(exact != NULL);
	memcpy(exact + 1, data, size); /* unaligned, and of exactly this size */
	set = parse(exact + 1, size, false);
	free(exact); /* what was compiled must not point into it */
	if (set) {
		check_print(set);
		for (size_t i = 0; i < pdl_set_count(set); i++)
			check_rules(pdl_set_at(set, i), data,
				    size < FLOW ? (uint32_t)size : FLOW);
	}
	pdl_set_free(set);
	return 0;
}
