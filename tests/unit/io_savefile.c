/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/pcapfile.h"
#include "io/savefile.h"
#include "unit.h"
#include <errno.h>
#include <unistd.h>

#define PATH "io_savefile.tmp"

static const uint8_t data[] = { 1, 2, 3, 4, 5 };

static struct io_frame
frame_at(uint64_t time_ns, uint16_t linktype)
{
	return (struct io_frame){ bytes_of(data, 5), 1500, time_ns, linktype };
}

TEST(what_was_written_is_read_again_to_the_nanosecond)
{
	struct io_frame frame = frame_at(1700000000123456789, 276);
	struct savefile *out;
	struct pcapfile *in;

	CHECK_EQ(savefile_open(PATH, &out), BARN_OK);
	CHECK_EQ(savefile_write(out, &frame), BARN_OK);
	CHECK_EQ(savefile_close(out), BARN_OK);
	CHECK_EQ(pcapfile_open(PATH, &in, NULL), BARN_OK);
	CHECK_EQ(pcapfile_next(in, &frame), BARN_OK);
	CHECK_EQ(frame.time_ns, 1700000000123456789);
	CHECK_EQ(frame.linktype, 276);
	CHECK_EQ(frame.length, 1500);
	CHECK_EQ(bytes_left(&frame.data), 5);
	CHECK_MEM(frame.data.p, data, 5);
	CHECK_EQ(pcapfile_next(in, &frame), BARN_ERR_END);
	pcapfile_close(in);
	unlink(PATH);
}

TEST(a_capture_without_frames_is_a_capture)
{
	struct savefile *out;
	struct pcapfile *in;
	struct io_frame frame;

	CHECK_EQ(savefile_open(PATH, &out), BARN_OK);
	CHECK_EQ(savefile_close(out), BARN_OK);
	CHECK_EQ(pcapfile_open(PATH, &in, NULL), BARN_OK);
	CHECK_EQ(pcapfile_next(in, &frame), BARN_ERR_END);
	pcapfile_close(in);
	unlink(PATH);
}

TEST(another_link_type_is_refused)
{
	struct io_frame one = frame_at(1, 1), other = frame_at(2, 101);
	struct savefile *out;

	CHECK_EQ(savefile_open(PATH, &out), BARN_OK);
	CHECK_EQ(savefile_write(out, &one), BARN_OK);
	CHECK_EQ(savefile_write(out, &other), BARN_ERR_ARGUMENT);
	CHECK_EQ(savefile_close(out), BARN_OK);
	unlink(PATH);
}

TEST(a_full_disk_is_told_at_the_end)
{
	struct io_frame frame = frame_at(1, 1);
	struct savefile *out;

	CHECK_EQ(savefile_open("/dev/full", &out), BARN_OK);
	savefile_write(out, &frame);
	CHECK_EQ(savefile_close(out), BARN_ERR_SYSTEM);
	CHECK_EQ(errno, ENOSPC);
}

TEST(a_folder_cannot_be_written)
{
	struct savefile *out;

	CHECK_EQ(savefile_open(".", &out), BARN_ERR_SYSTEM);
	CHECK_EQ(errno, EISDIR);
}
