/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_CTL_H
#define BARN_CTL_H

/*
 * Talking to barnd over its control socket: a command of words, and the text that answers it.
 *
 *	struct barn_ctl_options options = { .size = sizeof(options), .data = print };
 *	struct barn_ctl *ctl;
 *	uint32_t id;
 *	barn_ctl_new(&options, &ctl);
 *	barn_ctl_connect(ctl);
 *	barn_ctl_send(ctl, (const char *[]){ "show", "version" }, 2, &id);
 *	barn_ctl_wait(ctl, id, 5000);                      blocks, or with an event loop:
 *	poll({ barn_ctl_fd(ctl), barn_ctl_events(ctl) });  barn_ctl_step(ctl);
 *
 * Several commands may be sent before the first is answered; they are done one after the other.
 * Nothing but barn_ctl_wait blocks. A struct barn_ctl belongs to one thread. What the server
 * sends is not trusted more than a stranger. barn-ctl(3) has the protocol.
 */

#include <barn/err.h>
#include <stddef.h>
#include <stdint.h>

#define BARN_CTL_PATH "/run/barn/control"

enum {
	BARN_CTL_VERSION = 1,
	BARN_CTL_WORDS = 64,        /* of a command, at most */
	BARN_CTL_LENGTH = 65536,    /* of a message, at most */
	BARN_CTL_WAITING = 1 << 20, /* bytes of commands that wait to be sent, at most */
};

struct barn_ctl;

struct barn_ctl_options {
	size_t size;      /* sizeof(struct barn_ctl_options) */
	const char *path; /* NULL: BARN_CTL_PATH */
	/* Called by step and wait. A part of the answer; NULL: nobody asks. */
	void (*data)(void *self, uint32_t id, const void *data, size_t length);
	/* The answer is complete. An error's text is for people; "" if there is none. */
	void (*end)(void *self, uint32_t id, enum barn_err err, const char *text);
	void *self;
};

enum barn_err barn_ctl_new(const struct barn_ctl_options *options, struct barn_ctl **ctl);
void barn_ctl_free(struct barn_ctl *ctl); /* of NULL: nothing */

/*
 * Connects, at first or again. BARN_ERR_MISSING: nobody listens; BARN_ERR_SYSTEM: errno says
 * why, EACCES: this user may not, EAGAIN: too many try, later.
 */
enum barn_err barn_ctl_connect(struct barn_ctl *ctl);

/* Connects by a socket that is there, which it takes over. */
enum barn_err barn_ctl_adopt(struct barn_ctl *ctl, int fd);

/* -1: not connected. Events are poll(2)'s. */
int barn_ctl_fd(const struct barn_ctl *ctl);
short barn_ctl_events(const struct barn_ctl *ctl);

/*
 * Queues a command. *id is never 0. BARN_ERR_ARGUMENT: too long, or too many words;
 * BARN_ERR_MEMORY: too much waits already; BARN_ERR_END: not connected.
 */
enum barn_err barn_ctl_send(struct barn_ctl *ctl, const char *const *words, unsigned count,
			    uint32_t *id);

/*
 * Sends and receives what is possible at once, and calls back. BARN_ERR_END: the connection is
 * over, and all that was asked has been told so by `end`; BARN_ERR_FORMAT: as well, since what
 * came is not the protocol, or not of our version.
 */
enum barn_err barn_ctl_step(struct barn_ctl *ctl);

/*
 * Steps until the command is done and returns what it came to: 0, the command's own error, or
 * step's. `timeout_ms` (negative: none) is how long nothing may come; BARN_ERR_SYSTEM and
 * ETIMEDOUT then, and the connection is over. Not for calling from the callbacks.
 */
enum barn_err barn_ctl_wait(struct barn_ctl *ctl, uint32_t id, int timeout_ms);

/* What the last error's text was: the command's, or of the connection. Never NULL. */
const char *barn_ctl_text(const struct barn_ctl *ctl);

/* "0.1.0", of the server; "" before it has greeted. */
const char *barn_ctl_server(const struct barn_ctl *ctl);

#endif
