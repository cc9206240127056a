/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/bounds.h"

/* Values lie in [low, high]; beyond LARGE nothing is claimed, so that no step overflows. */
struct interval {
	int64_t low, high;
};

enum { OFFSET_MAX = UINT16_MAX /* no place can be read farther on */ };

static const int64_t LARGE = (int64_t)1 << 40;
static const struct interval ANYTHING = { INT64_MIN, INT64_MAX };

static bool
is_small(struct interval i)
{
	return i.low > -LARGE && i.high < LARGE;
}

/* The least interval with the four products (or the like) of two intervals' ends. */
static struct interval
spanned(enum sum_op_kind kind, struct interval a, struct interval b)
{
	int64_t ends[4];
	struct interval all;

	if (!sum_combine(kind, a.low, b.low, &ends[0]) ||
	    !sum_combine(kind, a.low, b.high, &ends[1]) ||
	    !sum_combine(kind, a.high, b.low, &ends[2]) ||
	    !sum_combine(kind, a.high, b.high, &ends[3]))
		return ANYTHING;
	all = (struct interval){ ends[0], ends[0] };
	for (unsigned i = 1; i < 4; i++) {
		all.low = ends[i] < all.low ? ends[i] : all.low;
		all.high = ends[i] > all.high ? ends[i] : all.high;
	}
	return all;
}

static struct interval
combine(enum sum_op_kind kind, struct interval a, struct interval b)
{
	bool positive = a.low >= 0 && b.low >= 0;

	if (!is_small(a) || !is_small(b))
		return ANYTHING;
	switch (kind) {
	case SUM_ADD:
	case SUM_SUB: return spanned(kind, a, b);
	case SUM_MUL:
		/* Each below 2^31: the product fits. */
		return a.high >> 31 || b.high >> 31 || !positive ? ANYTHING
								 : spanned(kind, a, b);
	case SUM_DIV:
	case SUM_SHR: return positive && b.low > 0 ? spanned(kind, a, b) : ANYTHING;
	case SUM_MOD:
		return positive && b.low > 0 ? (struct interval){ 0, b.high - 1 } : ANYTHING;
	case SUM_SHL: return positive && b.high < 16 ? spanned(kind, a, b) : ANYTHING;
	case SUM_AND:
		return positive ? (struct interval){ 0, a.high < b.high ? a.high : b.high }
				: ANYTHING;
	default: return ANYTHING;
	}
}

static struct interval
read_by(enum sum_op_kind reader)
{
	unsigned width = sum_width(reader);

	return width == 8 ? ANYTHING
			  : (struct interval){ 0, (int64_t)((1ULL << 8 * width) - 1) };
}

/* False: some read lies where there is never a byte. */
static bool
interval_of(const struct sum *sum, struct interval *all)
{
	struct interval stack[SUM_STACK] = { ANYTHING };
	unsigned top = 0;

	for (unsigned i = 0; i < sum->count; i++) {
		const struct sum_op *op = &sum->ops[i];
		unsigned width = sum_width(op->kind);

		if (op->kind == SUM_NUMBER) {
			stack[top++] = (struct interval){ op->number, op->number };
		} else if (op->kind == SUM_CLIENT_PORT || op->kind == SUM_SERVER_PORT) {
			stack[top++] = (struct interval){ 1, UINT16_MAX };
		} else if (op->kind == SUM_RAW) {
			stack[top++] = read_by(sum_raw_reader(op));
		} else if (op->kind == SUM_LENGTH || op->kind == SUM_CAPTURE) {
			stack[top++] = (struct interval){ 0, UINT32_MAX };
		} else if (width > 0) {
			if (stack[top - 1].high < 0 || stack[top - 1].low > OFFSET_MAX)
				return false;
			stack[top - 1] = read_by(op->kind);
		} else {
			top--;
			stack[top - 1] = combine(op->kind, stack[top - 1], stack[top]);
		}
	}
	*all = stack[0];
	return true;
}

static enum match_answer
answer(bool always, bool never)
{
	return never ? MATCH_NO : always ? MATCH_YES : MATCH_LATER;
}

static enum match_answer
compare(enum program_compare how, struct interval a, struct interval b)
{
	bool apart = a.high < b.low || b.high < a.low;
	bool same = a.low == a.high && b.low == b.high && a.low == b.low;

	switch (how) {
	case PROGRAM_EQ: return answer(same, apart);
	case PROGRAM_NE: return answer(apart, same);
	case PROGRAM_LT: return answer(a.high < b.low, a.low >= b.high);
	case PROGRAM_LE: return answer(a.high <= b.low, a.low > b.high);
	case PROGRAM_GT: return answer(a.low > b.high, a.high <= b.low);
	default: return answer(a.low >= b.high, a.high < b.low);
	}
}

enum match_answer
bounds_of(const struct program_test *test)
{
	struct interval left, right;
	bool always = false, never = true;

	if (!interval_of(&test->left, &left))
		return MATCH_NO;
	if (test->kind == PROGRAM_COMPARE)
		return interval_of(&test->right, &right) ? compare(test->compare, left, right)
							 : MATCH_NO;
	if (test->kind != PROGRAM_IN)
		return MATCH_LATER;
	for (uint32_t i = 0; i < test->len; i++) {
		always |= left.low >= test->ranges[i].low && left.high <= test->ranges[i].high;
		never &= left.high < test->ranges[i].low || left.low > test->ranges[i].high;
	}
	return answer(always, never);
}

bool
bounds_may_be(const struct sum *sum, int64_t low, int64_t high)
{
	struct interval all;

	return interval_of(sum, &all) && all.low <= high && all.high >= low;
}
