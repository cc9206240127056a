/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/pattern_set.h"

#include "match/glob.h"

#include <stdlib.h>
#include <string.h>

struct pattern {
	struct glob *glob;         /* NULL: an expression */
	const struct regex *regex; /* the caller's */
	uint16_t number;
	bool open; /* a glob that ends in `*` */
};

struct pattern_set {
	struct pattern *patterns;
	unsigned count, room;
	struct sieve *sieve;
};

enum barn_err
pattern_set_new(struct pattern_set **set)
{
	struct pattern_set *s = calloc(1, sizeof(*s));
	enum barn_err err = s ? sieve_new(&s->sieve) : BARN_ERR_MEMORY;

	if (err)
		pattern_set_free(s);
	else
		*set = s;
	return err;
}

void
pattern_set_free(struct pattern_set *set)
{
	if (!set)
		return;
	for (unsigned i = 0; i < set->count; i++)
		glob_free(set->patterns[i].glob);
	sieve_free(set->sieve);
	free(set->patterns);
	free(set);
}

static struct pattern *
add(struct pattern_set *set, uint16_t number)
{
	struct pattern *patterns;

	if (set->count == set->room) {
		unsigned room = set->room ? set->room * 2 : 16;

		patterns = realloc(set->patterns, room * sizeof(*patterns));
		if (!patterns)
			return NULL;
		set->patterns = patterns;
		set->room = room;
	}
	set->patterns[set->count] = (struct pattern){ .number = number };
	return &set->patterns[set->count++];
}

enum barn_err
pattern_set_add_glob(struct pattern_set *set, const char *glob, uint16_t number)
{
	struct pattern *pattern = add(set, number);
	size_t len = strlen(glob);
	struct needles needles;
	enum barn_err err;
	const char *why;
	uint32_t offset;

	if (!pattern)
		return BARN_ERR_MEMORY;
	pattern->open = len && glob[len - 1] == '*';
	err = glob_new(glob, &pattern->glob, &offset, &why);
	if (err)
		return err;
	glob_needles(glob, &needles);
	return sieve_add(set->sieve, &needles);
}

enum barn_err
pattern_set_add_regex(struct pattern_set *set, const struct regex *regex, uint16_t number)
{
	struct pattern *pattern = add(set, number);

	if (!pattern)
		return BARN_ERR_MEMORY;
	pattern->regex = regex;
	return sieve_add(set->sieve, &regex_needs(regex)->words);
}

enum barn_err
pattern_set_compile(struct pattern_set *set, bool no_scan)
{
	return sieve_compile(set->sieve, no_scan);
}

const struct sieve *
pattern_set_sieve(const struct pattern_set *set)
{
	return set->sieve;
}

/* The shortest beginning for which a glob that leaves the end open holds. */
static uint32_t
glob_end(const struct glob *glob, struct bytes value)
{
	size_t low = 0, high = bytes_left(&value);

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (glob_match(glob, bytes_of(value.p, middle)))
			high = middle;
		else
			low = middle + 1;
	}
	return (uint32_t)low;
}

static bool
holds(const struct pattern *pattern, struct bytes value, struct regex_scratch *scratch,
      uint32_t *end)
{
	struct bytes groups[REGEX_GROUPS];

	*end = (uint32_t)bytes_left(&value);
	if (pattern->glob) {
		if (!glob_match(pattern->glob, value))
			return false;
		if (pattern->open)
			*end = glob_end(pattern->glob, value);
		return true;
	}
	if (regex_run(pattern->regex, scratch, value, true, groups) != MATCH_YES)
		return false;
	*end = groups[0].end ? (uint32_t)(groups[0].end - value.p) : 0;
	return true;
}

void
pattern_set_run(const struct pattern_set *set, struct bytes value, struct rule_scratch *scratch,
		void (*matched)(void *self, uint16_t number, uint32_t end), void *self)
{
	const uint64_t *over = sieve_run(set->sieve, value, scratch);
	uint32_t end;

	for (uint32_t word = 0; word < sieve_words(set->sieve); word++)
		for (uint64_t left = over[word]; left; left &= left - 1) {
			const struct pattern *pattern =
				&set->patterns[word * 64 + (unsigned)__builtin_ctzll(left)];

			if (holds(pattern, value, rule_scratch_regex(scratch), &end))
				matched(self, pattern->number, end);
		}
}
