/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/explain.h"

#include "match/rule.h"

enum match_answer
explain_rule(const struct rule *rule, const struct match_view *view,
	     struct regex_scratch *scratch, struct explain_term *terms)
{
	for (unsigned i = 0; i < rule->term_count; i++)
		term_explain(&rule->terms[i], view, scratch, &terms[i]);
	return rule_run(rule, view, scratch);
}
