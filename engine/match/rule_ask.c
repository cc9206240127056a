/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * A question to a set: the first of a flow goes through all that its bytes allow; later ones,
 * with a memory, only through what was left open, and the new bytes.
 */
#include "match/program.h"
#include "match/rule_scratch.h"
#include "match/rule_set.h"

enum {
	SCAN_PAYS = 4, /* so many rules are run in the time that a scan takes */
	NEAR = 16,     /* with so many bytes of a side few rules wait for more */
	FORGOTTEN = RULE_MEMORY_FOUND + 1,
};

/* Which rules have to have a word that was found. */
enum scanned { NOBODY, LOOSE, ALL };

struct question {
	const struct rule_set *set;
	const struct match_view *view;
	struct rule_scratch *scratch;
	struct rule_memory *memory; /* NULL: none */
	uint32_t words;             /* of a set of rules, a bit each */
	enum scanned scanned;
	bool again; /* the memory's list is asked, not all rules */
};

/* Rules that may say YES, 64 at a time. */
static uint64_t
candidates(const struct question *q, uint32_t word)
{
	const struct rule_index *index = q->set->index;
	uint64_t unplaced = rule_index_free_of(index, MARK_FULL)[word];
	uint64_t found = q->scratch->marks.rules[MARK_WORD][word] |
			 rule_index_free_of(index, MARK_WORD)[word];
	uint64_t placed = q->scratch->marks.rules[MARK_FULL][word];

	if (q->scanned != NOBODY)
		unplaced &= found;
	if (q->scanned == ALL)
		placed &= found;
	return placed | unplaced;
}

static void
remember_word(struct rule_memory *memory, uint32_t clause)
{
	for (unsigned i = 0; i < memory->found_count && i < RULE_MEMORY_FOUND; i++)
		if (memory->found[i] == clause)
			return;
	if (memory->found_count < RULE_MEMORY_FOUND && clause <= UINT16_MAX)
		memory->found[memory->found_count++] = (uint16_t)clause;
	else
		memory->found_count = FORGOTTEN;
}

static void
found_word(void *self, uint32_t clause)
{
	const struct question *q = self;

	rule_index_mark(&q->scratch->marks, q->set->index, clause, MARK_WORD);
	if (q->memory && q->scanned == LOOSE)
		remember_word(q->memory, clause);
}

/* How many rules with a place a scan of all words could rule out. */
static bool
scan_pays(const struct question *q)
{
	const uint64_t *unworded = rule_index_free_of(q->set->index, MARK_WORD);
	const uint64_t *unplaced = rule_index_free_of(q->set->index, MARK_FULL);
	uint32_t count = 0;

	for (uint32_t i = 0; i < q->words && count < SCAN_PAYS; i++)
		count += (uint32_t)__builtin_popcountll(candidates(q, i) & ~unworded[i] &
							~unplaced[i]);
	return count >= SCAN_PAYS;
}

static void
scan_from(struct question *q, const struct scan *scan, const uint32_t from[2])
{
	for (unsigned dir = 0; dir < 2; dir++) {
		const struct match_side *side = &q->view->side[dir];
		struct bytes text = bytes_of(side->data, side->len);

		bytes_skip(&text, from[dir]);
		if (bytes_left(&text) == 0)
			continue;
		q->scratch->work.scans++;
		scan_run(scan, q->scratch->scan, text, found_word, q);
	}
}

/* Where the words of all may rule out many, all that was sent. */
static bool
scan_all(struct question *q)
{
	static const uint32_t start[2] = { 0, 0 };

	if (q->again || !q->set->scan || !scan_pays(q))
		return false;
	q->scanned = ALL;
	scan_from(q, q->set->scan, start);
	return true;
}

/*
 * The words of rules that may hold anywhere: what is new, and what a word may have begun in.
 * To keep Hyperscan's own state between packets would cost each flow kilobytes.
 */
static void
scan_loose(struct question *q)
{
	struct rule_memory *m = q->memory;
	uint32_t from[2] = { 0, 0 };

	if (!q->set->loose) {
		q->scanned = q->set->scan ? LOOSE : NOBODY;
		return;
	}
	q->scanned = LOOSE;
	if (m && m->found_count == FORGOTTEN)
		m->found_count = 0;
	else if (m)
		for (unsigned dir = 0; dir < 2; dir++) {
			bool same = m->scanned[dir] == q->view->side[dir].len;
			uint32_t overlap = same ? 0 : NEEDLES_LETTERS - 1;

			from[dir] = m->scanned[dir] > overlap ? m->scanned[dir] - overlap : 0;
		}
	for (unsigned i = 0; m && i < m->found_count; i++)
		rule_index_mark(&q->scratch->marks, q->set->index, m->found[i], MARK_WORD);
	scan_from(q, q->set->loose, from);
	for (unsigned dir = 0; m && dir < 2; dir++)
		m->scanned[dir] = q->view->side[dir].len;
}

static enum match_answer
run_one(const struct question *q, uint32_t rule)
{
	q->scratch->work.run++;
	return rule_run(q->set->rules[rule], q->view, q->scratch->regex);
}

static bool
is_candidate(const struct question *q, uint32_t rule)
{
	return candidates(q, rule / 64) >> rule % 64 & 1;
}

/* Of a rule that is no candidate, so that it does not say YES. */
static bool
says_later(const struct question *q, uint32_t rule)
{
	return need_waits(q->set->rules[rule], q->view) || run_one(q, rule) == MATCH_LATER;
}

/* Whether a rule that cannot say YES now may do so later: one is enough. */
static bool
any_later(const struct question *q)
{
	const struct rule_marks *marks = &q->scratch->marks;
	const struct rule_index *index = q->set->index;
	uint32_t *witness = &q->scratch->witness[q->view->udp];

	if (q->view->side[0].closed && q->view->side[1].closed)
		return false;
	if (*witness < q->set->count && !is_candidate(q, *witness) && says_later(q, *witness))
		return true;
	rule_index_waiting(index, q->view, &q->scratch->marks);
	for (uint32_t word = 0; word < q->words; word++) {
		uint64_t left = (marks->rules[MARK_POSSIBLE][word] |
				 rule_index_free_of(index, MARK_POSSIBLE)[word]) &
				~candidates(q, word);

		for (; left; left &= left - 1) {
			uint32_t rule = word * 64 + (uint32_t)__builtin_ctzll(left);

			if (!says_later(q, rule))
				continue;
			*witness = rule;
			return true;
		}
	}
	return false;
}

/* Which sides have spoken, and which will say no more. */
static uint8_t
sides_of(const struct match_view *view)
{
	unsigned sides = 0;

	for (unsigned dir = 0; dir < 2; dir++)
		sides |= (view->side[dir].len > 0 ? 1u : 0) << dir |
			 (view->side[dir].closed ? 4u : 0) << dir;
	return (uint8_t)sides;
}

/* What was left open may say YES now, as far as is known. */
static void
recall(const struct question *q)
{
	uint64_t *full = q->scratch->marks.rules[MARK_FULL];
	const uint64_t *mixed = rule_index_mixed(q->set->index);

	for (unsigned i = 0; i < q->memory->open_count; i++)
		full[q->memory->open[i] / 64] |= 1ULL << q->memory->open[i] % 64;
	for (uint32_t word = 0; word < q->words; word++)
		full[word] |= mixed[word];
	q->memory->open_count = 0;
}

static void
leave_open(const struct question *q, uint32_t rule)
{
	struct rule_memory *m = q->memory;
	uint64_t unplaced = rule_index_free_of(q->set->index, MARK_FULL)[rule / 64];

	if (!m || unplaced >> rule % 64 & 1)
		return; /* words lead to it, or nothing can */
	if (m->open_count < RULE_MEMORY_OPEN)
		m->open[m->open_count++] = (uint16_t)rule;
	else
		m->listed = false;
}

/* Whether few rules wait for bytes of the sides that have spoken. */
static bool
is_listable(const struct match_view *view)
{
	for (unsigned dir = 0; dir < 2; dir++) {
		const struct match_side *side = &view->side[dir];

		if (!view->udp && side->len > 0 && side->len < NEAR && !side->closed)
			return false;
	}
	return true;
}

/* Adds to those that said something but NO those that bytes to come may allow. */
static void
list_waiting(const struct question *q)
{
	const struct rule_index *index = q->set->index;
	const uint64_t *possible = q->scratch->marks.rules[MARK_POSSIBLE];

	if (!q->memory->listed || q->again)
		return;
	rule_index_open(index, q->view, &q->scratch->marks);
	for (uint32_t word = 0; word < q->words; word++) {
		uint64_t left = possible[word] & ~candidates(q, word);

		for (; left && q->memory->listed; left &= left - 1)
			leave_open(q, word * 64 + (uint32_t)__builtin_ctzll(left));
	}
}

static void
begin(struct question *q)
{
	static const uint16_t start[2] = { 0, 0 };
	struct rule_memory *m = q->memory;
	uint8_t sides = sides_of(q->view);

	q->again = m && m->listed && m->sides == sides;
	if (!q->again) {
		rule_index_present(q->set->index, q->view, start, &q->scratch->marks);
	} else {
		if (q->view->udp)
			rule_index_present(q->set->index, q->view, m->datagrams,
					   &q->scratch->marks);
		recall(q);
	}
	if (!m)
		return;
	m->open_count = 0;
	m->sides = sides;
	m->listed = q->again || is_listable(q->view);
	for (unsigned dir = 0; dir < 2; dir++)
		m->datagrams[dir] = q->view->side[dir].datagrams;
}

static enum match_answer
ask(struct question *q, bool (*matched)(void *self, uint16_t number), void *self)
{
	enum match_answer all = MATCH_NO;
	bool none = true;

	begin(q);
	if (!scan_all(q))
		scan_loose(q);
	for (uint32_t word = 0; word < q->words; word++) {
		for (uint64_t left = candidates(q, word); left; left &= left - 1) {
			uint32_t rule = word * 64 + (uint32_t)__builtin_ctzll(left);
			enum match_answer answer = run_one(q, rule);

			if (answer == MATCH_NO)
				continue;
			none = false;
			leave_open(q, rule);
			if (answer == MATCH_LATER)
				all = MATCH_LATER;
			else if (!matched(self, q->set->numbers[rule])) {
				if (q->memory)
					q->memory->listed = false;
				return all;
			}
		}
	}
	if (q->memory)
		list_waiting(q);
	if (all == MATCH_LATER || any_later(q))
		return MATCH_LATER;
	if (q->memory)
		q->memory->over = none;
	return MATCH_NO;
}

enum match_answer
rule_set_run(const struct rule_set *set, const struct match_view *view,
	     struct rule_scratch *scratch, struct rule_memory *memory,
	     bool (*matched)(void *self, uint16_t number), void *self)
{
	struct question q = { .set = set, .view = view, .scratch = scratch, .memory = memory };
	enum match_answer all;

	if (!set->index || set->count == 0 || (memory && memory->over))
		return MATCH_NO;
	q.words = (set->count + 63) / 64;
	scratch->work.asked++;
	all = ask(&q, matched, self);
	rule_index_clear(&scratch->marks, set->index);
	if (q.again)
		memset(scratch->marks.rules[MARK_FULL], 0, q.words * sizeof(uint64_t));
	return all;
}
