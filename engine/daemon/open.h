/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_OPEN_H
#define DAEMON_OPEN_H

/*
 * What needs root to open. Lasting: the lock, the control socket, folders; they stay while
 * inner processes come and go. The ways of packets are opened anew for each of them.
 */

#include "daemon/settings.h"

struct opened {
	int lock;         /* held: one daemon for a control socket; -1: not open, as all here */
	int listener;     /* the control socket, listening */
	int segment;      /* the counters' */
	int state_folder; /* where the state file is, as a folder */
	char state_name[256];
	const char *empty;
	bool pid_written;
	const struct settings *settings;
};

/* Looks the user and group up. False, here and below: it was logged. */
bool open_privilege(struct settings *settings);

/* `protocols`: that are known now. */
bool open_lasting(const struct conf *conf, const struct settings *settings, uint16_t protocols,
		  struct opened *opened);
void open_close(struct opened *opened);

#endif
