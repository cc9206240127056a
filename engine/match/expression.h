/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_EXPRESSION_H
#define MATCH_EXPRESSION_H

/*
 * What a PCRE2 expression asks of a text at the very least, read from its pattern: the bytes
 * that a match begins with, and words that it must contain. It reads the constructs that
 * protocols are described with and says nothing of an expression that has others; what it says
 * always holds, so that where it fails the expression need not be run.
 */

#include "match/byteset.h"
#include "match/needles.h"

enum { EXPRESSION_HEAD = 12 };

struct expression {
	struct byteset head[EXPRESSION_HEAD]; /* of a match's first bytes */
	uint8_t head_len;
	struct needles words;
};

/* The pattern is one that PCRE2 compiles. */
void expression_read(const char *pattern, size_t len, bool caseless, struct expression *e);

#endif
