/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "talk.h"

#include <stdlib.h>

static const char modules[] =
	"protocol alpha { title \"First\" index 7 rule hello over udp { client 0: \"ALPHA\" } "
	"=> "
	"sure }\n"
	"protocol beta { rule hello over udp { client 0: \"BETA\" } => sure }\n";

static struct barn_faults faults;

static enum barn_err
load(struct talk *t, const char *text)
{
	enum barn_err err;

	faults = (struct barn_faults){ 0 };
	err = barn_engine_module(t->engine, "more.pdlm", text, strlen(text), &faults);
	return err ? err : barn_engine_commit(t->engine, &faults);
}

static enum barn_err
unload(struct talk *t, const char *name)
{
	enum barn_err err = barn_engine_unload(t->engine, name);

	faults = (struct barn_faults){ 0 };
	return err ? err : barn_engine_commit(t->engine, &faults);
}

TEST(a_flow_keeps_its_name_and_counters_when_its_module_is_gone)
{
	struct talk t = { 0 };
	uint16_t number;

	talk_begin(&t, modules);
	number = registry_find(t.engine->registry, "alpha");
	talk_udp(&t, 40000, 9000);
	talk_client(&t, "ALPHA");
	CHECK_EQ(unload(&t, "alpha"), BARN_OK);
	CHECK_EQ(registry_find(t.engine->registry, "alpha"), 0);
	CHECK_EQ(registry_recall(t.engine->registry, "alpha"), number);
	CHECK_STR(registry_protocol(t.engine->registry, number)->title, "First");
	CHECK_EQ(registry_protocol(t.engine->registry, number)->index, 7);
	talk_client(&t, "more");
	talk_udp(&t, 40001, 9000);
	talk_client(&t, "ALPHA");
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "alpha");
	CHECK_EQ(t.flow[0].packets[0], 2);
	CHECK_STR(t.flow[1].protocol, "unknown");
	CHECK_EQ(barn_engine_collect(t.engine), 1);
	talk_fini(&t);
}

TEST(a_flow_under_inspection_is_decided_by_the_set_it_began_with)
{
	struct talk t = { 0 };

	talk_begin(&t,
		   "protocol slow { rule two over udp { client 0: \"ONE\" client 1: \"TWO\" } "
		   "=> sure }\n");
	talk_udp(&t, 40000, 9000);
	talk_client(&t, "ONE");
	CHECK_EQ(load(&t, "protocol other { rule one over udp { client 0: \"ONE\" } => sure }"),
		 BARN_OK);
	CHECK_EQ(unload(&t, "slow"), BARN_OK);
	talk_udp(&t, 40001, 9000);
	talk_client(&t, "ONE");
	CHECK_EQ(barn_engine_collect(t.engine), 2);
	talk_udp(&t, 40000, 9000);
	talk_client(&t, "TWO");
	CHECK_EQ(barn_engine_collect(t.engine), 1);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "slow");
	CHECK_STR(t.flow[1].protocol, "other");
	talk_fini(&t);
}

TEST(a_failed_load_changes_nothing_and_says_why)
{
	struct talk t = { 0 };
	const struct registry *before;

	talk_begin(&t, modules);
	before = t.engine->registry;
	CHECK_EQ(load(&t,
		      "protocol gamma { rule a over udp { client 0: \"G\" } => sure test \"g\" "
		      "over udp { client \"X\" } => gamma }"),
		 BARN_ERR_TEXT);
	CHECK_STR(faults.fault[0].text,
		  "test \"g\" of gamma: taken for unknown, expected gamma");
	CHECK_EQ(load(&t, "protocol gamma { index 7 }"), BARN_ERR_TEXT);
	CHECK_EQ(unload(&t, "gamma"), BARN_ERR_MISSING);
	CHECK(t.engine->registry == before);
	CHECK_EQ(registry_recall(t.engine->registry, "gamma"), 0);
	talk_fini(&t);
}

TEST(what_others_refer_to_cannot_be_unloaded)
{
	struct talk t = { 0 };

	talk_begin(&t,
		   "protocol data { } protocol control { expect data over tcp { client line "
		   "/^GO ([0-9]+)/ at server port $1 } }");
	CHECK_EQ(unload(&t, "data"), BARN_ERR_TEXT);
	CHECK_STR(faults.fault[0].text,
		  "'data' cannot be unloaded: protocol 'control' refers to it");
	CHECK_EQ(unload(&t, "control"), BARN_OK);
	CHECK_EQ(unload(&t, "data"), BARN_OK);
	talk_fini(&t);
}

TEST(an_index_that_was_given_stays)
{
	struct talk t = { 0 };
	uint16_t index;
	char *text;

	talk_begin(&t, modules);
	index = registry_protocol(t.engine->registry, registry_find(t.engine->registry, "beta"))
			->index;
	CHECK_EQ(index, 1024);
	CHECK_EQ(unload(&t, "beta"), BARN_OK);
	CHECK_EQ(load(&t, "protocol aaa { }"), BARN_OK);
	CHECK_EQ(load(&t, "protocol beta { }"), BARN_OK);
	CHECK_EQ(
		registry_protocol(t.engine->registry, registry_find(t.engine->registry, "beta"))
			->index,
		1024);
	CHECK_EQ(barn_engine_indexes_write(t.engine, &text), BARN_OK);
	CHECK_STR(text, "barn-indexes 1\naaa 1023\nbeta 1024\n");
	free(text);
	talk_fini(&t);
}
