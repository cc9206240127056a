/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_SUM_H
#define MATCH_SUM_H

/*
 * Arithmetic on what a side sent: numbers, integers read at an offset, the length, captures.
 * A sum is a short postfix program over a stack of SUM_STACK 64-bit values; it has no jumps,
 * so it costs its length. `u16be(4) + 6` is NUMBER 4, U16BE, NUMBER 6, ADD.
 */

#include "base/bytes.h"
#include "match/view.h"

enum sum_op_kind {
	SUM_NUMBER,
	SUM_CAPTURE,     /* decimal number in group `number` */
	SUM_RAW,         /* integer at the start of a group: sum_raw */
	SUM_CLIENT_PORT, /* of the flow */
	SUM_SERVER_PORT,
	SUM_LENGTH,
	SUM_U8, /* these replace the offset on the stack by what is read there */
	SUM_U16BE,
	SUM_U16LE,
	SUM_U24BE,
	SUM_U24LE,
	SUM_U32BE,
	SUM_U32LE,
	SUM_U64BE, /* as a signed number, like all */
	SUM_U64LE,
	SUM_MUL, /* these replace two values by one */
	SUM_DIV,
	SUM_MOD,
	SUM_ADD,
	SUM_SUB,
	SUM_SHL,
	SUM_SHR,
	SUM_AND,
	SUM_OR,
	SUM_OPS,
};

struct sum_op {
	uint8_t kind;
	int64_t number;
};

/* The number of a RAW, and its parts. */
static inline int64_t
sum_raw(uint8_t reader, uint8_t group)
{
	return (int64_t)reader << 8 | group;
}

static inline enum sum_op_kind
sum_raw_reader(const struct sum_op *op)
{
	return (enum sum_op_kind)(op->number >> 8);
}

static inline unsigned
sum_raw_group(const struct sum_op *op)
{
	return (unsigned)(op->number & 0xff);
}

enum { SUM_STACK = 16 };

struct sum {
	const struct sum_op *ops;
	unsigned count;
};

/* Where a sum is worked out. */
struct sum_place {
	struct bytes bytes; /* offsets count from its start */
	bool open;          /* more may come behind bytes */
	bool growing;       /* `length` is a lower bound as yet */
	uint32_t length;
	const struct bytes *groups; /* REGEX_GROUPS of them, or NULL */
	uint16_t ports[2];          /* by enum match_dir */
};

/*
 * YES: value holds. NO: it has none: bytes are missing and none will come, a division by zero,
 * a shift by more than 63, a capture that is no number. LATER: bytes are missing that may
 * come, or the length is not known yet. A sum that is the length alone and not known yet is
 * YES with `least` set: the value is what it is at least.
 */
enum match_answer sum_run(const struct sum *sum, const struct sum_place *place, int64_t *value,
			  bool *least);

/* Whether the program leaves one value and never more than SUM_STACK on its way. */
bool sum_valid(const struct sum *sum);

/* a kind b, for SUM_MUL .. SUM_OR; false if it has no value. */
bool sum_combine(enum sum_op_kind kind, int64_t a, int64_t b, int64_t *value);

/* Octets that a reader reads (SUM_U8 .. SUM_U64LE); 0 for any other kind. */
unsigned sum_width(enum sum_op_kind kind);
bool sum_is_big_endian(enum sum_op_kind reader);

#endif
