/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/words.h"

#include <stdlib.h>

/* As in C, but comparisons bind least of all: `u8(0) & 0xf0 == 0x40` masks first. */
const struct words_operator words_operators[] = {
	{ "|", SUM_OR, 0 },   { "&", SUM_AND, 1 }, { "<<", SUM_SHL, 2 },
	{ ">>", SUM_SHR, 2 }, { "+", SUM_ADD, 3 }, { "-", SUM_SUB, 3 },
	{ "*", SUM_MUL, 4 },  { "/", SUM_DIV, 4 }, { "%", SUM_MOD, 4 },
};
const size_t words_operator_count = sizeof(words_operators) / sizeof(words_operators[0]);

static const char *const readers[] = { "u8",    "u16be", "u16le", "u24be", "u24le",
				       "u32be", "u32le", "u64be", "u64le" };

const char words_compares[6][3] = { "==", "!=", "<", "<=", ">", ">=" };
const char *const words_strengths[3] = { "hint", "likely", "sure" };
const char *const words_sides[3] = { "client", "server", "any" };

/* In the order of pdlm(5). */
const char *const words_items[WORDS_ITEMS] = {
	"title",       "id",        "index",   "alias",   "reference", "attribute", "port",
	"ip-protocol", "ethertype", "ndpi",    "over",    "host",      "inspect",   "rule",
	"field",       "sub-class", "expect",  "upgrade", "number",    "extends",   "value",
	"resolved",    "endpoint",  "confine", "test",
};

const char *const words_others[] = {
	"and",     "dscp", "flag", "glob", "hint", "likely",
	"numbers", "sctp", "sure", "tcp",  "udp",  "unknown",
};
const size_t words_other_count = sizeof(words_others) / sizeof(words_others[0]);

const char *const words_reserved[] = {
	"address", "any",      "at",    "client", "client-port", "const", "hex",   "in",
	"length",  "life",     "line",  "many",   "next",        "not",   "or",    "over",
	"port",    "protocol", "raw",   "server", "server-port", "then",  "u16be", "u16le",
	"u24be",   "u24le",    "u32be", "u32le",  "u64be",       "u64le", "u8",
};
const size_t words_reserved_count = sizeof(words_reserved) / sizeof(words_reserved[0]);

const char *
words_reader_name(enum sum_op_kind kind)
{
	return readers[kind - SUM_U8];
}

enum sum_op_kind
words_reader(const struct token *token)
{
	for (enum sum_op_kind kind = SUM_U8; kind <= SUM_U64LE; kind++)
		if (token_is(token, readers[kind - SUM_U8]))
			return kind;
	return SUM_OPS;
}

static int
compare_word(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

bool
words_has(const char *const *words, size_t count, const char *word)
{
	return bsearch(word, words, count, sizeof(*words), compare_word) != NULL;
}

static int
compare_key(const void *key, const void *item)
{
	return strcmp(key, ((const struct words_attribute *)item)->key);
}

const struct words_attribute *
words_attribute(const char *key)
{
	return bsearch(key, words_attributes, words_attribute_count, sizeof(*words_attributes),
		       compare_key);
}

/* Edit distance (Levenshtein), one row at a time; words of up to 40 letters. */
static unsigned
distance(const char *a, const char *b)
{
	enum { MOST = 40 };
	size_t n = strlen(a), m = strlen(b);
	unsigned row[MOST + 1];

	if (n > MOST || m > MOST)
		return MOST;
	for (unsigned j = 0; j <= m; j++)
		row[j] = j;
	for (unsigned i = 1; i <= n; i++) {
		unsigned corner = row[0];

		row[0] = i;
		for (unsigned j = 1; j <= m; j++) {
			unsigned best = corner + (a[i - 1] != b[j - 1]);

			corner = row[j];
			best = row[j] + 1 < best ? row[j] + 1 : best;
			row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
		}
	}
	return row[m];
}

const char *
words_nearest(const char *const *words, size_t count, const char *word)
{
	const char *nearest = NULL;
	unsigned least = 3;

	for (size_t i = 0; i < count; i++) {
		unsigned far = distance(word, words[i]);

		if (far < least && 2 * far <= strlen(word)) {
			least = far;
			nearest = words[i];
		}
	}
	return nearest;
}
