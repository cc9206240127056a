/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_SERVICE_H
#define CONF_SERVICE_H

/*
 * How barnd runs, as `barnd` and the lines below it say. What was not said is NULL, 0 or false:
 * the daemon has the defaults, which barn.conf(5) tells.
 */

#include "base/list.h"
#include "conf/conf.h"
#include "conf/place.h"

enum conf_log { CONF_LOG_AUTO, CONF_LOG_STDERR, CONF_LOG_SYSLOG, CONF_LOG_JOURNAL };

/* An interface that is listened to, or two that are joined. */
struct conf_line_way {
	const char *interface;
	const char *other; /* the bridge's; NULL: a tap */
	bool fail_closed;  /* nothing passes while nobody decides */
	struct conf_place place;
};

/* Queues of netfilter whose packets barnd decides on. */
struct conf_queues {
	uint16_t first, last;
	bool fail_closed; /* packets wait or are dropped while nobody decides */
	struct conf_place place;
};

/* A capture that is played as an interface. */
struct conf_replay {
	const char *interface, *path;
	uint32_t speed; /* times its own pace; 0: as fast as it goes */
	struct conf_place place;
};

enum { SERVICE_WORKERS_MAX = 64, SERVICE_FLOWS_MIN = 1024, SERVICE_FLOWS_MAX = 64 << 20 };

struct conf_service {
	uint32_t workers, flows;
	const char *user, *group;
	const char *control_socket, *segment, *state_file, *pid_file;
	uint8_t log;       /* enum conf_log */
	uint8_t log_level; /* of syslog(3), and 1 more; 0: not said */
	bool dry_run;
	struct list lines;   /* struct conf_line_way */
	struct list queues;  /* struct conf_queues */
	struct list replays; /* struct conf_replay */
};

/* conf.h's struct conf keeps one. */
const struct conf_service *conf_service(const struct conf *conf);

#endif
