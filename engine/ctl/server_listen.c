/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/server.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 64 };

static enum barn_err
close_again(int fd)
{
	int why = errno;

	(void)close(fd);
	errno = why;
	return BARN_ERR_SYSTEM;
}

/* Only a socket that nobody listens at is taken away. */
static enum barn_err
clear(const struct sockaddr_un *at)
{
	struct stat st;
	int fd, refused;

	if (lstat(at->sun_path, &st))
		return errno == ENOENT ? BARN_OK : BARN_ERR_SYSTEM;
	if (!S_ISSOCK(st.st_mode))
		return BARN_ERR_EXISTS;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return BARN_ERR_SYSTEM;
	refused =
		connect(fd, (const struct sockaddr *)at, sizeof(*at)) && errno == ECONNREFUSED;
	(void)close(fd);
	if (!refused)
		return BARN_ERR_EXISTS;
	return unlink(at->sun_path) ? BARN_ERR_SYSTEM : BARN_OK;
}

/* Nobody can connect before listen(), so the mode and group are right when it begins. */
enum barn_err
server_listen(const char *path, mode_t mode, gid_t gid, int *fd)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	size_t length = strlen(path);
	enum barn_err err;
	int s;

	if (length == 0 || length >= sizeof(at.sun_path))
		return BARN_ERR_ARGUMENT;
	memcpy(at.sun_path, path, length + 1);
	err = clear(&at);
	if (err)
		return err;
	s = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (s < 0)
		return BARN_ERR_SYSTEM;
	if (bind(s, (const struct sockaddr *)&at, sizeof(at)))
		return close_again(s);
	if ((gid != (gid_t)-1 && chown(path, (uid_t)-1, gid)) || chmod(path, mode) ||
	    listen(s, BACKLOG)) {
		err = close_again(s);
		(void)unlink(path);
		return err;
	}
	*fd = s;
	return BARN_OK;
}
