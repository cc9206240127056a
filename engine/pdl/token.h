/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_TOKEN_H
#define PDL_TOKEN_H

/* A word, number, string or sign of a module's text; it points into the text. */

#include "base/bytes.h"
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

/* Whether the token is this sign or word. */
bool token_is(const struct token *token, const char *text);

/* The token for a message, at most `size - 1` (at least 10) bytes, quoted: 'prot'. Returns buf.
 */
const char *token_show(const struct token *token, char *buf, size_t size);

#endif
