/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/draft.h"
#include <math.h>
#include <stdio.h>

/*
 * Protocols of lines of text. The first lines of all samples are cut into tokens, and walked
 * side by side for as long as their kinds agree: what is equal everywhere is taken as it is,
 * few different words become a choice, other words and numbers any.
 */

enum kind { WORD, NUMBER, BLANK, SIGN, LINE_END, NOTHING };
enum { TOKENS = 24, LINE = 160, CHOICE = 8, PATTERN = 120, ENOUGH = 64, FEW = 8 };

struct token {
	enum kind kind;
	struct bytes text;
};

static bool
is_text(struct bytes b)
{
	size_t left = bytes_left(&b);

	if (left < 2)
		return false;
	for (size_t i = 0; i < left && i < 64; i++) {
		uint8_t c = bytes_u8(&b);

		if ((c < ' ' || c > '~') && c != '\r' && c != '\n' && c != '\t')
			return false;
	}
	return true;
}

static enum kind
kind_of(uint8_t c)
{
	if (c == '\r' || c == '\n')
		return LINE_END;
	if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_')
		return WORD;
	if (c >= '0' && c <= '9')
		return NUMBER;
	return c == ' ' || c == '\t' ? BLANK : SIGN;
}

static struct token
next_token(struct bytes *b)
{
	struct token t = { .kind = NOTHING, .text = bytes_of(b->p, 0) };
	struct bytes peek = *b;
	size_t len = 0;

	while (bytes_left(&peek)) {
		enum kind kind = kind_of(bytes_u8(&peek));

		if (len > 0 && (kind != t.kind || kind == SIGN))
			break;
		t.kind = kind;
		len++;
	}
	t.text = bytes_take(b, len);
	return t;
}

/* Token number n of each sample, if all are of one kind. */
static enum kind
column(const struct draft_samples *samples, struct bytes *rests, struct token *tokens)
{
	for (unsigned i = 0; i < samples->count; i++) {
		tokens[i] = next_token(&rests[i]);
		if (tokens[i].kind != tokens[0].kind)
			return NOTHING;
	}
	return tokens[0].kind;
}

static bool
same(struct bytes a, struct bytes b)
{
	return bytes_left(&a) == bytes_left(&b) && memcmp(a.p, b.p, bytes_left(&a)) == 0;
}

/* The different ones, at most CHOICE; CHOICE + 1: more. */
static unsigned
different(const struct token *tokens, unsigned count, struct bytes found[CHOICE])
{
	unsigned n = 0, k;

	for (unsigned i = 0; i < count; i++) {
		for (k = 0; k < n && !same(found[k], tokens[i].text); k++)
			;
		if (k < n)
			continue;
		if (n == CHOICE)
			return CHOICE + 1;
		found[n++] = tokens[i].text;
	}
	return n;
}

static void
add_literal(struct text *text, struct bytes b)
{
	while (bytes_left(&b)) {
		uint8_t c = bytes_u8(&b);

		if (c == '\r')
			text_add(text, "\\r");
		else if (c == '\n')
			text_add(text, "\\n");
		else if (c == '\t')
			text_add(text, "\\t");
		else if (strchr("\\^$.[]|()?*+{}/", c))
			text_printf(text, "\\%c", c);
		else
			text_char(text, (char)c);
	}
}

static double
bits_of(enum kind kind, size_t len)
{
	static const double bits[] = {
		[WORD] = 5, [NUMBER] = 3.3, [BLANK] = 2, [SIGN] = 4, [LINE_END] = 2,
	};

	return bits[kind] * (double)len;
}

struct line {
	struct text pattern;
	double bits;
	size_t solid; /* of the pattern, up to the last token that says something */
	double solid_bits;
	unsigned words;
	bool guess; /* all samples are the same, so that what varies can only be guessed */
};

static void
add_any(struct line *line, enum kind kind)
{
	static const char *const any[] = {
		[WORD] = "[A-Za-z_]+", [NUMBER] = "[0-9]+",    [BLANK] = "[ \\t]+",
		[SIGN] = "[^ \\r\\n]", [LINE_END] = "\\r?\\n",
	};

	text_add(&line->pattern, any[kind]);
	line->bits += kind == LINE_END ? 2 : 1;
}

static void
add_choice(struct line *line, enum kind kind, const struct bytes *found, unsigned n)
{
	size_t shortest = SIZE_MAX;

	text_char(&line->pattern, '(');
	for (unsigned i = 0; i < n; i++) {
		text_add(&line->pattern, i ? "|" : "");
		add_literal(&line->pattern, found[i]);
		if (bytes_left(&found[i]) < shortest)
			shortest = bytes_left(&found[i]);
	}
	text_char(&line->pattern, ')');
	line->bits += bits_of(kind, shortest) - log2(n);
}

/* One sample cannot tell what varies: numbers do, but for a reply's code. */
static bool
is_code(const struct line *line, const struct token *token)
{
	return line->pattern.len <= 1 && bytes_left(&token->text) == 3;
}

static void
add_column(struct line *line, const struct draft_samples *samples, const struct token *tokens)
{
	enum kind kind = tokens[0].kind;
	struct bytes found[CHOICE];
	unsigned n = different(tokens, samples->count, found);

	if (kind == LINE_END) {
		add_any(line, kind);
	} else if (n == 1 && !(line->guess && kind == NUMBER && !is_code(line, &tokens[0]))) {
		add_literal(&line->pattern, found[0]);
		line->bits += bits_of(kind, bytes_left(&found[0]));
	} else if (n <= CHOICE && kind != NUMBER && 2 * n <= samples->count + 1) {
		add_choice(line, kind, found, n);
	} else {
		add_any(line, kind);
		line->words += kind == WORD;
		return;
	}
	line->words += kind == WORD;
	if (kind != BLANK || line->bits > 12) {
		line->solid = line->pattern.len;
		line->solid_bits = line->bits;
	}
}

/* Of one line alone: a client's command, or a greeting's first words; then come names. */
static void
walk_tokens(struct line *line, const struct draft_samples *samples, struct bytes *rests,
	    struct token *tokens)
{
	unsigned words = samples->dir == MATCH_CLIENT ? 1 : 3;

	line->guess = samples->distinct == 1 && samples->flows < FEW;
	for (unsigned i = 0; i < TOKENS && line->pattern.len < PATTERN; i++) {
		enum kind kind = column(samples, rests, tokens);

		if (kind == NOTHING || line->bits > ENOUGH ||
		    (line->guess && kind == WORD && line->words == words))
			break;
		add_column(line, samples, tokens);
		if (kind == LINE_END)
			break;
	}
}

bool
draft_line(const struct draft_samples *samples, struct draft_tests *tests)
{
	struct arena *arena;
	struct bytes *rests;
	struct token *tokens;
	struct line line = { .bits = 0 };

	for (unsigned i = 0; i < samples->count; i++)
		if (!is_text(samples->list[i]->data))
			return false;
	if (arena_new(0, &arena))
		return false;
	rests = arena_array(arena, samples->count, sizeof(*rests));
	tokens = arena_array(arena, samples->count, sizeof(*tokens));
	for (unsigned i = 0; rests && i < samples->count; i++) {
		size_t left = bytes_left(&samples->list[i]->data);

		rests[i] = bytes_of(samples->list[i]->data.p, left < LINE ? left : LINE);
	}
	text_char(&line.pattern, '^');
	if (rests && tokens)
		walk_tokens(&line, samples, rests, tokens);
	if (line.solid_bits > 8) {
		text_char(&tests->tests, '/');
		text_add_n(&tests->tests, text_str(&line.pattern), line.solid);
		text_char(&tests->tests, '/');
		tests->bits = line.solid_bits;
	}
	text_fini(&line.pattern);
	arena_free(arena);
	return true;
}
