/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

/*
 * A text that grows. Calls do not fail one by one: when memory runs out the text
 * keeps what it has, takes no more, and `failed` stays set, to be tested once at
 * the end. All zero is an empty text. The owner calls text_fini; not for the
 * packet path. The bound is what the caller appends; size_t is never exceeded.
 *
 *	struct text t = { 0 };
 *
 *	text_add(&t, "port ");
 *	text_printf(&t, "%u", port);
 *	if (!t.failed)
 *		puts(text_str(&t));
 *	text_fini(&t);
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
	char *s;     /* NULL while nothing was added; otherwise ends in NUL */
	size_t len;  /* without the NUL */
	size_t room; /* of s, with the NUL */
	bool failed;
};

void text_add(struct text *text, const char *string);
void text_add_n(struct text *text, const void *data, size_t n);
void text_char(struct text *text, char c);

void text_printf(struct text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *text, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Never NULL; valid until the next call. */
const char *text_str(const struct text *text);

/* Empty again and not failed; the memory is kept. */
void text_clear(struct text *text);

/* Frees the memory; the text is then empty and may be used again. */
void text_fini(struct text *text);

/* The string, which the caller frees with free(); NULL if failed. The text is then empty. */
char *text_steal(struct text *text);

#endif
