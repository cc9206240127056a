/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_RECORDS_H
#define SNMP_RECORDS_H

/*
 * The segment's smaller tables, copied as a whole when somebody asks after a publication, so
 * that what is served of a record is of one moment.
 */

#include <barn/stats.h>
#include <stdint.h>

struct records {
	uint64_t serial; /* of the publication; 0: none */
	uint8_t *data;
	size_t size; /* of a record */
	uint32_t count;
	/* Of hosts, in the order of protocol and rank; else of no use. */
	struct records_host {
		uint32_t protocol, rank, number;
	} * hosts;
};

struct snapshot;

/* NULL: there is no memory, or no daemon. */
const struct records *records_of(struct snapshot *snapshot, enum barn_stats_table table,
				 size_t size);
void records_free(struct records *records);

static inline const void *
records_at(const struct records *records, uint32_t number)
{
	return records->data + number * records->size;
}

#endif
