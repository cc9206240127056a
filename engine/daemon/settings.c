/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/settings.h"

#include <syslog.h>
#include <unistd.h>

enum { WORKERS_UNASKED = 4, FLOWS = 1 << 20 };

static unsigned
processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > WORKERS_UNASKED ? WORKERS_UNASKED : (unsigned)n;
}

static const char *
or_else(const char *said, const char *otherwise)
{
	return said ? said : otherwise;
}

void
settings_of(const struct conf *conf, struct settings *settings)
{
	const struct conf_service *s = conf_service(conf);

	*settings = (struct settings){
		.workers = s->workers ? s->workers : processors(),
		.flows = s->flows ? s->flows : FLOWS,
		.dry_run = s->dry_run,
		.user = or_else(s->user, "barn"),
		.group = s->group,
		.control_socket = or_else(s->control_socket, "/run/barn/control"),
		.segment = or_else(s->segment, "/run/barn/stats"),
		.state_file = or_else(s->state_file, "/var/lib/barn/state"),
		.pid_file = s->pid_file,
		.log = (enum conf_log)s->log,
		.log_level = s->log_level ? s->log_level - 1 : LOG_INFO,
	};
	settings->privilege.net_admin = s->queues.count > 0;
}
