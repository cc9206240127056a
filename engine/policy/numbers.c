/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/numbers.h"
#include <stdlib.h>
#include <string.h>

struct range {
	uint32_t low, high;
};

struct numbers {
	unsigned count;
	struct range ranges[];
};

static void
skip_blanks(const char **text)
{
	*text += strspn(*text, " \t");
}

/* Decimal, hexadecimal after 0x, or binary before b; blanks around it. */
static bool
read_number(const char **text, uint32_t *value)
{
	unsigned long long n;
	const char *digits;
	size_t binary;
	char *end;
	int base;

	skip_blanks(text);
	digits = *text;
	binary = strspn(digits, "01");
	if (*digits < '0' || *digits > '9')
		return false;
	if (binary && (digits[binary] | 0x20) == 'b')
		base = 2;
	else
		base = digits[0] == '0' && (digits[1] | 0x20) == 'x' ? 16 : 10;
	n = strtoull(digits, &end, base);
	if (n > UINT32_MAX)
		return false;
	/* glibc of later years reads 0b as a prefix, and so may pass the b. */
	*text = base == 2 ? digits + binary + 1 : end;
	*value = (uint32_t)n;
	skip_blanks(text);
	return true;
}

static bool
read_range(const char **text, struct range *range)
{
	if (!read_number(text, &range->low))
		return false;
	range->high = range->low;
	if (**text != '-')
		return true;
	(*text)++;
	return read_number(text, &range->high) && range->high >= range->low;
}

enum barn_err
numbers_new(const char *text, struct numbers **numbers)
{
	size_t count = 1;
	struct numbers *n;

	for (const char *c = text; *c; c++)
		count += *c == ',';
	n = calloc(1, sizeof(*n) + count * sizeof(n->ranges[0]));
	if (!n)
		return BARN_ERR_MEMORY;
	do {
		if (!read_range(&text, &n->ranges[n->count++]) || (*text && *text != ',')) {
			free(n);
			return BARN_ERR_TEXT;
		}
	} while (*text++ == ',');
	*numbers = n;
	return BARN_OK;
}

void
numbers_free(struct numbers *numbers)
{
	free(numbers);
}

bool
numbers_hold(const struct numbers *numbers, struct bytes value)
{
	uint64_t n = 0;

	if (!bytes_left(&value))
		return false;
	while (bytes_left(&value)) {
		uint8_t digit = bytes_u8(&value);

		if (digit < '0' || digit > '9' || n > UINT32_MAX)
			return false;
		n = 10 * n + (digit - '0');
	}
	for (unsigned i = 0; i < numbers->count; i++)
		if (n >= numbers->ranges[i].low && n <= numbers->ranges[i].high)
			return true;
	return false;
}
