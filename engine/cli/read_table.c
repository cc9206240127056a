/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_table.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 28, NAME_WIDE = 32, VALUE_WIDTH = 24 };

static struct read_table_row
row_of(const struct read_table *t, uint16_t iface, uint16_t protocol)
{
	struct read_table_row row = { .protocol = protocol };

	row.name = protocol == UINT16_MAX ? "Total"
					  : registry_protocol(t->registry, protocol)->name;
	for (uint8_t dir = 0; dir < 2; dir++) {
		row.cell[dir] = protocol == UINT16_MAX
					? discovery_total(t->sum, iface, dir)
					: *discovery_cell(t->sum, iface, dir, protocol);
		row.bps[dir] = rates_bps(t->rates, iface, dir, protocol);
		row.max_bps[dir] = rates_max_bps(t->rates, iface, dir, protocol);
	}
	return row;
}

struct read_table_row
read_table_total(const struct read_table *t, uint16_t iface)
{
	return row_of(t, iface, UINT16_MAX);
}

/* NBAR's order: bit rate, then bytes; then by name, so that it is always the same. */
static int
compare(const void *a, const void *b)
{
	const struct read_table_row *one = a, *other = b;
	uint64_t x = one->bps[0] + one->bps[1], y = other->bps[0] + other->bps[1];

	if (x == y) {
		x = one->cell[0].bytes + one->cell[1].bytes;
		y = other->cell[0].bytes + other->cell[1].bytes;
	}
	if (x == y)
		return strcmp(one->name, other->name);
	return x > y ? -1 : 1;
}

struct read_table_row *
read_table_rows(const struct read_table *t, uint16_t iface, unsigned *count)
{
	uint16_t protocols = registry_count(t->registry);
	struct read_table_row *rows = calloc(protocols, sizeof(*rows));

	*count = 0;
	for (uint16_t p = 0; rows && p < protocols; p++) {
		struct read_table_row row = row_of(t, iface, p);

		if ((row.cell[0].packets || row.cell[1].packets) &&
		    read_select_protocol(t->select, row.name))
			rows[(*count)++] = row;
	}
	if (!rows)
		return NULL;
	qsort(rows, *count, sizeof(*rows), compare);
	if (t->top && *count > t->top)
		*count = t->top;
	return rows;
}

static int
name_width(const struct read_table_row *rows, unsigned count)
{
	size_t width = NAME_WIDTH;

	for (unsigned i = 0; i < count; i++) {
		size_t len = strlen(rows[i].name);

		if (len > width)
			width = len > NAME_WIDE ? len : NAME_WIDE;
	}
	return (int)width;
}

static void
print_words(int width, const char *name, const char *in, const char *out)
{
	printf(" %-*s %-*s %-*s\n", width, name, VALUE_WIDTH, in, VALUE_WIDTH, out);
}

static void
print_numbers(int width, const char *name, uint64_t in, uint64_t out)
{
	char words[2][24];

	snprintf(words[0], sizeof(words[0]), "%" PRIu64, in);
	snprintf(words[1], sizeof(words[1]), "%" PRIu64, out);
	print_words(width, name, words[0], words[1]);
}

static void
print_row(int width, const struct read_table_row *row)
{
	print_numbers(width, row->name, row->cell[0].packets, row->cell[1].packets);
	print_numbers(width, "", row->cell[0].bytes, row->cell[1].bytes);
	print_numbers(width, "", row->bps[0], row->bps[1]);
	print_numbers(width, "", row->max_bps[0], row->max_bps[1]);
}

static void
print_head(int width)
{
	static const char dashes[] = "----------------------------------------------------"
				     "------------";

	print_words(width, "", "Input", "Output");
	print_words(width, "", "-----", "------");
	print_words(width, "Protocol", "Packet Count", "Packet Count");
	print_words(width, "", "Byte Count", "Byte Count");
	print_words(width, "", "5min Bit Rate (bps)", "5min Bit Rate (bps)");
	print_words(width, "", "5min Max Bit Rate (bps)", "5min Max Bit Rate (bps)");
	printf(" %.*s %.*s %.*s\n", width, dashes, VALUE_WIDTH, dashes, VALUE_WIDTH, dashes);
}

/* Behind the table, where it is in no column's way: what was not proven by the flow itself. */
static void
print_guesses(const struct read_table_row *rows, unsigned count)
{
	bool begun = false;

	for (unsigned i = 0; i < count; i++) {
		const struct discovery_cell *in = &rows[i].cell[0], *out = &rows[i].cell[1];
		uint64_t packets = in->guessed_packets + out->guessed_packets;

		if (!packets)
			continue;
		if (!begun)
			printf("\n Guessed by port or by the server's name learned before:\n");
		begun = true;
		printf("  %s: %" PRIu64 " of %" PRIu64 " packets, %" PRIu64 " of %" PRIu64
		       " bytes\n",
		       rows[i].name, packets, in->packets + out->packets,
		       in->guessed_bytes + out->guessed_bytes, in->bytes + out->bytes);
	}
}

static void
print_interface(const struct read_table *t, uint16_t iface)
{
	uint64_t seconds = t->span_ns / 1000000000;
	struct read_table_row total = read_table_total(t, iface);
	unsigned count;
	struct read_table_row *rows = read_table_rows(t, iface, &count);
	int width = name_width(rows, count);

	printf("\n %s \n\n"
	       " Last clearing of \"show ip nbar protocol-discovery\" counters "
	       "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 "\n\n\n",
	       t->names[iface], seconds / 3600, seconds / 60 % 60, seconds % 60);
	print_head(width);
	for (unsigned i = 0; i < count; i++)
		print_row(width, &rows[i]);
	print_row(width, &total);
	print_guesses(rows, count);
	free(rows);
}

void
read_table_print(const struct read_table *t)
{
	for (uint16_t i = 0; i < t->interfaces; i++)
		print_interface(t, i);
}

void
read_table_totals(const struct read_table *t)
{
	struct discovery_cell all = { 0 }, unknown = { 0 };

	for (uint16_t i = 0; i < t->interfaces; i++)
		for (uint8_t dir = 0; dir < 2; dir++) {
			struct discovery_cell total = discovery_total(t->sum, i, dir);
			const struct discovery_cell *c = discovery_cell(t->sum, i, dir, 0);

			all.packets += total.packets;
			all.bytes += total.bytes;
			unknown.packets += c->packets;
			unknown.bytes += c->bytes;
		}
	putchar('\n');
	read_limits_print(&t->limits);
	printf(" %" PRIu64 " packets, %" PRIu64
	       " flows, unknown %.2f %% of packets and %.2f %% "
	       "of bytes, %.2f seconds, %.0f packets/s\n",
	       t->packets, t->flows,
	       100 * (double)unknown.packets / (double)(all.packets ? all.packets : 1),
	       100 * (double)unknown.bytes / (double)(all.bytes ? all.bytes : 1), t->seconds,
	       (double)t->packets / (t->seconds > 0 ? t->seconds : 1));
}
