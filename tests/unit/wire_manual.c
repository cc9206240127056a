/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* barn(1) lists what wire knows, and nothing else. */
#include "unit.h"
#include "wire/opaque.h"
#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 256, TEXT = 64 };

/* What stands behind `.It` in one subsection of the manual. */
static unsigned
read_items(const char *section, char items[ITEMS][TEXT])
{
	const char *top = getenv("srcdir") ? getenv("srcdir") : ".";
	char path[512], line[512];
	bool inside = false;
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/engine/cli/barn.1", top);
	f = fopen(path, "r");
	CHECK(f != NULL);
	while (f && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, ".Sh ", 4) == 0 || strncmp(line, ".Ss ", 4) == 0)
			inside = strcmp(line + 4, section) == 0;
		else if (inside && strncmp(line, ".It ", 4) == 0 && n < ITEMS)
			snprintf(items[n++], TEXT, "%.60s", line + 4);
	}
	if (f)
		fclose(f);
	return n;
}

TEST(link_types_are_those_of_the_table)
{
	static char items[ITEMS][TEXT];
	unsigned count = read_items("Link types", items), known = 0;

	CHECK(count > 50);
	for (unsigned i = 0; i < count; i++)
		CHECK(wire_knows((uint16_t)atoi(items[i])));
	for (unsigned i = 1; i < count; i++)
		CHECK(atoi(items[i - 1]) < atoi(items[i]));
	for (unsigned n = 0; n <= UINT16_MAX; n++)
		known += wire_knows((uint16_t)n);
	CHECK_EQ(known, count);
}

TEST(encapsulations_are_those_of_the_table)
{
	static char items[ITEMS][TEXT];
	unsigned count = read_items("Encapsulations", items), n = 0;

	for (; opaque_word(n); n++) {
		char item[TEXT];

		CHECK(n < count);
		snprintf(item, sizeof(item), "Li %s", opaque_word(n));
		CHECK_STR(items[n], item);
	}
	CHECK_EQ(count, n + 1);
	CHECK_STR(items[n], "Li all");
}
