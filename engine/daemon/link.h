/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_LINK_H
#define DAEMON_LINK_H

/*
 * Between the parent, which may read files, and the process that looks at packets, which may
 * not: small messages over a pair of sockets, each with a text if need be, which lies in a file
 * in memory, so that neither ever waits for the other.
 */

#include "base/text.h"

#include <stdint.h>

enum link_kind {
	LINK_READY,  /* child: packets are looked at */
	LINK_CHANGE, /* parent: modules and configuration, bundle.h; child: it was asked to load
			these, so the parent shall keep them as well */
	LINK_DONE,   /* child: the change is in force; text: what there is to tell */
	LINK_FAILED, /* child: nothing has changed; text: why */
	LINK_RELOAD, /* child: somebody asks for files to be read again */
	LINK_TELL,   /* parent: what came of LINK_RELOAD; text */
	LINK_CLOSE,  /* parent: end all flows, save, and exit */
};

struct link_message {
	uint8_t kind;
	uint32_t ticket; /* whose answer it is; 0: nobody's */
	struct text text;
};

/* Both ends, not blocking, closed on exec. False: errno. */
bool link_pair(int ends[2]);

/* False: errno; EAGAIN: the other does not read. */
bool link_send(int end, enum link_kind kind, uint32_t ticket, const char *text, size_t len);

/* 1: a message, whose text is the caller's; 0: none yet; -1: the other has gone. */
int link_receive(int end, struct link_message *message);

#endif
