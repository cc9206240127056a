/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/peer.h"

#include <sys/socket.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59 /* Linux 4.13 */
#endif

enum barn_err
peer_of(int fd, struct peer *peer)
{
	struct ucred creds;
	socklen_t size = sizeof(creds);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &creds, &size))
		return BARN_ERR_SYSTEM;
	*peer = (struct peer){ .uid = creds.uid, .gid = creds.gid };
	size = sizeof(peer->groups);
	/* Without it, or with more groups than are looked at, the first group alone counts. */
	if (!getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, peer->groups, &size))
		peer->group_count = size / sizeof(peer->groups[0]);
	return BARN_OK;
}

static bool
is_member(const struct peer *peer, gid_t gid)
{
	if (gid == (gid_t)-1)
		return false;
	for (unsigned i = 0; i < peer->group_count; i++)
		if (peer->groups[i] == gid)
			return true;
	return peer->gid == gid;
}

enum peer_rights
peer_rights(const struct peer *peer, uid_t own, const struct server_options *options)
{
	if (peer->uid == 0 || peer->uid == own || is_member(peer, options->change_gid))
		return PEER_CHANGE;
	return options->others_look ? PEER_LOOK : PEER_NOTHING;
}
