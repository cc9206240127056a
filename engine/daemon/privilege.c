/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/privilege.h"

#include "daemon/calls.h"

#include <cap-ng.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

bool
privilege_find(const char *user, const char *group, struct privilege *privilege, char *why,
	       size_t size)
{
	const struct passwd *pw = getpwnam(user);
	const struct group *gr = group ? getgrnam(group) : NULL;

	if (!pw) {
		snprintf(why, size, "there is no user '%s': adduser --system --group %s", user,
			 user);
		return false;
	}
	if (pw->pw_uid == 0) {
		snprintf(why, size, "user '%s' is root: packets are not parsed as root", user);
		return false;
	}
	if (group && !gr) {
		snprintf(why, size, "there is no group '%s': addgroup --system %s", group,
			 group);
		return false;
	}
	privilege->uid = pw->pw_uid;
	privilege->gid = gr ? gr->gr_gid : pw->pw_gid;
	return true;
}

static bool
refused(const char *what, char *why, size_t size)
{
	snprintf(why, size, "%s: %s", what, strerror(errno));
	return false;
}

bool
privilege_drop(const struct privilege *privilege, const char *folder, char *why, size_t size)
{
	if (geteuid() == 0) {
		if (chroot(folder) != 0 || chdir("/") != 0)
			return refused("an empty root folder", why, size);
		capng_clear(CAPNG_SELECT_BOTH);
		if (privilege->net_admin)
			capng_update(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED,
				     CAP_NET_ADMIN);
		if (capng_change_id((int)privilege->uid, (int)privilege->gid,
				    CAPNG_DROP_SUPP_GRP | CAPNG_CLEAR_BOUNDING) != 0)
			return refused("giving up root", why, size);
	}
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return refused("no new privileges", why, size);
	return calls_limit() || refused("the filter of system calls", why, size);
}
