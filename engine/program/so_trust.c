/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/so_trust.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct why {
	char *text;
	size_t size;
};

static bool
refuse(struct why *why, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why->text, why->size, format, arguments);
	va_end(arguments);
	return false;
}

/* Access control lists that let others write show in the group's bits, as their mask. */
static bool
is_ours(int fd, const char *path, bool folder, struct why *why)
{
	const char *what = folder ? "folder " : "";
	struct stat st;

	if (fstat(fd, &st) != 0)
		return refuse(why, "%s%s: %s", what, path, strerror(errno));
	if (!folder && !S_ISREG(st.st_mode))
		return refuse(why, "%s is no regular file", path);
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return refuse(why, "%s%s belongs to user %u, who is neither root nor you", what,
			      path, (unsigned)st.st_uid);
	if (st.st_mode & (S_IWGRP | S_IWOTH))
		return refuse(why, "%s%s can be written by %s: only root and you may", what,
			      path, st.st_mode & S_IWOTH ? "others" : "its group");
	return true;
}

/*
 * Goes down from the root, a name at a time, and follows no link: each folder is looked at by
 * the descriptor that the next name is opened from.
 */
static int
descend(char *path, struct why *why)
{
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), next;
	char *name = path + 1, *slash;
	bool good = fd >= 0 && is_ours(fd, "/", true, why);

	while (good && (slash = strchr(name, '/'))) {
		*slash = '\0';
		next = openat(fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0) {
			good = refuse(why, "folder %s: %s", path, strerror(errno));
			break;
		}
		close(fd);
		fd = next;
		good = is_ours(fd, path, true, why);
		*slash = '/';
		name = slash + 1;
	}
	next = good ? openat(fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	if (good && next < 0)
		refuse(why, "%s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return next;
}

int
so_trust_open(const char *path, char *why, size_t size)
{
	struct why reason = { why, size };
	char *real = realpath(path, NULL);
	int fd;

	if (!real) {
		refuse(&reason, "%s", strerror(errno));
		return -1;
	}
	refuse(&reason, "it cannot be opened");
	fd = descend(real, &reason);
	if (fd >= 0 && !is_ours(fd, real, false, &reason)) {
		close(fd);
		fd = -1;
	}
	free(real);
	return fd;
}
