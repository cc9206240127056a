/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_spool.h"
#include "program/say.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 32, BLOCK = 1 << 16 };

struct read_spool {
	unsigned count;
	const char **paths;
	struct file {
		int fd; /* -1: the path is as it was */
		char path[PATH_ROOM];
	} * files;
};

static int
open_temporary(void)
{
	const char *folder = getenv("TMPDIR");
	char name[4096];
	int fd;

	if (!folder || !*folder)
		folder = "/tmp";
	snprintf(name, sizeof(name), "%s/barn.XXXXXX", folder);
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		say_error("%s: %s", name, strerror(errno));
	else
		unlink(name);
	return fd;
}

static bool
write_all(int fd, const char *data, size_t n)
{
	while (n) {
		ssize_t written = write(fd, data, n);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		data += written;
		n -= (size_t)written;
	}
	return true;
}

static bool
copy(int from, int to)
{
	char block[BLOCK];
	ssize_t n;

	while ((n = read(from, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || !write_all(to, block, (size_t)n))
			return false;
	}
	return true;
}

static bool
wants_copy(const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return true;
	return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

static bool
take(struct read_spool *s, unsigned i, const char *path)
{
	bool standard = strcmp(path, "-") == 0, good;
	int from;

	s->files[i].fd = -1;
	s->paths[i] = path;
	if (!wants_copy(path))
		return true;
	s->files[i].fd = open_temporary();
	if (s->files[i].fd < 0)
		return false;
	from = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	good = from >= 0 && copy(from, s->files[i].fd);
	if (!good)
		say_error("%s: %s", standard ? "standard input" : path, strerror(errno));
	if (from >= 0 && !standard)
		close(from);
	snprintf(s->files[i].path, PATH_ROOM, "/proc/self/fd/%d", s->files[i].fd);
	s->paths[i] = s->files[i].path;
	return good;
}

struct read_spool *
read_spool_new(const char *const *paths, unsigned count)
{
	struct read_spool *s = calloc(1, sizeof(*s));

	if (s) {
		s->paths = calloc(count, sizeof(*s->paths));
		s->files = calloc(count, sizeof(*s->files));
	}
	if (!s || !s->paths || !s->files) {
		say_error("out of memory");
		read_spool_free(s);
		return NULL;
	}
	for (unsigned i = 0; i < count; i++) {
		s->count = i + 1;
		if (!take(s, i, paths[i])) {
			read_spool_free(s);
			return NULL;
		}
	}
	return s;
}

void
read_spool_free(struct read_spool *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->count; i++)
		if (s->files[i].fd >= 0)
			close(s->files[i].fd);
	free(s->files);
	free(s->paths);
	free(s);
}

const char *const *
read_spool_paths(const struct read_spool *s)
{
	return s->paths;
}
