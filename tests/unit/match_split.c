/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Rules made at random, asked after every byte of dialogues made at random: what was once YES
 * or NO stays so, at the end nothing is LATER, the answer does not depend on how a stream was
 * cut, and a set of rules says what each says alone.
 */
#include "config.h"

#include "rule_rig.h"

static uint32_t state;

static uint32_t
chance(uint32_t n)
{
	state = state * 1664525U + 1013904223U;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

static const char *
pick(const char *const *words, size_t count)
{
	return words[chance((uint32_t)count)];
}

#define PICK(...)                                  \
	pick((const char *const[]){ __VA_ARGS__ }, \
	     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(const char *))

static const char *
any_test(void)
{
	return PICK("\"a\"", "\"ab\"", "i\"B\"", "\"b \"", "hex 61 ??", "hex (61|62)",
		    "hex [61-62] 6?", "/^ab/", "/ab/", "/b$/", "/a\\b/", "/^(?!aa)a/",
		    "/a+\\n/", "/^a*b/", "u8(0) == 97", "u16be(0) == 0x6162",
		    "u16le(1) == 0x6162", "u8(1) in 97..98", "u8(0) == u8(2)", "length == 2",
		    "length > 3", "3 >= length", "length in (1, 4)", "length + 0 == u8(0) - 94",
		    "at 1 \"b\"", "at length - 1 \"a\"", "at u8(0) - 96 hex 62", "\"aab\"",
		    "i\"BAA\"", "/aab+ ?a/", "/(bab|aba)/", "/^aab|^baa/",
		    "hex 61 61 62 at 4 \"aa\"", "u8(1) & 3 == 2", "u24be(0) == 0x616162",
		    "at 2 /^(ab|ba)/", "u8(u8(0) - 97) != 98", "u8(5) / (u8(0) - 97) == 1",
		    "length != 5");
}

static void
add(char *out, const char *text)
{
	strncat(out, text, 1500 - strlen(out));
}

static void
term(char *out)
{
	add(out, PICK("client", "server", "any"));
	add(out, PICK(" 0: ", " 0: ", " 0: ", " 1: ", " 3: ", ": ", " line "));
	add(out, any_test());
	while (chance(3) == 0) {
		add(out, PICK(" ", " or "));
		add(out, any_test());
	}
	add(out, " ");
}

static void
clause(char *out, unsigned depth)
{
	unsigned kind = depth < 3 ? chance(5) : 4;

	if (kind == 0) {
		add(out, "not ");
		clause(out, depth + 1);
	} else if (kind == 1) {
		add(out, "(");
		clause(out, depth + 1);
		add(out, PICK("or ", ""));
		clause(out, depth + 1);
		add(out, ") ");
	} else {
		term(out);
	}
}

static struct pdl_set *
random_rule(bool udp, char *body)
{
	struct barn_faults faults;

	for (;;) {
		struct pdl_set *set;

		body[0] = '\0';
		clause(body, 0);
		if (chance(2))
			clause(body, 0);
		set = rig_try(udp ? "udp" : "tcp", body, &faults);
		if (set)
			return set;
		/* Refused for what it says, never for how it is written. */
		CHECK(strstr(faults.fault[0].text, "expected a clause") == NULL);
	}
}

enum { MESSAGES = 4, LONGEST = 6, RULES = 40 };

static void
random_dialogue(struct rig_message messages[MESSAGES], char data[MESSAGES][LONGEST])
{
	for (unsigned i = 0; i < MESSAGES; i++) {
		messages[i] = (struct rig_message){ (enum match_dir)chance(2), data[i],
						    chance(LONGEST) + 1 };
		for (unsigned j = 0; j < LONGEST; j++)
			data[i][j] = "aaabbb \n"[chance(8)];
	}
}

static struct rig_view rig;

static void
check_order(const char *body, enum match_answer before, enum match_answer after)
{
	if (before == after || before == MATCH_LATER)
		return;
	printf("%s: %d, then %d\n  client %.*s\n  server %.*s\n", body, before, after,
	       (int)rig.view.side[0].len, rig.data[0], (int)rig.view.side[1].len, rig.data[1]);
	CHECK_EQ(after, before);
}

/* In pieces of at most `piece` bytes; the answer at the end. */
static enum match_answer
converse(const struct rule *rule, const char *body, const struct rig_message *messages,
	 bool udp, uint32_t piece)
{
	enum match_answer before, after;

	rig_start(&rig, udp);
	before = rule_run(rule, &rig.view, rig_scratch());
	for (unsigned i = 0; i < MESSAGES; i++)
		for (uint32_t at = 0; at < messages[i].len; at += piece) {
			uint32_t left = messages[i].len - at;
			struct rig_message m = { messages[i].dir, messages[i].data + at,
						 left < piece ? left : piece };

			rig_send(&rig, &m);
			after = rule_run(rule, &rig.view, rig_scratch());
			check_order(body, before, after);
			before = after;
		}
	rig_close(&rig);
	after = rule_run(rule, &rig.view, rig_scratch());
	check_order(body, before, after);
	CHECK(after != MATCH_LATER);
	return after;
}

static void
many_rules(bool udp)
{
	char body[2048], data[MESSAGES][LONGEST];
	struct rig_message messages[MESSAGES];
	unsigned held = 0;

	state = udp ? 1 : 2;
	for (unsigned round = 0; round < 600; round++) {
		struct pdl_set *set = random_rule(udp, body);
		struct rule rule = *pdl_set_at(set, 0)->rules[0].rule;

		for (unsigned i = 0; i < 30; i++) {
			enum match_answer whole, bytes;

			random_dialogue(messages, data);
			whole = converse(&rule, body, messages, udp, LONGEST);
			held += whole == MATCH_YES;
			if (udp)
				continue;
			bytes = converse(&rule, body, messages, udp, 1);
			if (bytes != whole)
				printf("%s: whole %d, byte by byte %d\n", body, whole, bytes);
			CHECK_EQ(bytes, whole);
		}
		pdl_set_free(set);
	}
	CHECK(held > 500); /* or the rules are no test of anything */
}

TEST(answers_over_tcp_never_turn_and_do_not_depend_on_cuts)
{
	many_rules(false);
}

TEST(answers_over_udp_never_turn)
{
	many_rules(true);
}

TEST(needs_never_forbid_what_would_hold)
{
	char body[2048], data[MESSAGES][LONGEST];
	struct rig_message messages[MESSAGES];

	state = 3;
	for (unsigned round = 0; round < 1000; round++) {
		bool udp = round % 2;
		struct pdl_set *set = random_rule(udp, body);
		struct rule rule = *pdl_set_at(set, 0)->rules[0].rule, plain = rule;

		plain.need_count = 0;
		for (unsigned i = 0; i < 20; i++) {
			random_dialogue(messages, data);
			CHECK_EQ(converse(&rule, body, messages, udp, LONGEST),
				 converse(&plain, body, messages, udp, LONGEST));
		}
		pdl_set_free(set);
	}
}

struct told {
	uint16_t numbers[RULES];
	unsigned count;
};

static bool
note(void *self, uint16_t number)
{
	struct told *told = self;

	told->numbers[told->count++] = number;
	return true;
}

static unsigned remembered;

static void
compare_all(const struct rule_set *set, struct rule_scratch *scratch,
	    struct rule_memory *memory, const struct rule **rules)
{
	struct told told = { .count = 0 };
	enum match_answer later = MATCH_NO, all;
	unsigned held = 0;

	all = rule_set_run(set, &rig.view, scratch, memory, note, &told);
	remembered += memory && memory->listed;
	for (unsigned i = 0; i < RULES; i++) {
		enum match_answer alone = rule_run(rules[i], &rig.view, rig_scratch());

		if (alone == MATCH_LATER)
			later = MATCH_LATER;
		if (alone != MATCH_YES)
			continue;
		CHECK(held < told.count);
		CHECK_EQ(told.numbers[held++], i + 100);
	}
	CHECK_EQ(told.count, held);
	CHECK_EQ(all, later);
}

/* Answers are those of each rule alone; returns what that took. */
static struct rule_work
many_sets(bool remember, unsigned parts)
{
	struct rule_work work, all = { .asked = 0 };
	char body[2048], data[MESSAGES][LONGEST];
	struct rig_message messages[MESSAGES];

	state = 4;
	for (unsigned round = 0; round < 80; round++) {
		const struct rule *rules[RULES];
		struct pdl_set *sets[RULES];
		bool udp = round % 2;
		struct rule_set_options options = { .udp = udp, .no_scan = round % 4 / 2 };
		struct rule_set *set = NULL;
		struct rule_scratch *scratch = NULL;

		CHECK_EQ(rule_set_new(&options, &set), BARN_OK);
		for (unsigned i = 0; i < RULES; i++) {
			sets[i] = random_rule(udp, body);
			rules[i] = pdl_set_at(sets[i], 0)->rules[0].rule;
			CHECK_EQ(rule_set_add(set, rules[i], (uint16_t)(i + 100)), BARN_OK);
		}
		CHECK_EQ(rule_set_compile(set), BARN_OK);
		CHECK_EQ(rule_scratch_new(
				 &(struct rule_scratch_options){
					 .sets = (const struct rule_set *const *)&set,
					 .set_count = 1 },
				 &scratch),
			 BARN_OK);
		for (unsigned i = 0; i < 30; i++) {
			struct rule_memory memory = { .listed = false };
			struct rule_memory *kept = remember ? &memory : NULL;

			rig_start(&rig, udp);
			compare_all(set, scratch, kept, rules);
			for (unsigned j = 0; j < parts * MESSAGES; j++) {
				if (j % MESSAGES == 0)
					random_dialogue(messages, data);
				rig_send(&rig, &messages[j % MESSAGES]);
				compare_all(set, scratch, kept, rules);
			}
			rig_close(&rig);
			compare_all(set, scratch, kept, rules);
		}
		work = rule_scratch_work(scratch);
		all.asked += work.asked;
		all.run += work.run;
		all.scans += work.scans;
		CHECK(work.scans == 0 || !options.no_scan);
		rule_scratch_free(scratch);
		rule_set_free(set);
		for (unsigned i = 0; i < RULES; i++)
			pdl_set_free(sets[i]);
	}
	return all;
}

TEST(set_says_what_each_rule_says_alone_and_runs_fewer)
{
	struct rule_work all = many_sets(false, 1);

	CHECK(all.run < all.asked * RULES * 2 / 3);
#ifdef HAVE_HYPERSCAN
	CHECK(all.scans > 100); /* or nothing was tested with them */
#endif
}

TEST(set_that_remembers_says_the_same)
{
	for (unsigned parts = 1; parts < 8; parts += 2)
		many_sets(true, parts);
	CHECK(remembered > 1000); /* or nothing was tested */
}
