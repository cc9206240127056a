/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_LOG_H
#define DAEMON_LOG_H

/*
 * The daemon's log: to standard error, to syslog(3), or, with the level in front as the journal
 * reads it (sd-daemon(3)), to standard error. Levels are those of syslog(3). Any thread; what
 * program/say.h says goes there too. An inner process has what its parent opened.
 */

#include "conf/service.h"

#include <syslog.h>

/* CONF_LOG_AUTO: the journal if systemd has connected standard error to it, standard error in
 * the foreground, else syslog. */
void log_open(enum conf_log where, int level, bool foreground);

void log_say(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * At most one line a second for what may happen with each packet: the next line tells how many
 * were left out. All zero is new; one thread each.
 */
struct log_rate {
	int64_t second;
	uint64_t dropped;
};
void log_rated(struct log_rate *rate, int level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
