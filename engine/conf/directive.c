/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"

#include "conf/inert.h"
#include "pdl/words.h"

#include <stdio.h>

unsigned
directive_around(unsigned context)
{
	switch (context) {
	case CONF_POLICE: return CONF_POLICY_CLASS;
	case CONF_POLICY_CLASS: return CONF_POLICY_MAP;
	default: return CONF_GLOBAL;
	}
}

/* Leaves all modes, as every directive of the global one does. */
static void
leave(struct line *line)
{
	line_end(line);
}

static void
leave_one(struct line *line)
{
	line->context = directive_around(line->from);
	line_end(line);
}

static void
print_nothing(const struct conf *conf, struct text *text)
{
	(void)conf;
	(void)text;
}

static const struct conf_directive general_directives[] = {
	{ .words = "end", .context = CONF_GLOBAL, .read = leave },
	{ .words = "exit", .context = CONF_GLOBAL, .read = leave_one },
};

static const struct conf_family general = {
	.directives = general_directives,
	.count = sizeof(general_directives) / sizeof(general_directives[0]),
	.print = print_nothing,
};

const struct conf_family *const directive_families[] = {
	&general,          &nbar_pdlm,         &nbar_port_map,    &nbar_custom,
	&nbar_attribute,   &nbar_tunnel,       &service,          &access_list_family,
	&class_map_family, &policy_map_family, &interface_family, NULL,
};

enum { WORD = 32, WORDS = 32 };

/* The directives of one mode that a line's first words fit, word by word. */
struct search {
	unsigned context;
	unsigned depth;      /* words that fit so far */
	char words[4][WORD]; /* in full */
};

/* The directive's word of this number, from 0; false: it has none. */
static bool
word_of(const struct conf_directive *d, unsigned number, char word[WORD])
{
	const char *at = d->words;
	size_t n;

	while (number-- > 0) {
		at = strchr(at, ' ');
		if (!at)
			return false;
		at++;
	}
	n = strcspn(at, " ");
	snprintf(word, WORD, "%.*s", (int)n, at);
	return true;
}

static bool
fits_so_far(const struct search *s, const struct conf_directive *d)
{
	char word[WORD];

	for (unsigned i = 0; i < s->depth; i++)
		if (!word_of(d, i, word) || strcmp(word, s->words[i]) != 0)
			return false;
	return d->context == s->context;
}

/* What may stand next: each word once. `ends`: the directive whose last word was the one
 * before. */
static unsigned
next_words(const struct search *s, struct line_word *table, char (*store)[WORD],
	   const struct conf_directive **ends)
{
	unsigned count = 0;

	*ends = NULL;
	for (unsigned f = 0; directive_families[f]; f++)
		for (size_t i = 0; i < directive_families[f]->count; i++) {
			const struct conf_directive *d = &directive_families[f]->directives[i];
			unsigned k = 0;

			if (!fits_so_far(s, d))
				continue;
			if (!word_of(d, s->depth, store[count])) {
				*ends = d;
				continue;
			}
			while (k < count && strcmp(store[k], store[count]) != 0)
				k++;
			if (k == count && count + 1 < WORDS) {
				table[count] = (struct line_word){ store[count], count };
				count++;
			}
		}
	return count;
}

/* With faults NULL nothing is told; the line is as it was when nothing was found. */
static const struct conf_directive *
search(struct line *line, unsigned context, bool tell, unsigned *depth)
{
	struct search s = { .context = context };
	unsigned start = line->at;

	for (;;) {
		struct line_word table[WORDS];
		char store[WORDS][WORD];
		const struct conf_directive *ends;
		unsigned count = next_words(&s, table, store, &ends), value;

		if (count && s.depth < 4 &&
		    (tell && !ends ? line_keyword(line, table, count, &value)
				   : line_may(line, table, count, &value))) {
			snprintf(s.words[s.depth++], WORD, "%s", table[value].word);
			continue;
		}
		*depth = s.depth;
		if (!ends)
			line->at = start;
		return ends;
	}
}

const struct conf_directive *
directive_find(struct line *line)
{
	const struct conf_directive *d = NULL;
	unsigned context = line->context, like = context, most = 0, depth = 0;

	if (context == CONF_INERT && inert_take(line))
		return NULL;
	if (context == CONF_ACCESS && line_is_number(line)) {
		line->from = context;
		return &access_numbered;
	}
	for (;;) {
		d = search(line, context, false, &depth);
		/* Told of the mode whose directives the line is more like. */
		if (depth > most) {
			most = depth;
			like = context;
		}
		if (d || context == CONF_GLOBAL)
			break;
		context = directive_around(context);
	}
	if (!d && inert_take(line))
		return NULL;
	if (!d) {
		search(line, like, true, &depth);
		return NULL;
	}
	if (line->no && !d->no) {
		line_fault(line, (struct conf_place){ line->file, { line->number, 1 } },
			   "'%s' has no 'no' form", d->words);
		return NULL;
	}
	line->from = line->context;
	line->context = d->context;
	return d;
}
