/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_SAVEFILE_H
#define IO_SAVEFILE_H

/*
 * Writes a capture: pcap with nanoseconds, which every reader of pcap has known since 2012.
 * It holds frames of one link type. Errors are kept until savefile_close.
 */

#include "io/frame.h"
#include <barn/err.h>

struct savefile;

/* "-" is standard output. */
enum barn_err savefile_open(const char *path, struct savefile **file);

/* BARN_ERR_ARGUMENT: the frame's link type is not that of the first. Nothing was written. */
enum barn_err savefile_write(struct savefile *file, const struct io_frame *frame);

/* BARN_ERR_SYSTEM, with errno, if any write failed. A file without frames is Ethernet's. */
enum barn_err savefile_close(struct savefile *file);

#endif
