/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_PCAPNG_H
#define IO_PCAPNG_H

/*
 * Frames of a pcapng file (draft-ietf-opsawg-pcapng), which may come from interfaces of
 * different link types, time resolutions and snapshot lengths; libpcap refuses such files.
 *
 *	section header | interface description ... | enhanced packet ... | section header | ...
 *
 * Blocks of other types are skipped. The source stays the caller's.
 */

#include "io/frame.h"
#include "io/source.h"

struct pcapng;

enum barn_err pcapng_new(struct source *source, struct pcapng **pcapng);
void pcapng_free(struct pcapng *pcapng);

/*
 * BARN_ERR_END at the end of the file; BARN_ERR_FORMAT where it is damaged, and `fault` then
 * says how; BARN_ERR_SYSTEM where the source said so.
 */
enum barn_err pcapng_next(struct pcapng *pcapng, struct io_frame *frame,
			  struct source_fault *fault);

#endif
