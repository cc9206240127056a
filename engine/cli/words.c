/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/words.h"
#include "program/say.h"
#include <string.h>

int
words_find(const char *word, unsigned count, const char *(*name)(const void *list, unsigned i),
	   const void *list)
{
	size_t length = word ? strlen(word) : 0;
	int found = WORDS_NONE;

	for (unsigned i = 0; i < count && length; i++) {
		const char *full = name(list, i);

		if (strncmp(word, full, length) != 0)
			continue;
		if (!full[length])
			return (int)i;
		found = found == WORDS_NONE ? (int)i : WORDS_SEVERAL;
	}
	return found;
}

unsigned
words_filler(const char *filler, char *const *words, unsigned count)
{
	unsigned used = 0;

	while (filler && *filler && used < count) {
		size_t length = strlen(words[used]);

		if (!length || strncmp(words[used], filler, length) != 0 ||
		    memchr(filler, ' ', length))
			break;
		used++;
		filler += strcspn(filler, " ");
		filler += strspn(filler, " ");
	}
	return used;
}

static const char *
row_name(const void *list, unsigned i)
{
	return ((const struct word_row *)list)[i].name;
}

static const char *
choice_name(const void *list, unsigned i)
{
	return ((const char *const *)list)[i];
}

static int
wrong_choice(const struct command *command, const struct word_row *row, const char *value)
{
	char list[512] = "";

	for (unsigned i = 0; row->choices[i]; i++) {
		strncat(list, i ? ", " : "", sizeof(list) - strlen(list) - 1);
		strncat(list, row->choices[i], sizeof(list) - strlen(list) - 1);
	}
	say_usage(command->name, "%s %s: expected one of %s", row->name, value, list);
	return OPTIONS_WRONG;
}

/* One of its choices, in full. */
static int
choose(const struct command *command, const struct word_row *row, const char **value)
{
	unsigned count = 0;
	int found;

	while (row->choices[count])
		count++;
	found = words_find(*value, count, choice_name, row->choices);
	if (found < 0)
		return wrong_choice(command, row, *value);
	*value = row->choices[found];
	return 0;
}

/* The row of this word; WORDS_NONE: told. */
static int
row_of(const struct words *w, const char *word)
{
	const struct word_row *rows = w->command->words;
	unsigned count = 0;
	int found;

	while (rows && rows[count].name)
		count++;
	found = rows ? words_find(word, count, row_name, rows) : WORDS_NONE;
	if (found >= 0)
		return found;
	for (unsigned i = 0; found == WORDS_NONE && i < count; i++)
		if (!*rows[i].name && !(w->used & (UINT32_C(1) << i)))
			return (int)i;
	say_usage(w->command->name,
		  found == WORDS_SEVERAL ? "'%s' may be several words" : "'%s' is too much",
		  word);
	return WORDS_NONE;
}

int
words_next(struct words *w, const char **value)
{
	const char *word = *w->argv;
	const struct word_row *row;
	int found;

	*value = NULL;
	if (!word)
		return OPTIONS_END;
	found = row_of(w, word);
	if (found < 0)
		return OPTIONS_WRONG;
	row = &w->command->words[found];
	if (w->used & (UINT32_C(1) << found)) {
		say_usage(w->command->name, "%s is given twice", row->name);
		return OPTIONS_WRONG;
	}
	w->used |= UINT32_C(1) << found;
	w->argv++;
	if (!*row->name) {
		*value = word;
	} else if (row->value) {
		*value = *w->argv;
		if (!*value) {
			say_usage(w->command->name, "%s needs %s", row->name, row->value);
			return OPTIONS_WRONG;
		}
		w->argv++;
	}
	if (row->choices && choose(w->command, row, value))
		return OPTIONS_WRONG;
	return found;
}
