/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_INERT_H
#define CONF_INERT_H

/*
 * Lines of routers that say nothing to barn, such as `hostname`, `duplex` or `queue-limit`:
 * taken as they are, noted (conf_notes), and not part of the running configuration. They are
 * looked for only where no directive fits, by their whole words.
 */

#include "conf/line.h"

/* Whether the line is one of them. It was then noted, and nothing is left to do. */
bool inert_take(struct line *line);

#endif
