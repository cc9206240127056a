/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack/pack.h"
#include "talk.h"

static struct barn_faults faults;

/* Stages a pack `p` of one file, and commits. */
static enum barn_err
load_pack(struct talk *t, const char *version, const char *module)
{
	const struct manifest facts = { "p", version, "P", "0", { 0, 0 }, { NULL, 0, 0 } };
	const struct pack_source source = { "m.pdlm", bytes_of(module, strlen(module)) };
	struct text archive = { 0 };
	enum barn_err err;

	faults = (struct barn_faults){ 0 };
	CHECK_EQ(pack_write(&facts, &source, 1, bytes_of(NULL, 0), &archive), BARN_OK);
	err = barn_engine_pack(t->engine, "p", archive.s, archive.len, NULL, &faults);
	text_fini(&archive);
	return err ? err : barn_engine_commit(t->engine, &faults);
}

static enum barn_err
load_module(struct talk *t, const char *text)
{
	enum barn_err err;

	faults = (struct barn_faults){ 0 };
	err = barn_engine_module(t->engine, "mine", text, strlen(text), &faults);
	return err ? err : barn_engine_commit(t->engine, &faults);
}

static const char *
title(const struct talk *t, const char *name)
{
	const struct registry *r = t->engine->registry;
	uint16_t number = registry_find(r, name);

	return number ? registry_protocol(r, number)->title : NULL;
}

static struct barn_pack_info
info(struct talk *t)
{
	struct barn_pack_info i = { .name = "" };

	CHECK_EQ(barn_engine_pack_info(t->engine, 0, &i), BARN_OK);
	CHECK_EQ(barn_engine_pack_info(t->engine, 1, &i), BARN_ERR_END);
	CHECK_EQ(barn_engine_pack_info(t->engine, 0, &i), BARN_OK);
	return i;
}

#define FIRST  "protocol a { title \"a1\" } protocol b { title \"b1\" }"
#define SECOND "protocol a { title \"a2\" } protocol c { title \"c2\" }"

TEST(another_version_takes_all_of_the_old_ones_modules_away)
{
	struct talk t = { 0 };

	talk_begin(&t, "protocol z { }");
	CHECK_EQ(load_pack(&t, "1", FIRST), BARN_OK);
	CHECK_STR(title(&t, "b"), "b1");
	CHECK_EQ(load_pack(&t, "2", SECOND), BARN_OK);
	CHECK_STR(title(&t, "a"), "a2");
	CHECK_STR(title(&t, "b"), NULL);
	CHECK_STR(title(&t, "c"), "c2");
	CHECK_STR(info(&t).version, "2");
	CHECK_EQ(info(&t).protocols, 2);
	CHECK_EQ(barn_engine_pack_unload(t.engine, "p"), BARN_OK);
	CHECK_EQ(barn_engine_commit(t.engine, &faults), BARN_OK);
	CHECK_STR(title(&t, "a"), NULL);
	CHECK_STR(title(&t, "c"), NULL);
	CHECK(registry_find(t.engine->registry, "z") != 0);
	CHECK_EQ(barn_engine_pack_unload(t.engine, "p"), BARN_ERR_MISSING);
	talk_fini(&t);
}

TEST(a_users_module_stays_through_newer_packs_and_their_end)
{
	struct talk t = { 0 };

	talk_begin(&t, "protocol z { }");
	CHECK_EQ(load_pack(&t, "1", FIRST), BARN_OK);
	CHECK_EQ(info(&t).replaced, 0);
	CHECK_EQ(load_module(&t, "protocol a { title \"mine\" }"), BARN_OK);
	CHECK_EQ(info(&t).replaced, 1);
	CHECK_EQ(load_pack(&t, "2", SECOND), BARN_OK);
	CHECK_STR(title(&t, "a"), "mine");
	CHECK_EQ(load_pack(&t, "3", SECOND), BARN_OK);
	CHECK_STR(title(&t, "a"), "mine");
	CHECK_EQ(info(&t).replaced, 1);
	CHECK_EQ(barn_engine_pack_unload(t.engine, "p"), BARN_OK);
	CHECK_EQ(barn_engine_commit(t.engine, &faults), BARN_OK);
	CHECK_STR(title(&t, "a"), "mine");
	CHECK_STR(title(&t, "c"), NULL);
	talk_fini(&t);
}

TEST(a_failed_pack_changes_nothing_and_its_vectors_run_each_time)
{
	static const char vector[] =
		"protocol a { rule r over udp { client 0: \"A\" } => sure\n"
		"test \"t\" over udp { client \"%\" } => a }";
	struct talk t = { 0 };
	const struct registry *before;

	talk_begin(&t, "protocol z { }");
	CHECK_EQ(load_pack(&t, "1", FIRST), BARN_OK);
	before = t.engine->registry;
	CHECK_EQ(load_pack(&t, "2", vector), BARN_ERR_TEXT);
	CHECK_STR(faults.fault[0].file, "p/m.pdlm");
	CHECK_EQ(faults.fault[0].line, 2);
	CHECK_EQ(load_pack(&t, "2", "protocol a { nonsense }"), BARN_ERR_TEXT);
	CHECK_EQ(load_pack(&t, "2",
			   "protocol a { expect nobody over tcp { client line /(1)/ "
			   "at server port $1 } }"),
		 BARN_ERR_TEXT);
	barn_engine_rollback(t.engine);
	CHECK(t.engine->registry == before);
	CHECK_STR(info(&t).version, "1");
	CHECK_STR(title(&t, "b"), "b1");
	CHECK_EQ(load_pack(&t, "2", SECOND), BARN_OK);
	talk_fini(&t);
}

TEST(what_is_staged_and_rolled_back_was_never_there)
{
	struct talk t = { 0 };

	talk_begin(&t, "protocol z { }");
	CHECK_EQ(load_pack(&t, "1", FIRST), BARN_OK);
	CHECK_EQ(barn_engine_pack_unload(t.engine, "p"), BARN_OK);
	barn_engine_rollback(t.engine);
	CHECK_EQ(barn_engine_commit(t.engine, &faults), BARN_OK);
	CHECK_STR(info(&t).version, "1");
	CHECK_STR(title(&t, "a"), "a1");
	talk_fini(&t);
}
