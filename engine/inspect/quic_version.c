/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/quic.h"

/*
 * Salts: RFC 9001 section 5.2, RFC 9369 section 3.3.1, the drafts of both
 * (draft-ietf-quic-tls-22 to -34, draft-ietf-quic-v2), and for Q050 and T05x what Google
 * published in Chromium. Facebook's numbers took the salts of the drafts of their day.
 */
#define SALT_DRAFT_22                                                                         \
	{                                                                                     \
		0x7f, 0xbc, 0xdb, 0x0e, 0x7c, 0x66, 0xbb, 0xe9, 0x19, 0x3a, 0x96, 0xcd, 0x21, \
			0x51, 0x9e, 0xbd, 0x7a, 0x02, 0x64, 0x4a                              \
	}
#define SALT_DRAFT_23                                                                         \
	{                                                                                     \
		0xc3, 0xee, 0xf7, 0x12, 0xc7, 0x2e, 0xbb, 0x5a, 0x11, 0xa7, 0xd2, 0x43, 0x2b, \
			0xb4, 0x63, 0x65, 0xbe, 0xf9, 0xf5, 0x02                              \
	}
#define SALT_DRAFT_29                                                                         \
	{                                                                                     \
		0xaf, 0xbf, 0xec, 0x28, 0x99, 0x93, 0xd2, 0x4c, 0x9e, 0x97, 0x86, 0xf1, 0x9c, \
			0x61, 0x11, 0xe0, 0x43, 0x90, 0xa8, 0x99                              \
	}
#define SALT_1                                                                                \
	{                                                                                     \
		0x38, 0x76, 0x2c, 0xf7, 0xf5, 0x59, 0x34, 0xb3, 0x4d, 0x17, 0x9a, 0xe6, 0xa4, \
			0xc8, 0x0c, 0xad, 0xcc, 0xbb, 0x7f, 0x0a                              \
	}
#define SALT_2                                                                                \
	{                                                                                     \
		0x0d, 0xed, 0xe3, 0xde, 0xf7, 0x00, 0xa6, 0xdb, 0x81, 0x93, 0x81, 0xbe, 0x6e, \
			0x26, 0x9d, 0xcb, 0xf9, 0xbd, 0x2e, 0xd9                              \
	}
#define SALT_2_DRAFT                                                                          \
	{                                                                                     \
		0xa7, 0x07, 0xc2, 0x03, 0xa5, 0x9b, 0x47, 0x18, 0x4a, 0x1d, 0x62, 0xca, 0x57, \
			0x04, 0x06, 0xea, 0x7a, 0xe3, 0xe5, 0xd3                              \
	}
#define SALT_Q050                                                                             \
	{                                                                                     \
		0x50, 0x45, 0x74, 0xef, 0xd0, 0x66, 0xfe, 0x2f, 0x9d, 0x94, 0x5c, 0xfc, 0xdb, \
			0xd3, 0xa7, 0xf0, 0xd3, 0xb5, 0x6b, 0x45                              \
	}
#define SALT_T050                                                                             \
	{                                                                                     \
		0x7f, 0xf5, 0x79, 0xe5, 0xac, 0xd0, 0x72, 0x91, 0x55, 0x80, 0x30, 0x4c, 0x43, \
			0xa2, 0x36, 0x7c, 0x60, 0x48, 0x83, 0x10                              \
	}
#define SALT_T051                                                                             \
	{                                                                                     \
		0x7a, 0x4e, 0xde, 0xf4, 0xe7, 0xcc, 0xee, 0x5f, 0xa4, 0x50, 0x6c, 0x19, 0x12, \
			0x4f, 0xc8, 0xcc, 0xda, 0x6e, 0x03, 0x3d                              \
	}

static const struct quic_version versions[] = {
	{ .first = 0x00000001, .last = 0x00000001, .salt = SALT_1 },
	{ .first = 0x6b3343cf, .last = 0x6b3343cf, .salt = SALT_2, .second = true },
	{ .first = 0x709a50c4, .last = 0x709a50c4, .salt = SALT_2_DRAFT, .second = true },
	{ .first = 0xff000016, .last = 0xff000016, .salt = SALT_DRAFT_22 },
	{ .first = 0xff000017, .last = 0xff00001c, .salt = SALT_DRAFT_23 },
	{ .first = 0xff00001d, .last = 0xff000020, .salt = SALT_DRAFT_29 },
	{ .first = 0xff000021, .last = 0xff000022, .salt = SALT_1 },
	{ .first = 0x51303530, .last = 0x51303530, .salt = SALT_Q050, .google = true },
	{ .first = 0x54303530, .last = 0x54303530, .salt = SALT_T050, .google = true },
	{ .first = 0x54303531, .last = 0x54303531, .salt = SALT_T051, .google = true },
	{ .first = 0xfaceb001, .last = 0xfaceb001, .salt = SALT_DRAFT_22 },
	{ .first = 0xfaceb002, .last = 0xfaceb00f, .salt = SALT_DRAFT_23 },
};

bool
quic_version_reserved(uint32_t number)
{
	return (number & 0x0f0f0f0f) == 0x0a0a0a0a;
}

/* What is there to be refused is written as version 1 by those who send it. */
const struct quic_version *
quic_version_find(uint32_t number)
{
	if (quic_version_reserved(number))
		return &versions[0];
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (number >= versions[i].first && number <= versions[i].last)
			return &versions[i];
	return NULL;
}

static size_t
decimal(uint32_t number, char *text)
{
	char digits[10];
	size_t n = 0, len = 0;

	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	while (n > 0)
		text[len++] = digits[--n];
	return len;
}

/* Four letters and digits, as Google writes its versions. */
static bool
is_text(uint32_t number)
{
	for (unsigned i = 0; i < 4; i++) {
		uint8_t c = (uint8_t)(number >> 8 * i);

		if ((c < '0' || c > '9') && (c < 'A' || c > 'Z'))
			return false;
	}
	return true;
}

size_t
quic_version_text(uint32_t number, char text[QUIC_VERSION_TEXT])
{
	static const char digits[] = "0123456789abcdef";
	size_t len = 0;

	if (number == 1)
		return decimal(1, text);
	if (number == 0x6b3343cf)
		return decimal(2, text);
	if (number >> 8 == 0xff0000) {
		memcpy(text, "draft-", 6);
		return 6 + decimal(number & 0xff, text + 6);
	}
	if (is_text(number)) {
		for (; len < 4; len++)
			text[len] = (char)(number >> (24 - 8 * len));
		return len;
	}
	memcpy(text, "0x", 2);
	for (len = 2; len < 10; len++)
		text[len] = digits[number >> (36 - 4 * len) & 15];
	return len;
}
