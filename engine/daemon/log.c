/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/log.h"

#include "program/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct {
	enum conf_log where;
	int level;
} sink = { CONF_LOG_STDERR, LOG_INFO };

/* systemd names device and inode of what it connected, sd_journal_stream_fd(3). */
static bool
is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       fstat(STDERR_FILENO, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

static void
put(int level, const char *text)
{
	if (level > sink.level)
		return;
	switch (sink.where) {
	case CONF_LOG_SYSLOG: syslog(level, "%s", text); break;
	case CONF_LOG_JOURNAL: fprintf(stderr, "<%d>%s\n", level, text); break;
	case CONF_LOG_AUTO:
	case CONF_LOG_STDERR: fprintf(stderr, "%s: %s\n", say_program(), text); break;
	}
}

void
log_open(enum conf_log where, int level, bool foreground)
{
	if (where == CONF_LOG_AUTO)
		where = is_journal() ? CONF_LOG_JOURNAL
			: foreground ? CONF_LOG_STDERR
				     : CONF_LOG_SYSLOG;
	if (where == CONF_LOG_SYSLOG)
		openlog("barnd", LOG_PID | LOG_NDELAY, LOG_DAEMON);
	sink.where = where;
	sink.level = level;
	say_to(put);
}

void
log_say(int level, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	put(level, line);
}

void
log_rated(struct log_rate *rate, int level, const char *format, ...)
{
	struct timespec now;
	char line[1024];
	va_list args;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	if (rate->second == now.tv_sec + 1) {
		rate->dropped++;
		return;
	}
	rate->second = now.tv_sec + 1;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (rate->dropped)
		log_say(level, "%s (and %llu lines before)", line,
			(unsigned long long)rate->dropped);
	else
		put(level, line);
	rate->dropped = 0;
}
