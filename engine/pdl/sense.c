/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/sense.h"

static bool
is_line_end(uint8_t byte)
{
	return byte == '\r' || byte == '\n';
}

/* Characters of the escape; 0 if the pattern ends in it. */
static size_t
escape(const char *at, bool *line_end)
{
	*line_end = at[1] == 'r' || at[1] == 'n';
	if (at[1] == '\0')
		return 0;
	if (at[1] != 'x' || at[2] != '0' || at[3] == '\0')
		return 2;
	*line_end = strchr("dDaA", at[3]) != NULL;
	return 4;
}

/* The last character of a class. */
static const char *
class_end(const char *at)
{
	at += at[1] == '^' ? 2 : 1;
	if (*at == ']')
		at++;
	for (; *at && *at != ']'; at++)
		if (*at == '\\' && at[1])
			at++;
	return at;
}

/* Groups and classes may do without, and so may what a choice parts: of these nothing is said.
 */
bool
sense_pattern_needs_line_end(const char *pattern)
{
	bool found = false, line_end;
	unsigned depth = 0;
	size_t len;

	if (strstr(pattern, "\\Q"))
		return false;
	for (const char *at = pattern; *at; at++) {
		if (*at == '|' && depth == 0)
			return false;
		if (*at == '[')
			at = class_end(at);
		else if (*at == '(')
			depth++;
		else if (*at == ')' && depth > 0)
			depth--;
		if (*at == '\0')
			break;
		if (*at != '\\')
			continue;
		len = escape(at, &line_end);
		if (len == 0)
			break;
		if (line_end && depth == 0 && (at[len] == '\0' || !strchr("?*{", at[len])))
			found = true;
		at += len - 1;
	}
	return found;
}

bool
sense_needs_line_end(const struct program_test *test)
{
	if (test->kind == PROGRAM_REGEX)
		return test->regex && sense_pattern_needs_line_end(regex_pattern(test->regex));
	if (test->kind != PROGRAM_TEXT && test->kind != PROGRAM_BYTES)
		return false;
	for (uint32_t i = 0; i < test->len; i++) {
		unsigned ends = 0;

		if (test->kind == PROGRAM_TEXT) {
			if (is_line_end(test->text[i]))
				return true;
			continue;
		}
		ends = byteset_has(&test->sets[i], '\r') + byteset_has(&test->sets[i], '\n');
		if (ends > 0 && byteset_count(&test->sets[i]) == ends)
			return true;
	}
	return false;
}

/*
 * Tried on bytes that are all the same, of each value in turn: whatever asks for some byte
 * fails for another. `.` has no LF. And on bytes of which no two neighbours are the same. A
 * negative look-ahead excludes one thing and holds for all others: that is meant.
 */
static bool
takes_all(const struct regex *regex, struct regex_scratch *scratch)
{
	uint8_t bytes[256];
	bool all = !strstr(regex_pattern(regex), "(?!");

	for (unsigned byte = 0; byte < 256 && all; byte++) {
		memset(bytes, (int)byte, sizeof(bytes));
		all = byte == '\n' || regex_run(regex, scratch, bytes_of(bytes, sizeof(bytes)),
						true, NULL) == MATCH_YES;
	}
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 167 + 133);
	return all && regex_run(regex, scratch, bytes_of(bytes, sizeof(bytes)), true, NULL) ==
			      MATCH_YES;
}

static bool
term_takes_all(const struct program_term *term, struct regex_scratch *scratch)
{
	for (unsigned i = 0; i < term->count; i++) {
		const struct program_alternative *one = &term->alternatives[i];
		unsigned n = 0;

		while (n < one->count && one->tests[n].kind == PROGRAM_REGEX &&
		       takes_all(one->tests[n].regex, scratch))
			n++;
		if (n == one->count)
			return true;
	}
	return false;
}

/* As deep as groups may be nested. */
static bool
claims_all(const struct pdl_node *node, struct regex_scratch *scratch)
{
	if (node->kind == PDL_TERM)
		return term_takes_all(&node->term, scratch);
	if (node->kind == PDL_NOT)
		return false;
	for (unsigned i = 0; i < node->kid_count; i++)
		if (claims_all(node->kids[i], scratch) != (node->kind == PDL_ALL))
			return node->kind == PDL_ONE_OF;
	return node->kind == PDL_ALL;
}

enum barn_err
sense_claims_all(const struct pdl_node *rule, bool *all)
{
	struct regex_scratch *scratch = NULL;
	enum barn_err err = regex_scratch_new(&scratch);

	if (err)
		return err;
	*all = claims_all(rule, scratch);
	regex_scratch_free(scratch);
	return BARN_OK;
}
