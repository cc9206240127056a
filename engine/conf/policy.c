/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/policy.h"

#include "conf/nbar.h"

#include <inttypes.h>
#include <stdlib.h>

struct policy_place
policy_here(const struct line *line)
{
	struct conf_place place = line_place(line);

	return (struct policy_place){ place.file, place.pos.line, place.pos.column };
}

void *
policy_alloc(struct line *line, size_t size)
{
	void *object = arena_alloc(line->conf->arena, size);

	if (!object)
		line->no_memory = line->lost = true;
	return object;
}

const char *
policy_text(struct line *line, struct text *text)
{
	const char *copy =
		text->failed ? NULL : arena_strdup(line->conf->arena, text_str(text));

	text_fini(text);
	if (!copy)
		line->no_memory = line->lost = true;
	return copy;
}

void
policy_remove(struct list *list, unsigned at, size_t size)
{
	char *item = (char *)list->items + at * size;

	list->count--;
	memmove(item, item + size, (list->count - at) * size);
}

void
policy_description(struct line *line, const char **description)
{
	struct text text = { 0 };

	if (line->no) {
		line->at = line->words.count;
		*description = NULL;
		return;
	}
	if (!line_more(line)) {
		line_wrong(line, "a text");
		return;
	}
	for (; line_more(line); line->at++) {
		if (text.len)
			text_char(&text, ' ');
		text_add(&text, line_peek(line));
	}
	*description = policy_text(line, &text);
}

/* Whether its words are read as they stand. */
static bool
is_bare(const char *text)
{
	char before = ' ';

	for (; *text; before = *text++)
		if (*text == '"' || *text == '\\' || *text == '\t' ||
		    (before == ' ' && (*text == ' ' || *text == '!')))
			return false;
	return before != ' ';
}

void
policy_description_print(struct text *text, const char *description)
{
	if (is_bare(description))
		text_add(text, description);
	else
		nbar_quoted_print(text, description);
}

bool
policy_dscp(struct line *line, uint32_t *value)
{
	unsigned dscp;

	if (!nbar_transport_dscp_take(line, &dscp))
		return false;
	*value = dscp;
	return true;
}

void
policy_dscp_print(struct text *text, uint32_t value)
{
	const char *name = nbar_transport_dscp_name((uint8_t)value);

	if (name)
		text_add(text, name);
	else
		text_printf(text, "%" PRIu32, value);
}

bool
policy_precedence(struct line *line, uint32_t *value)
{
	static const struct line_word words[] = {
		{ "routine", 0 },  { "priority", 1 },       { "immediate", 2 },
		{ "flash", 3 },    { "flash-override", 4 }, { "critical", 5 },
		{ "internet", 6 }, { "network", 7 },
	};
	unsigned precedence;

	if (line_is_number(line))
		return line_number(line, "a precedence", 0, 7, value);
	if (!line_keyword(line, words, sizeof(words) / sizeof(words[0]), &precedence))
		return false;
	*value = precedence;
	return true;
}

/* k, m or g as what it multiplies with; 0: none of them. */
static uint64_t
multiplier(char c)
{
	switch (c) {
	case 'k':
	case 'K': return 1000;
	case 'm':
	case 'M': return 1000000;
	case 'g':
	case 'G': return 1000000000;
	default: return 0;
	}
}

/* The number of the next word, which may end in k, m or g. */
static bool
read_amount(const char *word, uint64_t *amount)
{
	uint64_t times;
	char *end;

	if (!word || *word < '0' || *word > '9' || strlen(word) > 14)
		return false;
	*amount = strtoull(word, &end, 10);
	times = multiplier(*end);
	if (times) {
		if (*amount > UINT64_MAX / times)
			return false;
		*amount *= times;
		end++;
	}
	return *end == '\0';
}

bool
policy_amount(struct line *line, const char *what, uint64_t low, uint64_t high,
	      uint64_t *amount)
{
	uint64_t value;

	if (line->lost || !read_amount(line_peek(line), &value))
		return line_wrong(line, what);
	if (value < low || value > high) {
		line_fault(line, line_place(line),
			   "%.40s: expected %s from %" PRIu64 " to %" PRIu64, line_peek(line),
			   what, low, high);
		return false;
	}
	*amount = value;
	line->at++;
	return true;
}

bool
policy_rate(struct line *line, uint64_t *bps)
{
	static const struct line_word units[] = {
		{ "bps", 1 },  { "kbps", 1000 }, { "mbps", 1000000 }, { "gbps", 1000000000 },
		{ "k", 1000 }, { "m", 1000000 }, { "g", 1000000000 },
	};
	enum { LOW = 8000 };
	const uint64_t high = 1000000000000;
	struct conf_place place = line_place(line);
	const char *word = line_peek(line);
	unsigned times = 1;
	uint64_t value;

	if (line->lost || !read_amount(word, &value))
		return line_wrong(line, "a rate in bit/s");
	line->at++;
	line_may(line, units, sizeof(units) / sizeof(units[0]), &times);
	if (value > high || value * times < LOW || value * times > high) {
		line_fault(line, place, "%.40s: expected a rate from %d to %" PRIu64 " bit/s",
			   word, LOW, high);
		return false;
	}
	*bps = value * times;
	return true;
}
