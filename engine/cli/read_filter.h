/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_FILTER_H
#define CLI_READ_FILTER_H

/* libpcap's filter language, compiled for each link type as it is first met. */

#include "io/frame.h"

struct read_filter;

enum read_filter_answer {
	READ_FILTER_PASS,
	READ_FILTER_DROP,
	READ_FILTER_WRONG, /* it does not compile for this link type; the user was told */
};

/* For the command of this name. NULL: the user was told. Both texts must outlive it. */
struct read_filter *read_filter_new(const char *command, const char *text);
void read_filter_free(struct read_filter *filter);

enum read_filter_answer read_filter_frame(struct read_filter *filter,
					  const struct io_frame *frame);

#endif
