/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/token.h"

#include <stdio.h>

bool
token_is(const struct token *token, const char *text)
{
	return (token->kind == TOKEN_WORD || token->kind == TOKEN_SIGN) &&
	       token->len == strlen(text) && memcmp(token->at, text, token->len) == 0;
}

const char *
token_show(const struct token *token, char *buf, size_t size)
{
	enum { ROOM = 4 + 3 + 1 + 1 }; /* a character, dots, a quote, NUL */
	size_t n = token->len, out = 0;

	if (token->kind == TOKEN_END) {
		snprintf(buf, size, "end of file");
		return buf;
	}
	buf[out++] = '\'';
	for (size_t i = 0; i < n && token->at[i] != '\n' && token->at[i] != '\r'; i++) {
		if (out + ROOM > size && ((uint8_t)token->at[i] & 0xc0) != 0x80) {
			memcpy(buf + out, "...", 3);
			out += 3;
			break;
		}
		buf[out++] = token->at[i] == '\t' ? ' ' : token->at[i];
	}
	buf[out++] = '\'';
	buf[out] = '\0';
	return buf;
}
