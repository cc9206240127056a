/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/draft.h"
#include <stdlib.h>

/*
 * Numbers in headers: the length of the message, identifiers that answers repeat, counters. A
 * length is found where number and length differ by the same amount in all samples; where there
 * are only one or two lengths that may be chance, so that only usual differences are believed.
 */

enum { REACH = 24, DIFFERENCE = 64, SIZES = 4 };

struct form {
	const char *name, *words;
	unsigned width;
	bool little;
};

static const struct form forms[] = {
	{ "u32be", "32 bits, big-endian", 4, false },
	{ "u32le", "32 bits, little-endian", 4, true },
	{ "u24be", "24 bits, big-endian", 3, false },
	{ "u16be", "16 bits, big-endian", 2, false },
	{ "u16le", "16 bits, little-endian", 2, true },
	{ "u8", "8 bits", 1, false },
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

static bool
read_number(const struct form *form, struct bytes data, unsigned at, uint32_t *value)
{
	*value = 0;
	bytes_skip(&data, at);
	for (unsigned i = 0; i < form->width; i++) {
		uint32_t byte = bytes_u8(&data);

		*value = form->little ? *value | byte << 8 * i : *value << 8 | byte;
	}
	return !data.bad;
}

/* How many different lengths there are: 1, 2, or 3 for more. */
static unsigned
lengths(const struct draft_samples *samples)
{
	uint32_t first = samples->list[0]->length, second = first;

	for (unsigned i = 1; i < samples->count; i++) {
		uint32_t length = samples->list[i]->length;

		if (length == first || length == second)
			continue;
		if (second != first)
			return 3;
		second = length;
	}
	return second != first ? 2 : 1;
}

/* The field's own end, or the whole message: what a length is usually counted from. */
static bool
is_usual(int64_t difference, const struct form *form, unsigned at)
{
	return difference == 0 || difference == (int64_t)at + form->width ||
	       difference == (int64_t)form->width;
}

static bool
is_length(const struct draft_samples *samples, const struct form *form, unsigned at,
	  int64_t *difference)
{
	uint32_t value;
	unsigned different = lengths(samples);

	for (unsigned i = 0; i < samples->count; i++) {
		const struct draft_message *m = samples->list[i];
		int64_t d;

		if (!read_number(form, m->data, at, &value) || value == 0)
			return false;
		d = (int64_t)m->length - value;
		if (i > 0 && d != *difference)
			return false;
		*difference = d;
	}
	if (different < 3 && !is_usual(*difference, form, at))
		return false;
	if (different == 1 &&
	    (form->width == 1 || *difference + (int64_t)form->width > samples->list[0]->length))
		return false;
	return *difference >= -DIFFERENCE && *difference <= DIFFERENCE;
}

/* As messages come one behind the other in a stream: the first may be the shorter part. */
static void
add_length(const struct form *form, unsigned at, int64_t difference, struct draft_tests *tests)
{
	text_printf(&tests->tests, "length == %s(%u)", form->name, at);
	if (difference)
		text_printf(&tests->tests, " %c %lld", difference > 0 ? '+' : '-',
			    (long long)llabs(difference));
	text_printf(&tests->notes, "a length of %s at %u", form->words, at);
	if (difference)
		text_printf(&tests->notes, ", which does not count %lld bytes",
			    (long long)difference);
	text_char(&tests->notes, '\n');
	tests->bits += form->width == 1 ? 6 : 12;
	tests->uses_length = true;
}

/* Where no number tells the length: if there are few lengths, they are a mark of their own. */
void
draft_number_sizes(const struct draft_samples *samples, struct draft_tests *tests)
{
	uint32_t sizes[SIZES];
	unsigned n = 0, k;

	for (unsigned i = 0; i < samples->count; i++) {
		for (k = 0; k < n && sizes[k] != samples->list[i]->length; k++)
			;
		if (k == n && n == SIZES)
			return;
		if (k == n)
			sizes[n++] = samples->list[i]->length;
	}
	if (samples->count < 2 * n || samples->distinct < 2)
		return;
	text_add(&tests->tests, n > 1 ? "length in (" : "length == ");
	for (k = 0; k < n; k++)
		text_printf(&tests->tests, "%s%u", k ? ", " : "", sizes[k]);
	text_add(&tests->tests, n > 1 ? ")" : "");
	text_printf(&tests->notes, "of %u messages all have %s\n", samples->count,
		    n > 1 ? "one of these sizes" : "this size");
	tests->bits += n > 1 ? 3 : 5;
	tests->uses_length = true;
}

bool
draft_number_length(const struct draft_samples *samples, struct draft_tests *tests,
		    uint32_t *varying)
{
	int64_t difference = 0;

	for (unsigned at = 0; at < REACH; at++)
		for (unsigned f = 0; f < FORMS; f++) {
			if (!is_length(samples, &forms[f], at, &difference))
				continue;
			add_length(&forms[f], at, difference, tests);
			for (unsigned i = 0; i < forms[f].width; i++)
				*varying |= UINT32_C(1) << (at + i);
			return true;
		}
	return false;
}

/* Questions and answers of all flows at once: the n-th of the client, the n-th of the server.
 */
struct pair {
	const struct draft_message *side[2];
};

static unsigned
pair_up(struct draft_flow *const *flows, unsigned count, struct pair *pairs, unsigned room)
{
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; n < room; k++) {
			struct pair p;

			for (unsigned d = 0; d < 2; d++)
				p.side[d] = draft_flow_message(flows[i], d, k);
			if (!p.side[0] || !p.side[1])
				break;
			pairs[n++] = p;
		}
	return n;
}

static bool
is_letters(const struct form *form, uint32_t value)
{
	for (unsigned i = 0; i < form->width; i++, value >>= 8)
		if ((value & 0xff) < ' ' || (value & 0xff) > '~')
			return false;
	return true;
}

static bool
is_echo(const struct pair *pairs, unsigned count, const struct form *form, unsigned from,
	unsigned to)
{
	uint32_t first = 0, question = 0, answer;
	unsigned same = 0; /* as the first: an identifier is hardly ever twice the same */

	for (unsigned i = 0; i < count; i++) {
		if (!read_number(form, pairs[i].side[0]->data, from, &question) ||
		    !read_number(form, pairs[i].side[1]->data, to, &answer) ||
		    question != answer)
			return false;
		first = i > 0 ? first : question;
		same += question == first;
	}
	if (count > 1)
		return 2 * same <= count;
	/* Of a single pair only what is no small number and no text is believed. */
	return question >> 8 && question & 0xff && question >> 8 != (question & 0xff) &&
	       !is_letters(form, question);
}

static void
mark(uint32_t varying[2], unsigned from, unsigned to, unsigned width)
{
	for (unsigned i = 0; i < width; i++) {
		varying[0] |= UINT32_C(1) << (from + i);
		varying[1] |= UINT32_C(1) << (to + i);
	}
}

void
draft_number_echo(struct draft_flow *const *flows, unsigned count, struct draft_tests *tests,
		  uint32_t varying[2])
{
	enum { PAIRS = 64 };
	static const unsigned order[] = { 0, 3 }; /* in forms: of 32 bits, of 16 */
	struct pair pairs[PAIRS];
	unsigned n = pair_up(flows, count, pairs, PAIRS);

	for (unsigned o = 0; n > 0 && o < 2; o++)
		for (unsigned from = 0; from < REACH; from++)
			for (unsigned to = 0; to < REACH; to++) {
				const struct form *form = &forms[order[o]];

				if (varying[0] >> from & 1 || varying[1] >> to & 1 ||
				    !is_echo(pairs, n, form, from, to))
					continue;
				text_printf(
					&tests->notes,
					"answers repeat %u bytes of their questions: at %u, "
					"from %u\n",
					form->width, to, from);
				mark(varying, from, to, form->width);
			}
}
