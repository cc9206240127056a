/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/rule.h"

#include "match/program.h"

/*
 * Whether the first byte of a side forbids the rule. rule_set asks the same question for all
 * rules at once, so that one rule alone and all together give the same answers.
 */
static bool
forbidden(const struct rule *rule, const struct match_view *view)
{
	for (unsigned dir = 0; dir < 2; dir++) {
		const struct match_side *side = &view->side[dir];
		struct bytes data =
			side->len > 0 ? bytes_of(side->data, side->len) : bytes_of("", 0);
		uint8_t byte = bytes_u8(&data);

		if (data.bad || (view->udp && (side->datagrams == 0 || side->ends[0] == 0)))
			continue;
		if (!byteset_has(&rule->first[dir], byte))
			return true;
	}
	return false;
}

enum match_answer
rule_run(const struct rule *rule, const struct match_view *view, struct regex_scratch *scratch)
{
	enum match_answer stack[PROGRAM_STACK];
	unsigned top = 0;

	if (forbidden(rule, view))
		return MATCH_NO;
	for (unsigned i = 0; i < rule->step_count; i++) {
		const struct program_step *step = &rule->steps[i];

		switch (step->kind) {
		case PROGRAM_TERM:
			stack[top++] = term_run(&rule->terms[step->number], view, scratch);
			break;
		case PROGRAM_NOT: stack[top - 1] = MATCH_YES - stack[top - 1]; break;
		case PROGRAM_AND:
			top--;
			if (stack[top] < stack[top - 1])
				stack[top - 1] = stack[top];
			break;
		case PROGRAM_OR:
			top--;
			if (stack[top] > stack[top - 1])
				stack[top - 1] = stack[top];
			break;
		case PROGRAM_SKIP_NO:
			if (stack[top - 1] == MATCH_NO)
				i = step->number - 1U;
			break;
		case PROGRAM_SKIP_YES:
			if (stack[top - 1] == MATCH_YES)
				i = step->number - 1U;
			break;
		default: return MATCH_NO;
		}
	}
	return stack[0];
}
