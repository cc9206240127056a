/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_WORDS_H
#define PDL_WORDS_H

/* The words of the language, as tables: what parses them prints them. */

#include "match/sum.h"
#include "pdl/lex.h"

/* An operator of arithmetic; what binds less tightly has a lower level. */
struct words_operator {
	char sign[3];
	uint8_t kind; /* enum sum_op_kind */
	uint8_t level;
};

enum { WORDS_LEVELS = 5 };

extern const struct words_operator words_operators[];
extern const size_t words_operator_count;

/* "u8", "u16be", ...; indexed from SUM_U8. */
const char *words_reader_name(enum sum_op_kind kind);
enum sum_op_kind words_reader(const struct token *token); /* SUM_OPS: it is none */

/* "==", ...; by enum program_compare. */
extern const char words_compares[6][3];

/* "hint", "likely", "sure"; "client", "server", "any": by pdl's enums. */
extern const char *const words_strengths[3];
extern const char *const words_sides[3];

/* What the items of a protocol begin with. */
enum { WORDS_ITEMS = 25 };
extern const char *const words_items[WORDS_ITEMS];

/* All other words of the language, but for those that no constant may be named by. */
extern const char *const words_others[];
extern const size_t words_other_count;

/* Words that no constant may be named by; sorted. */
extern const char *const words_reserved[];
extern const size_t words_reserved_count;

/* A key of `attribute` and the values that it may have; both sorted. */
struct words_attribute {
	const char *key;
	const char *const *values;
	size_t count;
};

extern const struct words_attribute words_attributes[];
extern const size_t words_attribute_count;

const struct words_attribute *words_attribute(const char *key);
bool words_has(const char *const *words, size_t count, const char *word); /* sorted */

/* The word that was meant: at most two letters away, and no more than half of them; NULL: none.
 */
const char *words_nearest(const char *const *words, size_t count, const char *word);

#endif
