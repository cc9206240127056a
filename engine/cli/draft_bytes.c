/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/draft.h"
#include "match/byteset.h"
#include "pdl/print.h"
#include <math.h>

/*
 * Protocols of binary headers: what stands at each of the first bytes, over all samples. One
 * value is a constant, few or close ones a choice or a range, else anything.
 */

enum {
	PREFIX = 32,
	PREFIX_OF_ONE = 8, /* as one sample has nothing but constants */
	PREFIX_OF_TWO = 16,
	GAP = 8,     /* bytes of anything that end a prefix */
	ENOUGH = 64, /* bits: what more is there is more likely to be this capture's own */
	CHOICE = 4,  /* values */
	RANGE = 16,
	WORD = 4, /* letters from which on they are printed as a string */
};

struct place {
	struct byteset set;
	unsigned values;
	uint8_t low, high;
	bool any;
};

static struct place
place_of(const struct draft_samples *samples, unsigned at)
{
	struct place p = { .low = 255 };

	for (unsigned i = 0; i < samples->count; i++) {
		struct bytes b = samples->list[i]->data;
		uint8_t byte;

		bytes_skip(&b, at);
		byte = bytes_u8(&b);
		p.values += !byteset_has(&p.set, byte);
		byteset_add(&p.set, byte);
		p.low = byte < p.low ? byte : p.low;
		p.high = byte > p.high ? byte : p.high;
	}
	if (p.values > 1 && (p.values > CHOICE || 2 * p.values > samples->count))
		p.any = p.high - p.low >= RANGE || samples->count < 4;
	if (p.values > CHOICE && !p.any) {
		p.set = (struct byteset){ { 0 } };
		byteset_add_range(&p.set, p.low, p.high);
		p.values = p.high - p.low + 1u;
	}
	return p;
}

/* Zeros and all ones are found in many protocols. */
static double
bits_of(const struct place *p)
{
	if (p->any)
		return 0;
	if (p->values == 1)
		return p->low == 0 ? 3 : p->low == 255 ? 4 : 8;
	return 8 - log2(p->values);
}

static unsigned
bound_of(const struct draft_samples *samples)
{
	unsigned bound = samples->distinct < 2 && samples->flows < 3   ? PREFIX_OF_ONE
			 : samples->distinct < 3 && samples->flows < 3 ? PREFIX_OF_TWO
								       : PREFIX;

	for (unsigned i = 0; i < samples->count; i++) {
		size_t left = bytes_left(&samples->list[i]->data);

		if (left < bound)
			bound = (unsigned)left;
	}
	return bound;
}

/* How many constants from here on are letters and the like. */
static unsigned
word_at(const struct place *places, unsigned at, unsigned count)
{
	unsigned n = 0;

	while (at + n < count && !places[at + n].any && places[at + n].values == 1 &&
	       places[at + n].low >= ' ' && places[at + n].low <= '~')
		n++;
	return n >= WORD ? n : 0;
}

static void
add_set(struct text *text, const struct place *p)
{
	const char *between = "(";

	if (p->any) {
		text_add(text, "??");
	} else if (p->values == 1) {
		text_printf(text, "%02x", p->low);
	} else if (p->high - p->low + 1u == p->values) {
		text_printf(text, "[%02x-%02x]", p->low, p->high);
	} else {
		for (unsigned byte = p->low; byte <= p->high; byte++)
			if (byteset_has(&p->set, (uint8_t)byte)) {
				text_printf(text, "%s%02x", between, byte);
				between = "|";
			}
		text_char(text, ')');
	}
}

static void
add_places(struct text *text, const struct place *places, unsigned count)
{
	bool hex = false, solid = false; /* in a run of hex, in which something is not ?? */

	for (unsigned i = 0; i < count;) {
		uint8_t word[PREFIX];
		unsigned n = word_at(places, i, count);

		text_add(text, i ? " " : "");
		if (n && (!hex || solid)) {
			for (unsigned k = 0; k < n; k++)
				word[k] = places[i + k].low;
			print_string(text, bytes_of(word, n));
			hex = false;
			i += n;
			continue;
		}
		text_add(text, hex ? "" : "hex ");
		solid = (hex && solid) || !places[i].any;
		add_set(text, &places[i++]);
		hex = true;
	}
}

void
draft_bytes(const struct draft_samples *samples, uint32_t varying, struct draft_tests *tests)
{
	struct place places[PREFIX];
	unsigned bound = bound_of(samples), used = 0;
	double bits = 0;

	for (unsigned i = 0; i < bound && i < used + GAP && bits < ENOUGH; i++) {
		places[i] = place_of(samples, i);
		if (varying >> i & 1)
			places[i].any = true;
		bits += bits_of(&places[i]);
		if (!places[i].any)
			used = i + 1;
	}
	if (bits < 3)
		return;
	text_add(&tests->tests, tests->tests.len ? " " : "");
	add_places(&tests->tests, places, used);
	tests->bits += bits;
}
