/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/print.h"
#include "pdl/words.h"

static void
print_range(struct text *text, unsigned low, unsigned high)
{
	if (low == 0 && high == 255)
		text_add(text, "??");
	else if (low == high)
		text_printf(text, "%02x", low);
	else if (low % 16 == 0 && high == low + 15)
		text_printf(text, "%x?", low / 16);
	else
		text_printf(text, "[%02x-%02x]", low, high);
}

/* `?f`: the same low digit under all high ones. */
static bool
print_low_digit(struct text *text, const struct byteset *set)
{
	for (unsigned digit = 0; digit < 16; digit++) {
		struct byteset same = { 0 };

		for (unsigned high = 0; high < 16; high++)
			byteset_add(&same, (uint8_t)(high << 4 | digit));
		if (memcmp(&same, set, sizeof(same)) == 0) {
			text_printf(text, "?%x", digit);
			return true;
		}
	}
	return false;
}

static unsigned
run_end(const struct byteset *set, unsigned byte)
{
	while (byte < 255 && byteset_has(set, (uint8_t)(byte + 1)))
		byte++;
	return byte;
}

static void
print_set(struct text *text, const struct byteset *set)
{
	unsigned runs = 0;

	if (print_low_digit(text, set))
		return;
	for (unsigned byte = 0; byte < 256; byte++)
		if (byteset_has(set, (uint8_t)byte)) {
			byte = run_end(set, byte);
			runs++;
		}
	if (runs > 1)
		text_char(text, '(');
	for (unsigned byte = 0, run = 0; byte < 256; byte++) {
		if (!byteset_has(set, (uint8_t)byte))
			continue;
		if (run++ > 0)
			text_char(text, '|');
		print_range(text, byte, run_end(set, byte));
		byte = run_end(set, byte);
	}
	if (runs > 1)
		text_char(text, ')');
}

static void
print_ranges(struct text *text, const struct program_test *test)
{
	if (test->len > 1)
		text_char(text, '(');
	for (uint32_t i = 0; i < test->len; i++) {
		const struct program_range *range = &test->ranges[i];

		if (i > 0)
			text_add(text, ", ");
		text_printf(text, "%lld", (long long)range->low);
		if (range->high != range->low)
			text_printf(text, "..%lld", (long long)range->high);
	}
	if (test->len > 1)
		text_char(text, ')');
}

void
print_test(struct text *text, const struct program_test *test, bool after_hex)
{
	switch (test->kind) {
	case PROGRAM_TEXT:
		if (test->caseless)
			text_char(text, 'i');
		print_string(text, bytes_of(test->text, test->len));
		break;
	case PROGRAM_BYTES:
		text_add(text, "hex");
		for (uint32_t i = 0; i < test->len; i++) {
			text_char(text, ' ');
			print_set(text, &test->sets[i]);
		}
		break;
	case PROGRAM_AT:
		text_add(text, "at ");
		print_sum(text, &test->left, false);
		break;
	case PROGRAM_REGEX: print_regex(text, test->regex); break;
	case PROGRAM_IN:
		print_sum(text, &test->left, after_hex);
		text_add(text, " in ");
		print_ranges(text, test);
		break;
	default:
		print_sum(text, &test->left, after_hex);
		text_printf(text, " %s ", words_compares[test->compare]);
		print_sum(text, &test->right, false);
	}
}

static void
print_tests(struct text *text, const struct program_alternative *alternative)
{
	bool after_hex = false;

	for (unsigned i = 0; i < alternative->count; i++) {
		text_char(text, ' ');
		print_test(text, &alternative->tests[i], after_hex);
		after_hex = alternative->tests[i].kind == PROGRAM_BYTES;
	}
}

void
print_term(struct text *text, const struct program_term *term)
{
	if (term->then)
		text_add(text, "then ");
	text_add(text, words_sides[term->sides == 3 ? PDL_ANY : term->sides >> 1]);
	if (term->where == PROGRAM_LINE)
		text_add(text, " line");
	else if (term->where == PROGRAM_ANYWHERE)
		text_char(text, ':');
	else
		text_printf(text, " %u:", term->place);
	for (unsigned i = 0; i < term->count; i++) {
		if (i > 0)
			text_add(text, " or");
		print_tests(text, &term->alternatives[i]);
	}
}

/* In one line; `inner`: a group inside another needs its parentheses. */
static void
print_node(struct text *text, const struct pdl_node *node, bool inner)
{
	const char *between = node->kind == PDL_ALL ? " " : " or ";

	if (node->kind == PDL_TERM) {
		print_term(text, &node->term);
		return;
	}
	if (node->kind == PDL_NOT) {
		text_add(text, "not ");
		print_node(text, node->kids[0], true);
		return;
	}
	if (inner)
		text_char(text, '(');
	for (unsigned i = 0; i < node->kid_count; i++) {
		const struct pdl_node *kid = node->kids[i];

		if (i > 0)
			text_add(text, between);
		/* What stands side by side needs none between two `or`. */
		print_node(text, kid, node->kind == PDL_ALL || kid->kind != PDL_ALL || !inner);
	}
	if (inner)
		text_char(text, ')');
}

void
print_rule(struct text *text, const struct pdl_node *body)
{
	if (body->kind != PDL_ALL) {
		text_add(text, "\t\t");
		print_node(text, body, body->kind == PDL_ONE_OF);
		text_char(text, '\n');
		return;
	}
	for (unsigned i = 0; i < body->kid_count; i++) {
		text_add(text, "\t\t");
		print_node(text, body->kids[i], true);
		text_char(text, '\n');
	}
}
