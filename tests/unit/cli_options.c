/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "unit.h"

TEST(commands_have_names_of_their_own_and_a_summary)
{
	for (size_t i = 0; commands[i]; i++) {
		CHECK(commands[i]->run);
		CHECK(commands[i]->summary[0]);
		CHECK(commands[i]->arguments);
		CHECK(commands_find(commands[i]->name) == commands[i]);
	}
	CHECK(commands_find("nothing") == NULL);
}

TEST(options_are_unique_and_few_enough)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct option_row *rows = commands[i]->options;
		unsigned count = 0;

		for (const struct option_row *a = rows; a && a->name; a++, count++) {
			CHECK(a->help && a->help[0]);
			CHECK(strcmp(a->name, "help") != 0 && a->letter != 'h');
			/* A letter's value cannot be left out: getopt would want -x VALUE too.
			 */
			CHECK(!a->letter || !a->value || a->value[0] != '[');
			for (const struct option_row *b = a + 1; b->name; b++) {
				CHECK(strcmp(a->name, b->name) != 0);
				CHECK(!a->letter || a->letter != b->letter);
			}
		}
		CHECK(count <= OPTIONS_MAX);
	}
}
