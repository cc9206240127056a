/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

/* A bar on standard error, if that is a terminal and the work takes more than a second. */

#include "io/merge.h"

struct progress {
	bool terminal;
	bool shown;
	double start_s, drawn_s;
};

void progress_start(struct progress *progress);
/* Draws it if it is time to. Cheap enough for every few thousand packets. */
void progress_draw(struct progress *progress, const struct merge *merge, uint64_t packets);
void progress_clear(struct progress *progress);

/* Seconds since progress_start. */
double progress_seconds(const struct progress *progress);

/* "12 B", "3.4 MB"; into a buffer of the caller's. */
const char *progress_size(double bytes, char text[16]);

#endif
