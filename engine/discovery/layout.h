/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DISCOVERY_LAYOUT_H
#define DISCOVERY_LAYOUT_H

/*
 * How the shared segment lies in its file: what segment.c writes and stats.c reads.
 *
 *	head                       sizes, which never change; counts and the serial, which do
 *	lines[interfaces]          a sequence each: odd while its rows are written
 *	table of slots             one after the other
 *
 * A slot is a sequence and two copies of a record. The writer writes the copy that the sequence
 * does not name, then counts the sequence up, which names it. So a reader repeats itself only
 * if the writer has come around in between, and a writer that is killed leaves every record
 * whole. A sequence of 0 is a record that was never written: all zero, and its pages are never
 * touched.
 *
 * Rows are by interface: first the total, then a row a protocol.
 *
 * All words are 64 bits, in the machine's order, read and written as atomics. Nothing in a
 * segment is a pointer, and a reader takes no number from it without holding it against the
 * file's size. The file keeps its size: a larger segment is another file, put in its place.
 */

#include <barn/stats_tables.h>
#include <stdatomic.h>
#include <stddef.h>

#define LAYOUT_MAGIC UINT64_C(0x7374617473726e62) /* "bnrstats", as little-endian reads */

enum {
	LAYOUT_VERSION = 1,
	LAYOUT_RECORD_MAX = 4096,
	LAYOUT_ROOM_MAX = 1 << 28, /* records of a table */
};

typedef _Atomic uint64_t layout_word;

struct layout_table {
	uint64_t offset; /* from the file's start, a multiple of 64 */
	uint32_t size;   /* of a record */
	uint32_t room;   /* slots that there are */
	layout_word count, version;
};

struct layout_head {
	uint64_t magic;
	uint32_t version, tables;
	uint64_t size;               /* of the file */
	uint64_t lines;              /* offset of the interfaces' sequences */
	uint32_t interfaces;         /* room for so many */
	uint32_t rows;               /* of an interface: 1 + protocols that there is room for */
	layout_word serial;          /* publications */
	layout_word beat_ns;         /* CLOCK_BOOTTIME of the last one */
	layout_word superseded;      /* not 0: another segment is about to take its place */
	struct layout_table table[]; /* [tables] */
};

static inline size_t
layout_stride(uint32_t size)
{
	return sizeof(layout_word) + 2 * (size_t)size;
}

#endif
