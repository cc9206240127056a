/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What each construct of a rule says of what is there, of what is not yet, and at the end. */
#include "rule_rig.h"

#include <stdarg.h>

static struct rig_view rig;

/* The rule's answer to a dialogue of "c:..." and "s:..." up to NULL; `closed`: at its end. */
static enum match_answer
ask(const char *over, const char *body, bool closed, va_list messages)
{
	const struct rule *rule;
	struct pdl_set *set = rig_rule(over, body, &rule);
	enum match_answer answer;
	const char *text;

	rig_start(&rig, strcmp(over, "udp") == 0);
	while ((text = va_arg(messages, const char *))) {
		struct rig_message m = { text[0] == 's', text + 2, (uint32_t)strlen(text + 2) };

		rig_send(&rig, &m);
	}
	if (closed)
		rig_close(&rig);
	answer = rule_run(rule, &rig.view, rig_scratch());
	pdl_set_free(set);
	return answer;
}

static enum match_answer
tcp(const char *body, ...)
{
	enum match_answer answer;
	va_list messages;

	va_start(messages, body);
	answer = ask("tcp", body, false, messages);
	va_end(messages);
	return answer;
}

static enum match_answer
tcp_end(const char *body, ...)
{
	enum match_answer answer;
	va_list messages;

	va_start(messages, body);
	answer = ask("tcp", body, true, messages);
	va_end(messages);
	return answer;
}

static enum match_answer
udp(const char *body, ...)
{
	enum match_answer answer;
	va_list messages;

	va_start(messages, body);
	answer = ask("udp", body, false, messages);
	va_end(messages);
	return answer;
}

static enum match_answer
udp_end(const char *body, ...)
{
	enum match_answer answer;
	va_list messages;

	va_start(messages, body);
	answer = ask("udp", body, true, messages);
	va_end(messages);
	return answer;
}

#define END (const char *)NULL

TEST(text_at_a_place)
{
	CHECK_EQ(tcp("client 0: \"GET\"", END), MATCH_LATER);
	CHECK_EQ(tcp("client 0: \"GET\"", "c:GE", END), MATCH_LATER);
	CHECK_EQ(tcp("client 0: \"GET\"", "c:GET", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: \"GET\"", "c:get", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: i\"GeT\"", "c:gEt", END), MATCH_YES);
	CHECK_EQ(tcp_end("client 0: \"GET\"", "c:GE", END), MATCH_NO);
	CHECK_EQ(tcp_end("client 0: \"GET\"", END), MATCH_NO);
	CHECK_EQ(tcp("client 3: \"GET\"", "c:xyzGET", END), MATCH_YES);
	CHECK_EQ(tcp("client 3: \"GET\"", "c:xy", END), MATCH_LATER);
	CHECK_EQ(tcp("server 0: \"GET\"", "c:GET", END), MATCH_LATER);
}

TEST(any_is_either_side)
{
	CHECK_EQ(tcp("any 0: \"A\"", "c:B", END), MATCH_LATER);
	CHECK_EQ(tcp("any 0: \"A\"", "c:B", "s:A", END), MATCH_YES);
	CHECK_EQ(tcp("any 0: \"A\"", "c:B", "s:B", END), MATCH_NO);
}

TEST(tests_move_the_cursor_in_order)
{
	CHECK_EQ(tcp("client 0: \"ab\" hex 63 \"d\"", "c:abcd", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: \"ab\" at 4 \"e\"", "c:abcde", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: \"ab\" at u8(2) - 0x30 \"x\"", "c:ab5..x", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: at u8(2) - 0x40 \"x\"", "c:ab5..x", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: at 2 /^c/", "c:abc", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: \"ab\" /^c/ \"c\"", "c:abc", END), MATCH_YES);
}

TEST(bytes_with_holes)
{
	CHECK_EQ(tcp("client 0: hex 61 ?? 6? ?4", "c:azlt", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: hex 61 ?? 6? ?4", "c:azlu", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: hex [61-63] (61|7a)", "c:cz", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: hex [61-63] (61|7a)", "c:dz", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: hex 6162 63", "c:abc", END), MATCH_YES);
}

TEST(alternatives_of_tests)
{
	CHECK_EQ(tcp("client 0: u8(0) == 1 or \"GET\" or \"SEND\"", "c:SE", END), MATCH_LATER);
	CHECK_EQ(tcp("client 0: u8(0) == 1 or \"GET\" or \"SEND\"", "c:SEND", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u8(0) == 1 or \"GET\" or \"SEND\"", "c:SX", END), MATCH_NO);
}

TEST(then_asks_who_spoke_first)
{
	const char *rule = "client 0: \"a\" then server 0: \"b\"";

	CHECK_EQ(tcp(rule, END), MATCH_LATER);
	CHECK_EQ(tcp(rule, "c:a", END), MATCH_LATER);
	CHECK_EQ(tcp(rule, "c:a", "s:b", END), MATCH_YES);
	CHECK_EQ(tcp(rule, "s:b", "c:a", END), MATCH_NO);
	CHECK_EQ(tcp(rule, "s:b", END), MATCH_NO);
	CHECK_EQ(udp(rule, "c:a", "s:b", END), MATCH_YES);
	CHECK_EQ(udp(rule, "s:b", "c:a", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: \"a\" not (server 0: \"c\" then client 0: \"a\")", "c:a", "s:c",
		     END),
		 MATCH_YES);
}

TEST(clauses_all_hold_or_one_of_a_group)
{
	const char *both = "client 0: \"a\" server 0: \"b\"";
	const char *group =
		"client 0: \"a\" (server 0: \"b\" client 1: \"x\" or server 0: \"c\")";
	const char *either = "client 0: \"a\" or server 0: \"b\"";

	CHECK_EQ(tcp(both, "c:a", END), MATCH_LATER);
	CHECK_EQ(tcp(both, "c:a", "s:b", END), MATCH_YES);
	CHECK_EQ(tcp(both, "c:a", "s:c", END), MATCH_NO);
	CHECK_EQ(tcp(group, "c:ax", "s:b", END), MATCH_YES);
	CHECK_EQ(tcp(group, "c:a", "s:b", END), MATCH_LATER);
	CHECK_EQ(tcp(group, "c:a", "s:c", END), MATCH_YES);
	CHECK_EQ(tcp(group, "c:ay", "s:b", END), MATCH_NO);
	CHECK_EQ(tcp(either, "c:x", "s:b", END), MATCH_YES);
	CHECK_EQ(tcp(either, "c:x", END), MATCH_LATER);
	CHECK_EQ(tcp(either, "c:x", "s:x", END), MATCH_NO);
}

TEST(not_turns_round_and_leaves_later)
{
	const char *body = "client 0: \"a\" not client 1: \"b\"";

	CHECK_EQ(tcp(body, "c:a", END), MATCH_LATER);
	CHECK_EQ(tcp(body, "c:ac", END), MATCH_YES);
	CHECK_EQ(tcp(body, "c:ab", END), MATCH_NO);
	CHECK_EQ(tcp_end(body, "c:a", END), MATCH_YES);
	CHECK_EQ(tcp_end("client 0: \"a\" not (server 0: \"b\" or server 0: \"c\")", "c:a",
			 "s:c", END),
		 MATCH_NO);
}

TEST(without_a_place_a_stream_is_searched)
{
	CHECK_EQ(tcp("client: \"needle\"", "c:hay nee", "c:dle", END), MATCH_YES);
	CHECK_EQ(tcp("client: \"needle\"", "c:hay", END), MATCH_LATER);
	CHECK_EQ(tcp_end("client: \"needle\"", "c:hay", END), MATCH_NO);
	CHECK_EQ(tcp("client: \"ab\" u8(2) == 0x63", "c:ababc", END), MATCH_YES);
	CHECK_EQ(tcp("client: \"ab\" at 3 \"d\"", "c:abxxabcd", END), MATCH_YES);
	CHECK_EQ(tcp("client: u16be(0) == 0x6263", "c:abc", END), MATCH_YES);
	CHECK_EQ(tcp("client: /b+c/", "c:abbbc", END), MATCH_YES);
	CHECK_EQ(tcp("client: /b+c/ /^a/", "c:abbbc", END), MATCH_YES);
}

TEST(search_ends_at_4096_bytes)
{
	static char hay[5001];
	struct rig_message m = { MATCH_CLIENT, hay, 5000 };
	const struct rule *rule;
	struct pdl_set *set = rig_rule("tcp", "client: \"needle\"", &rule);

	memset(hay, 'n', 5000);
	memcpy(hay + 4090, "needle", 6);
	rig_start(&rig, false);
	rig_send(&rig, &m);
	CHECK_EQ(rule_run(rule, &rig.view, rig_scratch()), MATCH_YES);
	memset(hay, 'n', 5000);
	memcpy(hay + 4096, "needle", 6);
	rig_start(&rig, false);
	rig_send(&rig, &m);
	CHECK_EQ(rule_run(rule, &rig.view, rig_scratch()), MATCH_NO);
	pdl_set_free(set);
}

TEST(line_is_any_complete_line)
{
	CHECK_EQ(tcp("client line /^QUIT$/", "c:USER\r\nQUIT", END), MATCH_LATER);
	CHECK_EQ(tcp("client line /^QUIT$/", "c:USER\r\nQUIT\r\n", END), MATCH_YES);
	CHECK_EQ(tcp("client line /^QUIT$/", "c:USER\nQUIT\n", END), MATCH_YES);
	CHECK_EQ(tcp_end("client line /^QUIT$/", "c:USER\r\nQUITS\r\nQUIT", END), MATCH_NO);
	CHECK_EQ(tcp("client line \"QU\" /T$/", "c:USER\r\nQUIT\r\n", END), MATCH_YES);
	CHECK_EQ(udp("client line /^To:/", "c:INVITE\r\nTo: x", END), MATCH_YES);
}

TEST(lines_are_bounded)
{
	char lines[400] = "";

	for (unsigned i = 0; i < PROGRAM_LINES; i++)
		memcpy(lines + 2 * i, "a\n", 3);
	memcpy(lines + 2 * PROGRAM_LINES, "b\n", 3);
	struct rig_message m = { MATCH_CLIENT, lines, (uint32_t)strlen(lines) };
	const struct rule *rule;
	struct pdl_set *set = rig_rule("tcp", "client line \"b\"", &rule);

	rig_start(&rig, false);
	rig_send(&rig, &m);
	CHECK_EQ(rule_run(rule, &rig.view, rig_scratch()), MATCH_NO);
	pdl_set_free(set);
}

TEST(length_over_tcp_is_the_first_turn)
{
	CHECK_EQ(tcp("server 0: \"1\" length == 1", "s:1", END), MATCH_LATER);
	CHECK_EQ(tcp("server 0: \"1\" length == 1", "s:1", "c:x", END), MATCH_YES);
	CHECK_EQ(tcp("server 0: \"1\" length == 1", "s:1", "c:x", "s:more", END), MATCH_YES);
	CHECK_EQ(tcp("server 0: \"1\" length == 1", "s:12", END), MATCH_NO);
	CHECK_EQ(tcp_end("server 0: \"1\" length == 1", "s:1", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: length >= 3", "c:abc", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: 3 <= length", "c:abc", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: length < 3", "c:abc", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: length < 3", "c:ab", END), MATCH_LATER);
	CHECK_EQ(tcp("client 0: length != 3", "c:abcd", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: length in (1, 4..5)", "c:ab", END), MATCH_LATER);
	CHECK_EQ(tcp("client 0: length in (1, 4..5)", "c:abcdef", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: length in (1, 4..5)", "c:abcd", "s:x", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u16be(0) + 2 == length", "c:\x01\x01", END), MATCH_LATER);
}

TEST(arithmetic_reads_from_the_place)
{
	CHECK_EQ(tcp("client 2: u16be(0) == 0x6364", "c:abcd", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u16le(2) == 0x6463", "c:abcd", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u8(u8(0) - 0x30) == 0x7a", "c:3..z", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u8(0) & 0xf0 == 0x60", "c:a", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u8(0) % 2 == 1", "c:a", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u8(0) / u8(1) == 1", "c:ab", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: u8(0) in 0x30..0x39", "c:7", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u8(0) == 0x61 /^abc/", "c:abc", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u8(0) / 2 == 0x30", "c:a", END), MATCH_YES);
	CHECK_EQ(tcp("client 0: u8(0) - 1 == 2 * (u8(1) - 0x60)", "c:\x05.", END), MATCH_NO);
}

TEST(datagram_is_whole)
{
	CHECK_EQ(udp("client 0: \"ab\" length == 2", "c:ab", END), MATCH_YES);
	CHECK_EQ(udp("client 0: \"ab\" length == 2", "c:a", "c:b", END), MATCH_NO);
	CHECK_EQ(udp("client 1: \"b\"", "c:a", END), MATCH_LATER);
	CHECK_EQ(udp("client 1: \"b\"", "c:a", "c:b", END), MATCH_YES);
	CHECK_EQ(udp_end("client 1: \"b\"", "c:a", END), MATCH_NO);
	CHECK_EQ(udp("client 0: u16be(0) == 0x6162", "c:a", "c:b", END), MATCH_NO);
	CHECK_EQ(udp("client 0: u16be(2) == length", "c:ab\x01\x02", END), MATCH_NO);
}

TEST(without_a_place_any_datagram_will_do)
{
	CHECK_EQ(udp("client: \"b\" length == 1", "c:a", END), MATCH_LATER);
	CHECK_EQ(udp("client: \"b\" length == 1", "c:a", "c:b", END), MATCH_YES);
	CHECK_EQ(udp("client: \"b\"", "c:ab", END), MATCH_LATER);
	CHECK_EQ(udp_end("client: \"b\"", "c:ab", END), MATCH_NO);
	CHECK_EQ(udp("any: \"b\" /c$/", "c:a", "s:bc", END), MATCH_YES);
}

TEST(after_the_last_datagram_that_is_kept_nothing_is_later)
{
	const char *c = "c:a";

	CHECK_EQ(udp("client: \"b\"", c, c, c, c, c, c, c, END), MATCH_LATER);
	CHECK_EQ(udp("client: \"b\"", c, c, c, c, c, c, c, c, END), MATCH_NO);
	CHECK_EQ(udp("client 7: \"b\"", c, c, c, c, c, c, c, END), MATCH_LATER);
}

TEST(empty_datagram_is_a_datagram)
{
	CHECK_EQ(udp("client 0: length == 0", "c:", END), MATCH_YES);
	CHECK_EQ(udp("client 0: \"a\"", "c:", "c:a", END), MATCH_NO);
	CHECK_EQ(udp("client 1: \"a\"", "c:", "c:a", END), MATCH_YES);
}

TEST(first_byte_forbids_at_once)
{
	CHECK_EQ(tcp("client 0: u32be(0) == 0x61626364", "c:x", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: u16le(0) == 0x6261", "c:x", END), MATCH_NO);
	CHECK_EQ(tcp("client 0: u16le(0) == 0x6261", "c:a", END), MATCH_LATER);
	CHECK_EQ(tcp("client 0: /^abc/ server 0: \"x\"", "c:x", END), MATCH_NO);
}

static bool
count(void *self, uint16_t number)
{
	uint32_t *seen = self;

	*seen = *seen << 4 | number;
	return (*seen & 0xf) != 3;
}

TEST(set_tells_matches_in_order_and_stops_when_told)
{
	static const char *const bodies[] = { "client 0: \"a\"", "client 0: \"b\"",
					      "any: \"a\"", "client 0: length < 9",
					      "client 0: hex 61" };
	struct pdl_set *sets[5];
	struct rule_scratch *scratch = NULL;
	struct rule_set *set = NULL;
	const struct rule *rule;
	struct rig_message m = { MATCH_CLIENT, "a", 1 };
	uint32_t seen = 0;

	CHECK_EQ(rule_set_new(&(struct rule_set_options){ .udp = false }, &set), BARN_OK);
	for (uint16_t i = 0; i < 5; i++) {
		sets[i] = rig_rule("tcp", bodies[i], &rule);
		CHECK_EQ(rule_set_add(set, rule, (uint16_t)(i == 4 ? 3 : i + 5)), BARN_OK);
		if (i == 4)
			CHECK_EQ(rule_set_add(set, rule, 9), BARN_OK);
	}
	rig_start(&rig, false);
	rig_send(&rig, &m);
	CHECK_EQ(rule_set_run(set, &rig.view, NULL, NULL, count, &seen), MATCH_NO);
	CHECK_EQ(seen, 0);
	CHECK_EQ(rule_set_compile(set), BARN_OK);
	CHECK_EQ(rule_scratch_new(
			 &(struct rule_scratch_options){
				 .sets = (const struct rule_set *const *)&set, .set_count = 1 },
			 &scratch),
		 BARN_OK);
	CHECK_EQ(rule_set_add(set, rule, 1), BARN_ERR_ARGUMENT);
	rule_set_run(set, &rig.view, scratch, NULL, count, &seen);
	CHECK_EQ(seen, 0x573);
	rule_scratch_free(scratch);
	rule_set_free(set);
	for (unsigned i = 0; i < 5; i++)
		pdl_set_free(sets[i]);
}

TEST(malformed_programs_are_refused)
{
	struct arena *arena = NULL;
	struct program_test test = { .kind = PROGRAM_TEXT,
				     .len = 1,
				     .text = (const uint8_t *)"a" };
	struct program_alternative alternative = { &test, 1 };
	struct program_term term = { .sides = 1, .alternatives = &alternative, .count = 1 };
	struct program_step good[] = { { PROGRAM_TERM, 0 } };
	struct program_step bad[][2] = { { { PROGRAM_TERM, 1 }, { PROGRAM_NOT, 0 } },
					 { { PROGRAM_AND, 0 }, { PROGRAM_TERM, 0 } },
					 { { PROGRAM_TERM, 0 }, { PROGRAM_TERM, 0 } },
					 { { PROGRAM_TERM, 0 }, { PROGRAM_SKIP_NO, 0 } },
					 { { PROGRAM_TERM, 0 }, { PROGRAM_SKIP_NO, 3 } },
					 { { PROGRAM_NOT, 0 }, { PROGRAM_TERM, 0 } } };
	struct rule *rule;

	CHECK_EQ(arena_new(0, &arena), BARN_OK);
	CHECK_EQ(program_build(arena, good, 1, &term, 1, &rule), BARN_OK);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_EQ(program_build(arena, bad[i], 2, &term, 1, &rule), BARN_ERR_ARGUMENT);
	term.sides = 0;
	CHECK_EQ(program_build(arena, good, 1, &term, 1, &rule), BARN_ERR_ARGUMENT);
	term.sides = 1;
	test.len = 0;
	CHECK_EQ(program_build(arena, good, 1, &term, 1, &rule), BARN_ERR_ARGUMENT);
	test.len = 1;
	term.count = 0;
	CHECK_EQ(program_build(arena, good, 1, &term, 1, &rule), BARN_ERR_ARGUMENT);
	arena_free(arena);
}
