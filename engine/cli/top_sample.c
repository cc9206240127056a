/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/top_sample.h"
#include "cli/flow_lines.h"
#include "cli/show_common.h"
#include "program/say.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of the largest flows, which the daemon tells, those are shown whose rate is high. */
#define FLOWS "200"

static uint64_t
steady_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void
add_row(struct top_rows *list, struct top_row *row)
{
	if (list->count == list->room) {
		unsigned room = list->room ? 2 * list->room : 64;
		struct top_row *grown = realloc(list->rows, room * sizeof(*grown));

		if (grown) {
			list->rows = grown;
			list->room = room;
		}
	}
	if (list->count < list->room && row->name) {
		list->rows[list->count++] = *row;
		return;
	}
	list->failed = true;
	free(row->name);
	free(row->client);
	free(row->server);
}

static void
add_counts(struct top_row *row, const struct barn_stats_row *from)
{
	for (unsigned dir = 0; dir < 2; dir++) {
		row->packets[dir] += from->packets[dir];
		row->bytes[dir] += from->bytes[dir];
	}
}

/* Of one interface, or of all together. */
static void
count(const struct top_source *source, uint32_t protocol, struct top_row *row)
{
	uint32_t interfaces = barn_stats_count(source->stats, BARN_STATS_INTERFACES);
	struct barn_stats_row from;

	for (uint32_t i = 0; i < interfaces; i++)
		if ((source->interface == UINT32_MAX || source->interface == i) &&
		    !barn_stats_row(source->stats, i, protocol, &from))
			add_counts(row, &from);
}

static void
take_protocols(const struct top_source *source, struct top_rows *list)
{
	struct barn_stats_protocol protocol;

	for (uint32_t p = 0; !barn_stats_protocol(source->stats, p, &protocol); p++) {
		struct top_row row = { .key = p };

		count(source, p, &row);
		if (!row.packets[0] && !row.packets[1])
			continue;
		row.name = strdup(protocol.name);
		add_row(list, &row);
	}
}

/* The daemon numbers flows in each of its tables apart. */
static uint64_t
key_of(uint64_t id, const char *client, const char *server)
{
	uint64_t key = id ^ UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (; client && *client; client++)
		key = (key ^ (uint8_t)*client) * UINT64_C(0x100000001b3);
	for (; server && *server; server++)
		key = (key ^ (uint8_t)*server) * UINT64_C(0x100000001b3);
	return key;
}

static void
take_flow(void *self, struct json_object *flow)
{
	struct top_row row = {
		.name = flow_lines_stack(flow),
		.client = flow_lines_endpoint(flow, "client"),
		.server = flow_lines_endpoint(flow, "server"),
	};

	row.key = key_of(flow_lines_count(flow, "id", 0), row.client, row.server);
	for (unsigned side = 0; side < 2; side++) {
		row.packets[side] = flow_lines_count(flow, "packets", side);
		row.bytes[side] = flow_lines_count(flow, "bytes", side);
	}
	if (!row.client || !row.server) {
		free(row.name);
		row.name = NULL;
	}
	add_row(self, &row);
}

bool
top_sample_take(struct top_source *source, struct top_sample *sample)
{
	static const char *const words[] = { "top", FLOWS };
	enum barn_err err;
	bool changed;

	*sample = (struct top_sample){ .time_ns = steady_ns() };
	err = barn_stats_refresh(source->stats, &changed);
	if (err) {
		say_error("the counters are gone: %s", barn_strerror(err));
		return false;
	}
	sample->engine = show_common_engine(source->stats);
	count(source, BARN_STATS_TOTAL, &sample->total);
	take_protocols(source, &sample->protocols);
	if (!source->no_flows &&
	    flow_lines_ask(source->control, words, 2, take_flow, &sample->flows))
		source->no_flows = true;
	return true;
}

static void
fini(struct top_rows *list)
{
	for (unsigned i = 0; i < list->count; i++) {
		free(list->rows[i].name);
		free(list->rows[i].client);
		free(list->rows[i].server);
	}
	free(list->rows);
}

void
top_sample_fini(struct top_sample *sample)
{
	fini(&sample->protocols);
	fini(&sample->flows);
	*sample = (struct top_sample){ 0 };
}

/* Counters that went back were cleared. */
static void
rate(struct top_row *row, const struct top_row *before, double seconds)
{
	for (unsigned i = 0; i < 2; i++) {
		if (row->bytes[i] < before->bytes[i] || row->packets[i] < before->packets[i])
			continue;
		row->bps[i] =
			(uint64_t)((double)(row->bytes[i] - before->bytes[i]) * 8 / seconds);
		row->pps[i] =
			(uint64_t)((double)(row->packets[i] - before->packets[i]) / seconds);
	}
}

static int
by_key(const void *a, const void *b)
{
	const struct top_row *one = a, *other = b;

	return (one->key > other->key) - (one->key < other->key);
}

static int
down(uint64_t one, uint64_t other)
{
	return (one < other) - (one > other);
}

static int
compare_bytes(const void *a, const void *b)
{
	const struct top_row *one = a, *other = b;
	int order = down(one->bytes[0] + one->bytes[1], other->bytes[0] + other->bytes[1]);

	return order ? order : by_key(a, b);
}

static int
compare_rates(const void *a, const void *b)
{
	const struct top_row *one = a, *other = b;
	int order = down(one->bps[0] + one->bps[1], other->bps[0] + other->bps[1]);

	return order ? order : compare_bytes(a, b);
}

/* `before` has been sorted by its rates. */
static void
rates(struct top_rows *list, const struct top_rows *before, double seconds, bool by_bytes)
{
	struct top_row *old = calloc(before->count + 1, sizeof(*old)), *found;

	if (old && before->count) {
		memcpy(old, before->rows, before->count * sizeof(*old));
		qsort(old, before->count, sizeof(*old), by_key);
	}
	for (unsigned i = 0; old && i < list->count; i++) {
		found = bsearch(&list->rows[i], old, before->count, sizeof(*old), by_key);
		if (found)
			rate(&list->rows[i], found, seconds);
	}
	free(old);
	if (list->count)
		qsort(list->rows, list->count, sizeof(*list->rows),
		      by_bytes ? compare_bytes : compare_rates);
}

void
top_sample_since(struct top_sample *sample, const struct top_sample *before, bool by_bytes)
{
	double seconds = (double)(sample->time_ns - before->time_ns) / 1e9;

	if (seconds <= 0)
		seconds = 1;
	rate(&sample->total, &before->total, seconds);
	rates(&sample->protocols, &before->protocols, seconds, by_bytes);
	rates(&sample->flows, &before->flows, seconds, by_bytes);
}
