/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_NOTIFY_H
#define DAEMON_NOTIFY_H

/* What systemd is told, sd_notify(3); nothing, where it did not start us or is not there. */

#include <stdint.h>

void notify_ready(const char *status);
void notify_status(const char *status);
void notify_reloading(void);
void notify_stopping(void);
void notify_alive(void);

/* How often it wants to hear that we live; 0: never. */
uint64_t notify_interval_us(void);

#endif
