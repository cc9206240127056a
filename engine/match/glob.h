/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_GLOB_H
#define MATCH_GLOB_H

/*
 * NBAR's string patterns: `*` any run, `?` one character, `[abc]` one of (ranges too), `|`
 * alternatives, `(` `)` around them; a pattern without any must equal the whole string. Without
 * regard to case. Time is bounded by pattern length times text length.
 */

#include "base/bytes.h"
#include "match/needles.h"
#include <barn/err.h>

struct glob;

enum barn_err glob_new(const char *pattern, struct glob **glob, uint32_t *fault_offset,
		       const char **fault);
void glob_free(struct glob *glob);
/* What a text must hold for the pattern, which glob_new takes, to match it. */
void glob_needles(const char *pattern, struct needles *needles);
bool glob_match(const struct glob *glob, struct bytes text);

#endif
