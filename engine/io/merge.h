/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_MERGE_H
#define IO_MERGE_H

/*
 * Several captures as one stream in the order of time: each time the file whose next frame is
 * the earliest gives it; of equals, the one named first. Within a file the order is the file's
 * own. A damaged file gives its good frames and is reported; the others go on.
 */

#include "io/pcapfile.h"

struct merge;

struct merge_options {
	const char *const *paths;
	unsigned count;
	/* paths[file] could not be opened, or ended too early after `frames` good frames. */
	void (*fault)(void *self, unsigned file, const struct source_fault *fault,
		      uint64_t frames);
	void *self;
};

/* Opens all of them; the paths must outlive it. */
enum barn_err merge_new(const struct merge_options *options, struct merge **merge);
void merge_free(struct merge *merge);

/* The frame's data lives until the next call. BARN_ERR_END after the last. */
enum barn_err merge_next(struct merge *merge, struct io_frame *frame, unsigned *file);

/* Over all files; size 0: not known. */
void merge_progress(const struct merge *merge, uint64_t *read, uint64_t *size);

#endif
