/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/open.h"

#include "conf/service.h"
#include "ctl/server.h"
#include "daemon/log.h"
#include "daemon/publish.h"
#include "discovery/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	BACKLOG = 64,
	EMPTY_MODE = 0555,
	RUN_MODE = 0755,
	STATE_MODE = 0750,
	SOCKET_MODE = 0666,
	SEGMENT_MODE = 0644
};

bool
open_privilege(struct settings *settings)
{
	char why[200];

	if (geteuid() != 0) /* for trying out: there is nothing to be given up */
		return true;
	if (privilege_find(settings->user, settings->group, &settings->privilege, why,
			   sizeof(why)))
		return true;
	log_say(LOG_ERR, "%s", why);
	return false;
}

static bool
failed(const char *path)
{
	log_say(LOG_ERR, "%s: %s", path, strerror(errno));
	return false;
}

static void
folder_of(const char *path, char folder[PATH_MAX])
{
	char copy[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", path);
	snprintf(folder, PATH_MAX, "%s", dirname(copy)); /* which writes in copy */
}

/* Made, if it is not there, with the folders above it. `owner`: it is the user's. */
static bool
make_folder(const char *folder, mode_t mode, const struct privilege *owner)
{
	char above[PATH_MAX];
	struct stat st;

	if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode))
		return true;
	folder_of(folder, above);
	if (strcmp(above, folder) != 0 && !make_folder(above, RUN_MODE, NULL))
		return false;
	if (mkdir(folder, mode) != 0 && errno != EEXIST)
		return failed(folder);
	if (owner && geteuid() == 0 && chown(folder, owner->uid, owner->gid) != 0)
		return failed(folder);
	return true;
}

/* Whoever holds it is the daemon of this control socket. */
static bool
take_lock(const struct settings *settings, struct opened *opened)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s.lock", settings->control_socket);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return failed(path);
	opened->lock = fd;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0)
		return true;
	if (errno != EWOULDBLOCK)
		return failed(path);
	log_say(LOG_ERR, "another barnd has %s", settings->control_socket);
	return false;
}

static bool
listen_at(const struct settings *settings, struct opened *opened)
{
	const char *path = settings->control_socket;
	gid_t gid = geteuid() == 0 ? settings->privilege.gid : (gid_t)-1;
	enum barn_err err = server_listen(path, SOCKET_MODE, gid, &opened->listener);

	if (!err)
		return true;
	opened->listener = -1;
	if (err == BARN_ERR_SYSTEM)
		return failed(path);
	log_say(LOG_ERR, "%s: %s", path, barn_strerror(err));
	return false;
}

/* Room for what there is and for what may come with modules. */
static bool
make_segment(const struct conf *conf, const struct settings *settings, uint16_t protocols,
	     struct opened *opened)
{
	const struct conf_service *s = conf_service(conf);
	uint32_t interfaces = 2 * s->lines.count + s->queues.count + s->replays.count + 4;
	const struct segment_room room = { .records = {
						   [BARN_STATS_ENGINE] = 1,
						   [BARN_STATS_PACKS] = 64,
						   [BARN_STATS_INTERFACES] = interfaces,
						   [BARN_STATS_PROTOCOLS] =
							   protocols + (uint32_t)PUBLISH_MORE,
						   [BARN_STATS_WORKERS] = settings->workers,
						   [BARN_STATS_MODULES] = 4096,
						   [BARN_STATS_POLICIES] = 2 * interfaces,
						   [BARN_STATS_OBJECTS] = 16384,
						   [BARN_STATS_HOSTS] = 4096,
					   } };
	enum barn_err err = segment_make(AT_FDCWD, settings->segment, SEGMENT_MODE, &room,
					 &opened->segment);

	if (!err)
		return true;
	opened->segment = -1;
	if (err == BARN_ERR_SYSTEM)
		return failed(settings->segment);
	log_say(LOG_ERR, "%s: %s", settings->segment, barn_strerror(err));
	return false;
}

static bool
open_state(const struct settings *settings, struct opened *opened)
{
	char folder[PATH_MAX];
	struct stat st;

	folder_of(settings->state_file, folder);
	if (!make_folder(folder, STATE_MODE, &settings->privilege))
		return false;
	snprintf(opened->state_name, sizeof(opened->state_name), "%s",
		 strrchr(settings->state_file, '/') ? strrchr(settings->state_file, '/') + 1
						    : settings->state_file);
	opened->state_folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (opened->state_folder < 0)
		return failed(folder);
	if (geteuid() == 0 && fstat(opened->state_folder, &st) == 0 &&
	    st.st_uid != settings->privilege.uid && !(st.st_mode & S_IWOTH))
		log_say(LOG_WARNING, "%s: not of user %s: counters will not be kept", folder,
			settings->user);
	return true;
}

static bool
write_pid(const struct settings *settings, struct opened *opened)
{
	FILE *f;

	if (!settings->pid_file)
		return true;
	f = fopen(settings->pid_file, "we");
	if (!f)
		return failed(settings->pid_file);
	fprintf(f, "%ld\n", (long)getpid());
	if (fclose(f) != 0)
		return failed(settings->pid_file);
	opened->pid_written = true;
	return true;
}

/* The inner process's root: beside the control socket. */
static bool
make_empty(const char *folder, struct opened *opened)
{
	static char path[PATH_MAX + 8];

	snprintf(path, sizeof(path), "%s/empty", folder);
	opened->empty = path;
	return make_folder(path, EMPTY_MODE, NULL);
}

bool
open_lasting(const struct conf *conf, const struct settings *settings, uint16_t protocols,
	     struct opened *opened)
{
	char folder[PATH_MAX];

	*opened = (struct opened){
		.lock = -1, .listener = -1, .state_folder = -1, .settings = settings
	};
	folder_of(settings->control_socket, folder);
	return make_folder(folder, RUN_MODE, NULL) && make_empty(folder, opened) &&
	       take_lock(settings, opened) && listen_at(settings, opened) &&
	       make_segment(conf, settings, protocols, opened) &&
	       open_state(settings, opened) && write_pid(settings, opened);
}

static void
close_one(int fd)
{
	if (fd >= 0)
		close(fd);
}

void
open_close(struct opened *opened)
{
	if (!opened->settings)
		return;
	if (opened->listener >= 0)
		unlink(opened->settings->control_socket);
	if (opened->pid_written)
		unlink(opened->settings->pid_file);
	close_one(opened->listener);
	close_one(opened->segment);
	close_one(opened->state_folder);
	close_one(opened->lock);
}
