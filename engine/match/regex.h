/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_REGEX_H
#define MATCH_REGEX_H

/*
 * PCRE2 expressions over bytes, compiled once with JIT, shared by all threads; each thread
 * brings its own scratch. Match limits cut what would run away; a cut counts as no match.
 */

#include "base/bytes.h"
#include "match/byteset.h"
#include "match/expression.h"
#include "match/view.h"
#include <barn/err.h>

struct regex;
struct regex_scratch;

enum { REGEX_GROUPS = 10, REGEX_SUBJECT = 4096 }; /* only the first 4096 bytes are looked at */

struct regex_fault {
	uint32_t offset;
	char text[128];
};

enum barn_err regex_new(const char *pattern, size_t len, bool caseless, struct regex **regex,
			struct regex_fault *fault);
void regex_free(struct regex *regex);
unsigned regex_groups(const struct regex *regex); /* capturing groups */

const char *regex_pattern(const struct regex *regex); /* as it was given */
bool regex_caseless(const struct regex *regex);

/* What the first byte of a subject must be for a match at its start; all, if unknown. */
struct byteset regex_first(const struct regex *regex);

/* What a match needs; its head is that of a match at the subject's start, or empty. */
const struct expression *regex_needs(const struct regex *regex);

enum barn_err regex_scratch_new(struct regex_scratch **scratch);
void regex_scratch_free(struct regex_scratch *scratch);
uint64_t regex_scratch_cuts(const struct regex_scratch *scratch);

/*
 * A pattern with `$`, \b or (?! may look at what follows a match: where it would look past the
 * end of an open subject the answer is LATER, so that YES stays YES however the bytes are cut.
 *
 * YES: groups[0] is the whole match, the others what they captured (empty if not set); groups
 * may be NULL. LATER: no match, but more bytes could end one that begins here (partial match)
 * or, if the pattern is not anchored, begin one; never said when `closed`.
 */
enum match_answer regex_run(const struct regex *regex, struct regex_scratch *scratch,
			    struct bytes subject, bool closed,
			    struct bytes groups[REGEX_GROUPS]);

#endif
