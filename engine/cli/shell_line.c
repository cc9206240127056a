/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/shell_line.h"
#include "cli/words.h"
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *help;
} filters[SHELL_FILTERS] = {
	[SHELL_ALL] = { "", "" },
	[SHELL_BEGIN] = { "begin", "From the first line on that fits" },
	[SHELL_COUNT] = { "count", "How many lines fit" },
	[SHELL_EXCLUDE] = { "exclude", "Lines that do not fit" },
	[SHELL_INCLUDE] = { "include", "Lines that fit" },
};

static const char *
filter_name(const void *list, unsigned i)
{
	(void)list;
	return filters[i].name;
}

/* The word at *at without its quotes, to *out, which moves on; false: there is none. */
static bool
take_word(const char **at, char **out, bool *closed)
{
	const char *from = *at + strspn(*at, " \t");
	bool any = *from && *from != '|';

	*closed = true;
	for (; *from && (!*closed || !strchr(" \t|", *from)); from++)
		if (*from == '"')
			*closed = !*closed;
		else
			*(*out)++ = *from;
	if (any)
		*(*out)++ = '\0';
	*at = from;
	return any;
}

/* Behind the bar. The pattern is the rest of the line, quotes and all. */
static void
read_filter(struct shell_line *line, char *at)
{
	char *name = at + strspn(at, " \t");
	size_t length = strcspn(name, " \t");
	char *rest = name + length + strspn(name + length, " \t");
	int found;

	name[length] = '\0';
	found = words_find(name, SHELL_FILTERS, filter_name, filters);
	if (found <= SHELL_ALL) {
		line->fault = "expected begin, count, exclude or include behind |";
		return;
	}
	line->filter = (enum shell_filter)found;
	line->pattern = rest;
	for (size_t n = strlen(rest); n && strchr(" \t", rest[n - 1]); n--)
		rest[n - 1] = '\0';
	if (!*rest)
		line->fault = "expected a pattern";
}

void
shell_line_read(struct shell_line *line, const char *text)
{
	size_t length = strlen(text) + 1;
	char *rest, *out, *word;
	const char *at;
	bool closed;

	/* The text, and its words: of which each takes what it has there, at most. */
	*line = (struct shell_line){ .pattern = "", .memory = malloc(2 * length) };
	if (!line->memory) {
		line->fault = "out of memory";
		return;
	}
	rest = memcpy(line->memory, text, length);
	at = rest;
	out = line->memory + length;
	for (word = out; take_word(&at, &out, &closed); word = out) {
		if (!closed)
			line->fault = "a quote is not closed";
		if (line->count == SHELL_LINE_WORDS) {
			line->fault = "there are too many words";
			return;
		}
		line->words[line->count++] = word;
	}
	if (*at == '|')
		read_filter(line, rest + (at - rest) + 1);
}

void
shell_line_fini(struct shell_line *line)
{
	free(line->memory);
	*line = (struct shell_line){ .pattern = "" };
}

bool
shell_line_quoted(const char *text)
{
	bool open = false;

	for (; *text; text++)
		open ^= *text == '"';
	return open;
}

/* The bar that is in no quotes; NULL: none. */
static const char *
bar_of(const char *text)
{
	bool open = false;

	for (; *text; text++) {
		open ^= *text == '"';
		if (*text == '|' && !open)
			return text;
	}
	return NULL;
}

static void
next_filter(const char *text, struct next *next, unsigned *partial)
{
	text += strspn(text, " \t");
	*partial = (unsigned)strlen(text);
	if (strpbrk(text, " \t")) {
		*partial = 0;
		return;
	}
	for (unsigned i = SHELL_ALL + 1; i < SHELL_FILTERS; i++)
		next_add(next, filters[i].name, filters[i].help, text);
}

bool
shell_line_next(const char *text, bool all, struct next *next, unsigned *partial)
{
	const char *bar = bar_of(text), *last;
	char *words[SHELL_LINE_WORDS + 1];
	struct shell_line line;
	size_t length = strlen(text);
	bool whole = false;

	*partial = 0;
	if (bar) {
		next_filter(bar + 1, next, partial);
		return false;
	}
	shell_line_read(&line, text);
	if (!line.fault) {
		last = "";
		if (length && !strchr(" \t", text[length - 1]) && line.count)
			last = line.words[--line.count];
		*partial = (unsigned)strlen(last);
		memcpy(words, line.words, sizeof(words));
		whole = next_find(next, words, line.count, last, all) && !*last;
		if (!line.count)
			next_add(next, "exit", "Leave the shell", last);
	}
	shell_line_fini(&line);
	return whole;
}
