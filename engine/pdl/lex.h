/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_LEX_H
#define PDL_LEX_H

/*
 * The text of a module, cut into tokens, one at a time. What looks different in another place
 * is asked for by the parser: a regular expression (else `/` divides), the bytes after `hex`.
 * The text must outlive its tokens; what is decoded lies in the arena.
 */

#include "base/arena.h"
#include "match/byteset.h"
#include "pdl/token.h"

struct lex {
	const char *file;
	const char *text, *p, *end;
	struct pdl_pos pos;
	struct arena *arena;
	struct barn_faults *faults;
	bool no_memory;
};

/*
 * Whether the text can be lexed at all: its size, NUL bytes, UTF-8. Tells the fault otherwise.
 */
bool lex_start(struct lex *lex, struct arena *arena, const char *file, const char *text,
	       size_t len, struct barn_faults *faults);

void lex_token(struct lex *lex, struct token *token);

/* Reads `/.../i` anew, from the token on, which is `/`; BAD if it does not end in its line. */
void lex_regex(struct lex *lex, struct token *token, const char **pattern, size_t *len,
	       bool *caseless);

/*
 * Reads byte values for as long as there are any, from after the token `hex` on; then the next
 * token. Each is a set in the arena; `count` 0: there was none; false: a fault was told.
 */
bool lex_hex(struct lex *lex, const struct byteset **sets, uint32_t *count);

/* Whether it is UTF-8 without control characters: escapes can write anything. */
bool lex_is_plain(struct bytes text);

/* Moves over n bytes. */
void lex_advance(struct lex *lex, size_t n);

#endif
