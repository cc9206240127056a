/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_PCAPFILE_H
#define IO_PCAPFILE_H

/*
 * A capture file, frame by frame: pcap as libpcap reads it, or pcapng; plain, gzip or zstd.
 * Times are nanoseconds whatever the file has. One thread.
 */

#include "io/pcapng.h"

struct pcapfile;

/* "-" is standard input. */
enum barn_err pcapfile_open(const char *path, struct pcapfile **file,
			    struct source_fault *fault);
void pcapfile_close(struct pcapfile *file); /* of NULL: nothing */

/*
 * The frame's data lives until the next call. BARN_ERR_END after the last frame; any other
 * error ends the file too, and pcapfile_fault then says why.
 */
enum barn_err pcapfile_next(struct pcapfile *file, struct io_frame *frame);
const struct source_fault *pcapfile_fault(const struct pcapfile *file);

/* Frames read so far: those before a fault are good. */
uint64_t pcapfile_frames(const struct pcapfile *file);

/* Bytes of the file read so far and its size, compressed as it is; size 0: not known. */
void pcapfile_progress(const struct pcapfile *file, uint64_t *read, uint64_t *size);

/*
 * Link types have two numberings: LINKTYPE_ in files, the same everywhere, and DLT_ in this
 * system's libpcap.
 */
uint16_t pcapfile_linktype(int dlt);
int pcapfile_dlt(uint16_t linktype);

#endif
