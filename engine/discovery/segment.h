/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DISCOVERY_SEGMENT_H
#define DISCOVERY_SEGMENT_H

/*
 * The shared segment's writer: what <barn/stats.h> reads. One thread writes, the publisher's:
 * workers count in a discovery of their own, and never touch the segment. So publishing costs
 * the packet path nothing, rates and maximums have one owner, and rows that have not changed
 * are not written. The publisher adds the workers up (discovery_sum) each 200 ms to 1 s, which
 * is how old what readers see may be. Had workers lines in the segment, every reader would add
 * them up for each row it reads, a worker's restart would take its counts away, and a hostile
 * reader could at least warm the workers' cache lines.
 *
 * Making a segment needs the right to write in its folder, filling it does not: a privileged
 * parent makes it and hands the descriptor on. A segment never grows. When there are more
 * protocols or interfaces than it has room for, another is made in its place; its readers see
 * that at their next refresh.
 */

#include <barn/err.h>
#include <barn/stats_tables.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct segment;

/* Records that there is room for. BARN_STATS_ROWS follows from interfaces and protocols. */
struct segment_room {
	uint32_t records[BARN_STATS_TABLES];
};

/*
 * Makes an empty segment beside `path` with this mode and puts it there (rename), whatever was
 * there; the path is taken from the folder that is open as `folder`, or AT_FDCWD. All its
 * memory is taken now, so that a full file system is an error here and no signal later. The
 * descriptor is the caller's, to read and write. BARN_ERR_SYSTEM: errno says why, and nothing
 * was left behind.
 */
enum barn_err segment_make(int folder, const char *path, mode_t mode,
			   const struct segment_room *room, int *fd);

/* The descriptor may be closed then. BARN_ERR_FORMAT: it is no segment of this layout. */
enum barn_err segment_open(int fd, struct segment **segment);
/* `superseded`: readers shall look for another one. Else it stays as it is. */
void segment_close(struct segment *segment, bool superseded); /* of NULL: nothing */

uint32_t segment_room(const struct segment *segment, enum barn_stats_table table);

/* Writes a record, if it differs from what is there. BARN_ERR_MISSING: there is no room. */
enum barn_err segment_write(struct segment *segment, enum barn_stats_table table,
			    uint32_t number, const void *record, size_t size);
/* BARN_STATS_TOTAL for the interface. */
enum barn_err segment_write_row(struct segment *segment, uint32_t interface, uint32_t protocol,
				const struct barn_stats_row *row);

/* Around an interface and its rows, so that readers can have them of one moment. */
void segment_begin(struct segment *segment, uint32_t interface);
void segment_end(struct segment *segment, uint32_t interface);

/* So many records are valid; `moved`: their numbers or names are others than before. */
void segment_count(struct segment *segment, enum barn_stats_table table, uint32_t count,
		   bool moved);

/* All is written: counts the serial up. Called each second at least, changed or not. */
void segment_publish(struct segment *segment);

#endif
