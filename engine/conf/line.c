/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/line.h"

#include "match/glob.h"
#include "pdl/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 48, WHAT = 200 };

const char *
line_peek(const struct line *line)
{
	return line->at < line->words.count ? line->words.text[line->at] : NULL;
}

bool
line_more(const struct line *line)
{
	return !line->lost && line->at < line->words.count;
}

/* Characters, not bytes. */
static uint32_t
length_of(const char *word)
{
	uint32_t length = 0;

	for (; *word; word++)
		length += ((unsigned char)*word & 0xc0) != 0x80;
	return length;
}

struct conf_place
line_place(const struct line *line)
{
	const struct words *words = &line->words;
	struct conf_place place = { line->file, { line->number, 1 } };

	if (line->at < words->count)
		place.pos.column = words->column[line->at];
	else if (words->count)
		place.pos.column = words->column[words->count - 1] +
				   length_of(words->text[words->count - 1]);
	return place;
}

void
line_fault(struct line *line, struct conf_place place, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diag_vadd(line->faults, place.file, place.pos, format, args);
	va_end(args);
	line->lost = true;
}

bool
line_wrong(struct line *line, const char *what)
{
	const char *word = line_peek(line);

	if (line->lost)
		return false;
	if (word)
		line_fault(line, line_place(line), "'%.*s': expected %s", SHOWN, word, what);
	else
		line_fault(line, line_place(line), "expected %s", what);
	return false;
}

static bool
abbreviates(const char *word, const char *keyword)
{
	return *word && strncasecmp(word, keyword, strlen(word)) == 0;
}

bool
line_is(const struct line *line, const char *keyword)
{
	const char *word = line_peek(line);

	return !line->lost && word && abbreviates(word, keyword) &&
	       (strlen(word) >= 2 || !keyword[1]);
}

bool
line_accept(struct line *line, const char *keyword)
{
	if (!line_is(line, keyword))
		return false;
	line->at++;
	return true;
}

/* How many keywords the next word can be; an exact one counts alone. */
static unsigned
candidates(const struct line *line, const struct line_word *table, size_t count,
	   const struct line_word **found)
{
	const char *word = line_peek(line);
	unsigned fits = 0;

	for (size_t i = 0; word && i < count; i++) {
		if (!abbreviates(word, table[i].word))
			continue;
		if (strcasecmp(word, table[i].word) == 0) {
			*found = &table[i];
			return 1;
		}
		fits++;
		*found = &table[i];
	}
	return fits;
}

static void
list_words(const struct line_word *table, size_t count, const char *word, char *what)
{
	size_t used = 0;

	*what = '\0';
	for (size_t i = 0; i < count; i++) {
		int n;

		if (word && !abbreviates(word, table[i].word))
			continue;
		n = snprintf(what + used, WHAT - used, "%s%s", used ? ", " : "", table[i].word);
		if (n < 0 || (size_t)n >= WHAT - used - 5) {
			snprintf(what + used, WHAT - used, ", ...");
			return;
		}
		used += (size_t)n;
	}
}

static const char *
nearest(const struct line_word *table, size_t count, const char *word)
{
	enum { MOST = 512 };
	const char *words[MOST];

	count = count < MOST ? count : MOST;
	for (size_t i = 0; i < count; i++)
		words[i] = table[i].word;
	return words_nearest(words, count, word);
}

bool
line_keyword(struct line *line, const struct line_word *table, size_t count, unsigned *value)
{
	const struct line_word *found = NULL;
	const char *word = line_peek(line), *meant;
	char what[WHAT];
	unsigned fits;

	if (line->lost)
		return false;
	fits = candidates(line, table, count, &found);
	if (fits == 1) {
		*value = found->value;
		line->at++;
		return true;
	}
	meant = word && fits == 0 ? nearest(table, count, word) : NULL;
	if (meant) {
		line_fault(line, line_place(line), "'%.*s': expected '%s'?", SHOWN, word,
			   meant);
		return false;
	}
	list_words(table, count, fits ? word : NULL, what);
	if (fits)
		line_fault(line, line_place(line), "'%.*s' is ambiguous: %s", SHOWN, word,
			   what);
	else
		line_wrong(line, what);
	return false;
}

bool
line_may(struct line *line, const struct line_word *table, size_t count, unsigned *value)
{
	const struct line_word *found = NULL;

	if (line->lost || candidates(line, table, count, &found) != 1)
		return false;
	*value = found->value;
	line->at++;
	return true;
}

bool
line_name(struct line *line, const char *what, const char **name)
{
	const char *word = line_peek(line);

	if (line->lost || !word || !*word)
		return line_wrong(line, what);
	*name = arena_strdup(line->conf->arena, word);
	if (!*name)
		line->no_memory = line->lost = true;
	line->at++;
	return !line->lost;
}

bool
line_is_number(const struct line *line)
{
	const char *word = line_peek(line);

	return !line->lost && word && *word >= '0' && *word <= '9';
}

bool
line_number(struct line *line, const char *what, uint32_t low, uint32_t high, uint32_t *number)
{
	const char *word = line_peek(line);
	unsigned long long value;
	char *end;

	if (!line_is_number(line))
		return line_wrong(line, what);
	value = strtoull(word, &end, 0);
	if (*end || strlen(word) > 18)
		return line_wrong(line, what);
	if (value < low || value > high) {
		line_fault(line, line_place(line),
			   "%.*s: expected %s from %" PRIu32 " to %" PRIu32, SHOWN, word, what,
			   low, high);
		return false;
	}
	*number = (uint32_t)value;
	line->at++;
	return true;
}

bool
line_end(struct line *line)
{
	if (line->lost)
		return false;
	if (line->at == line->words.count)
		return true;
	line_fault(line, line_place(line), "'%.*s' is too much", SHOWN, line_peek(line));
	return false;
}

void *
line_add(struct line *line, struct list *list, size_t size)
{
	void *item = list_add(list, line->conf->arena, size);

	if (!item)
		line->no_memory = line->lost = true;
	return item;
}

/* The expression between the slashes; NULL: it is not between slashes. */
static const char *
between_slashes(const char *word, size_t *len, bool *caseless)
{
	const char *end = word && *word == '/' ? strrchr(word, '/') : NULL;

	if (!end || end == word || (end[1] && strcmp(end + 1, "i") != 0))
		return NULL;
	*caseless = end[1] == 'i';
	*len = (size_t)(end - word - 1);
	return word + 1;
}

/* An expression that holds for anything says nothing. */
static void
check_fixed(struct line *line, const struct regex *regex)
{
	struct regex_scratch *scratch;

	if (regex_scratch_new(&scratch)) {
		line->no_memory = line->lost = true;
		return;
	}
	if (regex_run(regex, scratch, bytes_of("", 0), true, NULL) == MATCH_YES)
		line_fault(line, line_place(line),
			   "the expression holds for anything, even for no bytes");
	regex_scratch_free(scratch);
}

bool
line_regex(struct line *line, const char **text, bool fixed)
{
	const char *word = line_peek(line), *pattern;
	struct regex_fault fault = { 0 };
	struct regex *regex = NULL;
	bool caseless = false;
	size_t len = 0;
	enum barn_err err;

	pattern = between_slashes(word, &len, &caseless);
	if (line->lost || !pattern || len == 0)
		return line_wrong(line,
				  "/EXPRESSION/ or /EXPRESSION/i, quoted if it has blanks");
	err = regex_new(pattern, len, caseless, &regex, &fault);
	if (!err && fixed)
		check_fixed(line, regex);
	regex_free(regex);
	if (err == BARN_ERR_MEMORY) {
		line->no_memory = line->lost = true;
	} else if (err) {
		struct conf_place place = line_place(line);

		line_fault(line, place, "in the expression, at %" PRIu32 ": %s", fault.offset,
			   fault.text);
	}
	return !line->lost && line_name(line, "an expression", text);
}

bool
line_pattern(struct line *line, struct line_pattern *pattern)
{
	const char *why = "not a pattern";
	struct glob *glob = NULL;
	uint32_t offset = 0;

	/* In full: "r*" and "re" are patterns. */
	if (line_more(line) && strcmp(line_peek(line), "regex") == 0) {
		line->at++;
		pattern->regex = true;
		return line_regex(line, &pattern->text, false);
	}
	if (!line_more(line) || !*line_peek(line))
		return line_wrong(line, "a pattern, such as *.example.com, or regex /.../");
	if (glob_new(line_peek(line), &glob, &offset, &why)) {
		line_fault(line, line_place(line), "in the pattern, at %" PRIu32 ": %s", offset,
			   why);
		return false;
	}
	glob_free(glob);
	return line_name(line, "a pattern", &pattern->text);
}

bool
line_ports(struct line *line, struct list *ports)
{
	static const char what[] = "a port";
	unsigned before = ports->count;

	while (line_is_number(line) || line_is(line, "range")) {
		bool range = line_accept(line, "range");
		uint32_t low, high;
		struct pdl_ports *added;

		if (!line_number(line, what, 0, UINT16_MAX, &low))
			return false;
		high = low;
		if (range && !line_number(line, what, 0, UINT16_MAX, &high))
			return false;
		if (high < low) {
			line->at--;
			line_fault(line, line_place(line),
				   "%" PRIu32 ": expected a port not below %" PRIu32, high,
				   low);
			return false;
		}
		added = line_add(line, ports, sizeof(*added));
		if (!added)
			return false;
		*added = (struct pdl_ports){ (uint16_t)low, (uint16_t)high };
	}
	return ports->count > before ? !line->lost : line_wrong(line, "a port, or range A B");
}
