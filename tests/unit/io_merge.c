/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/merge.h"
#include "io_rig.h"
#include "unit.h"

struct log {
	unsigned faults, file;
	uint64_t frames;
};

static void
note(void *self, unsigned file, const struct source_fault *fault, uint64_t frames)
{
	struct log *log = self;

	CHECK(fault->text[0]);
	log->faults++;
	log->file = file;
	log->frames = frames;
}

/* A file with frames at these seconds, up to a 0; its name. */
static char *
file(const uint32_t *seconds, size_t cut, const char *name)
{
	static struct rig r;

	r = (struct rig){ 0 };
	rig_pcap(&r, 0xa1b2c3d4, 1);
	while (*seconds)
		rig_pcap_frame(&r, *seconds++, 0, 4, 4);
	return strdup(rig_file(&r, r.len - cut, name));
}

static void
drop(char **paths, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		unlink(paths[i]);
		free(paths[i]);
	}
}

TEST(frames_come_in_the_order_of_time_and_then_of_files)
{
	char *paths[] = {
		file((uint32_t[]){ 2, 4, 9, 0 }, 0, "merge0"),
		file((uint32_t[]){ 1, 4, 5, 0 }, 0, "merge1"),
		file((uint32_t[]){ 0 }, 0, "merge2"),
		file((uint32_t[]){ 4, 8, 0 }, 0, "merge3"),
	};
	const struct {
		unsigned time, file;
	} want[] = { { 1, 1 }, { 2, 0 }, { 4, 0 }, { 4, 1 },
		     { 4, 3 }, { 5, 1 }, { 8, 3 }, { 9, 0 } };
	struct log log = { 0 };
	struct merge_options options = { (const char *const *)paths, 4, note, &log };
	struct merge *merge;
	struct io_frame frame;
	unsigned from;

	CHECK_EQ(merge_new(&options, &merge), BARN_OK);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		CHECK_EQ(merge_next(merge, &frame, &from), BARN_OK);
		CHECK_EQ(frame.time_ns, want[i].time * UINT64_C(1000000000));
		CHECK_EQ(from, want[i].file);
		CHECK_EQ(bytes_left(&frame.data), 4);
		CHECK_EQ(frame.data.p[3], 4);
	}
	CHECK_EQ(merge_next(merge, &frame, &from), BARN_ERR_END);
	CHECK_EQ(merge_next(merge, &frame, &from), BARN_ERR_END);
	CHECK_EQ(log.faults, 0);
	merge_free(merge);
	drop(paths, 4);
}

TEST(a_file_that_goes_back_in_time_keeps_its_own_order)
{
	char *paths[] = {
		file((uint32_t[]){ 5, 1, 6, 0 }, 0, "back0"),
		file((uint32_t[]){ 4, 7, 0 }, 0, "back1"),
	};
	const unsigned want[] = { 4, 5, 1, 6, 7 };
	struct log log = { 0 };
	struct merge_options options = { (const char *const *)paths, 2, note, &log };
	struct merge *merge;
	struct io_frame frame;
	unsigned from;

	CHECK_EQ(merge_new(&options, &merge), BARN_OK);
	for (size_t i = 0; i < 5; i++) {
		CHECK_EQ(merge_next(merge, &frame, &from), BARN_OK);
		CHECK_EQ(frame.time_ns, want[i] * UINT64_C(1000000000));
	}
	merge_free(merge);
	drop(paths, 2);
}

TEST(a_damaged_file_is_told_once_and_the_others_go_on)
{
	char *paths[] = {
		file((uint32_t[]){ 1, 3, 5, 0 }, 2, "cut0"),
		file((uint32_t[]){ 2, 4, 6, 0 }, 0, "cut1"),
	};
	struct log log = { 0 };
	struct merge_options options = { (const char *const *)paths, 2, note, &log };
	struct merge *merge;
	struct io_frame frame;
	unsigned from, frames = 0;
	uint64_t read, size;

	CHECK_EQ(merge_new(&options, &merge), BARN_OK);
	while (merge_next(merge, &frame, &from) == BARN_OK)
		frames++;
	CHECK_EQ(frames, 5);
	CHECK_EQ(log.faults, 1);
	CHECK_EQ(log.file, 0);
	CHECK_EQ(log.frames, 2);
	merge_progress(merge, &read, &size);
	CHECK_EQ(read, size);
	merge_free(merge);
	drop(paths, 2);
}

TEST(no_file_that_can_be_read_is_an_end)
{
	const char *paths[] = { "no such file", "." };
	struct log log = { 0 };
	struct merge_options options = { paths, 2, note, &log };
	struct merge *merge;
	struct io_frame frame;
	unsigned from;

	CHECK_EQ(merge_new(&options, &merge), BARN_OK);
	CHECK_EQ(log.faults, 2);
	CHECK_EQ(merge_next(merge, &frame, &from), BARN_ERR_END);
	merge_free(merge);
}
