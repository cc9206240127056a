/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/match_set.h"

#include "match/sieve.h"

#include <stdlib.h>

struct statement {
	const struct match *match;
	uint32_t number;
};

/* The statements about one field; a statement's place here is its number in the sieve. */
struct group {
	struct sieve *sieve;
	struct statement *statements;
	uint32_t count, room;
};

struct match_set {
	uint16_t count;
	struct group fields[]; /* by the registry's number; those without a sieve are empty */
};

enum barn_err
match_set_new(uint16_t fields, struct match_set **set)
{
	*set = calloc(1, sizeof(**set) + fields * sizeof(struct group));
	if (!*set)
		return BARN_ERR_MEMORY;
	(*set)->count = fields;
	return BARN_OK;
}

void
match_set_free(struct match_set *set)
{
	if (!set)
		return;
	for (uint16_t i = 0; i < set->count; i++) {
		sieve_free(set->fields[i].sieve);
		free(set->fields[i].statements);
	}
	free(set);
}

static enum barn_err
add(struct group *group, struct statement statement, const struct needles *needles)
{
	enum barn_err err = group->sieve ? BARN_OK : sieve_new(&group->sieve);

	if (!err && group->count == group->room) {
		uint32_t room = group->room ? group->room * 2 : 16;
		struct statement *more = realloc(group->statements, room * sizeof(*more));

		if (!more)
			return BARN_ERR_MEMORY;
		group->statements = more;
		group->room = room;
	}
	if (!err)
		err = sieve_add(group->sieve, needles);
	if (!err)
		group->statements[group->count++] = statement;
	return err;
}

enum barn_err
match_set_add(struct match_set *set, const struct match *match, uint32_t number)
{
	struct needles needles;
	uint16_t field = match_field(match, &needles);

	if (field >= set->count)
		return BARN_OK; /* no value decides it */
	return add(&set->fields[field], (struct statement){ match, number }, &needles);
}

enum barn_err
match_set_compile(struct match_set *set, bool no_scan)
{
	enum barn_err err = BARN_OK;

	for (uint16_t i = 0; i < set->count && !err; i++)
		if (set->fields[i].sieve)
			err = sieve_compile(set->fields[i].sieve, no_scan);
	return err;
}

enum barn_err
match_set_scratch(const struct match_set *set, struct rule_scratch **scratch)
{
	const struct sieve **sieves = calloc(set->count + 1U, sizeof(const struct sieve *));
	struct rule_scratch_options options = { .sieves = sieves };
	enum barn_err err;

	if (!sieves)
		return BARN_ERR_MEMORY;
	for (uint16_t i = 0; i < set->count; i++)
		if (set->fields[i].sieve)
			sieves[options.sieve_count++] = set->fields[i].sieve;
	err = rule_scratch_new(&options, scratch);
	free(sieves);
	return err;
}

void
match_set_value(const struct match_set *set, uint16_t field, struct bytes value,
		struct rule_scratch *scratch, void (*fits)(void *self, uint32_t number),
		void *self)
{
	const struct group *group = field < set->count ? &set->fields[field] : NULL;
	const uint64_t *over;

	if (!group || !group->sieve)
		return;
	over = sieve_run(group->sieve, value, scratch);
	for (uint32_t word = 0; word < sieve_words(group->sieve); word++)
		for (uint64_t left = over[word]; left; left &= left - 1) {
			const struct statement *s =
				&group->statements[word * 64 + (uint32_t)__builtin_ctzll(left)];

			if (match_value(s->match, field, value, rule_scratch_regex(scratch)))
				fits(self, s->number);
		}
}
