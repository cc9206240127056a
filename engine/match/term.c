/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/explain.h"
#include "match/program.h"

/* A window on what a side sent, in which the tests of an alternative are worked out. */
struct window {
	struct sum_place place;
	struct regex_scratch *scratch;
	const struct program_term *term;
	struct explain_term *told; /* NULL: nobody asks why */
	const uint8_t *origin;     /* of the stream or datagram */
	uint16_t datagram, line;
	uint8_t dir;
};

static enum match_answer
larger(enum match_answer a, enum match_answer b)
{
	return a > b ? a : b;
}

static enum match_answer
missing(bool open)
{
	return open ? MATCH_LATER : MATCH_NO;
}

static uint8_t
lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

static bool
byte_holds(const struct program_test *test, uint32_t i, uint8_t byte)
{
	if (test->kind == PROGRAM_BYTES)
		return byteset_has(&test->sets[i], byte);
	return test->text[i] == (test->caseless ? lower(byte) : byte);
}

static enum match_answer
run_bytes(const struct program_test *test, const struct window *w, int64_t cursor)
{
	struct bytes b = w->place.bytes;

	if (cursor < 0 || cursor > UINT32_MAX)
		return MATCH_NO;
	bytes_skip(&b, (size_t)cursor);
	for (uint32_t i = 0; i < test->len; i++) {
		uint8_t byte = bytes_u8(&b);

		if (b.bad)
			return missing(w->place.open);
		if (!byte_holds(test, i, byte))
			return MATCH_NO;
	}
	return MATCH_YES;
}

static enum match_answer
run_regex(const struct program_test *test, const struct window *w, int64_t cursor)
{
	struct bytes b = w->place.bytes;

	if (cursor < 0 || cursor > UINT32_MAX)
		return MATCH_NO;
	bytes_skip(&b, (size_t)cursor);
	if (b.bad)
		return missing(w->place.open);
	return regex_run(test->regex, w->scratch, b, !w->place.open, NULL);
}

static bool
compare(enum program_compare how, int64_t a, int64_t b)
{
	switch (how) {
	case PROGRAM_EQ: return a == b;
	case PROGRAM_NE: return a != b;
	case PROGRAM_LT: return a < b;
	case PROGRAM_LE: return a <= b;
	case PROGRAM_GT: return a > b;
	default: return a >= b;
	}
}

/* The comparison seen from its right side. */
static enum program_compare
mirror(enum program_compare how)
{
	switch (how) {
	case PROGRAM_LT: return PROGRAM_GT;
	case PROGRAM_LE: return PROGRAM_GE;
	case PROGRAM_GT: return PROGRAM_LT;
	case PROGRAM_GE: return PROGRAM_LE;
	default: return how;
	}
}

/* `a` is what its value is at least, and may grow: what is true for good is not LATER. */
static enum match_answer
compare_least(enum program_compare how, int64_t a, int64_t b)
{
	switch (how) {
	case PROGRAM_EQ:
	case PROGRAM_LE: return a > b ? MATCH_NO : MATCH_LATER;
	case PROGRAM_LT: return a >= b ? MATCH_NO : MATCH_LATER;
	case PROGRAM_NE:
	case PROGRAM_GT: return a > b ? MATCH_YES : MATCH_LATER;
	default: return a >= b ? MATCH_YES : MATCH_LATER;
	}
}

static enum match_answer
run_compare(const struct program_test *test, const struct window *w)
{
	bool left_least, right_least;
	enum match_answer left, right;
	int64_t a, b;

	left = sum_run(&test->left, &w->place, &a, &left_least);
	if (left == MATCH_NO)
		return MATCH_NO;
	right = sum_run(&test->right, &w->place, &b, &right_least);
	if (left != MATCH_YES || right != MATCH_YES)
		return right == MATCH_NO ? MATCH_NO : MATCH_LATER;
	if (left_least && right_least)
		return MATCH_LATER;
	if (left_least)
		return compare_least(test->compare, a, b);
	if (right_least)
		return compare_least(mirror(test->compare), b, a);
	return compare(test->compare, a, b) ? MATCH_YES : MATCH_NO;
}

static enum match_answer
run_in(const struct program_test *test, const struct window *w)
{
	enum match_answer answer;
	bool least, reachable = false;
	int64_t value;

	answer = sum_run(&test->left, &w->place, &value, &least);
	if (answer != MATCH_YES)
		return answer;
	for (uint32_t i = 0; i < test->len; i++) {
		if (!least && value >= test->ranges[i].low && value <= test->ranges[i].high)
			return MATCH_YES;
		reachable |= least && value <= test->ranges[i].high;
	}
	return missing(reachable);
}

/* What the explanation keeps of a window in which `test` is the first that does not hold. */
static void
tell(const struct window *w, const struct program_alternative *alternative, unsigned test,
     int64_t cursor, enum match_answer answer)
{
	struct explain_term *told = w->told;
	struct bytes there = w->place.bytes;
	const struct program_test *t = &alternative->tests[test];
	bool least;

	if (told->tried &&
	    (answer < told->answer || (answer == told->answer && test <= told->test)))
		return;
	*told = (struct explain_term){
		.answer = (uint8_t)answer,
		.dir = w->dir,
		.tried = true,
		.datagram = w->datagram,
		.line = w->line,
		.window = (uint32_t)(there.p - w->origin),
		.alternative = (uint16_t)(alternative - w->term->alternatives),
		.test = (uint16_t)test,
	};
	if (cursor > 0 && cursor <= (int64_t)bytes_left(&there))
		bytes_skip(&there, (size_t)cursor);
	told->there = there;
	told->offset = told->window + (uint32_t)(cursor > 0 ? cursor : 0);
	if (test == alternative->count)
		return;
	if (t->kind == PROGRAM_TEXT || t->kind == PROGRAM_BYTES)
		while (told->matched < t->len && bytes_left(&there) > 0 &&
		       byte_holds(t, told->matched, bytes_u8(&there)))
			told->matched++;
	if (t->kind == PROGRAM_COMPARE || t->kind == PROGRAM_IN) {
		told->valued = sum_run(&t->left, &w->place, &told->left, &least) == MATCH_YES;
		told->lesser = least;
		if (t->kind == PROGRAM_COMPARE)
			told->valued &= sum_run(&t->right, &w->place, &told->right, &least) ==
					MATCH_YES;
		told->lesser |= least;
	}
}

/* A test that moves the cursor or looks at it; `cursor` is where it goes. */
static enum match_answer
run_test(const struct program_test *test, const struct window *w, int64_t *cursor)
{
	enum match_answer answer;
	bool least;

	switch (test->kind) {
	case PROGRAM_AT:
		answer = sum_run(&test->left, &w->place, cursor, &least);
		return answer == MATCH_YES && least ? MATCH_LATER : answer;
	case PROGRAM_TEXT:
	case PROGRAM_BYTES:
		answer = run_bytes(test, w, *cursor);
		*cursor += test->len;
		return answer;
	case PROGRAM_REGEX: return run_regex(test, w, *cursor);
	case PROGRAM_IN: return run_in(test, w);
	default: return run_compare(test, w);
	}
}

/* All tests in order. */
static enum match_answer
run_tests(const struct program_alternative *alternative, const struct window *w)
{
	enum match_answer all = MATCH_YES, answer;
	int64_t cursor = 0, before = 0, waits_at = 0;
	unsigned i, waits = 0;

	for (i = 0; i < alternative->count; i++) {
		before = cursor;
		answer = run_test(&alternative->tests[i], w, &cursor);
		if (answer == MATCH_LATER && all == MATCH_YES) {
			waits = i;
			waits_at = before;
		}
		if (answer < all)
			all = answer;
		/* Without a cursor the rest can say nothing. */
		if (all == MATCH_NO ||
		    (answer == MATCH_LATER && alternative->tests[i].kind == PROGRAM_AT))
			break;
	}
	if (w->told)
		tell(w, alternative, all == MATCH_LATER ? waits : i,
		     all == MATCH_LATER ? waits_at
		     : all == MATCH_NO  ? before
					: cursor,
		     all);
	return all;
}

static enum match_answer
run_alternatives(const struct program_term *term, const struct window *w)
{
	enum match_answer best = MATCH_NO;

	for (unsigned i = 0; i < term->count && best != MATCH_YES; i++)
		best = larger(best, run_tests(&term->alternatives[i], w));
	return best;
}

/* The one value that the test's first byte must have; -1: there are several. */
static int
first_value(const struct program_test *test)
{
	uint8_t text = test->kind == PROGRAM_TEXT ? test->text[0] : 0;
	unsigned one;

	if (test->kind == PROGRAM_TEXT)
		return test->caseless && text >= 'a' && text <= 'z' ? -1 : text;
	if (test->kind != PROGRAM_BYTES)
		return -1;
	one = byteset_next(&test->sets[0], 0);
	return byteset_next(&test->sets[0], one + 1) == 256 ? (int)one : -1;
}

/* From every byte of the prefix in turn: the first byte sorts out nearly all of them. */
static enum match_answer
search_bytes(const struct program_alternative *alternative, const struct window *w)
{
	const struct program_test *head = &alternative->tests[0];
	bool literal = head->kind == PROGRAM_TEXT || head->kind == PROGRAM_BYTES;
	int value = first_value(head);
	enum match_answer best = MATCH_NO;
	struct window at = *w;
	size_t bound = bytes_left(&w->place.bytes);

	if (bound < REGEX_SUBJECT)
		best = missing(w->place.open);
	else
		bound = REGEX_SUBJECT;
	for (size_t i = 0; i < bound && best != MATCH_YES; i++) {
		struct bytes peek;

		at.place.bytes = w->place.bytes;
		bytes_skip(&at.place.bytes, i);
		if (value >= 0 && !bytes_seek(&at.place.bytes, (uint8_t)value))
			break;
		i = (size_t)(at.place.bytes.p - w->place.bytes.p);
		if (i >= bound)
			break;
		peek = at.place.bytes;
		if (!literal || byte_holds(head, 0, bytes_u8(&peek)))
			best = larger(best, run_tests(alternative, &at));
	}
	return best;
}

static enum match_answer
search(const struct program_term *term, const struct window *w)
{
	enum match_answer best = MATCH_NO;

	for (unsigned i = 0; i < term->count && best != MATCH_YES; i++) {
		const struct program_alternative *alternative = &term->alternatives[i];

		if (alternative->tests[0].kind == PROGRAM_REGEX)
			best = larger(best, run_tests(alternative, w));
		else
			best = larger(best, search_bytes(alternative, w));
	}
	return best;
}

/* Each line of the text; `open`: what follows the last line end is no line yet. */
static enum match_answer
run_lines(const struct program_term *term, struct bytes text, bool open, struct window *w)
{
	enum match_answer best = MATCH_NO;
	unsigned lines;

	w->place.open = false;
	for (lines = 0; lines < PROGRAM_LINES && best != MATCH_YES; lines++) {
		w->line = (uint16_t)lines;
		if (!bytes_line(&text, &w->place.bytes))
			break;
		best = larger(best, run_alternatives(term, w));
	}
	return lines < PROGRAM_LINES ? larger(best, missing(open)) : best;
}

/* A side that sent nothing may have no data at all. */
static struct bytes
all_of(const struct match_side *side)
{
	return side->len > 0 ? bytes_of(side->data, side->len) : bytes_of("", 0);
}

static enum match_answer
run_stream(const struct program_term *term, const struct match_side *side, struct window *w)
{
	struct bytes data = all_of(side);

	w->origin = data.p;
	w->place.open = !side->closed;
	w->place.length = side->turn;
	w->place.growing = !side->turn_over && !side->closed;
	if (term->where == PROGRAM_LINE)
		return run_lines(term, data, !side->closed, w);
	if (term->where == PROGRAM_AT_PLACE)
		bytes_skip(&data, term->place);
	if (data.bad)
		return missing(w->place.open);
	w->place.bytes = data;
	return term->where == PROGRAM_ANYWHERE ? search(term, w) : run_alternatives(term, w);
}

static struct bytes
datagram(const struct match_side *side, uint32_t number)
{
	struct bytes all = all_of(side);
	uint32_t from = number > 0 ? side->ends[number - 1] : 0;

	bytes_skip(&all, from);
	return bytes_take(&all, side->ends[number] - from);
}

static enum match_answer
run_datagram(const struct program_term *term, struct bytes data, struct window *w)
{
	struct bytes last = data, line;
	enum match_answer answer;

	w->origin = data.p;
	w->place.bytes = data;
	w->place.length = (uint32_t)bytes_left(&data);
	if (term->where != PROGRAM_LINE)
		return run_alternatives(term, w);
	answer = run_lines(term, data, false, w);
	if (answer == MATCH_YES)
		return answer;
	while (bytes_line(&last, &line))
		;
	w->place.bytes = last; /* the datagram's end ends its last line */
	return larger(answer, run_alternatives(term, w));
}

static enum match_answer
run_datagrams(const struct program_term *term, const struct match_side *side, struct window *w)
{
	uint32_t first = 0, end = side->datagrams;
	bool open = !side->closed && side->datagrams < PROGRAM_DATAGRAMS;
	enum match_answer best = MATCH_NO;

	if (term->where != PROGRAM_AT_PLACE) {
		best = missing(open);
	} else if (term->place >= side->datagrams) {
		return missing(open);
	} else {
		first = term->place;
		end = first + 1;
	}
	for (uint32_t i = first; i < end && best != MATCH_YES; i++) {
		w->datagram = (uint16_t)i;
		best = larger(best, run_datagram(term, datagram(side, i), w));
	}
	return best;
}

static enum match_answer
run(const struct program_term *term, const struct match_view *view,
    struct regex_scratch *scratch, struct explain_term *told)
{
	enum match_answer best = MATCH_NO;

	for (unsigned dir = 0; dir < 2 && best != MATCH_YES; dir++) {
		struct window w = {
			.scratch = scratch, .term = term, .told = told, .dir = (uint8_t)dir
		};
		const struct match_side *side = &view->side[dir];

		if (!(term->sides >> dir & 1))
			continue;
		if (term->then && (!view->first_known || view->first == dir)) {
			best = missing(!view->first_known && !side->closed);
			continue;
		}
		best = larger(best, view->udp ? run_datagrams(term, side, &w)
					      : run_stream(term, side, &w));
	}
	return best;
}

enum match_answer
term_run(const struct program_term *term, const struct match_view *view,
	 struct regex_scratch *scratch)
{
	return run(term, view, scratch, NULL);
}

enum match_answer
term_explain(const struct program_term *term, const struct match_view *view,
	     struct regex_scratch *scratch, struct explain_term *told)
{
	enum match_answer answer;

	*told = (struct explain_term){ .dir = term->sides == 2 };
	answer = run(term, view, scratch, told);
	told->answer = (uint8_t)answer;
	return answer;
}
