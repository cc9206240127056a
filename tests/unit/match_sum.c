/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/regex.h"
#include "match/sum.h"
#include "unit.h"

static const uint8_t data[] = { 0x12, 0x34, 0x56, 0x78, 0xff };

#define OPS(...)                                \
	(const struct sum_op[]){ __VA_ARGS__ }, \
		sizeof((const struct sum_op[]){ __VA_ARGS__ }) / sizeof(struct sum_op)

static enum match_answer
run(const struct sum_op *ops, size_t count, bool open, int64_t *value)
{
	struct sum sum = { .ops = ops, .count = (unsigned)count };
	struct sum_place place = { .open = open, .length = 7 };
	bool least;

	place.bytes = bytes_of(data, sizeof(data));
	CHECK(sum_valid(&sum));
	*value = -1;
	return sum_run(&sum, &place, value, &least);
}

static int64_t
value_of(const struct sum_op *ops, size_t count)
{
	int64_t value;

	CHECK_EQ(run(ops, count, false, &value), MATCH_YES);
	return value;
}

#define N(number)                  \
	{                          \
		SUM_NUMBER, number \
	}

TEST(integers_are_read_in_both_orders)
{
	CHECK_EQ(value_of(OPS(N(0), { SUM_U8, 0 })), 0x12);
	CHECK_EQ(value_of(OPS(N(0), { SUM_U16BE, 0 })), 0x1234);
	CHECK_EQ(value_of(OPS(N(0), { SUM_U16LE, 0 })), 0x3412);
	CHECK_EQ(value_of(OPS(N(1), { SUM_U24BE, 0 })), 0x345678);
	CHECK_EQ(value_of(OPS(N(1), { SUM_U24LE, 0 })), 0x785634);
	CHECK_EQ(value_of(OPS(N(1), { SUM_U32BE, 0 })), 0x345678ffLL);
	CHECK_EQ(value_of(OPS(N(1), { SUM_U32LE, 0 })), 0xff785634LL);
}

TEST(missing_bytes_are_later_while_open)
{
	int64_t value;

	CHECK_EQ(run(OPS(N(4), { SUM_U16BE, 0 }), true, &value), MATCH_LATER);
	CHECK_EQ(run(OPS(N(4), { SUM_U16BE, 0 }), false, &value), MATCH_NO);
	CHECK_EQ(run(OPS(N(-1), { SUM_U8, 0 }), true, &value), MATCH_NO);
	CHECK_EQ(run(OPS(N(INT64_MAX), { SUM_U8, 0 }), true, &value), MATCH_NO);
}

TEST(arithmetic_is_as_in_c)
{
	CHECK_EQ(value_of(OPS(N(7), N(3), { SUM_ADD, 0 })), 10);
	CHECK_EQ(value_of(OPS(N(7), N(9), { SUM_SUB, 0 })), -2);
	CHECK_EQ(value_of(OPS(N(7), N(3), { SUM_MUL, 0 })), 21);
	CHECK_EQ(value_of(OPS(N(-7), N(2), { SUM_DIV, 0 })), -3);
	CHECK_EQ(value_of(OPS(N(-7), N(2), { SUM_MOD, 0 })), -1);
	CHECK_EQ(value_of(OPS(N(6), N(3), { SUM_AND, 0 })), 2);
	CHECK_EQ(value_of(OPS(N(6), N(3), { SUM_OR, 0 })), 7);
	CHECK_EQ(value_of(OPS(N(1), N(8), { SUM_SHL, 0 })), 256);
	CHECK_EQ(value_of(OPS(N(256), N(4), { SUM_SHR, 0 })), 16);
}

TEST(what_has_no_value_is_no)
{
	int64_t value;

	CHECK_EQ(run(OPS(N(1), N(0), { SUM_DIV, 0 }), true, &value), MATCH_NO);
	CHECK_EQ(run(OPS(N(1), N(0), { SUM_MOD, 0 }), true, &value), MATCH_NO);
	CHECK_EQ(run(OPS(N(INT64_MIN), N(-1), { SUM_DIV, 0 }), true, &value), MATCH_NO);
	CHECK_EQ(run(OPS(N(1), N(64), { SUM_SHL, 0 }), true, &value), MATCH_NO);
	CHECK_EQ(run(OPS(N(1), N(-1), { SUM_SHR, 0 }), true, &value), MATCH_NO);
}

TEST(overflow_wraps_around)
{
	CHECK_EQ(value_of(OPS(N(INT64_MAX), N(1), { SUM_ADD, 0 })), INT64_MIN);
	CHECK_EQ(value_of(OPS(N(INT64_MIN), N(1), { SUM_SUB, 0 })), INT64_MAX);
	CHECK_EQ(value_of(OPS(N(INT64_MAX), N(2), { SUM_MUL, 0 })), -2);
}

TEST(growing_length_is_what_it_is_at_least)
{
	struct sum_op alone[] = { { SUM_LENGTH, 0 } };
	struct sum_op more[] = { { SUM_LENGTH, 0 }, { SUM_NUMBER, 1 }, { SUM_ADD, 0 } };
	struct sum_place place = { .growing = true, .length = 7 };
	struct sum sum = { alone, 1 };
	int64_t value;
	bool least;

	place.bytes = bytes_of(data, sizeof(data));
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_YES);
	CHECK_EQ(value, 7);
	CHECK(least);
	sum = (struct sum){ more, 3 };
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_LATER);
	place.growing = false;
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_YES);
	CHECK_EQ(value, 8);
	CHECK(!least);
}

TEST(captures_are_decimal_numbers)
{
	static const char *const bad[] = { "", "x", "1x", "-1", "12345678901" };
	struct bytes groups[10] = { { 0 } };
	struct sum_op ops[] = { { SUM_CAPTURE, 1 } };
	struct sum_place place = { .groups = groups };
	struct sum sum = { ops, 1 };
	int64_t value;
	bool least;

	groups[1] = bytes_of("0042", 4);
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_YES);
	CHECK_EQ(value, 42);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		groups[1] = bytes_of(bad[i], strlen(bad[i]));
		CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_NO);
	}
}

TEST(readers_read_captures_and_ports_are_the_flow_s)
{
	struct bytes groups[10] = { { 0 } };
	struct sum_op ops[] = { { SUM_RAW, sum_raw(SUM_U16BE, 2) } };
	struct sum_place place = { .groups = groups, .ports = { 40000, 69 } };
	struct sum sum = { ops, 1 };
	int64_t value;
	bool least;

	groups[2] = bytes_of("\x01\x02\x03", 3);
	CHECK(sum_valid(&sum));
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_YES);
	CHECK_EQ(value, 0x0102);
	groups[2] = bytes_of("\x01", 1);
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_NO);
	ops[0] = (struct sum_op){ SUM_CLIENT_PORT, 0 };
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_YES);
	CHECK_EQ(value, 40000);
	ops[0] = (struct sum_op){ SUM_SERVER_PORT, 0 };
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_YES);
	CHECK_EQ(value, 69);
}

TEST(captures_that_are_none_are_not_valid)
{
	struct sum_op ops[] = { { SUM_RAW, sum_raw(SUM_ADD, 2) } };
	struct sum sum = { ops, 1 };

	CHECK(!sum_valid(&sum));
	ops[0].number = sum_raw(SUM_U8, REGEX_GROUPS);
	CHECK(!sum_valid(&sum));
	ops[0] = (struct sum_op){ SUM_CAPTURE, REGEX_GROUPS };
	CHECK(!sum_valid(&sum));
}

TEST(eight_bytes_are_read_too)
{
	static const uint8_t eight[] = { 1, 2, 3, 4, 5, 6, 7, 0xf8 };
	struct sum_op ops[] = { { SUM_NUMBER, 0 }, { SUM_U64BE, 0 } };
	struct sum_place place = { .open = false };
	struct sum sum = { ops, 2 };
	int64_t value;
	bool least;

	place.bytes = bytes_of(eight, 8);
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_YES);
	CHECK_EQ(value, 0x01020304050607f8);
	ops[1].kind = SUM_U64LE;
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_YES);
	CHECK(value == (int64_t)0xf807060504030201);
	place.bytes = bytes_of(eight, 7);
	CHECK_EQ(sum_run(&sum, &place, &value, &least), MATCH_NO);
}

TEST(malformed_programs_are_not_valid)
{
	struct sum_op ops[SUM_STACK + 1];
	struct sum sum = { ops, 0 };

	CHECK(!sum_valid(&sum));
	ops[0] = (struct sum_op){ SUM_U8, 0 };
	sum.count = 1;
	CHECK(!sum_valid(&sum));
	ops[0] = (struct sum_op){ SUM_NUMBER, 0 };
	ops[1] = (struct sum_op){ SUM_ADD, 0 };
	sum.count = 2;
	CHECK(!sum_valid(&sum));
	ops[1].kind = SUM_OPS;
	CHECK(!sum_valid(&sum));
	for (unsigned i = 0; i <= SUM_STACK; i++)
		ops[i] = (struct sum_op){ SUM_NUMBER, 0 };
	sum.count = SUM_STACK + 1;
	CHECK(!sum_valid(&sum));
}
