/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/custom_impl.h"

#include <string.h>

/* Values of fields, and names of servers, to custom protocols. */

static void
found_pattern(void *self, uint16_t number, uint32_t end)
{
	struct custom_found *found = self;
	unsigned i = 0;

	while (i < found->count && found->at[i].pattern != number)
		i++;
	if (i == CUSTOM_FOUND)
		return;
	if (i < found->count) {
		if (found->at[i].end < end)
			found->at[i].end = (uint16_t)end;
		return;
	}
	found->at[found->count].pattern = number;
	found->at[found->count++].end = end < UINT16_MAX ? (uint16_t)end : UINT16_MAX;
}

void
custom_value(const struct custom *custom, uint16_t field, struct bytes value,
	     struct rule_scratch *scratch, struct custom_found *found)
{
	if (!custom || field >= custom->field_count)
		return;
	/* However many requests come in one segment, the first names the flow. */
	if (custom->kinds[field] == CUSTOM_REQUEST && found->requests < 2)
		found->requests++;
	if (found->requests > 1 || !custom->fields[field])
		return;
	pattern_set_run(custom->fields[field], value, scratch, found_pattern, found);
	/* NBAR matches a URL without its first slash; some users write it. */
	if (custom->kinds[field] != CUSTOM_URL || !bytes_starts(&value, "/"))
		return;
	value.p++;
	pattern_set_run(custom->fields[field], value, scratch, found_pattern, found);
}

/* Where the rule's patterns end, summed up; -1: not all of them hold. */
static int64_t
ends_of(const struct custom_rule *rule, const struct custom_found *found)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < rule->count; i++) {
		unsigned k = 0;

		while (k < found->count && found->at[k].pattern != rule->patterns[i])
			k++;
		if (k == found->count)
			return -1;
		sum += found->at[k].end;
	}
	return sum;
}

/* Better: what weighs more, what ends later, what fixes more; then by name. */
static bool
is_better(const struct custom_rule *a, int64_t a_end, const struct custom_rule *b,
	  int64_t b_end)
{
	if (a->weight != b->weight)
		return a->weight > b->weight;
	if (a_end != b_end)
		return a_end > b_end;
	if (a->literals != b->literals)
		return a->literals > b->literals;
	return strcmp(a->name, b->name) < 0;
}

uint16_t
custom_child(const struct custom *custom, const struct custom_found *found, uint16_t carrier)
{
	const struct custom_rule *best = NULL;
	int64_t best_end = 0;

	for (unsigned i = 0; i < found->count; i++) {
		const struct custom_pattern *p = &custom->patterns[found->at[i].pattern];

		if (registry_field(custom->registry, p->field)->protocol != carrier)
			continue;
		for (unsigned n = p->first; n < p->first + p->count; n++) {
			const struct custom_rule *rule = &custom->rules[n];
			int64_t end = ends_of(rule, found);

			if (end >= 0 && (!best || is_better(rule, end, best, best_end))) {
				best = rule;
				best_end = end;
			}
		}
	}
	return best ? best->protocol : 0;
}

struct resolving {
	const struct custom *custom;
	const struct custom_name *best;
	uint32_t end;
};

static void
found_name(void *self, uint16_t number, uint32_t end)
{
	struct resolving *r = self;
	const struct custom_name *name = &r->custom->names[number], *best = r->best;

	if (best && (r->end != end                      ? r->end > end
		     : best->literals != name->literals ? best->literals > name->literals
							: strcmp(best->name, name->name) <= 0))
		return;
	r->best = name;
	r->end = end;
}

unsigned
custom_sieves(const struct custom *custom, const struct sieve **sieves)
{
	unsigned count = 0;

	for (unsigned i = 0; custom && i < custom->field_count; i++) {
		if (custom->fields[i] && sieves)
			sieves[count] = pattern_set_sieve(custom->fields[i]);
		count += custom->fields[i] != NULL;
	}
	if (custom && custom->resolved) {
		if (sieves)
			sieves[count] = pattern_set_sieve(custom->resolved);
		count++;
	}
	return count;
}

uint16_t
custom_resolve(const struct custom *custom, struct bytes name, struct rule_scratch *scratch)
{
	struct resolving r = { .custom = custom };

	if (!custom || !custom->resolved)
		return 0;
	pattern_set_run(custom->resolved, name, scratch, found_name, &r);
	return r.best ? r.best->protocol : 0;
}

bool
custom_resolved(const struct custom *custom, uint16_t protocol)
{
	return custom && custom->resolves && protocol < registry_count(custom->registry) &&
	       custom->resolves[protocol];
}
