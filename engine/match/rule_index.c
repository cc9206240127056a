/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/rule_index.h"

#include "match/program.h"

#include <stdlib.h>

enum {
	PLACES = 64, /* where a bucket's byte may stand */
	NEAR = 16,   /* the places that are preferred, being there soonest */
	BUCKETS = PLACES * 256,
	WAITS = PLACES + 1,
};

struct entry {
	const struct need_atom *atom;
	uint32_t clause;
	uint16_t place; /* of its bucket's byte */
	const struct byteset *set;
};

struct clause {
	const struct need_clause *need;
	uint32_t rule;
	bool placed, worded;
};

struct rule_index {
	bool udp;
	uint32_t rules;
	struct clause *clauses;
	uint32_t clause_count;
	uint8_t (*needed)[MARK__COUNT]; /* by rule */
	uint64_t *free_of[MARK__COUNT];
	uint64_t *mixed;
	struct entry *entries;
	uint32_t entry_count;
	uint64_t places;             /* that have a bucket, a bit each */
	uint32_t heads[BUCKETS + 1]; /* where a bucket begins in members */
	uint32_t *members;           /* entries, by bucket */
	uint32_t waits[WAITS];       /* where those that wait so long begin in waiting */
	uint32_t *waiting;           /* entries, by what they wait for */
};

/* Counted from the stream's start, or the datagram's. */
static uint32_t
place_of(const struct rule_index *index, const struct need_atom *atom, unsigned byte)
{
	return (index->udp ? 0 : atom->place) + atom->bytes[byte].at;
}

static bool
has_bucket(const struct rule_index *index, const struct need_clause *clause)
{
	for (unsigned i = 0; i < clause->count; i++) {
		const struct need_atom *atom = &clause->atoms[i];
		bool near = false;

		for (unsigned b = 0; b < atom->byte_count && !near; b++)
			near = place_of(index, atom, b) < PLACES;
		if (!near || !need_placed(atom, index->udp))
			return false;
	}
	return true;
}

static uint32_t
load_of(const uint32_t *loads, uint32_t place, const struct byteset *set)
{
	uint32_t most = 0;

	for (unsigned b = byteset_next(set, 0); b < 256; b = byteset_next(set, b + 1))
		if (loads[place * 256 + b] > most)
			most = loads[place * 256 + b];
	return most;
}

/* Among the atom's bytes that tell about as much as the best, the one with the least company.
 */
static void
choose(const struct rule_index *index, uint32_t *loads, struct entry *e)
{
	uint32_t best = UINT32_MAX;
	unsigned size = 0;

	for (unsigned i = 0; i < e->atom->byte_count; i++) {
		const struct need_byte *need = &e->atom->bytes[i];
		uint32_t place = place_of(index, e->atom, i), load;

		if (place >= PLACES || (size && byteset_count(&need->set) > 2 * size))
			continue;
		load = load_of(loads, place, &need->set) + (place >= NEAR ? PLACES : 0);
		if (load >= best)
			continue;
		if (!size)
			size = byteset_count(&need->set);
		best = load;
		e->place = (uint16_t)place;
		e->set = &need->set;
	}
	for (unsigned b = byteset_next(e->set, 0); b < 256; b = byteset_next(e->set, b + 1))
		loads[e->place * 256 + b]++;
}

static enum barn_err
fill_buckets(struct rule_index *index)
{
	uint32_t *loads = calloc(BUCKETS, sizeof(*loads)), total = 0;

	if (!loads)
		return BARN_ERR_MEMORY;
	for (uint32_t i = 0; i < index->entry_count; i++) {
		choose(index, loads, &index->entries[i]);
		index->places |= 1ULL << index->entries[i].place;
	}
	for (uint32_t i = 0; i < BUCKETS; i++) {
		index->heads[i] = total;
		total += loads[i];
		loads[i] = index->heads[i];
	}
	index->heads[BUCKETS] = total;
	index->members = calloc(total + 1, sizeof(*index->members));
	for (uint32_t i = 0; i < index->entry_count && index->members; i++) {
		const struct entry *e = &index->entries[i];

		for (unsigned b = byteset_next(e->set, 0); b < 256;
		     b = byteset_next(e->set, b + 1))
			index->members[loads[e->place * 256 + b]++] = i;
	}
	free(loads);
	return index->members ? BARN_OK : BARN_ERR_MEMORY;
}

/* How many bytes or, over UDP, datagrams are there when the entry's byte still is not. */
static uint32_t
wait_of(const struct rule_index *index, const struct entry *e)
{
	if (!index->udp)
		return e->place;
	if (e->atom->where == PROGRAM_ANYWHERE || e->atom->place > PROGRAM_DATAGRAMS)
		return PROGRAM_DATAGRAMS;
	return e->atom->place;
}

static enum barn_err
fill_waiting(struct rule_index *index)
{
	uint32_t at = 0;

	index->waiting = calloc(index->entry_count + 1, sizeof(*index->waiting));
	if (!index->waiting)
		return BARN_ERR_MEMORY;
	for (uint32_t wait = 0; wait < WAITS; wait++) {
		index->waits[wait] = at;
		for (uint32_t i = 0; i < index->entry_count; i++)
			if (wait_of(index, &index->entries[i]) == wait)
				index->waiting[at++] = i;
	}
	return BARN_OK;
}

static void
add_clause(struct rule_index *index, uint32_t rule, const struct need_clause *need)
{
	struct clause *c = &index->clauses[index->clause_count];

	*c = (struct clause){ need, rule, has_bucket(index, need), need->worded };
	index->needed[rule][MARK_FULL] += c->placed;
	index->needed[rule][MARK_POSSIBLE] += c->placed;
	index->needed[rule][MARK_WORD] += c->worded;
	for (unsigned i = 0; i < need->count && c->placed; i++)
		index->entries[index->entry_count++] =
			(struct entry){ &need->atoms[i], index->clause_count, 0, NULL };
	index->clause_count++;
}

static bool
is_mixed(const struct rule *rule)
{
	bool anywhere = false;

	for (unsigned i = 0; i < rule->need_count; i++)
		for (unsigned k = 0; k < rule->needs[i].count; k++)
			anywhere |= rule->needs[i].atoms[k].where == PROGRAM_ANYWHERE;
	return anywhere && rule->need_count > 1;
}

static enum barn_err
add_rules(struct rule_index *index, const struct rule *const *rules)
{
	uint32_t clauses = 0, atoms = 0;

	for (uint32_t i = 0; i < index->rules; i++) {
		clauses += rules[i]->need_count;
		for (unsigned k = 0; k < rules[i]->need_count; k++)
			atoms += rules[i]->needs[k].count;
	}
	index->clauses = calloc(clauses + 1, sizeof(*index->clauses));
	index->entries = calloc(atoms + 1, sizeof(*index->entries));
	index->needed = calloc(index->rules + 1, sizeof(*index->needed));
	if (!index->clauses || !index->entries || !index->needed)
		return BARN_ERR_MEMORY;
	for (unsigned m = 0; m < MARK__COUNT; m++) {
		index->free_of[m] = calloc(index->rules / 64 + 1, sizeof(uint64_t));
		if (!index->free_of[m])
			return BARN_ERR_MEMORY;
	}
	index->mixed = calloc(index->rules / 64 + 1, sizeof(uint64_t));
	if (!index->mixed)
		return BARN_ERR_MEMORY;
	for (uint32_t i = 0; i < index->rules; i++) {
		for (unsigned k = 0; k < rules[i]->need_count; k++)
			add_clause(index, i, &rules[i]->needs[k]);
		if (index->udp && is_mixed(rules[i]))
			index->mixed[i / 64] |= 1ULL << i % 64;
		for (unsigned m = 0; m < MARK__COUNT; m++)
			if (index->needed[i][m] == 0)
				index->free_of[m][i / 64] |= 1ULL << i % 64;
	}
	return BARN_OK;
}

enum barn_err
rule_index_new(const struct rule *const *rules, uint32_t count, bool udp,
	       struct rule_index **index)
{
	struct rule_index *x = calloc(1, sizeof(*x));
	enum barn_err err;

	if (!x)
		return BARN_ERR_MEMORY;
	x->udp = udp;
	x->rules = count;
	err = add_rules(x, rules);
	if (!err)
		err = fill_buckets(x);
	if (!err)
		err = fill_waiting(x);
	if (err)
		rule_index_free(x);
	else
		*index = x;
	return err;
}

void
rule_index_free(struct rule_index *index)
{
	if (!index)
		return;
	for (unsigned m = 0; m < MARK__COUNT; m++)
		free(index->free_of[m]);
	free(index->mixed);
	free(index->needed);
	free(index->clauses);
	free(index->entries);
	free(index->members);
	free(index->waiting);
	free(index);
}

uint32_t
rule_index_clauses(const struct rule_index *index)
{
	return index->clause_count;
}

uint32_t
rule_index_rule(const struct rule_index *index, uint32_t clause)
{
	return index->clauses[clause].rule;
}

const struct need_clause *
rule_index_clause(const struct rule_index *index, uint32_t clause, bool *words)
{
	if (clause >= index->clause_count)
		return NULL;
	*words = index->clauses[clause].worded;
	return index->clauses[clause].need;
}

const uint64_t *
rule_index_free_of(const struct rule_index *index, enum mark mark)
{
	return index->free_of[mark];
}

enum barn_err
rule_index_marks_new(uint32_t rules, uint32_t clauses, struct rule_marks *marks)
{
	bool all = true;

	memset(marks, 0, sizeof(*marks));
	marks->clauses = calloc(clauses + 1, 1);
	marks->counts = calloc(rules + 1, sizeof(*marks->counts));
	marks->touched = calloc(clauses + 1, sizeof(*marks->touched));
	for (unsigned m = 0; m < MARK__COUNT; m++) {
		marks->rules[m] = calloc(rules / 64 + 1, sizeof(uint64_t));
		all = all && marks->rules[m];
	}
	if (all && marks->clauses && marks->counts && marks->touched)
		return BARN_OK;
	rule_index_marks_free(marks);
	return BARN_ERR_MEMORY;
}

void
rule_index_marks_free(struct rule_marks *marks)
{
	free(marks->clauses);
	free(marks->counts);
	free(marks->touched);
	for (unsigned m = 0; m < MARK__COUNT; m++)
		free(marks->rules[m]);
	memset(marks, 0, sizeof(*marks));
}

void
rule_index_clear(struct rule_marks *marks, const struct rule_index *index)
{
	while (marks->touched_count > 0) {
		uint32_t clause = marks->touched[--marks->touched_count];
		uint32_t rule = index->clauses[clause].rule;

		marks->clauses[clause] = 0;
		for (unsigned m = 0; m < MARK__COUNT; m++) {
			marks->counts[rule][m] = 0;
			marks->rules[m][rule / 64] &= ~(1ULL << rule % 64);
		}
	}
}

void
rule_index_mark(struct rule_marks *marks, const struct rule_index *index, uint32_t clause,
		enum mark mark)
{
	uint8_t had = marks->clauses[clause];
	uint32_t rule = index->clauses[clause].rule;

	if (had >> mark & 1)
		return;
	if (!had)
		marks->touched[marks->touched_count++] = clause;
	marks->clauses[clause] = (uint8_t)(had | 1u << mark);
	if (++marks->counts[rule][mark] == index->needed[rule][mark])
		marks->rules[mark][rule / 64] |= 1ULL << rule % 64;
}

static void
look_at(const struct rule_index *index, uint32_t number, const struct match_view *view,
	struct rule_marks *marks)
{
	const struct entry *e = &index->entries[number];
	enum match_answer may;

	if (marks->clauses[e->clause] >> MARK_FULL & 1)
		return;
	may = need_atom_may(e->atom, view);
	if (may != MATCH_NO)
		rule_index_mark(marks, index, e->clause, MARK_POSSIBLE);
	if (may == MATCH_YES)
		rule_index_mark(marks, index, e->clause, MARK_FULL);
}

/* One side's stream, or one datagram. */
static void
look_up(const struct rule_index *index, struct bytes data, unsigned dir,
	const struct match_view *view, struct rule_marks *marks)
{
	for (uint64_t places = index->places; places; places &= places - 1) {
		uint32_t place = (uint32_t)__builtin_ctzll(places);
		struct bytes at = data;
		const uint32_t *head;
		uint8_t byte;

		bytes_skip(&at, place);
		byte = bytes_u8(&at);
		if (at.bad)
			return;
		head = &index->heads[place * 256 + byte];
		for (uint32_t i = head[0]; i < head[1]; i++) {
			const struct entry *e = &index->entries[index->members[i]];

			if (e->atom->sides >> dir & 1)
				look_at(index, index->members[i], view, marks);
		}
	}
}

void
rule_index_present(const struct rule_index *index, const struct match_view *view,
		   const uint16_t first[2], struct rule_marks *marks)
{
	for (unsigned dir = 0; dir < 2; dir++) {
		const struct match_side *side = &view->side[dir];
		struct bytes data = bytes_of(side->data, side->len);
		uint32_t from = 0;

		if (!view->udp)
			look_up(index, data, dir, view, marks);
		for (uint32_t i = 0; view->udp && i < side->datagrams; i++) {
			struct bytes one = bytes_take(&data, side->ends[i] - from);

			if (i >= first[dir])
				look_up(index, one, dir, view, marks);
			from = side->ends[i];
		}
	}
}

/* Entries that wait for `there` bytes or more, but not for as many as `end`. */
static void
look_at_waiting(const struct rule_index *index, unsigned dir, uint32_t there, uint32_t end,
		const struct match_view *view, struct rule_marks *marks)
{
	for (uint32_t i = index->waits[there]; i < end; i++) {
		const struct entry *e = &index->entries[index->waiting[i]];

		if (e->atom->sides >> dir & 1)
			look_at(index, index->waiting[i], view, marks);
	}
}

void
rule_index_waiting(const struct rule_index *index, const struct match_view *view,
		   struct rule_marks *marks)
{
	for (unsigned dir = 0; dir < 2; dir++) {
		const struct match_side *side = &view->side[dir];
		uint32_t there = view->udp ? side->datagrams : side->len;

		if (!side->closed && there < WAITS)
			look_at_waiting(index, dir, there, index->entry_count, view, marks);
	}
}

void
rule_index_open(const struct rule_index *index, const struct match_view *view,
		struct rule_marks *marks)
{
	uint32_t end = view->udp ? index->waits[PROGRAM_DATAGRAMS] : index->entry_count;

	for (unsigned dir = 0; dir < 2; dir++) {
		const struct match_side *side = &view->side[dir];
		uint32_t there = view->udp ? side->datagrams : side->len;

		if (!side->closed && there > 0 && there < WAITS)
			look_at_waiting(index, dir, there, end, view, marks);
	}
}

const uint64_t *
rule_index_mixed(const struct rule_index *index)
{
	return index->mixed;
}
