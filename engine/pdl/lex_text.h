/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_LEX_TEXT_H
#define PDL_LEX_TEXT_H

/* The half of the lexer that reads strings, expressions and bytes. */

#include "pdl/lex.h"

/* A string that begins here, with its `i`. */
void lex_string(struct lex *lex, struct token *token);

#endif
