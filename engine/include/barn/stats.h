/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_STATS_H
#define BARN_STATS_H

/*
 * What barnd counts, for other processes: read from a file in shared memory that it publishes,
 * without asking it, blocking it, or waiting for it. barn-stats(3).
 *
 *	struct barn_stats *stats;
 *	bool changed;
 *	barn_stats_open(BARN_STATS_PATH, &stats);
 *	barn_stats_refresh(stats, &changed);               now and then: the daemon's restarts
 *	for (uint32_t i = 0; i < barn_stats_count(stats, BARN_STATS_INTERFACES); i++)
 *		barn_stats_interface(stats, i, &iface);
 *
 * A segment has tables of records. All values of one record are of one moment. A record is as
 * long as the writer knows it: what a reader knows beyond that is 0, what the writer knows
 * beyond the reader is left out, so either may be the newer one. A struct barn_stats belongs to
 * one thread.
 */

#include <barn/err.h>
#include <barn/stats_tables.h>
#include <stdbool.h>
#include <stddef.h>

#define BARN_STATS_PATH "/run/barn/stats"

struct barn_stats;

/* Nothing is opened yet: there may be no daemon. The path is copied. */
enum barn_err barn_stats_open(const char *path, struct barn_stats **stats);
void barn_stats_close(struct barn_stats *stats); /* of NULL: nothing */

/*
 * Looks whether a segment is there, or another one than before: *changed then, and all records
 * may have other numbers. Costs a stat(). Never waits. BARN_ERR_MISSING: there is none;
 * BARN_ERR_FORMAT: it is no segment of this layout; BARN_ERR_SYSTEM: errno says why. On an
 * error what was read before can still be read.
 */
enum barn_err barn_stats_refresh(struct barn_stats *stats, bool *changed);

/* How long ago the daemon published last; UINT64_MAX: never. It does so each second at least.
 */
uint64_t barn_stats_age_ms(const struct barn_stats *stats);

/* Counts up with each publication; and, by table, when records came, went or changed places. */
uint64_t barn_stats_serial(const struct barn_stats *stats);
uint64_t barn_stats_version(const struct barn_stats *stats, enum barn_stats_table table);

uint32_t barn_stats_count(const struct barn_stats *stats, enum barn_stats_table table);

/*
 * Copies a record; `size` is the struct's. BARN_ERR_MISSING: there is no such record;
 * BARN_ERR_FORMAT: the segment is damaged, see barn_stats_refresh. On an error it is all zero.
 */
enum barn_err barn_stats_read(const struct barn_stats *stats, enum barn_stats_table table,
			      uint32_t number, void *record, size_t size);
/* A protocol's row, or with BARN_STATS_TOTAL that of the whole interface. */
#define BARN_STATS_TOTAL UINT32_MAX
enum barn_err barn_stats_read_row(const struct barn_stats *stats, uint32_t interface,
				  uint32_t protocol, void *row, size_t size);

/*
 * An interface and `count` of its rows, `size` bytes apart, of one moment: rows[0] is the
 * total, rows[1 + p] protocol p. *whole is false where the daemon wrote them at each try; then
 * each of them is of a moment of its own.
 */
enum barn_err barn_stats_read_interface(const struct barn_stats *stats, uint32_t interface,
					void *record, size_t record_size, void *rows,
					size_t size, uint32_t count, bool *whole);

static inline enum barn_err
barn_stats_interface(const struct barn_stats *stats, uint32_t number,
		     struct barn_stats_interface *interface)
{
	return barn_stats_read(stats, BARN_STATS_INTERFACES, number, interface,
			       sizeof(*interface));
}

static inline enum barn_err
barn_stats_protocol(const struct barn_stats *stats, uint32_t number,
		    struct barn_stats_protocol *protocol)
{
	return barn_stats_read(stats, BARN_STATS_PROTOCOLS, number, protocol,
			       sizeof(*protocol));
}

static inline enum barn_err
barn_stats_row(const struct barn_stats *stats, uint32_t interface, uint32_t protocol,
	       struct barn_stats_row *row)
{
	return barn_stats_read_row(stats, interface, protocol, row, sizeof(*row));
}

#endif
