/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

/* Room for n more characters and the NUL. */
static bool
reserve(struct text *text, size_t n)
{
	size_t room = text->room ? text->room : FIRST_ROOM;
	char *s;

	if (text->failed)
		return false;
	if (text->s && n < text->room - text->len)
		return true;
	if (n > SIZE_MAX / 2 - 1 - text->len) {
		text->failed = true;
		return false;
	}
	while (room - text->len <= n)
		room *= 2;
	s = realloc(text->s, room);
	if (!s) {
		text->failed = true;
		return false;
	}
	text->s = s;
	text->room = room;
	return true;
}

void
text_add_n(struct text *text, const void *data, size_t n)
{
	if (!reserve(text, n))
		return;
	if (n > 0)
		memcpy(text->s + text->len, data, n);
	text->len += n;
	text->s[text->len] = '\0';
}

void
text_add(struct text *text, const char *string)
{
	text_add_n(text, string, strlen(string));
}

void
text_char(struct text *text, char c)
{
	text_add_n(text, &c, 1);
}

void
text_vprintf(struct text *text, const char *format, va_list args)
{
	va_list again;
	int n;

	if (!reserve(text, 0))
		return;
	va_copy(again, args);
	n = vsnprintf(text->s + text->len, text->room - text->len, format, args);
	if (n < 0)
		text->failed = true;
	else if ((size_t)n >= text->room - text->len && reserve(text, (size_t)n))
		(void)vsnprintf(text->s + text->len, text->room - text->len, format, again);
	va_end(again);
	if (text->failed)
		text->s[text->len] = '\0';
	else
		text->len += (size_t)n;
}

void
text_printf(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text_vprintf(text, format, args);
	va_end(args);
}

const char *
text_str(const struct text *text)
{
	return text->s ? text->s : "";
}

void
text_clear(struct text *text)
{
	text->len = 0;
	text->failed = false;
	if (text->s)
		text->s[0] = '\0';
}

void
text_fini(struct text *text)
{
	free(text->s);
	*text = (struct text){ 0 };
}

char *
text_steal(struct text *text)
{
	char *s = NULL;

	if (reserve(text, 0)) {
		s = text->s;
		s[text->len] = '\0';
		text->s = NULL;
	}
	text_fini(text);
	return s;
}
