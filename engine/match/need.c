/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/need.h"

#include "match/program.h"

enum { CLAUSES = 8 };

/* A clause while it is looked for: terms by number, of which one must hold. */
struct clauses {
	uint64_t terms[CLAUSES];
	unsigned count;
};

/* The bytes of an alternative, by place. */
struct window {
	struct byteset sets[NEED_REACH];
	int64_t cursor; /* -1: not known */
	struct needles words;
	struct needle run; /* literal bytes just before the cursor */
};

static void
require(struct window *w, int64_t at, struct byteset set)
{
	if (at >= 0 && at < NEED_REACH)
		w->sets[at] = byteset_and(w->sets[at], set);
}

static struct byteset
set_of(const struct program_test *test, uint32_t i)
{
	struct byteset set = { 0 };

	if (test->kind == PROGRAM_BYTES)
		return test->sets[i];
	if (test->caseless)
		byteset_add_caseless(&set, test->text[i]);
	else
		byteset_add(&set, test->text[i]);
	return set;
}

static void
end_run(struct window *w)
{
	needles_and_one(&w->words, w->run);
	w->run.len = 0;
}

static void
add_bytes(struct window *w, const struct program_test *test)
{
	for (uint32_t i = 0; i < test->len; i++) {
		struct byteset set = set_of(test, i);
		bool one = byteset_count(&set) == 1;

		if (w->cursor >= 0)
			require(w, w->cursor + i, set);
		if (test->kind == PROGRAM_TEXT) {
			needles_add_byte(&w->run, test->text[i]);
			continue;
		}
		if (!one)
			end_run(w);
		else
			needles_add_byte(&w->run, (uint8_t)byteset_next(&set, 0));
	}
	if (w->cursor >= 0)
		w->cursor += test->len;
}

static void
add_regex(struct window *w, const struct program_test *test)
{
	const struct expression *needs = regex_needs(test->regex);

	for (unsigned i = 0; i < needs->head_len && w->cursor >= 0; i++)
		require(w, w->cursor + i, needs->head[i]);
	needles_and(&w->words, &needs->words);
}

/* Where the one byte is that a sum reads: -1: nowhere; -2: it is not so simple. */
static int64_t
byte_of(const struct sum *sum)
{
	int64_t at = -1;

	for (unsigned i = 0; i < sum->count; i++) {
		const struct sum_op *op = &sum->ops[i];

		if (op->kind == SUM_NUMBER || op->kind >= SUM_MUL)
			continue;
		if (op->kind != SUM_U8 || i == 0 || sum->ops[i - 1].kind != SUM_NUMBER ||
		    (at >= 0 && at != sum->ops[i - 1].number))
			return -2;
		at = sum->ops[i - 1].number;
		if (at < 0 || at >= NEED_REACH)
			return -2;
	}
	return at;
}

/* A test of one byte alone: asked about each value that it may have. */
static void
add_test_of_byte(struct window *w, const struct program_test *test, int64_t at)
{
	uint8_t data[NEED_REACH] = { 0 };
	uint32_t end = (uint32_t)at + 1;
	struct program_alternative alternative = { test, 1 };
	struct program_term term = { .sides = 1, .alternatives = &alternative, .count = 1 };
	struct match_view view = {
		.side[0] = { .data = data, .len = end, .ends = &end, .datagrams = 1 },
		.udp = true,
	};
	struct byteset set = { 0 };

	for (unsigned byte = 0; byte < 256; byte++) {
		data[at] = (uint8_t)byte;
		if (term_run(&term, &view, NULL) == MATCH_YES)
			byteset_add(&set, (uint8_t)byte);
	}
	require(w, at, set);
}

/* An integer of several bytes at a fixed offset that must equal a number. */
static void
add_equal(struct window *w, const struct program_test *test)
{
	const struct sum_op *left = test->left.ops, *right = test->right.ops;
	enum sum_op_kind kind;
	unsigned width;
	bool big;

	if (test->compare != PROGRAM_EQ || test->left.count != 2 || test->right.count != 1 ||
	    left[0].kind != SUM_NUMBER || right[0].kind != SUM_NUMBER)
		return;
	kind = left[1].kind;
	width = sum_width(kind);
	big = sum_is_big_endian(kind);
	for (unsigned i = 0; i < width; i++) {
		struct byteset set = { 0 };

		if (width == 8 || right[0].number >> 8 * width == 0)
			byteset_add(&set, (uint8_t)(right[0].number >>
						    8 * (big ? width - 1 - i : i)));
		if (left[0].number >= 0 && left[0].number < NEED_REACH)
			require(w, left[0].number + i, set);
	}
}

static void
add_sums(struct window *w, const struct program_test *test)
{
	int64_t left = byte_of(&test->left);
	int64_t right = test->kind == PROGRAM_COMPARE ? byte_of(&test->right) : -1;

	if (left != -2 && right != -2 && (left >= 0) != (right >= 0))
		add_test_of_byte(w, test, left >= 0 ? left : right);
	else if (left >= 0 && left == right)
		add_test_of_byte(w, test, left);
	else if (test->kind == PROGRAM_COMPARE)
		add_equal(w, test);
}

static void
add_test(struct window *w, const struct program_test *test)
{
	switch (test->kind) {
	case PROGRAM_TEXT:
	case PROGRAM_BYTES: add_bytes(w, test); return;
	case PROGRAM_REGEX: add_regex(w, test); return;
	case PROGRAM_AT:
		end_run(w);
		w->cursor = -1;
		if (test->left.count == 1 && test->left.ops[0].kind == SUM_NUMBER &&
		    test->left.ops[0].number >= 0)
			w->cursor = test->left.ops[0].number;
		return;
	default: add_sums(w, test); return;
	}
}

/* The most telling bytes, in order. */
static enum barn_err
keep_bytes(struct arena *arena, const struct window *w, struct need_atom *atom)
{
	struct need_byte best[NEED_BYTES + 1], *kept;
	unsigned count = 0;

	for (unsigned at = 0; at < NEED_REACH; at++) {
		unsigned size = byteset_count(&w->sets[at]), i = count;

		if (size == 256)
			continue;
		for (; i > 0 && byteset_count(&best[i - 1].set) > size; i--)
			best[i] = best[i - 1];
		best[i] = (struct need_byte){ (uint16_t)at, w->sets[at] };
		if (count < NEED_BYTES)
			count++;
	}
	kept = count ? arena_array(arena, count, sizeof(*kept)) : NULL;
	if (count && !kept)
		return BARN_ERR_MEMORY;
	if (count)
		memcpy(kept, best, count * sizeof(*kept));
	atom->bytes = kept;
	atom->byte_count = (uint8_t)count;
	return BARN_OK;
}

static enum barn_err
find_atom(struct arena *arena, const struct program_term *term,
	  const struct program_alternative *alternative, struct need_atom *atom)
{
	struct window w = { .cursor = 0 };
	enum barn_err err;

	for (unsigned i = 0; i < NEED_REACH; i++)
		w.sets[i] = BYTESET_ALL;
	for (unsigned i = 0; i < alternative->count; i++)
		add_test(&w, &alternative->tests[i]);
	end_run(&w);
	needles_trim(&w.words);
	*atom = (struct need_atom){ .sides = term->sides,
				    .where = term->where,
				    .place = term->place,
				    .words = w.words };
	err = keep_bytes(arena, &w, atom);
	return err;
}

/* Of two lists of clauses one holds: any pair of them, one of each, is a clause. */
static void
either(struct clauses *a, const struct clauses *b)
{
	if (a->count == 0 || b->count == 0) {
		a->count = 0;
		return;
	}
	a->terms[0] |= b->terms[0];
	a->count = 1;
}

static void
both(struct clauses *a, const struct clauses *b)
{
	for (unsigned i = 0; i < b->count && a->count < CLAUSES; i++)
		a->terms[a->count++] = b->terms[i];
}

/* The steps run once more, over clauses instead of answers. */
static struct clauses
find_clauses(const struct rule *rule)
{
	struct clauses stack[PROGRAM_STACK];
	unsigned top = 0;

	stack[0].count = 0;
	for (unsigned i = 0; i < rule->step_count; i++) {
		const struct program_step *step = &rule->steps[i];

		switch (step->kind) {
		case PROGRAM_TERM:
			stack[top].terms[0] = 1ULL << step->number;
			stack[top++].count = 1;
			break;
		case PROGRAM_AND:
			top--;
			both(&stack[top - 1], &stack[top]);
			break;
		case PROGRAM_OR:
			top--;
			either(&stack[top - 1], &stack[top]);
			break;
		case PROGRAM_NOT: stack[top - 1].count = 0; break;
		default: break;
		}
	}
	return stack[0];
}

static enum barn_err
find_clause(struct arena *arena, const struct rule *rule, uint64_t terms,
	    struct need_clause *clause)
{
	struct need_atom *atoms;
	unsigned count = 0;

	for (uint64_t left = terms; left; left &= left - 1)
		count += rule->terms[__builtin_ctzll(left)].count;
	atoms = arena_array(arena, count, sizeof(*atoms));
	if (!atoms)
		return BARN_ERR_MEMORY;
	*clause = (struct need_clause){ .atoms = atoms, .count = count, .worded = true };
	for (uint64_t left = terms; left; left &= left - 1) {
		const struct program_term *term = &rule->terms[__builtin_ctzll(left)];

		for (unsigned i = 0; i < term->count; i++, atoms++) {
			enum barn_err err =
				find_atom(arena, term, &term->alternatives[i], atoms);

			if (err)
				return err;
			clause->worded &= atoms->words.count > 0;
		}
	}
	return BARN_OK;
}

enum barn_err
need_find(struct arena *arena, struct rule *rule)
{
	struct need_clause *needs;
	struct clauses found = { .count = 0 };
	enum barn_err err = BARN_OK;

	if (rule->term_count <= 64)
		found = find_clauses(rule);
	if (found.count == 0)
		return BARN_OK;
	needs = arena_array(arena, found.count, sizeof(*needs));
	if (!needs)
		return BARN_ERR_MEMORY;
	for (unsigned i = 0; i < found.count && !err; i++) {
		err = find_clause(arena, rule, found.terms[i], &needs[rule->need_count]);
		if (!err && (needs[rule->need_count].worded ||
			     need_clause_placed(&needs[rule->need_count], true)))
			rule->need_count++;
	}
	rule->needs = needs;
	return err;
}

bool
need_placed(const struct need_atom *atom, bool udp)
{
	return atom->byte_count > 0 &&
	       (atom->where == PROGRAM_AT_PLACE || (atom->where == PROGRAM_ANYWHERE && udp));
}

bool
need_clause_placed(const struct need_clause *clause, bool udp)
{
	for (unsigned i = 0; i < clause->count; i++)
		if (!need_placed(&clause->atoms[i], udp))
			return false;
	return true;
}

/* `missing`: the answer where a byte is not there. */
static enum match_answer
bytes_may(const struct need_atom *atom, struct bytes data, uint32_t place,
	  enum match_answer missing)
{
	enum match_answer most = MATCH_YES;

	for (unsigned i = 0; i < atom->byte_count; i++) {
		const struct need_byte *need = &atom->bytes[i];
		struct bytes at = data;
		uint8_t byte;

		bytes_skip(&at, (size_t)place + need->at);
		byte = bytes_u8(&at);
		if (at.bad)
			most = missing < most ? missing : most;
		else if (!byteset_has(&need->set, byte))
			return MATCH_NO;
	}
	return most;
}

static enum match_answer
datagrams_may(const struct need_atom *atom, const struct match_side *side)
{
	bool open = !side->closed && side->datagrams < PROGRAM_DATAGRAMS;
	enum match_answer most = open ? MATCH_LATER : MATCH_NO;
	uint32_t first = 0, end = side->datagrams;

	if (atom->where == PROGRAM_AT_PLACE) {
		if (atom->place >= side->datagrams)
			return most;
		most = MATCH_NO;
		first = atom->place;
		end = first + 1;
	}
	for (uint32_t i = first; i < end && most != MATCH_YES; i++) {
		uint32_t from = i > 0 ? side->ends[i - 1] : 0;
		struct bytes all = bytes_of(side->data, side->len), one;
		enum match_answer may;

		bytes_skip(&all, from);
		one = bytes_take(&all, side->ends[i] - from);
		may = bytes_may(atom, one, 0, MATCH_NO);
		most = may > most ? may : most;
	}
	return most;
}

enum match_answer
need_atom_may(const struct need_atom *atom, const struct match_view *view)
{
	enum match_answer most = MATCH_NO;

	if (!need_placed(atom, view->udp))
		return MATCH_YES;
	for (unsigned dir = 0; dir < 2 && most != MATCH_YES; dir++) {
		const struct match_side *side = &view->side[dir];
		enum match_answer may;

		if (!(atom->sides >> dir & 1))
			continue;
		may = view->udp ? datagrams_may(atom, side)
				: bytes_may(atom, bytes_of(side->data, side->len), atom->place,
					    side->closed ? MATCH_NO : MATCH_LATER);
		most = may > most ? may : most;
	}
	return most;
}

enum match_answer
need_may(const struct rule *rule, const struct match_view *view)
{
	enum match_answer all = MATCH_YES;

	for (unsigned i = 0; i < rule->need_count && all != MATCH_NO; i++) {
		const struct need_clause *clause = &rule->needs[i];
		enum match_answer most = MATCH_NO;

		for (unsigned k = 0; k < clause->count && most != MATCH_YES; k++) {
			enum match_answer may = need_atom_may(&clause->atoms[k], view);

			most = may > most ? may : most;
		}
		all = most < all ? most : all;
	}
	return all;
}

/* What the clause wants of the first byte of a side. */
static struct byteset
first_byte(const struct need_clause *clause, unsigned dir)
{
	struct byteset all = { 0 };

	for (unsigned i = 0; i < clause->count; i++) {
		const struct need_atom *atom = &clause->atoms[i];
		bool first = atom->where == PROGRAM_AT_PLACE && atom->place == 0 &&
			     atom->sides == 1 << dir;
		struct byteset one = BYTESET_ALL;

		for (unsigned b = 0; first && b < atom->byte_count; b++)
			if (atom->bytes[b].at == 0)
				one = atom->bytes[b].set;
		all = byteset_or(all, one);
	}
	return all;
}

bool
need_never(const struct rule *rule)
{
	bool never = false;

	for (unsigned dir = 0; dir < 2; dir++) {
		struct byteset first = BYTESET_ALL;

		for (unsigned i = 0; i < rule->need_count; i++)
			first = byteset_and(first, first_byte(&rule->needs[i], dir));
		never |= byteset_empty(&first);
	}
	return never;
}

/* Lines that are complete, up to the bound. */
static bool
has_all_lines(struct bytes text)
{
	unsigned lines = 0;

	while (lines < PROGRAM_LINES && bytes_seek(&text, '\n')) {
		bytes_skip(&text, 1);
		lines++;
	}
	return lines == PROGRAM_LINES;
}

static bool
has_room(const struct program_term *term, const struct match_side *side)
{
	if (side->closed)
		return false;
	if (term->where == PROGRAM_LINE)
		return !has_all_lines(bytes_of(side->data, side->len));
	return side->len < REGEX_SUBJECT;
}

bool
need_waits(const struct rule *rule, const struct match_view *view)
{
	const struct program_term *term = &rule->terms[0];
	bool waits = false;

	if (view->udp || rule->step_count != 1 || term->where == PROGRAM_AT_PLACE)
		return false;
	for (unsigned i = 0; i < term->count && term->where == PROGRAM_ANYWHERE; i++)
		if (term->alternatives[i].tests[0].kind == PROGRAM_REGEX)
			return false; /* what is cut says NO for good */
	for (unsigned dir = 0; dir < 2; dir++)
		waits |= (term->sides >> dir & 1) && has_room(term, &view->side[dir]);
	return waits;
}
