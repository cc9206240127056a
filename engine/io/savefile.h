/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_SAVEFILE_H
#define IO_SAVEFILE_H

/*
 * Writes a capture: pcap with nanoseconds, which every reader of pcap has known since 2012.
 * It holds frames of one link type. Errors are kept until savefile_close.
 *
 * A regular file is written under another name beside it, its own with a dot and the process's
 * number, and gets its name in savefile_close: a run that fails leaves what was there before.
 * Devices, pipes, and files in folders that may not be written are written at once.
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

/* Instead of savefile_close: what was written is not wanted. */
void savefile_drop(struct savefile *file);

#endif
