/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack/manifest.h"

#include "unit.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HEAD "barn-pack 1\nname \"a\"\nversion \"1.2\"\npublisher \"P\"\nengine \"0.1\"\n"

static struct barn_faults faults;

static enum barn_err
parse(const char *text, struct text *printed)
{
	struct manifest manifest;
	struct arena *arena;
	enum barn_err err;

	faults = (struct barn_faults){ 0 };
	CHECK_EQ(arena_new(0, &arena), BARN_OK);
	err = manifest_parse(&manifest, arena, "M", bytes_of(text, strlen(text)), &faults);
	if (!err && printed)
		manifest_print(&manifest, printed);
	arena_free(arena);
	return err;
}

TEST(a_manifest_prints_to_itself)
{
	struct text printed = { 0 };
	const char *text = HEAD "module \"a.pdlm\" sha256 \"" HASH "\"\n"
				"module \"b.pdlm\" sha256 \"" HASH "\"\n";

	CHECK_EQ(parse(text, &printed), BARN_OK);
	CHECK_STR(text_str(&printed), text);
	text_fini(&printed);
}

TEST(each_fault_has_its_place_and_what_was_expected)
{
	static const struct {
		const char *text;
		unsigned line, column;
		const char *fault;
	} wrong[] = {
		{ "", 1, 1, "the text ends: expected 'barn-pack'" },
		{ "barn-pack 2\n", 1, 11, "'2': expected 1, the version of this form" },
		{ "barn-pack 1\nnam \"a\"", 2, 1,
		  "'nam': expected name, version, publisher, engine or module" },
		{ "barn-pack 1\nname a", 2, 6,
		  "'a': expected a name of small letters, digits and '-', in quotes" },
		{ "barn-pack 1\nname \"a\"\nname \"b\"", 3, 6, "a second name" },
		{ "barn-pack 1\nname \"a\\0b\"", 2, 6, NULL },
		{ "barn-pack 1\nversion \"1.\"", 2, 9, NULL },
		{ "barn-pack 1\nversion \"1.2.3.4.5\"", 2, 9, NULL },
		{ "barn-pack 1\nversion \"1234567890\"", 2, 9, NULL },
		{ "barn-pack 1\npublisher \"\"", 2, 11, NULL },
		{ "barn-pack 1\npublisher \"a\\nb\"", 2, 11, NULL },
		{ HEAD, 6, 1, "the text ends: expected a module" },
		{ "barn-pack 1\nmodule \"../a.pdlm\"", 2, 8, NULL },
		{ "barn-pack 1\nmodule \".pdlm\"", 2, 8, NULL },
		{ "barn-pack 1\nmodule \"a.txt\"", 2, 8, NULL },
		{ "barn-pack 1\nmodule \"a.pdlm\" md5", 2, 17, "'md5': expected 'sha256'" },
		{ "barn-pack 1\nmodule \"a.pdlm\" sha256 \"0G\"", 2, 24, NULL },
		{ HEAD "module \"b.pdlm\" sha256 \"" HASH "\"\nmodule \"a.pdlm\"", 7, 8,
		  "\"a.pdlm\": expected modules in the order of their names, each once" },
		{ HEAD "module \"b.pdlm\" sha256 \"" HASH "\"\nmodule \"b.pdlm\"", 7, 8, NULL },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		CHECK_EQ(parse(wrong[i].text, NULL), BARN_ERR_TEXT);
		CHECK_EQ(faults.count, 1);
		CHECK_EQ(faults.fault[0].line, wrong[i].line);
		CHECK_EQ(faults.fault[0].column, wrong[i].column);
		if (wrong[i].fault)
			CHECK_STR(faults.fault[0].text, wrong[i].fault);
	}
}

TEST(versions_compare_by_numbers_and_missing_ones_are_0)
{
	CHECK_EQ(manifest_compare("1.2", "1.2.0"), 0);
	CHECK_EQ(manifest_compare("1.10", "1.9"), 1);
	CHECK_EQ(manifest_compare("1.9", "1.10"), -1);
	CHECK_EQ(manifest_compare("2", "10"), -1);
	CHECK_EQ(manifest_compare("0.1.0", "0.0.9"), 1);
	CHECK_EQ(manifest_compare("1.0.0.1", "1"), 1);
}
