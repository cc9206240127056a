/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CTL_PEER_H
#define CTL_PEER_H

/* Who is at the other end of a local socket, and what they may do. */

#include "ctl/server.h"

enum { PEER_GROUPS = 64 }; /* that are looked at; a user has seldom more than ten */

struct peer {
	uid_t uid;
	gid_t gid;
	gid_t groups[PEER_GROUPS];
	unsigned group_count;
};

enum peer_rights { PEER_NOTHING, PEER_LOOK, PEER_CHANGE };

/* As the kernel tells, of when the client connected. BARN_ERR_SYSTEM: it does not. */
enum barn_err peer_of(int fd, struct peer *peer);

/* `own` is the server's user. */
enum peer_rights peer_rights(const struct peer *peer, uid_t own,
			     const struct server_options *options);

#endif
