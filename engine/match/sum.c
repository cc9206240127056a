/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/sum.h"

#include "match/regex.h"

/* Sums wrap around at 64 bits: C leaves signed overflow undefined, so it is done unsigned. */
#define WRAP(a, op, b) ((int64_t)((uint64_t)(a)op(uint64_t)(b)))

unsigned
sum_width(enum sum_op_kind kind)
{
	switch (kind) {
	case SUM_U8: return 1;
	case SUM_U16BE:
	case SUM_U16LE: return 2;
	case SUM_U24BE:
	case SUM_U24LE: return 3;
	case SUM_U32BE:
	case SUM_U32LE: return 4;
	case SUM_U64BE:
	case SUM_U64LE: return 8;
	default: return 0;
	}
}

bool
sum_is_big_endian(enum sum_op_kind reader)
{
	return reader == SUM_U16BE || reader == SUM_U24BE || reader == SUM_U32BE ||
	       reader == SUM_U64BE;
}

static enum match_answer
read_at(const struct sum_place *place, enum sum_op_kind kind, int64_t offset, int64_t *value)
{
	struct bytes b = place->bytes;
	unsigned width = sum_width(kind);
	bool big = sum_is_big_endian(kind);
	uint64_t read = 0;

	if (offset < 0 || offset > UINT32_MAX)
		return MATCH_NO;
	bytes_skip(&b, (size_t)offset);
	for (unsigned i = 0; i < width; i++) {
		uint64_t byte = bytes_u8(&b);

		read |= byte << 8 * (big ? width - 1 - i : i);
	}
	*value = (int64_t)read;
	if (b.bad)
		return place->open ? MATCH_LATER : MATCH_NO;
	return MATCH_YES;
}

static enum match_answer
capture(const struct sum_place *place, int64_t group, int64_t *value)
{
	struct bytes text;
	int64_t number = 0;

	if (!place->groups)
		return MATCH_NO;
	text = place->groups[group];
	if (bytes_left(&text) == 0 || bytes_left(&text) > 10)
		return MATCH_NO;
	while (bytes_left(&text) > 0) {
		uint8_t digit = bytes_u8(&text);

		if (digit < '0' || digit > '9')
			return MATCH_NO;
		number = number * 10 + (digit - '0');
	}
	*value = number;
	return MATCH_YES;
}

/* What the reader reads at the start of a group. */
static enum match_answer
raw(const struct sum_place *place, const struct sum_op *op, int64_t *value)
{
	struct sum_place of = { .open = false };

	if (!place->groups)
		return MATCH_NO;
	of.bytes = place->groups[sum_raw_group(op)];
	return read_at(&of, sum_raw_reader(op), 0, value);
}

bool
sum_combine(enum sum_op_kind kind, int64_t a, int64_t b, int64_t *value)
{
	switch (kind) {
	case SUM_MUL: *value = WRAP(a, *, b); break;
	case SUM_ADD: *value = WRAP(a, +, b); break;
	case SUM_SUB: *value = WRAP(a, -, b); break;
	case SUM_AND: *value = a & b; break;
	case SUM_OR: *value = a | b; break;
	case SUM_DIV:
	case SUM_MOD:
		if (b == 0 || (a == INT64_MIN && b == -1))
			return false;
		*value = kind == SUM_DIV ? a / b : a % b;
		break;
	case SUM_SHL:
	case SUM_SHR:
		if (b < 0 || b > 63)
			return false;
		*value = kind == SUM_SHL ? WRAP(a, <<, b) : a >> b;
		break;
	default: return false;
	}
	return true;
}

enum match_answer
sum_run(const struct sum *sum, const struct sum_place *place, int64_t *value, bool *least)
{
	int64_t stack[SUM_STACK];
	unsigned top = 0;

	stack[0] = 0; /* a valid program leaves its value here */
	*least = false;
	for (unsigned i = 0; i < sum->count; i++) {
		const struct sum_op *op = &sum->ops[i];
		enum match_answer answer = MATCH_YES;

		switch (op->kind) {
		case SUM_NUMBER: stack[top++] = op->number; break;
		case SUM_CAPTURE: answer = capture(place, op->number, &stack[top++]); break;
		case SUM_RAW: answer = raw(place, op, &stack[top++]); break;
		case SUM_CLIENT_PORT: stack[top++] = place->ports[MATCH_CLIENT]; break;
		case SUM_SERVER_PORT: stack[top++] = place->ports[MATCH_SERVER]; break;
		case SUM_LENGTH:
			if (place->growing && sum->count > 1)
				return MATCH_LATER;
			*least = place->growing;
			stack[top++] = place->length;
			break;
		case SUM_U8:
		case SUM_U16BE:
		case SUM_U16LE:
		case SUM_U24BE:
		case SUM_U24LE:
		case SUM_U32BE:
		case SUM_U32LE:
		case SUM_U64BE:
		case SUM_U64LE:
			answer = read_at(place, op->kind, stack[top - 1], &stack[top - 1]);
			break;
		default:
			top--;
			if (!sum_combine(op->kind, stack[top - 1], stack[top], &stack[top - 1]))
				return MATCH_NO;
		}
		if (answer != MATCH_YES)
			return answer;
	}
	*value = stack[0];
	return MATCH_YES;
}

static bool
group_valid(const struct sum_op *op)
{
	if (op->kind == SUM_CAPTURE)
		return op->number >= 0 && op->number < REGEX_GROUPS;
	return op->kind != SUM_RAW || (op->number >= 0 && sum_raw_group(op) < REGEX_GROUPS &&
				       sum_width(sum_raw_reader(op)) > 0);
}

bool
sum_valid(const struct sum *sum)
{
	unsigned top = 0;

	for (unsigned i = 0; i < sum->count; i++) {
		enum sum_op_kind kind = sum->ops[i].kind;

		const struct sum_op *op = &sum->ops[i];

		if (kind >= SUM_OPS || !group_valid(op))
			return false;
		if (kind <= SUM_LENGTH)
			top++;
		else if (kind >= SUM_MUL && top >= 2)
			top--;
		else if (kind >= SUM_MUL || top == 0)
			return false;
		if (top > SUM_STACK)
			return false;
	}
	return top == 1;
}
