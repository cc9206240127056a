/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_PRIVILEGE_H
#define DAEMON_PRIVILEGE_H

/*
 * What the process gives up that looks at packets: everything that root has. It is done in one
 * place and once, when all descriptors are open and before any thread runs:
 *
 *	an empty folder as its root ─► the user and group, no other groups ─► no capabilities
 *	─► nothing executed gains any (no_new_privs) ─► the system calls that it needs, no
 *others
 *
 * Verdicts of nfqueue need CAP_NET_ADMIN for each message (netlink(7)): where there are queues,
 * that one is kept. SECURITY.md says what is promised.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct privilege {
	uid_t uid;
	gid_t gid;
	bool net_admin; /* CAP_NET_ADMIN is kept */
};

/* The user's numbers; `group` NULL: the user's own. False: `why` says what there is not. */
bool privilege_find(const char *user, const char *group, struct privilege *privilege, char *why,
		    size_t size);

/* `folder`: empty, and not writable for the user. False: `why` says what was refused; then the
 * process must end. Without root nothing can be given up but system calls. */
bool privilege_drop(const struct privilege *privilege, const char *folder, char *why,
		    size_t size);

#endif
