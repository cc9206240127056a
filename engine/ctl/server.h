/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CTL_SERVER_H
#define CTL_SERVER_H

/*
 * The control socket's server, for a loop of the daemon's: one descriptor to poll, one call
 * that does all that can be done at once and never blocks. One thread.
 *
 * Bounds: so many clients, of which a newcomer takes the place of the one that has been idle
 * longest; so much output a client, which then has to read before it is written more; and so
 * long that a client may leave its output unread, or a message half sent, before it is dropped.
 *
 * Who may: root, the daemon's own user and members of one group may change things; others may
 * look, if that is allowed. The kernel says who a client is (SO_PEERCRED, SO_PEERGROUPS).
 */

#include "ctl/command.h"

#include <stdint.h>

struct server;

struct server_options {
	int listen_fd; /* stays the caller's; -1: clients come by server_adopt alone */
	const struct command *commands; /* live as long as the server */
	unsigned command_count;
	void *self;          /* the handlers' */
	const char *version; /* told to clients */
	gid_t change_gid;    /* may change things; (gid_t)-1: no group */
	bool others_look;
	unsigned clients;     /* at most; 0: 64 */
	uint32_t patience_ms; /* 0: 30 s */
};

enum barn_err server_new(const struct server_options *options, struct server **server);
void server_free(struct server *server); /* of NULL: nothing; drops all clients */

/* Readable when server_step has something to do. */
int server_fd(const struct server *server);

/* now_ms is of any clock that only goes forward. Also called each second or so, for the
 * time-outs. */
void server_step(struct server *server, uint64_t now_ms);

/* A client by a connected socket, which the server takes over, whatever it returns. */
enum barn_err server_adopt(struct server *server, int fd, uint64_t now_ms);

/* The command that waits (COMMAND_WAIT) is called again by the next step. */
void server_resume(struct server *server, struct reply *reply);

unsigned server_clients(const struct server *server);

/*
 * Listens at the path with this mode and group ((gid_t)-1: as it comes). What a killed server
 * left there is replaced. BARN_ERR_EXISTS: another one listens, or it is no socket;
 * BARN_ERR_ARGUMENT: the path is too long. The folder must be one in which only the server's
 * user writes.
 */
enum barn_err server_listen(const char *path, mode_t mode, gid_t gid, int *fd);

#endif
