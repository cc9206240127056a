/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/savefile.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
	char *target, *temporary; /* NULL: the file itself is written */
	bool begun;
	uint16_t linktype;
	int failed; /* errno of the first write that failed */
};

/*
 * The file that the path means, through links, where it can be replaced as a whole; the caller
 * owns the memory. NULL: a device, a pipe, a link to nothing, or what may not be written.
 */
static char *
replaceable(const char *path, mode_t *mode)
{
	struct stat st;
	char *target;

	if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
		return NULL;
	target = realpath(path, NULL);
	if (!target)
		return lstat(path, &st) == 0 ? NULL : strdup(path);
	if (stat(target, &st) == 0 && S_ISREG(st.st_mode) && access(target, W_OK) == 0) {
		*mode = st.st_mode & 0777;
		return target;
	}
	free(target);
	return NULL;
}

/* A new file beside the target; false: there can be none. */
static bool
open_temporary(struct savefile *f, const char *path)
{
	mode_t mode = 0;
	int fd;

	f->target = replaceable(path, &mode);
	if (!f->target || asprintf(&f->temporary, "%s.%ld", f->target, (long)getpid()) < 0) {
		f->temporary = NULL;
		return false;
	}
	fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return false;
	if ((!mode || fchmod(fd, mode) == 0) && (f->stream = fdopen(fd, "wb")) != NULL)
		return true;
	close(fd);
	unlink(f->temporary);
	return false;
}

static void
release(struct savefile *f)
{
	free(f->target);
	free(f->temporary);
	free(f);
}

enum barn_err
savefile_open(const char *path, struct savefile **file)
{
	struct savefile *f = calloc(1, sizeof(*f));
	int failed;

	if (!f)
		return BARN_ERR_MEMORY;
	if (strcmp(path, "-") == 0) {
		f->stream = stdout;
	} else if (!open_temporary(f, path)) {
		free(f->temporary);
		f->temporary = NULL;
		f->stream = fopen(path, "wbe");
	}
	if (!f->stream) {
		failed = errno;
		release(f);
		errno = failed;
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

static void
close_stream(struct savefile *f)
{
	if ((f->stream == stdout ? fflush(stdout) : fclose(f->stream)) != 0 && !f->failed)
		f->failed = errno;
}

enum barn_err
savefile_close(struct savefile *f)
{
	int failed;

	if (!f->begun)
		begin(f, ETHERNET);
	close_stream(f);
	if (f->temporary && !f->failed && rename(f->temporary, f->target) != 0)
		f->failed = errno;
	if (f->temporary && f->failed)
		unlink(f->temporary);
	failed = f->failed;
	release(f);
	errno = failed;
	return failed ? BARN_ERR_SYSTEM : BARN_OK;
}

void
savefile_drop(struct savefile *f)
{
	close_stream(f);
	if (f->temporary)
		unlink(f->temporary);
	release(f);
}
