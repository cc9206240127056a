/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* How far each term of a rule came, and what was there. */
#include "match/explain.h"
#include "pdl/why.h"
#include "rule_rig.h"

static struct rig_view rig;
static struct explain_term told[PROGRAM_TESTS];

/* What is told of the first term of a rule, in words. */
static void
tell(const char *over, const char *body, const char *client, const char *server,
     const char *want)
{
	const struct rule *rule;
	struct pdl_set *set = rig_rule(over, body, &rule);
	struct rig_message c = { 0, client, (uint32_t)strlen(client) };
	struct rig_message s = { 1, server, (uint32_t)strlen(server) };
	struct text text = { 0 };

	rig_start(&rig, strcmp(over, "udp") == 0);
	if (c.len)
		rig_send(&rig, &c);
	if (s.len)
		rig_send(&rig, &s);
	CHECK_EQ(explain_rule(rule, &rig.view, rig_scratch(), told),
		 rule_run(rule, &rig.view, rig_scratch()));
	for (unsigned i = 0; i < rule->term_count; i++)
		CHECK_EQ(told[i].answer, term_run(&rule->terms[i], &rig.view, rig_scratch()));
	why_answer(&text, &rule->terms[0], &told[0], rig.view.udp);
	CHECK_STR(text_str(&text), want);
	text_fini(&text);
	pdl_set_free(set);
}

TEST(text_tells_how_much_of_it_was_right)
{
	tell("tcp", "client 0: \"abc\" \"def\"", "abcdxf", "",
	     "no: client's offset 3: \"def\" holds for 1 of 3 bytes, but there is \"dxf\"");
	CHECK_EQ(told[0].test, 1);
	CHECK_EQ(told[0].offset, 3);
	CHECK_EQ(told[0].matched, 1);
	CHECK_EQ(bytes_left(&told[0].there), 3);
	tell("tcp", "client 2: hex 01", "abc", "",
	     "no: client's offset 2: hex 01, but there is \"c\"");
}

TEST(what_is_not_there_yet_is_later)
{
	tell("tcp", "client 0: \"abc\"", "ab", "",
	     "later: client's offset 0: \"abc\" holds for 2 of 3 bytes, but there is \"ab\"");
	tell("tcp", "server 4: \"abc\"", "ab", "",
	     "later: there is no such place in the stream");
	tell("udp", "server 1: \"abc\"", "ab", "", "later: there is no such datagram");
	tell("tcp", "client 0: length == 4", "ab", "",
	     "later: client's offset 0: length == 4, but it may still grow: 2");
}

TEST(comparison_tells_its_values)
{
	tell("udp", "client: u8(0) == 0x62 or length == u8(1)", "ab", "",
	     "later: client's datagram 0, offset 0: u8(0) == 98, but it is 97");
	tell("udp", "client: \"a\" length == u8(1)", "ab", "",
	     "later: client's datagram 0, offset 1: length == u8(1), but they are 2 and 98");
	tell("udp", "client: u8(9) in 3..4", "ab", "",
	     "later: client's datagram 0, offset 0: u8(9) in 3..4, of which a part is not "
	     "there");
}

TEST(best_window_is_told)
{
	tell("udp", "any line /^ab/ \"abc\"", "x\r\nabx\r\n", "y",
	     "later: client's datagram 0, line 2, offset 0: \"abc\" holds for 2 of 3 bytes, "
	     "but "
	     "there is \"abx\"");
	tell("udp", "any 0: \"ab\" \"c\"", "xxx", "abd",
	     "no: server's datagram 0, offset 2: \"c\", but there is \"d\"");
	CHECK_EQ(told[0].dir, MATCH_SERVER);
	tell("tcp", "client: \"bc\" \"d\"", "abcxbce", "",
	     "later: client's offset 3: \"d\", but there is \"xbce\"");
}

TEST(what_holds_is_told_too)
{
	tell("tcp", "client 0: \"ab\"", "abc", "", "yes: client's offset 2: all of it holds");
}
