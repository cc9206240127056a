/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_LEX_H
#define PDL_LEX_H

/*
 * The text of a module, cut into tokens, one at a time. What looks different in another place
 * is asked for by the parser: a regular expression (else `/` divides), the bytes after `hex`.
 * The text must outlive its tokens; what is decoded lies in the arena.
 */

#include "base/arena.h"
#include "base/bytes.h"
#include "match/byteset.h"
#include "pdl/diag.h"

enum token_kind {
	TOKEN_END,
	TOKEN_BAD, /* its fault has been told */
	TOKEN_WORD,
	TOKEN_NUMBER,
	TOKEN_STRING,
	TOKEN_CAPTURE, /* $1 */
	TOKEN_SIGN,    /* anything else; see token_is */
};

struct token {
	enum token_kind kind;
	struct pdl_pos pos;
	const char *at;
	size_t len;
	uint64_t number;   /* NUMBER, CAPTURE */
	struct bytes data; /* STRING: decoded, with a NUL behind it */
	bool caseless;     /* STRING: i"..." */
	bool starts_line;
	bool after_blank;  /* white space or a comment stands before it */
	bool before_blank; /* and after it */
};

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

/* Whether the token is this sign or word. */
bool token_is(const struct token *token, const char *text);

/* The token for a message, at most `size - 1` bytes, quoted: 'prot'. Returns buf. */
const char *token_show(const struct token *token, char *buf, size_t size);

/* Moves over n bytes. */
void lex_advance(struct lex *lex, size_t n);

#endif
