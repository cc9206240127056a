/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CTL_SESSION_H
#define CTL_SESSION_H

/*
 * A client, as the server sees it: what has come from it, the command that is being done, and
 * what goes to it. Knows of no socket, so that tests and fuzzers give it bytes.
 *
 *	greet ──HELLO──► idle ──COMMAND──► running ──END──► idle     over: after what is wrong
 */

#include "ctl/buffer.h"
#include "ctl/message.h"
#include "ctl/server.h"

enum {
	SESSION_OUTPUT = 1 << 20, /* bytes that wait to be read by the client, at most */
	SESSION_ROUND = 1 << 16,  /* there is room for so many before a round begins */
};

struct reply {
	struct session *session;
	enum barn_err err;
	char text[256];
};

enum session_phase { SESSION_GREET, SESSION_IDLE, SESSION_RUNNING, SESSION_OVER };

struct session {
	const struct server_options *options;
	struct buffer in, out;
	uint8_t phase; /* enum session_phase */
	bool waiting;  /* for server_resume */
	bool busy;     /* the last step has left something over that it could have done */
	bool may_change;
	uid_t uid;
	uint32_t id; /* of the command that is being done */
	const struct command *command;
	struct command_call call;
	struct reply reply;
	const char *words[BARN_CTL_WORDS + 1];
	char *text; /* of the words */
};

void session_init(struct session *session, const struct server_options *options,
		  bool may_change, uid_t uid);
void session_fini(struct session *session);

/* A client that may not even look: it is told so, and that is all. */
void session_refuse(struct session *session, const char *why);

/* Does what can be done with what has come and what there is room for. */
void session_step(struct session *session);

/* Whether more shall be read from the client: not while there is enough to do. */
bool session_wants(const struct session *session);

#endif
