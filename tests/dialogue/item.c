/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "item.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

/* The integer forms: bytes, and which end comes first. */
static const struct form {
	const char *name;
	unsigned width;
	bool little;
} forms[] = {
	{ "u8", 1, false },   { "be16", 2, false }, { "be24", 3, false },
	{ "be32", 4, false }, { "be64", 8, false }, { "le16", 2, true },
	{ "le24", 3, true },  { "le32", 4, true },  { "le64", 8, true },
};

static void read_item(struct lex *l, struct item_bytes *out, unsigned depth);

static bool
append(struct lex *l, struct item_bytes *out, const void *bytes, size_t len)
{
	if (len > ITEM_MESSAGE_MAX - out->len) {
		lex_fail(l, "message longer than %d bytes", ITEM_MESSAGE_MAX);
		return false;
	}
	memmove(out->data + out->len, bytes, len);
	out->len += len;
	return true;
}

static const struct form *
find_form(const struct lex *l)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (lex_is(l, forms[i].name))
			return &forms[i];
	return NULL;
}

static uint64_t
form_max(const struct form *form)
{
	return form->width == 8 ? UINT64_MAX : ((uint64_t)1 << (8 * form->width)) - 1;
}

static void
store(uint8_t *to, const struct form *form, uint64_t value)
{
	for (unsigned i = 0; i < form->width; i++) {
		unsigned at = form->little ? i : form->width - 1 - i;

		to[at] = (uint8_t)(value >> (8 * i));
	}
}

static void
read_integer(struct lex *l, struct item_bytes *out, const struct form *form)
{
	uint8_t bytes[8];

	lex_next(l);
	store(bytes, form, lex_number(l, form_max(form), "a number"));
	append(l, out, bytes, form->width);
}

static bool
is_hex_pair(const struct lex *l)
{
	return l->kind == LEX_WORD && l->len == 2 && isxdigit((unsigned char)l->text[0]) &&
	       isxdigit((unsigned char)l->text[1]);
}

static void
read_hex(struct lex *l, struct item_bytes *out)
{
	lex_next(l);
	if (!is_hex_pair(l))
		lex_fail(l, "expected bytes of two hexadecimal digits each, not %s",
			 lex_show(l));
	while (is_hex_pair(l)) {
		unsigned value = 0;
		uint8_t byte;

		for (int i = 0; i < 2; i++) {
			int c = tolower((unsigned char)l->text[i]);

			value = value << 4 | (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
		}
		byte = (uint8_t)value;
		append(l, out, &byte, 1);
		lex_next(l);
	}
}

/* ASCII widened to two bytes, little end first, as Windows programs send it. */
static void
read_utf16(struct lex *l, struct item_bytes *out)
{
	lex_next(l);
	if (l->kind != LEX_STRING) {
		lex_fail(l, "expected a string after utf16, not %s", lex_show(l));
		return;
	}
	for (size_t i = 0; i < l->len; i++) {
		const char wide[2] = { l->text[i], 0 };

		if (l->text[i] & 0x80) {
			lex_fail(l, "utf16 takes ASCII only");
			return;
		}
		append(l, out, wide, 2);
	}
	lex_next(l);
}

/* Bytes without a pattern, the same on every machine: splitmix64's. */
static void
read_noise(struct lex *l, struct item_bytes *out)
{
	uint64_t n, state;

	lex_next(l);
	n = lex_number(l, ITEM_MESSAGE_MAX, "the number of bytes");
	state = lex_number(l, UINT64_MAX, "a seed");
	for (uint64_t i = 0; i < n && !l->failed; i++) {
		uint64_t z = state += 0x9e3779b97f4a7c15;
		uint8_t byte;

		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
		z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
		byte = (uint8_t)(z ^ (z >> 31));
		append(l, out, &byte, 1);
	}
}

static void
read_repeat(struct lex *l, struct item_bytes *out, unsigned depth)
{
	uint64_t n;
	size_t start = out->len, len;

	lex_next(l);
	n = lex_number(l, ITEM_MESSAGE_MAX, "the number of repetitions");
	read_item(l, out, depth + 1);
	len = out->len - start;
	out->len = start;
	if (l->failed)
		return;
	for (uint64_t i = 0; i < n; i++)
		if (!append(l, out, out->data + start, len))
			return;
}

static void
read_sized(struct lex *l, struct item_bytes *out, unsigned depth)
{
	static const uint8_t blank[8];
	const struct form *form;
	size_t start = out->len, len;
	int64_t add = 0;
	unsigned line, column;

	lex_next(l);
	form = find_form(l);
	if (!form) {
		lex_fail(l, "expected the form of the length, like be16, not %s", lex_show(l));
		return;
	}
	line = l->token_line;
	column = l->token_column;
	lex_next(l);
	if (l->kind == LEX_WORD && (l->text[0] == '+' || l->text[0] == '-')) {
		bool minus = l->text[0] == '-';

		memmove(l->text, l->text + 1, l->len--);
		l->token_column++;
		add = (int64_t)lex_number(l, ITEM_MESSAGE_MAX, "what to add to the length");
		add = minus ? -add : add;
	}
	append(l, out, blank, form->width);
	read_item(l, out, depth + 1);
	if (l->failed)
		return;
	len = out->len - start - form->width;
	if ((int64_t)len + add < 0 || (uint64_t)((int64_t)len + add) > form_max(form)) {
		l->token_line = line;
		l->token_column = column;
		lex_fail(l, "a length of %lld does not fit %s", (long long)((int64_t)len + add),
			 form->name);
		return;
	}
	store(out->data + start, form, (uint64_t)((int64_t)len + add));
}

static void
read_group(struct lex *l, struct item_bytes *out, unsigned depth)
{
	unsigned line = l->token_line, column = l->token_column;

	lex_next(l);
	while (!l->failed && l->kind != LEX_CLOSE) {
		if (l->kind == LEX_END) {
			l->token_line = line;
			l->token_column = column;
			lex_fail(l, "( without its )");
			return;
		}
		read_item(l, out, depth + 1);
	}
	lex_next(l);
}

static void
read_item(struct lex *l, struct item_bytes *out, unsigned depth)
{
	const struct form *form = find_form(l);

	if (depth > DEPTH_MAX) {
		lex_fail(l, "nested deeper than %d", DEPTH_MAX);
	} else if (l->kind == LEX_STRING) {
		append(l, out, l->text, l->len);
		lex_next(l);
	} else if (l->kind == LEX_OPEN) {
		read_group(l, out, depth);
	} else if (form) {
		read_integer(l, out, form);
	} else if (lex_is(l, "hex")) {
		read_hex(l, out);
	} else if (lex_is(l, "utf16")) {
		read_utf16(l, out);
	} else if (lex_is(l, "noise")) {
		read_noise(l, out);
	} else if (lex_is(l, "repeat")) {
		read_repeat(l, out, depth);
	} else if (lex_is(l, "sized")) {
		read_sized(l, out, depth);
	} else {
		lex_fail(l,
			 "expected a string, hex, utf16, noise, repeat, sized, ( or an integer "
			 "like be16, not %s",
			 lex_show(l));
	}
}

void
item_read_line(struct lex *l, struct item_bytes *out)
{
	out->len = 0;
	do {
		read_item(l, out, 0);
	} while (!l->failed && l->kind != LEX_NEWLINE && l->kind != LEX_END);
}
