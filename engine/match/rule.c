/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/rule.h"

#include "match/program.h"

enum match_answer
rule_run(const struct rule *rule, const struct match_view *view, struct regex_scratch *scratch)
{
	enum match_answer stack[PROGRAM_STACK];
	unsigned top = 0;

	if (need_may(rule, view) == MATCH_NO)
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
