/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/value.h"
#include "unit.h"

static const char *
shown(const void *data, size_t len, enum value_style style)
{
	static char copy[4096];
	struct text text = { 0 };

	value_add(&text, bytes_of(data, len), style);
	snprintf(copy, sizeof(copy), "%s", text_str(&text));
	text_fini(&text);
	return copy;
}

#define SHOWN(literal, style) shown(literal, sizeof(literal) - 1, style)

TEST(text_stands_as_it_was)
{
	CHECK_STR(SHOWN("GET /a b?c=\"d\"", VALUE_JSON), "GET /a b?c=\"d\"");
	CHECK_STR(SHOWN("DOMAIN\\user \\\\", VALUE_JSON), "DOMAIN\\user \\\\");
	CHECK_STR(SHOWN("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80", VALUE_PLAIN),
		  "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80");
	CHECK_STR(SHOWN("", VALUE_JSON), "");
}

TEST(what_is_no_utf8_is_escaped_byte_by_byte)
{
	CHECK_STR(SHOWN("a\xff"
			"b",
			VALUE_JSON),
		  "a\\xffb");
	CHECK_STR(SHOWN("\xc3", VALUE_JSON), "\\xc3");          /* cut */
	CHECK_STR(SHOWN("\xc0\x80", VALUE_JSON), "\\xc0\\x80"); /* too long */
	CHECK_STR(SHOWN("\xe0\x80\x80", VALUE_JSON), "\\xe0\\x80\\x80");
	CHECK_STR(SHOWN("\xed\xa0\x80", VALUE_JSON), "\\xed\\xa0\\x80"); /* a surrogate */
	CHECK_STR(SHOWN("\xf4\x90\x80\x80", VALUE_JSON), "\\xf4\\x90\\x80\\x80");
	CHECK_STR(SHOWN("\xf5z", VALUE_JSON), "\\xf5z");
}

TEST(what_looks_like_an_escape_is_escaped)
{
	CHECK_STR(SHOWN("\\xff", VALUE_JSON), "\\x5cxff");
	CHECK_STR(SHOWN("\\", VALUE_JSON), "\\");
}

TEST(control_characters_are_escaped_where_json_does_not)
{
	CHECK_STR(SHOWN("a\tb\x1b[2J\x7f\xc2\x9b", VALUE_PLAIN),
		  "a\\x09b\\x1b[2J\\x7f\\xc2\\x9b");
	CHECK_STR(SHOWN("a\tb", VALUE_JSON), "a\tb");
}

/* The other way, as flow.schema.json describes it. */
static size_t
decode(const char *text, uint8_t *to)
{
	size_t n = 0;
	unsigned byte;

	while (*text) {
		if (text[0] == '\\' && text[1] == 'x' && sscanf(text + 2, "%2x", &byte) == 1) {
			to[n++] = (uint8_t)byte;
			text += 4;
		} else {
			to[n++] = (uint8_t)*text++;
		}
	}
	return n;
}

TEST(any_bytes_can_be_had_back)
{
	uint32_t x = 7;

	for (int run = 0; run < 20000; run++) {
		/* Of bytes that make UTF-8 and escapes likely. */
		static const uint8_t likely[] = { '\\', 'x',  'f',  '0',  0xc3, 0xa9, 0xe2,
						  0x82, 0xac, 0xed, 0xf0, 0x9f, 0x80, 0xff };
		uint8_t data[12], back[64];

		for (size_t i = 0; i < sizeof(data); i++) {
			x = x * 1664525 + 1013904223;
			data[i] = x >> 31 ? likely[(x >> 16) % sizeof(likely)]
					  : (uint8_t)(1 + (x >> 20) % 255);
		}
		for (int style = VALUE_JSON; style <= VALUE_PLAIN; style++) {
			const char *text = shown(data, sizeof(data), (enum value_style)style);

			CHECK_EQ(decode(text, back), sizeof(data));
			CHECK_MEM(back, data, sizeof(data));
		}
	}
}

TEST(time_has_nanoseconds_and_is_utc)
{
	struct text text = { 0 };

	value_time(&text, 0);
	CHECK_STR(text_str(&text), "1970-01-01T00:00:00.000000000Z");
	text_clear(&text);
	value_time(&text, UINT64_C(1709251199123456789));
	CHECK_STR(text_str(&text), "2024-02-29T23:59:59.123456789Z");
	text_fini(&text);
}
