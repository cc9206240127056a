/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_CALLS_H
#define DAEMON_CALLS_H

/*
 * The system calls that are left to the process that looks at packets, as a table in calls.c;
 * any other fails with EPERM. It can open no socket and start no program. For all threads.
 */

#include <stdbool.h>

/* False: errno says why. A build with sanitizers, which need more calls, is not limited. */
bool calls_limit(void);

#endif
