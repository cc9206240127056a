/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	PATTERN_MAX = 2048,
	PARENS_MAX = 40,
	/* For each place where a match could begin: backtracking beyond it is cut. */
	MATCH_LIMIT = 20000,
	/* Without JIT: enough for one choice a byte, so that the answers are the same. */
	DEPTH_LIMIT = MATCH_LIMIT,
	HEAP_LIMIT = 4096, /* KiB */
	STACK_FIRST = 32 * 1024,
	STACK_MAX = 512 * 1024,
};

/*
 * LF is the only line end and `$` means the very end, whatever PCRE2 was built for; bytes are
 * bytes, never UTF.
 */
static const uint32_t OPTIONS =
	PCRE2_NEVER_UTF | PCRE2_NEVER_UCP | PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;

struct regex {
	pcre2_code *code;
	char *pattern;
	unsigned groups;
	bool caseless;
	uint32_t partial; /* PCRE2_PARTIAL_SOFT or _HARD */
	bool anchored;    /* a match begins where the subject begins */
	struct byteset first;
	struct expression needs;
};

struct regex_scratch {
	pcre2_match_data *data;
	pcre2_match_context *context;
	pcre2_jit_stack *stack;
	uint64_t cuts;
};

/* Whether the pattern has this text, not escaped; inside a class counts as well. */
static bool
pattern_has(const char *pattern, size_t len, const char *text)
{
	size_t n = strlen(text);
	bool escape = text[0] == '\\';

	for (size_t i = 0; i + n <= len; i++) {
		if (memcmp(pattern + i, text, n) == 0)
			return true;
		if (pattern[i] == '\\' && !(escape && i + 1 < len && pattern[i + 1] == text[1]))
			i++;
	}
	return false;
}

/*
 * Whether what follows a match can undo it. Such a pattern is matched "hard": whatever would
 * have looked past the end of what is there is LATER. The others are matched "soft": a match
 * is a match, however much more a `.*` could take.
 */
static bool
looks_behind_end(const char *pattern, size_t len)
{
	static const char *const parts[] = { "$", "\\b", "\\B", "\\z", "\\Z", "(?!" };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (pattern_has(pattern, len, parts[i]))
			return true;
	return false;
}

static pcre2_code *
compile(const char *pattern, size_t len, uint32_t options, int *code, size_t *offset)
{
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	pcre2_code *compiled = NULL;

	*code = PCRE2_ERROR_NOMEMORY;
	*offset = 0;
	if (!context)
		return NULL;
	pcre2_set_newline(context, PCRE2_NEWLINE_LF);
	pcre2_set_bsr(context, PCRE2_BSR_ANYCRLF);
	pcre2_set_max_pattern_length(context, PATTERN_MAX);
	pcre2_set_parens_nest_limit(context, PARENS_MAX);
	compiled = pcre2_compile((PCRE2_SPTR)pattern, len, options, code, offset, context);
	pcre2_compile_context_free(context);
	return compiled;
}

/*
 * PCRE2 tells the first bytes of an unanchored pattern only: ask it about the pattern without
 * its `^`. That one may match in more places, so its set is at least as large as the true one.
 */
static struct byteset
find_first(const struct regex *regex, const char *pattern, size_t len, uint32_t options)
{
	struct byteset first = { 0 };
	uint32_t type = 0, unit = 0, empty = 1;
	const uint8_t *map = NULL;
	pcre2_code *code;
	size_t offset;
	int error;

	if (!regex->anchored || len < 2 || pattern[0] != '^')
		return BYTESET_ALL;
	code = compile(pattern + 1, len - 1, options, &error, &offset);
	if (!code)
		return BYTESET_ALL;
	pcre2_pattern_info(code, PCRE2_INFO_MATCHEMPTY, &empty);
	pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODETYPE, &type);
	pcre2_pattern_info(code, PCRE2_INFO_FIRSTCODEUNIT, &unit);
	pcre2_pattern_info(code, PCRE2_INFO_FIRSTBITMAP, &map);
	if (empty || (type != 1 && !map))
		first = BYTESET_ALL;
	else if (type == 1 && (regex->caseless || pattern_has(pattern, len, "(?")))
		byteset_add_caseless(&first, (uint8_t)unit); /* PCRE2 does not tell of (?i) */
	else if (type == 1)
		byteset_add(&first, (uint8_t)unit);
	else
		for (unsigned byte = 0; byte < 256; byte++)
			if (map[byte / 8] >> byte % 8 & 1)
				byteset_add(&first, (uint8_t)byte);
	pcre2_code_free(code);
	return first;
}

/* A match that may begin anywhere has no head. */
static void
find_needs(struct regex *r, size_t len)
{
	expression_read(r->pattern, len, r->caseless, &r->needs);
	if (!r->anchored) {
		r->needs.head_len = 0;
	} else if (r->needs.head_len > 0) {
		r->needs.head[0] = byteset_and(r->needs.head[0], r->first);
	} else if (byteset_count(&r->first) < 256) {
		r->needs.head[0] = r->first;
		r->needs.head_len = 1;
	}
}

enum barn_err
regex_new(const char *pattern, size_t len, bool caseless, struct regex **regex,
	  struct regex_fault *fault)
{
	uint32_t options = OPTIONS | (caseless ? PCRE2_CASELESS : 0);
	uint32_t all_options = 0, groups = 0;
	struct regex *r = calloc(1, sizeof(*r));
	size_t offset;
	int error;

	if (!r)
		return BARN_ERR_MEMORY;
	r->pattern = strndup(pattern, len);
	if (!r->pattern) {
		free(r);
		return BARN_ERR_MEMORY;
	}
	r->caseless = caseless;
	r->code = compile(pattern, len, options, &error, &offset);
	if (!r->code) {
		fault->offset = (uint32_t)(offset < len ? offset : len);
		pcre2_get_error_message(error, (PCRE2_UCHAR *)fault->text, sizeof(fault->text));
		regex_free(r);
		return error == PCRE2_ERROR_NOMEMORY ? BARN_ERR_MEMORY : BARN_ERR_TEXT;
	}
	pcre2_pattern_info(r->code, PCRE2_INFO_CAPTURECOUNT, &groups);
	r->groups = groups;
	pcre2_pattern_info(r->code, PCRE2_INFO_ALLOPTIONS, &all_options);
	r->anchored = all_options & PCRE2_ANCHORED;
	r->partial = looks_behind_end(pattern, len) ? PCRE2_PARTIAL_HARD : PCRE2_PARTIAL_SOFT;
	r->first = find_first(r, pattern, len, options);
	find_needs(r, strlen(r->pattern));
	/* Without JIT (not built in, or no executable memory) it is slower and the same. */
	pcre2_jit_compile(r->code, PCRE2_JIT_COMPLETE | (r->partial == PCRE2_PARTIAL_HARD
								 ? PCRE2_JIT_PARTIAL_HARD
								 : PCRE2_JIT_PARTIAL_SOFT));
	*regex = r;
	return BARN_OK;
}

void
regex_free(struct regex *regex)
{
	if (!regex)
		return;
	pcre2_code_free(regex->code);
	free(regex->pattern);
	free(regex);
}

const char *
regex_pattern(const struct regex *regex)
{
	return regex->pattern;
}

bool
regex_caseless(const struct regex *regex)
{
	return regex->caseless;
}

unsigned
regex_groups(const struct regex *regex)
{
	return regex->groups;
}

struct byteset
regex_first(const struct regex *regex)
{
	return regex->first;
}

const struct expression *
regex_needs(const struct regex *regex)
{
	return &regex->needs;
}

enum barn_err
regex_scratch_new(struct regex_scratch **scratch)
{
	struct regex_scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return BARN_ERR_MEMORY;
	s->data = pcre2_match_data_create(REGEX_GROUPS, NULL);
	s->context = pcre2_match_context_create(NULL);
	s->stack = pcre2_jit_stack_create(STACK_FIRST, STACK_MAX, NULL);
	if (!s->data || !s->context) { /* the stack is NULL where there is no JIT */
		regex_scratch_free(s);
		return BARN_ERR_MEMORY;
	}
	pcre2_set_match_limit(s->context, MATCH_LIMIT);
	pcre2_set_depth_limit(s->context, DEPTH_LIMIT);
	pcre2_set_heap_limit(s->context, HEAP_LIMIT);
	if (s->stack)
		pcre2_jit_stack_assign(s->context, NULL, s->stack);
	*scratch = s;
	return BARN_OK;
}

void
regex_scratch_free(struct regex_scratch *scratch)
{
	if (!scratch)
		return;
	pcre2_jit_stack_free(scratch->stack);
	pcre2_match_context_free(scratch->context);
	pcre2_match_data_free(scratch->data);
	free(scratch);
}

uint64_t
regex_scratch_cuts(const struct regex_scratch *scratch)
{
	return scratch->cuts;
}

static void
fill_groups(struct bytes groups[REGEX_GROUPS], const struct regex_scratch *scratch,
	    struct bytes subject, int count)
{
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(scratch->data);

	for (int i = 0; i < REGEX_GROUPS; i++) {
		bool set = i < count && at[2 * i] != PCRE2_UNSET && at[2 * i] <= at[2 * i + 1];

		groups[i] = set ? bytes_of(subject.p + at[2 * i], at[2 * i + 1] - at[2 * i])
				: bytes_of(subject.p, 0);
	}
}

enum match_answer
regex_run(const struct regex *regex, struct regex_scratch *scratch, struct bytes subject,
	  bool closed, struct bytes groups[REGEX_GROUPS])
{
	size_t len = bytes_left(&subject);
	int rc;

	if (len > REGEX_SUBJECT) {
		len = REGEX_SUBJECT;
		closed = true;
	}
	/* An empty subject may be NULL, which PCRE2 before 10.40 refuses. */
	if (len == 0)
		subject = bytes_of("", 0);
	rc = pcre2_match(regex->code, subject.p, len, 0, closed ? 0 : regex->partial,
			 scratch->data, scratch->context);
	if (rc >= 0) {
		if (groups)
			fill_groups(groups, scratch, subject, rc == 0 ? REGEX_GROUPS : rc);
		return MATCH_YES;
	}
	if (rc == PCRE2_ERROR_PARTIAL)
		return MATCH_LATER;
	if (rc != PCRE2_ERROR_NOMATCH) {
		scratch->cuts++;
		return MATCH_NO;
	}
	/* PCRE2 calls no empty subject a partial match; and bytes to come can begin a match. */
	return !closed && (len == 0 || !regex->anchored) ? MATCH_LATER : MATCH_NO;
}
