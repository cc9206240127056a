/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/next.h"
#include "cli/commands.h"
#include "cli/counters.h"
#include "cli/words.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
add(struct next *next, const char *word, const char *help, bool meant)
{
	struct next_word *grown = next->words;

	if (next->count == next->room) {
		unsigned room = next->room ? 2 * next->room : 32;

		grown = realloc(next->words, room * sizeof(*grown));
		if (!grown)
			return;
		next->words = grown;
		next->room = room;
	}
	grown[next->count] = (struct next_word){ strdup(word), help, meant };
	if (grown[next->count].word)
		next->count++;
}

void
next_add(struct next *next, const char *word, const char *help, const char *partial)
{
	if (strncmp(word, partial, strlen(partial)) == 0)
		add(next, word, help, false);
}

void
next_fini(struct next *next)
{
	for (unsigned i = 0; i < next->count; i++)
		free(next->words[i].word);
	free(next->words);
	*next = (struct next){ 0 };
}

/* A daemon that is not there has none, and nobody is told. */
static void
add_counted(struct next *next, enum barn_stats_table table, const char *help,
	    const char *partial)
{
	struct barn_stats *stats;
	bool changed;

	if (barn_stats_open(counters_path(), &stats))
		return;
	if (!barn_stats_refresh(stats, &changed)) {
		uint32_t count = barn_stats_count(stats, table);

		for (uint32_t i = 0; i < count; i++) {
			struct barn_stats_protocol protocol = { 0 };
			struct barn_stats_interface interface = { 0 };

			if (table == BARN_STATS_INTERFACES &&
			    !barn_stats_interface(stats, i, &interface))
				next_add(next, interface.name, help, partial);
			else if (table == BARN_STATS_PROTOCOLS &&
				 !barn_stats_protocol(stats, i, &protocol) && protocol.loaded)
				next_add(next, protocol.name, help, partial);
		}
	}
	barn_stats_close(stats);
}

static void
add_files(struct next *next, const char *help, const char *partial)
{
	char pattern[1024];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s*", partial);
	if (glob(pattern, GLOB_MARK, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++)
		next_add(next, found.gl_pathv[i], help, partial);
	globfree(&found);
}

/* What a value may be, by its name in the table; the name itself where nothing is known. */
static void
add_values(struct next *next, const char *value, const char *const *choices, const char *help,
	   const char *partial)
{
	unsigned before = next->count;

	for (; choices && *choices; choices++)
		next_add(next, *choices, help, partial);
	if (strcmp(value, "INTERFACE") == 0)
		add_counted(next, BARN_STATS_INTERFACES, help, partial);
	else if (strcmp(value, "PROTOCOL") == 0)
		add_counted(next, BARN_STATS_PROTOCOLS, help, partial);
	else if (strcmp(value, "FILE") == 0 || strcmp(value, "PATH") == 0)
		add_files(next, help, partial);
	if (next->count == before)
		add(next, value, help, true);
}

static const char *
row_name(const void *list, unsigned i)
{
	return ((const struct word_row *)list)[i].name;
}

/* Where the arguments lead that are there. */
struct place {
	const struct option_row *option; /* whose value comes next; NULL: none's */
	const struct word_row *row;      /* likewise */
	uint32_t used;                   /* rows, a bit each */
};

static const struct option_row *
option_of(const struct command *command, const char *word)
{
	const struct option_row *row = command->options;

	for (; row && row->name; row++)
		if ((word[1] == '-' && strcmp(word + 2, row->name) == 0) ||
		    (row->letter && word[1] == row->letter && !word[2]))
			return row;
	return NULL;
}

static void
step(const struct command *command, struct place *at, const char *word)
{
	unsigned count = 0;
	int found;

	if (at->option || at->row) {
		at->option = NULL;
		at->row = NULL;
		return;
	}
	if (*word == '-') {
		at->option = option_of(command, word);
		if (at->option && (!at->option->value || *at->option->value == '['))
			at->option = NULL;
		return;
	}
	while (command->words && command->words[count].name)
		count++;
	found = count ? words_find(word, count, row_name, command->words) : WORDS_NONE;
	for (unsigned i = 0; found == WORDS_NONE && i < count; i++)
		if (!*command->words[i].name && !(at->used & (UINT32_C(1) << i)))
			found = (int)i;
	if (found < 0)
		return;
	at->used |= UINT32_C(1) << found;
	if (*command->words[found].name && command->words[found].value)
		at->row = &command->words[found];
}

static void
add_arguments(struct next *next, const struct command *command, const struct place *at,
	      const char *partial, bool all)
{
	const struct word_row *row = command->words;
	char option[64];

	for (unsigned i = 0; row && row->name && *partial != '-'; row++, i++) {
		if (at->used & (UINT32_C(1) << i))
			continue;
		if (*row->name)
			next_add(next, row->name, row->help, partial);
		else
			add_values(next, row->value, row->choices, row->help, partial);
	}
	for (const struct option_row *o = command->options; o && o->name; o++) {
		if (*partial != '-' && !(all && !*partial))
			continue;
		snprintf(option, sizeof(option), "--%s", o->name);
		next_add(next, option, o->help, partial);
	}
}

static void
add_commands(struct next *next, const struct command *const *list, const char *partial)
{
	for (; *list; list++)
		next_add(next, commands_word(*list), (*list)->summary, partial);
}

/* The filler's next word may come too, and once it is begun nothing else. */
static void
add_sub_commands(struct next *next, const struct command *command, unsigned words,
		 const char *partial)
{
	const char *filler = command->filler ? command->filler : "";
	unsigned begun = words;
	char word[32];

	for (const char *name = command->name; name; begun--) {
		name = strchr(name, ' ');
		if (name)
			name++;
	}
	for (unsigned i = 0; i < begun; i++) {
		filler += strcspn(filler, " ");
		filler += strspn(filler, " ");
	}
	if (*filler) {
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(filler, " "), filler);
		next_add(next, word, "As on routers; may be left out", partial);
	}
	if (!begun || !*filler)
		add_commands(next, command->commands, partial);
}

bool
next_find(struct next *next, char *const *words, unsigned count, const char *partial, bool all)
{
	const struct command *command;
	struct place at = { 0 };
	bool several;
	int used = (int)count;

	if (!count) {
		add_commands(next, commands, partial);
		return false;
	}
	command = commands_find(words, &used, &several);
	if (!command)
		return false;
	if (command->commands) {
		if ((unsigned)used == count)
			add_sub_commands(next, command, count, partial);
		return false;
	}
	if (command == &command_help) {
		(void)next_find(next, words + used, count - (unsigned)used, partial, false);
		return true;
	}
	for (unsigned i = (unsigned)used; i < count; i++)
		step(command, &at, words[i]);
	if (at.option)
		add_values(next, at.option->value, NULL, at.option->help, partial);
	else if (at.row)
		add_values(next, at.row->value, at.row->choices, at.row->help, partial);
	else
		add_arguments(next, command, &at, partial, all);
	return !at.option && !at.row;
}
