/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_INPUT_H
#define CLI_READ_INPUT_H

/*
 * The frames of a run: all the files as one stream, through the BPF filter. Frames are numbered
 * as they come, those that do not pass the filter too, so that a number means the same frame
 * with any filter.
 */

#include "cli/progress.h"
#include "io/merge.h"

struct read_input_options {
	const char *const *paths;
	unsigned count;
	const char *filter;  /* NULL: all pass */
	const char *command; /* what the user called, for what is wrong with the filter */
	/*
	 * The files will be read twice: what is no regular file is copied into a temporary
	 * one first.
	 */
	bool twice;
};

struct read_input;

enum read_input_answer {
	READ_INPUT_FRAME,
	READ_INPUT_END,
	READ_INPUT_FILTER, /* the filter is wrong; the user was told */
};

/* NULL: the user was told. */
struct read_input *read_input_new(const struct read_input_options *options);
void read_input_free(struct read_input *input);

/* The next frame that passes, its number in the input, from 1, and its file. */
enum read_input_answer read_input_next(struct read_input *input, struct io_frame *frame,
				       uint64_t *serial, unsigned *file);

/* From the first frame again; faults that were told are not told again. */
bool read_input_again(struct read_input *input);

/* Whether this path is one of the files, by whatever name: to write it would destroy it. */
bool read_input_has(const struct read_input *input, const char *path);

/* Whether some file could not be read to its end. */
bool read_input_damaged(const struct read_input *input);
/* Whether that is all there is to say: not one frame could be read. */
bool read_input_failed(const struct read_input *input);
const struct progress *read_input_progress(const struct read_input *input);

#endif
