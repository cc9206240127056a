/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What has changed in modules, told and applied. */
#include "daemon/bundle.h"
#include "unit.h"

static const char first[] =
	"protocol alpha { rule a over tcp { client 0: \"ALPHA\" } => sure }\n"
	"protocol beta { rule a over tcp { client 0: \"BETA\" } => sure }\n";
static const char second[] =
	"protocol beta { rule a over tcp { client 0: \"BETTER\" } => sure }\n"
	"protocol gamma { rule a over tcp { client 0: \"GAMMA\" } => sure }\n";

static struct barn_engine *
engine_of(const char *text)
{
	const struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	struct barn_faults faults = { 0 };
	struct barn_engine *engine;

	CHECK_EQ(barn_engine_new(&options, &engine), BARN_OK);
	CHECK_EQ(barn_engine_module(engine, "test.pdlm", text, strlen(text), &faults), BARN_OK);
	CHECK_EQ(barn_engine_commit(engine, &faults), BARN_OK);
	return engine;
}

static const char *
kinds(const struct text *bundle)
{
	struct bytes b = bytes_of(bundle->s, bundle->len);
	static char words[256];
	struct bundle_item item;
	size_t n = 0;

	words[0] = '\0';
	while (bundle_next(&b, &item) && n < sizeof(words) - 40)
		n += (size_t)snprintf(words + n, sizeof(words) - n, "%c ", item.kind);
	return words;
}

TEST(only_what_differs_is_in_it)
{
	struct barn_engine *from = engine_of(first), *to = engine_of(second);
	struct text bundle = { 0 };

	bundle_modules(&bundle, from->modules, to->modules);
	CHECK_STR(kinds(&bundle), "m m u ");
	text_clear(&bundle);
	bundle_modules(&bundle, from->modules, from->modules);
	CHECK_EQ(bundle.len, 0);
	text_fini(&bundle);
	barn_engine_free(from);
	barn_engine_free(to);
}

TEST(it_makes_one_set_of_modules_of_the_other)
{
	struct barn_engine *from = engine_of(first), *to = engine_of(second);
	struct text bundle = { 0 };
	struct barn_faults faults = { 0 };

	bundle_modules(&bundle, from->modules, to->modules);
	bundle_add(&bundle, BUNDLE_CONF, "barn.conf", "end\n", 4);
	CHECK_EQ(bundle_apply(bytes_of(bundle.s, bundle.len), from, &faults), BARN_OK);
	CHECK_EQ(registry_find(from->registry, "alpha"), 0);
	CHECK(registry_find(from->registry, "gamma") != 0);
	text_clear(&bundle);
	bundle_modules(&bundle, from->modules, to->modules);
	CHECK_EQ(bundle.len, 0);
	text_fini(&bundle);
	barn_engine_free(from);
	barn_engine_free(to);
}

TEST(a_fault_changes_nothing)
{
	struct barn_engine *engine = engine_of(first);
	struct text bundle = { 0 };
	struct barn_faults faults = { 0 };

	bundle_add(&bundle, BUNDLE_UNLOAD, "alpha", "", 0);
	bundle_add(&bundle, BUNDLE_MODULE, "bad.pdlm", "protocol {", 10);
	CHECK_EQ(bundle_apply(bytes_of(bundle.s, bundle.len), engine, &faults), BARN_ERR_TEXT);
	CHECK(faults.count > 0);
	CHECK(registry_find(engine->registry, "alpha") != 0);
	text_fini(&bundle);
	barn_engine_free(engine);
}

TEST(a_damaged_one_is_refused)
{
	struct barn_engine *engine = engine_of(first);
	struct text bundle = { 0 };
	struct barn_faults faults = { 0 };

	bundle_add(&bundle, BUNDLE_UNLOAD, "alpha", "", 0);
	for (size_t cut = 1; cut < bundle.len; cut++)
		CHECK(bundle_apply(bytes_of(bundle.s, cut), engine, &faults) != BARN_OK);
	CHECK(registry_find(engine->registry, "alpha") != 0);
	text_fini(&bundle);
	barn_engine_free(engine);
}
