/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_CONTROL_H
#define SNMP_CONTROL_H

/* What a manager's set asks of the daemon, over its control socket. One thread. */

#include <stdbool.h>

struct control;

/* NULL: out of memory. Nothing is connected until something is asked. */
struct control *control_new(const char *path);
void control_free(struct control *control);

/* Protocol discovery on an interface. Waits half a second at most, well below what a master
 * agent waits for us; false: refused, or no answer. */
bool control_enable(void *self, const char *interface, bool on);

#endif
