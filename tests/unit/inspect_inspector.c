/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/inspector.h"
#include "unit.h"

TEST(every_inspector_is_complete)
{
	CHECK(inspectors_count > 0);
	for (size_t i = 0; i < inspectors_count; i++) {
		const struct inspector *it = inspectors[i];

		CHECK_EQ(it->abi, INSPECTOR_ABI);
		CHECK_EQ(it->size, sizeof(struct inspector));
		CHECK(it->name && it->name[0] && it->feed);
		CHECK(it->transports <= (INSPECT_TCP | INSPECT_UDP));
		CHECK(it->state_size > 0 && it->state_size <= 8192);
		CHECK(it->clear_size <= it->state_size && it->clear_size <= 1024);
		CHECK(it->clear_size > 0 || it->state_size <= 1024);
	}
}

TEST(every_inspector_is_found_by_its_name_and_no_name_is_taken_twice)
{
	for (size_t i = 0; i < inspectors_count; i++)
		CHECK(inspector_find(inspectors[i]->name) == inspectors[i]);
	CHECK(!inspector_find("no-such"));
	CHECK(!inspector_find(""));
}

TEST(fields_have_names_that_are_not_taken_twice)
{
	for (size_t i = 0; i < inspectors_count; i++) {
		const struct inspector *it = inspectors[i];

		for (unsigned a = 0; a < it->field_count; a++) {
			CHECK(it->fields[a].name && it->fields[a].name[0]);
			CHECK(it->fields[a].kind <= INSPECT_SERVER_NAME);
			for (unsigned b = 0; b < a; b++)
				CHECK(strcmp(it->fields[a].name, it->fields[b].name) != 0);
		}
	}
}

TEST(an_inspector_that_has_seen_nothing_says_nothing)
{
	const struct inspect_sink none = { 0 };

	for (size_t i = 0; i < inspectors_count; i++) {
		uint64_t state[1024] = { 0 };
		struct inspect_view view = { .data = bytes_of("", 0),
					     .transport = INSPECT_TCP };

		if (inspectors[i]->transports & INSPECT_TCP)
			CHECK_EQ(inspectors[i]->feed(state, &view, &none), INSPECT_MORE);
	}
}
