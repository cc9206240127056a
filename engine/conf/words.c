/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/words.h"
#include <stdbool.h>

struct reader {
	const char *p, *end;
	uint32_t column;
	struct words *words;
	size_t used;
};

static void
step(struct reader *r)
{
	/* The bytes after the first of a UTF-8 character are no columns of their own. */
	r->p++;
	while (r->p < r->end && ((unsigned char)*r->p & 0xc0) == 0x80)
		r->p++;
	r->column++;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool
put(struct reader *r, char c)
{
	/* One byte is kept for the end of the word. */
	if (r->used + 1 >= WORDS_BYTES)
		return false;
	r->words->bytes[r->used++] = c;
	return true;
}

/* The character at p, of one byte or more. */
static bool
put_character(struct reader *r)
{
	const char *from = r->p;

	step(r);
	while (from < r->p)
		if (!put(r, *from++))
			return false;
	return true;
}

static bool
escapes(const struct reader *r)
{
	return *r->p == '\\' && r->p + 1 < r->end &&
	       (r->p[1] == '"' || r->p[1] == '\\' || is_blank(r->p[1]));
}

/* NULL, or what is wrong. */
static const char *
read_word(struct reader *r)
{
	bool quoted = false;

	while (r->p < r->end && (quoted || !is_blank(*r->p))) {
		if (*r->p == '"') {
			quoted = !quoted;
			step(r);
			continue;
		}
		if (escapes(r))
			step(r);
		if (*r->p == '\0')
			return "a NUL byte";
		if (!put_character(r))
			return "the line is too long";
	}
	r->words->bytes[r->used++] = '\0';
	return quoted ? "a quote that does not end" : NULL;
}

enum barn_err
words_split(struct words *words, const char *line, size_t len, uint32_t *column,
	    const char **fault)
{
	struct reader r = { .p = line, .end = line + len, .column = 1, .words = words };

	words->count = 0;
	for (;;) {
		while (r.p < r.end && is_blank(*r.p))
			step(&r);
		if (r.p == r.end || *r.p == '!')
			return BARN_OK;
		*column = r.column;
		*fault = "too many words";
		if (words->count == WORDS_MAX || r.used == WORDS_BYTES)
			return BARN_ERR_TEXT;
		words->column[words->count] = r.column;
		words->text[words->count] = words->bytes + r.used;
		*fault = read_word(&r);
		if (*fault)
			return BARN_ERR_TEXT;
		words->count++;
	}
}
