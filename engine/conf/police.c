/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/policy.h"

#include <inttypes.h>

/*
 * police, in the forms that routers have taken over the years:
 *
 *	police RATE [BC [BE]] ...
 *	police cir RATE [bc BC] [pir RATE] [be BE] ...
 *	police cir percent P [bc N [ms]] [pir percent P] [be N [ms]] ...
 *	police rate N {bps|pps} [burst N [bytes|ms|packets]] [peak-rate N {bps|pps}]
 *	    [peak-burst N [bytes|ms|packets]] ...
 *	police rate percent P [burst N [ms]] [peak-rate percent P] [peak-burst N [ms]] ...
 *
 * and behind any of them, or in lines of their own: conform-action, exceed-action and
 * violate-action.
 */

enum part { CIR, BC, PIR, BE, RATE, CONFORM, EXCEED, VIOLATE };

static const struct line_word parts[] = {
	{ "bc", BC },
	{ "burst", BC },
	{ "be", BE },
	{ "peak-burst", BE },
	{ "pir", PIR },
	{ "peak-rate", PIR },
	{ "conform-action", CONFORM },
	{ "exceed-action", EXCEED },
	{ "violate-action", VIOLATE },
};
enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

enum { LEAST_BURST = 1000, LONGEST_MS = 2000 };

static const uint64_t most_burst = 512000000;
static const uint64_t most_packets = 1000000000;

/* Behind `percent`. */
static bool
read_percent(struct line *line, uint64_t *rate)
{
	uint32_t percent;

	if (!line_number(line, "a percentage", 1, 100, &percent))
		return false;
	*rate = percent;
	return true;
}

/* Whether the word behind the next one is `pps`. */
static bool
is_packets(const struct line *line)
{
	struct line copy;

	if (line->at + 1 >= line->words.count)
		return false;
	copy = *line;
	copy.at++;
	return line_is(&copy, "pps");
}

static bool
read_packets(struct line *line, uint64_t *rate)
{
	if (!policy_amount(line, "packets/s", 1, most_packets, rate))
		return false;
	return line_accept(line, "pps") || line_wrong(line, "pps");
}

/* The first rate, which says in what the others are. */
static bool
read_first(struct line *line, struct policy_police *p)
{
	if (line_accept(line, "percent")) {
		p->percent = true;
		return read_percent(line, &p->cir);
	}
	p->packets = is_packets(line);
	return p->packets ? read_packets(line, &p->cir) : policy_rate(line, &p->cir);
}

static bool
read_peak(struct line *line, struct policy_police *p)
{
	struct conf_place place = line_place(line);
	bool good;

	if (p->percent && !line_accept(line, "percent"))
		return line_wrong(line, "percent, as the first rate");
	good = p->percent   ? read_percent(line, &p->pir)
	       : p->packets ? read_packets(line, &p->pir)
			    : policy_rate(line, &p->pir);
	if (good && p->pir < p->cir) {
		line_fault(line, place, "the peak rate is below the rate");
		return false;
	}
	p->two_rates = good;
	return good;
}

/* Milliseconds of the rate are so many bytes of it. */
static bool
read_ms(struct line *line, uint64_t rate, uint64_t *size)
{
	struct conf_place place = line_place(line);
	uint64_t ms, bytes;

	if (!policy_amount(line, "milliseconds", 1, LONGEST_MS, &ms))
		return false;
	line->at++;
	bytes = rate * ms / 8000;
	if (bytes < LEAST_BURST || bytes > most_burst) {
		line_fault(line, place,
			   "%" PRIu64 " ms are %" PRIu64 " bytes: expected %d to %" PRIu64, ms,
			   bytes, LEAST_BURST, most_burst);
		return false;
	}
	*size = bytes;
	return true;
}

static bool
is_ms(const struct line *line)
{
	struct line copy;

	if (line->at + 1 >= line->words.count)
		return false;
	copy = *line;
	copy.at++;
	return line_is(&copy, "ms");
}

static bool
read_burst(struct line *line, const struct policy_police *p, uint64_t rate, uint64_t *size)
{
	if (p->percent) {
		if (!policy_amount(line, "milliseconds", 1, LONGEST_MS, size))
			return false;
		line_accept(line, "ms");
		return true;
	}
	if (p->packets) {
		if (!policy_amount(line, "packets", 1, most_packets, size))
			return false;
		line_accept(line, "packets");
		return true;
	}
	if (is_ms(line))
		return read_ms(line, rate, size);
	if (!policy_amount(line, "a burst in bytes", LEAST_BURST, most_burst, size))
		return false;
	line_accept(line, "bytes");
	return true;
}

/* One action or more behind a colour. */
static bool
read_colour(struct line *line, struct policy_police *p, enum policy_colour colour)
{
	do {
		if (!policy_action_colour(line, &p->actions[colour]))
			return false;
	} while (policy_action_is_colour(line));
	if (colour == POLICY_VIOLATE && !line->no)
		p->three_colours = true;
	return true;
}

static bool
read_part(struct line *line, struct policy_police *p, enum part part)
{
	switch (part) {
	case BC: return read_burst(line, p, p->cir, &p->bc);
	case BE:
		p->three_colours = true;
		return read_burst(line, p, p->two_rates ? p->pir : p->cir, &p->be);
	case PIR: p->three_colours = true; return read_peak(line, p);
	case CONFORM: return read_colour(line, p, POLICY_CONFORM);
	case EXCEED: return read_colour(line, p, POLICY_EXCEED);
	case VIOLATE: return read_colour(line, p, POLICY_VIOLATE);
	case CIR:
	case RATE: break;
	}
	return false;
}

static bool
read_all(struct line *line, struct policy_police *p)
{
	static const struct line_word first[] = { { "cir", CIR }, { "rate", RATE } };
	unsigned seen = 0, part;

	if (!line_is_number(line) && !line_is(line, "percent") &&
	    !line_keyword(line, first, 2, &part))
		return false;
	if (!read_first(line, p))
		return false;
	/* The oldest form has the bursts without words. */
	if (line_is_number(line) && !read_burst(line, p, p->cir, &p->bc))
		return false;
	if (line_is_number(line) && !read_part(line, p, BE))
		return false;
	while (line_more(line)) {
		if (!line_keyword(line, parts, PARTS, &part))
			return false;
		if (part < CONFORM && seen & 1U << part) {
			line->at--;
			line_fault(line, line_place(line), "'%.32s' is given twice",
				   line_peek(line));
			return false;
		}
		seen |= 1U << part;
		if (!read_part(line, p, (enum part)part))
			return false;
	}
	return line_end(line);
}

void
police_read(struct line *line)
{
	struct policy_entry none, *entry = policy_map_entry(line, &none);
	struct policy_police police = { .place = policy_here(line) }, *made;

	if (line->no) {
		line->at = line->words.count;
		entry->police = NULL;
		return;
	}
	line->context = CONF_POLICE;
	if (!read_all(line, &police))
		return;
	made = policy_alloc(line, sizeof(*made));
	if (!made)
		return;
	*made = police;
	entry->police = made;
}

static void
read_mode(struct line *line, enum policy_colour colour)
{
	struct policy_entry none, *entry = policy_map_entry(line, &none);
	struct policy_police lost = { 0 };
	struct policy_police *police = entry->police ? entry->police : &lost;

	if (!line->no) {
		read_colour(line, police, colour);
		return;
	}
	if (line_more(line))
		policy_action_colour(line, &police->actions[colour]);
	else
		police->actions[colour].count = 0;
	if (colour == POLICY_VIOLATE && !police->actions[colour].count)
		police->three_colours = police->two_rates || police->be;
}

void
police_conform(struct line *line)
{
	read_mode(line, POLICY_CONFORM);
}

void
police_exceed(struct line *line)
{
	read_mode(line, POLICY_EXCEED);
}

void
police_violate(struct line *line)
{
	read_mode(line, POLICY_VIOLATE);
}

void
police_defaults(struct arena *arena, struct policy_police *police)
{
	struct list *lists = police->actions;
	struct policy_action *added;

	for (unsigned c = 0; c < POLICY_COLOURS; c++) {
		if (lists[c].count || (c == POLICY_VIOLATE && !police->three_colours))
			continue;
		if (c == POLICY_VIOLATE) {
			/* A list of its own: lines may add to one and not to the other. */
			const struct policy_action *from = lists[POLICY_EXCEED].items;

			for (unsigned i = 0; from && i < lists[POLICY_EXCEED].count; i++) {
				added = list_add(&lists[c], arena, sizeof(*added));
				if (added)
					*added = from[i];
			}
			continue;
		}
		added = list_add(&lists[c], arena, sizeof(*added));
		if (added)
			*added = (struct policy_action){
				.act = c == POLICY_CONFORM ? POLICY_TRANSMIT : POLICY_DROP,
				.place = police->place,
			};
	}
}
