/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/table.h"
#include "cli/json_out.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 28, NAME_WIDE = 32, VALUE_WIDTH = 24 };

static int
compare(const void *a, const void *b)
{
	const struct table_row *one = a, *other = b;
	uint64_t x = one->bps[0] + one->bps[1], y = other->bps[0] + other->bps[1];

	if (x == y) {
		x = one->bytes[0] + one->bytes[1];
		y = other->bytes[0] + other->bytes[1];
	}
	if (x == y)
		return strcmp(one->name, other->name);
	return x > y ? -1 : 1;
}

void
table_sort(struct table_row *rows, unsigned count)
{
	if (count)
		qsort(rows, count, sizeof(*rows), compare);
}

static int
name_width(const struct table *t)
{
	size_t width = NAME_WIDTH;

	for (unsigned i = 0; i < t->count; i++) {
		size_t len = strlen(t->rows[i].name);

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

/* The first line of a row that is printed has its name. */
static void
print_numbers(int width, const char **name, const uint64_t pair[2])
{
	char words[2][24];

	snprintf(words[0], sizeof(words[0]), "%" PRIu64, pair[0]);
	snprintf(words[1], sizeof(words[1]), "%" PRIu64, pair[1]);
	print_words(width, *name, words[0], words[1]);
	*name = "";
}

static void
print_row(const struct table *t, int width, const struct table_row *row)
{
	const char *name = row->name;

	if (t->lines & TABLE_PACKETS)
		print_numbers(width, &name, row->packets);
	if (t->lines & TABLE_BYTES)
		print_numbers(width, &name, row->bytes);
	if (t->lines & TABLE_BPS)
		print_numbers(width, &name, row->bps);
	if (t->lines & TABLE_MAX_BPS)
		print_numbers(width, &name, row->max_bps);
}

static void
print_title(int width, const char **name, const char *title)
{
	print_words(width, *name, title, title);
	*name = "";
}

/* As routers name it: 5min, 30sec. */
static void
print_rate_title(const struct table *t, int width, const char **name, const char *what)
{
	bool minutes = t->interval_s % 60 == 0;
	char title[64];

	snprintf(title, sizeof(title), "%u%s %s (bps)",
		 minutes ? t->interval_s / 60 : t->interval_s, minutes ? "min" : "sec", what);
	print_title(width, name, title);
}

static void
print_head(const struct table *t, int width)
{
	static const char dashes[] = "----------------------------------------------------"
				     "------------";
	const char *name = "Protocol";

	print_words(width, "", "Input", "Output");
	print_words(width, "", "-----", "------");
	if (t->lines & TABLE_PACKETS)
		print_title(width, &name, "Packet Count");
	if (t->lines & TABLE_BYTES)
		print_title(width, &name, "Byte Count");
	if (t->lines & TABLE_BPS)
		print_rate_title(t, width, &name, "Bit Rate");
	if (t->lines & TABLE_MAX_BPS)
		print_rate_title(t, width, &name, "Max Bit Rate");
	printf(" %.*s %.*s %.*s\n", width, dashes, VALUE_WIDTH, dashes, VALUE_WIDTH, dashes);
}

/* Behind the table, where it is in no column's way: what was not proven by the flow itself. */
static void
print_guesses(const struct table_row *rows, unsigned count)
{
	bool begun = false;

	for (unsigned i = 0; i < count; i++) {
		const struct table_row *r = &rows[i];
		uint64_t packets = r->guessed_packets[0] + r->guessed_packets[1];

		if (!packets)
			continue;
		if (!begun)
			printf("\n Guessed by port or by the server's name learned before:\n");
		begun = true;
		printf("  %s: %" PRIu64 " of %" PRIu64 " packets, %" PRIu64 " of %" PRIu64
		       " bytes\n",
		       r->name, packets, r->packets[0] + r->packets[1],
		       r->guessed_bytes[0] + r->guessed_bytes[1], r->bytes[0] + r->bytes[1]);
	}
}

void
table_print(const struct table *t)
{
	int width = name_width(t);

	printf("\n %s \n\n"
	       " Last clearing of \"show ip nbar protocol-discovery\" counters "
	       "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 "\n\n\n",
	       t->name, t->seconds / 3600, t->seconds / 60 % 60, t->seconds % 60);
	print_head(t, width);
	for (unsigned i = 0; i < t->count; i++)
		print_row(t, width, &t->rows[i]);
	print_row(t, width, &t->total);
	print_guesses(t->rows, t->count);
}

static struct json_object *
side_json(const struct table_row *row, unsigned dir)
{
	struct json_object *object = json_object_new_object();

	json_out_number(object, "packets", row->packets[dir]);
	json_out_number(object, "bytes", row->bytes[dir]);
	json_out_number(object, "bit_rate", row->bps[dir]);
	json_out_number(object, "max_bit_rate", row->max_bps[dir]);
	json_out_number(object, "guessed_packets", row->guessed_packets[dir]);
	json_out_number(object, "guessed_bytes", row->guessed_bytes[dir]);
	return object;
}

static struct json_object *
row_json(const struct table_row *row, bool named)
{
	struct json_object *object = json_object_new_object();

	if (named)
		json_out_string(object, "protocol", row->name);
	json_object_object_add(object, "input", side_json(row, 0));
	json_object_object_add(object, "output", side_json(row, 1));
	return object;
}

struct json_object *
table_json(const struct table *t)
{
	struct json_object *object = json_object_new_object(), *list;

	json_out_string(object, "name", t->name);
	list = json_out_list(object, "protocols");
	for (unsigned i = 0; i < t->count; i++)
		json_object_array_add(list, row_json(&t->rows[i], true));
	json_object_object_add(object, "total", row_json(&t->total, false));
	return object;
}
