/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_FRAME_H
#define IO_FRAME_H

/* A frame as it comes from a capture; data lives until the next one is read. */

#include "base/bytes.h"

struct io_frame {
	struct bytes data;
	uint32_t length;   /* on the wire, at least that of data */
	uint64_t time_ns;  /* since 1970 */
	uint16_t linktype; /* LINKTYPE_ number */
};

#endif
