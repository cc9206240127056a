/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/gate.h"

/* Fits whatever comes: of an inspector that tells no starts. */
static const struct inspect_start always = { .count = 0 };

struct way {
	const struct inspect_start *start;
	uint16_t number;
};

struct gate {
	const struct way *ways; /* a bit each, in the order of their inspectors */
	unsigned count, words;
	uint64_t *from[2]; /* ways by enum inspect_dir */
	uint64_t *allowed; /* ways by place and value of a byte, so many words each */
};

enum { PLACES = INSPECT_START_BYTES, TABLE = PLACES * 256 };

static bool
is_of(const struct inspect_start *start, enum inspect_transport transport)
{
	return !start->transports || start->transports & transport;
}

/* Number i of the inspector's; NULL past the last. */
static const struct inspect_start *
start_at(const struct inspector *inspector, unsigned i)
{
	if (!inspector->starts)
		return i == 0 ? &always : NULL;
	return i < inspector->start_count ? &inspector->starts[i] : NULL;
}

static unsigned
list(const struct gate_entry *entries, unsigned count, enum inspect_transport transport,
     struct way *ways)
{
	const struct inspect_start *start;
	unsigned n = 0;

	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; (start = start_at(entries[i].inspector, k)); k++) {
			if (!is_of(start, transport))
				continue;
			if (ways)
				ways[n] = (struct way){ start, entries[i].number };
			n++;
		}
	return n;
}

static void
set(uint64_t *words, unsigned bit)
{
	words[bit / 64] |= 1ULL << bit % 64;
}

static void
fill(struct gate *g, unsigned bit)
{
	const struct inspect_start *start = g->ways[bit].start;

	for (unsigned dir = 0; dir < 2; dir++)
		if (!start->from || start->from >> dir & 1)
			set(g->from[dir], bit);
	for (unsigned place = 0; place < PLACES; place++) {
		bool told = place < start->count;
		unsigned low = told ? start->bytes[place][0] : 0;
		unsigned high = told ? start->bytes[place][1] : 255;

		for (unsigned byte = low; byte <= high; byte++)
			set(&g->allowed[(place * 256 + byte) * g->words], bit);
	}
}

static uint64_t *
words_new(struct arena *arena, size_t count)
{
	uint64_t *words = arena_array(arena, count, sizeof(*words));

	return words ? memset(words, 0, count * sizeof(*words)) : NULL;
}

enum barn_err
gate_new(struct arena *arena, const struct gate_entry *entries, unsigned count,
	 enum inspect_transport transport, struct gate **gate)
{
	struct gate *g = arena_array(arena, 1, sizeof(*g));
	unsigned n = list(entries, count, transport, NULL);
	struct way *ways = arena_array(arena, n + 1, sizeof(*ways));

	if (!g || !ways)
		return BARN_ERR_MEMORY;
	list(entries, count, transport, ways);
	*g = (struct gate){ .ways = ways, .count = n, .words = (n + 63) / 64 };
	g->from[0] = words_new(arena, g->words + 1);
	g->from[1] = words_new(arena, g->words + 1);
	g->allowed = words_new(arena, (size_t)TABLE * g->words + 1);
	if (!g->from[0] || !g->from[1] || !g->allowed)
		return BARN_ERR_MEMORY;
	for (unsigned i = 0; i < n; i++)
		fill(g, i);
	*gate = g;
	return BARN_OK;
}

/* The ways of this word that the bytes allow. */
static uint64_t
ways_of(const struct gate *gate, unsigned word, const struct inspect_view *view)
{
	uint64_t left = gate->from[view->dir & 1][word];
	struct bytes b = view->data;

	for (unsigned place = 0; place < PLACES && bytes_left(&b) > 0 && left; place++)
		left &= gate->allowed[(place * 256u + bytes_u8(&b)) * gate->words + word];
	return left;
}

/* What the table doesn't know: how much is there, and the flow's ports. */
static bool
fits(const struct inspect_start *start, const struct inspect_view *view)
{
	size_t left = bytes_left(&view->data);

	if (left < start->least || (start->most && left > start->most))
		return false;
	return !start->port || start->port == view->port[0] || start->port == view->port[1];
}

unsigned
gate_pass(const struct gate *gate, const struct inspect_view *view, uint16_t *numbers)
{
	bool all = view->lost || bytes_left(&view->data) == 0;
	unsigned count = 0;

	for (unsigned word = 0; word < gate->words; word++) {
		uint64_t left = all ? UINT64_MAX : ways_of(gate, word, view);

		for (; left; left &= left - 1) {
			unsigned bit = word * 64 + (unsigned)__builtin_ctzll(left);

			if (bit >= gate->count)
				break;
			if (count > 0 && numbers[count - 1] == gate->ways[bit].number)
				continue;
			if (all || fits(gate->ways[bit].start, view))
				numbers[count++] = gate->ways[bit].number;
		}
	}
	return count;
}
