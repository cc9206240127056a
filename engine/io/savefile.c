/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/savefile.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { ETHERNET = 1, SNAPLEN = 262144 };

/* In the byte order of the machine, which the magic number tells. */
struct file_header {
	uint32_t magic;
	uint16_t major, minor;
	uint32_t zone, accuracy, snaplen, linktype;
};

struct frame_header {
	uint32_t seconds, nanoseconds, captured, length;
};

struct savefile {
	FILE *stream;
	bool begun;
	uint16_t linktype;
	int failed; /* errno of the first write that failed */
};

enum barn_err
savefile_open(const char *path, struct savefile **file)
{
	struct savefile *f = calloc(1, sizeof(*f));

	if (!f)
		return BARN_ERR_MEMORY;
	f->stream = strcmp(path, "-") == 0 ? stdout : fopen(path, "wbe");
	if (!f->stream) {
		free(f);
		return BARN_ERR_SYSTEM;
	}
	*file = f;
	return BARN_OK;
}

static void
put(struct savefile *f, const void *data, size_t n)
{
	if (n && fwrite(data, 1, n, f->stream) != n && !f->failed)
		f->failed = errno ? errno : EIO;
}

static void
begin(struct savefile *f, uint16_t linktype)
{
	struct file_header header = {
		.magic = 0xa1b23c4d,
		.major = 2,
		.minor = 4,
		.snaplen = SNAPLEN,
		.linktype = linktype,
	};

	f->begun = true;
	f->linktype = linktype;
	put(f, &header, sizeof(header));
}

enum barn_err
savefile_write(struct savefile *f, const struct io_frame *frame)
{
	struct frame_header header = {
		.seconds = (uint32_t)(frame->time_ns / 1000000000),
		.nanoseconds = (uint32_t)(frame->time_ns % 1000000000),
		.captured = (uint32_t)bytes_left(&frame->data),
		.length = frame->length,
	};

	if (!f->begun)
		begin(f, frame->linktype);
	if (frame->linktype != f->linktype)
		return BARN_ERR_ARGUMENT;
	put(f, &header, sizeof(header));
	put(f, frame->data.p, header.captured);
	return BARN_OK;
}

enum barn_err
savefile_close(struct savefile *f)
{
	int failed;

	if (!f->begun)
		begin(f, ETHERNET);
	if ((f->stream == stdout ? fflush(stdout) : fclose(f->stream)) != 0 && !f->failed)
		f->failed = errno;
	failed = f->failed;
	free(f);
	errno = failed;
	return failed ? BARN_ERR_SYSTEM : BARN_OK;
}
