/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_CHECKSUM_H
#define IO_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes the TCP or UDP checksum of a whole IP packet that the kernel left unfinished. False,
 * and nothing is written: it is cut, a fragment, or neither of them. */
bool checksum_finish(uint8_t *packet, size_t size);

#endif
