/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 256 << 20 };

static int
write_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t went = write(fd, text, length);

		if (went < 0 && errno == EINTR)
			continue;
		if (went <= 0)
			return -1;
		text += went;
		length -= (size_t)went;
	}
	return fsync(fd);
}

static int
write_draft(int folder, const char *draft, const char *text, size_t length)
{
	int fd = openat(folder, draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW,
			0640);
	int failed;

	if (fd < 0)
		return -1;
	failed = write_all(fd, text, length);
	return close(fd) || failed ? -1 : 0;
}

/* So that the name is on the disk, too. Some file systems cannot, and need not. */
static void
sync_folder(int folder, char *path)
{
	char *slash = strrchr(path, '/');
	int fd;

	if (slash)
		slash[slash == path] = 0;
	fd = openat(folder, slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)fsync(fd);
	(void)close(fd);
}

enum barn_err
state_save(int folder, const char *path, const char *text, size_t length)
{
	size_t room = strlen(path) + sizeof(".new");
	char *draft = malloc(room);
	int why;

	if (!draft)
		return BARN_ERR_MEMORY;
	snprintf(draft, room, "%s.new", path);
	if (write_draft(folder, draft, text, length) || renameat(folder, draft, folder, path)) {
		why = errno;
		(void)unlinkat(folder, draft, 0);
		free(draft);
		errno = why;
		return BARN_ERR_SYSTEM;
	}
	sync_folder(folder, draft);
	free(draft);
	return BARN_OK;
}

static enum barn_err
read_all(int fd, char **text, size_t *length)
{
	struct stat st;
	size_t got = 0;
	char *all;

	if (fstat(fd, &st))
		return BARN_ERR_SYSTEM;
	if (!S_ISREG(st.st_mode) || st.st_size > LONGEST)
		return BARN_ERR_FORMAT;
	all = malloc((size_t)st.st_size + 1);
	if (!all)
		return BARN_ERR_MEMORY;
	while (got < (size_t)st.st_size) {
		ssize_t n = read(fd, all + got, (size_t)st.st_size - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			free(all);
			return BARN_ERR_SYSTEM;
		}
		if (n == 0)
			break;
		got += (size_t)n;
	}
	all[got] = 0;
	*text = all;
	*length = got;
	return BARN_OK;
}

enum barn_err
state_load(int folder, const char *path, char **text, size_t *length)
{
	int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), why;
	enum barn_err err;

	if (fd < 0)
		return errno == ENOENT ? BARN_ERR_MISSING : BARN_ERR_SYSTEM;
	err = read_all(fd, text, length);
	why = errno;
	(void)close(fd);
	errno = why;
	return err;
}
