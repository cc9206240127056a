/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/notes.h"

#include "unit.h"

static struct bytes
text(const char *s)
{
	return bytes_of(s, strlen(s));
}

static unsigned
count(const struct notes *notes)
{
	uint32_t at = 0;
	uint16_t field;
	struct bytes value;
	unsigned n = 0;

	while (notes_next(notes, &at, &field, &value))
		n++;
	return n;
}

TEST(notes_come_back_in_order)
{
	struct notes_store *store;
	struct notes *notes = NULL;
	uint32_t at = 0;
	uint16_t field;
	struct bytes value;

	CHECK_EQ(notes_store_new(0, &store), BARN_OK);
	notes_add(&notes, store, 7, text("one"));
	notes_add(&notes, store, 8, text(""));
	CHECK(notes_next(notes, &at, &field, &value));
	CHECK_EQ(field, 7);
	CHECK_MEM(value.p, "one", 3);
	CHECK(notes_next(notes, &at, &field, &value));
	CHECK_EQ(field, 8);
	CHECK_EQ(bytes_left(&value), 0);
	CHECK(!notes_next(notes, &at, &field, &value));
	notes_free(&notes, store);
	CHECK(notes == NULL);
	notes_store_free(store);
}

TEST(a_value_that_repeats_is_kept_once)
{
	struct notes_store *store;
	struct notes *notes = NULL;

	CHECK_EQ(notes_store_new(0, &store), BARN_OK);
	notes_add(&notes, store, 7, text("one"));
	notes_add(&notes, store, 7, text("one"));
	notes_add(&notes, store, 8, text("one"));
	notes_add(&notes, store, 7, text("one"));
	CHECK_EQ(count(notes), 3);
	notes_free(&notes, store);
	notes_store_free(store);
}

TEST(a_long_value_is_cut_and_one_flow_has_its_bound)
{
	static char longest[NOTE_MAX + 100];
	struct notes_store *store;
	struct notes *notes = NULL;
	uint32_t at = 0;
	uint16_t field;
	struct bytes value;

	memset(longest, 'x', sizeof(longest));
	CHECK_EQ(notes_store_new(0, &store), BARN_OK);
	for (uint16_t i = 0; i < 10; i++)
		notes_add(&notes, store, i, bytes_of(longest, sizeof(longest)));
	CHECK(notes_next(notes, &at, &field, &value));
	CHECK_EQ(bytes_left(&value), NOTE_MAX);
	CHECK(count(notes) >= 3);
	CHECK(count(notes) * NOTE_MAX <= NOTES_BYTES);
	CHECK_EQ(notes_store_refused(store), 0);
	notes_free(&notes, store);
	notes_store_free(store);
}

TEST(what_finds_no_room_in_the_store_is_counted)
{
	struct notes_store *store;
	struct notes *notes[8] = { 0 };
	unsigned kept = 0;

	CHECK_EQ(notes_store_new(1, &store), BARN_OK);
	for (unsigned i = 0; i < 8; i++) {
		notes_add(&notes[i], store, 7, text("one"));
		kept += notes[i] != NULL;
	}
	CHECK_EQ(kept, 4);
	CHECK_EQ(notes_store_refused(store), 4);
	for (unsigned i = 0; i < 8; i++)
		notes_free(&notes[i], store);
	notes_store_free(store);
}

TEST(notes_at_every_size_survive_growing)
{
	struct notes_store *store;
	struct notes *notes = NULL;
	uint32_t at = 0;
	uint16_t field, want = 0;
	struct bytes value;
	char text_of[16];

	CHECK_EQ(notes_store_new(0, &store), BARN_OK);
	for (uint16_t i = 0; i < 500; i++) {
		snprintf(text_of, sizeof(text_of), "value %u", i);
		notes_add(&notes, store, i, text(text_of));
	}
	while (notes_next(notes, &at, &field, &value)) {
		snprintf(text_of, sizeof(text_of), "value %u", want);
		CHECK_EQ(field, want++);
		CHECK_EQ(bytes_left(&value), strlen(text_of));
		CHECK_MEM(value.p, text_of, bytes_left(&value));
	}
	CHECK_EQ(want, 500);
	notes_free(&notes, store);
	notes_store_free(store);
}
