/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Memory that runs out. The program is linked with --wrap, so that each allocation of the
 * engine's comes by here, and one after the other fails.
 */
#include "match/glob.h"
#include "match/rule.h"
#include "match/suffix.h"
#include "pdl/pdl.h"
#include "unit.h"

#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *old, size_t size);

static long left = -1; /* allocations until one fails; below 0: none fails */

static bool
fails(void)
{
	return left >= 0 && left-- == 0;
}

void *
__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *
__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

static const char module[] =
	"const N = 3\n"
	"protocol a { title \"A\" alias b, c port tcp 1, 2, 3, 4, 5 attribute category email\n"
	"rule r over tcp { client 0: \"abc\" /^abc/ (server: hex 00 ?? or any line /x/ "
	"client 0: u8(N) in (1, 2..3)) } => sure field f: client line /(a)/\n"
	"sub-class s glob f expect a over tcp { server line /(1)/ at server port $1 + 1 }\n"
	"upgrade any { client line /x/ } test \"t\" over tcp { client \"a\" hex 00 } => a }\n";

static enum barn_err
load(struct text *printed)
{
	struct barn_faults faults = { 0 };
	struct pdl_set *set = NULL;
	enum barn_err err = pdl_set_new(NULL, &set);

	if (!err)
		err = pdl_set_add(set, "a.pdlm", module, strlen(module), &faults);
	if (!err)
		err = pdl_set_finish(set, &faults);
	if (!err)
		pdl_print(pdl_set_at(set, 0), printed);
	pdl_set_free(set);
	CHECK_EQ(faults.count, 0);
	return err;
}

/* How many allocations could fail before the call went well. */
static long failures(enum barn_err (*call)(void))
{
	for (long n = 0; n < 10000; n++) {
		enum barn_err err;

		left = n;
		err = call();
		left = -1;
		if (err == BARN_OK)
			return n;
		CHECK_EQ(err, BARN_ERR_MEMORY);
	}
	return -1;
}

static enum barn_err
load_module(void)
{
	struct text printed = { 0 };
	enum barn_err err = load(&printed);

	if (!err && printed.failed)
		err = BARN_ERR_MEMORY;
	text_fini(&printed);
	return err;
}

TEST(module_is_loaded_or_memory_is_said_to_be_out)
{
	CHECK(failures(load_module) > 10);
}

static enum barn_err
fill_suffixes(void)
{
	struct suffix_table *table = NULL;
	enum barn_err err = suffix_new(&table);
	char name[32];

	for (uint16_t i = 1; i < 100 && !err; i++) {
		snprintf(name, sizeof(name), "*.n%u.example", i);
		err = suffix_add(table, name, i);
	}
	suffix_free(table);
	return err;
}

TEST(names_are_added_or_memory_is_said_to_be_out)
{
	CHECK(failures(fill_suffixes) > 3);
}

static enum barn_err
make_glob(void)
{
	struct glob *glob = NULL;
	const char *fault;
	uint32_t offset;
	enum barn_err err = glob_new("*.(a|b)", &glob, &offset, &fault);

	if (!err)
		CHECK(glob_match(glob, bytes_of("x.b", 3)));
	glob_free(glob);
	return err;
}

TEST(glob_is_made_or_memory_is_said_to_be_out)
{
	CHECK(failures(make_glob) >= 1);
}

static struct pdl_set *modules;

static enum barn_err
fill_rules(void)
{
	struct rule_scratch *scratch = NULL;
	struct rule_set *set = NULL;
	enum barn_err err = rule_set_new(&(struct rule_set_options){ .udp = false }, &set);

	for (uint16_t i = 0; i < 200 && !err; i++)
		err = rule_set_add(set, pdl_set_at(modules, 0)->rules[0].rule, i);
	if (!err)
		err = rule_set_compile(set);
	if (!err)
		err = rule_scratch_new(
			&(struct rule_scratch_options){
				.sets = (const struct rule_set *const *)&set, .set_count = 1 },
			&scratch);
	rule_scratch_free(scratch);
	rule_set_free(set);
	return err;
}

TEST(rules_are_added_or_memory_is_said_to_be_out)
{
	struct barn_faults faults = { 0 };

	CHECK_EQ(pdl_set_new(NULL, &modules), BARN_OK);
	CHECK_EQ(pdl_set_add(modules, "a", module, strlen(module), &faults), BARN_OK);
	CHECK(failures(fill_rules) > 4);
	pdl_set_free(modules);
}
