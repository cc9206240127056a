/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/notify.h"

#include "config.h"

#if HAVE_SYSTEMD

#include <inttypes.h>
#include <systemd/sd-daemon.h>
#include <time.h>

void
notify_ready(const char *status)
{
	sd_notifyf(0, "READY=1\nSTATUS=%s", status);
}

void
notify_status(const char *status)
{
	sd_notifyf(0, "STATUS=%s", status);
}

/* With the time, as Type=notify-reload asks. */
void
notify_reloading(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
		   (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000);
}

void
notify_stopping(void)
{
	sd_notify(0, "STOPPING=1");
}

void
notify_alive(void)
{
	sd_notify(0, "WATCHDOG=1");
}

uint64_t
notify_interval_us(void)
{
	uint64_t us = 0;

	return sd_watchdog_enabled(0, &us) > 0 ? us : 0;
}

#else

void
notify_ready(const char *status)
{
	(void)status;
}

void
notify_status(const char *status)
{
	(void)status;
}

void
notify_reloading(void)
{
}

void
notify_stopping(void)
{
}

void
notify_alive(void)
{
}

uint64_t
notify_interval_us(void)
{
	return 0;
}

#endif
