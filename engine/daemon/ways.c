/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/ways.h"

#include "conf/service.h"
#include "daemon/log.h"

#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Groups of sockets among which the kernel divides an interface's packets are numbered by
 * network namespace; another barnd there has others. */
enum { FANOUT = 0x6261 };

/* As the driver has it, in Mbit/s; virtual ones say what they like, or nothing. */
static uint64_t
speed_of(const char *name)
{
	char path[128];
	long mbps = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/net/%.64s/speed", name);
	f = fopen(path, "re");
	if (!f)
		return 0;
	if (fscanf(f, "%ld", &mbps) != 1 || mbps < 0)
		mbps = 0;
	fclose(f);
	return (uint64_t)mbps * 1000000;
}

static uint16_t
number_of(struct ways *ways, const char *name)
{
	uint16_t i = 0;

	while (i < ways->interfaces && strcmp(ways->names[i], name) != 0)
		i++;
	if (i == WAYS_INTERFACES)
		return WAY_NONE;
	if (i == ways->interfaces) {
		snprintf(ways->names[i], sizeof(ways->names[i]), "%s", name);
		ways->ifindex[i] = if_nametoindex(name);
		ways->speed_bps[i] = ways->ifindex[i] ? speed_of(name) : 0;
		ways->opened[i] = ways->names[i];
		ways->interfaces++;
	}
	return i;
}

static bool
open_item(struct ways_item *item)
{
	struct source_fault fault = { .text = "" };
	const char *limit;

	if (item->kind->open(&item->options, &item->way, &fault)) {
		log_say(LOG_ERR, "%s: %s", item->kind->name, fault.text);
		return false;
	}
	limit = item->options.worker == 0 ? item->kind->limit(item->way) : NULL;
	if (limit)
		log_say(LOG_NOTICE, "%s: %s", item->kind->name, limit);
	return true;
}

/* One way of one worker. */
static bool
add(struct ways *ways, const struct way_kind *kind, const struct way_options *options,
    uint16_t first, uint16_t count)
{
	struct ways_item *item = &ways->items[ways->count];

	if (ways->count == WAYS_MAX || first == WAY_NONE) {
		log_say(LOG_ERR, "more interfaces than %d", WAYS_INTERFACES);
		return false;
	}
	*item = (struct ways_item){ *options, kind, NULL, options->worker, first, count };
	ways->count++;
	ways->net_admin |= kind->keeps_net_admin;
	return kind == &way_replay || open_item(item);
}

bool
ways_open_own(struct ways *ways)
{
	for (unsigned i = 0; i < ways->count; i++)
		if (!ways->items[i].way && !open_item(&ways->items[i]))
			return false;
	return true;
}

/* A tap's interface, or the two of a bridge; by all workers. */
static bool
add_line(struct ways *ways, const struct conf_line_way *line, unsigned index, uint16_t workers)
{
	const char *const names[] = { line->interface, line->other };
	uint16_t first = ways->interfaces, count = line->other ? 2 : 1;
	struct way_options options = {
		.interfaces = &ways->opened[first],
		.interface_count = count,
		.workers = workers,
		.fanout = (uint16_t)(FANOUT + 2 * index),
		.fail_closed = line->fail_closed,
	};

	for (unsigned i = 0; i < count; i++)
		if (number_of(ways, names[i]) == WAY_NONE)
			first = WAY_NONE;
	for (uint16_t w = 0; w < workers; w++) {
		options.worker = w;
		if (!add(ways, line->other ? &way_bridge : &way_tap, &options, first, count))
			return false;
	}
	return true;
}

/* Queues are divided among the workers, as evenly as it goes. */
static bool
add_queues(struct ways *ways, const struct conf_queues *queues, unsigned workers)
{
	unsigned count = queues->last - queues->first + 1u;
	uint16_t first = number_of(ways, "nfqueue");
	struct way_options options = { .fail_closed = queues->fail_closed,
				       .workers = (uint16_t)workers };

	for (unsigned w = 0; w < workers && w < count; w++) {
		unsigned from = count * w / workers, to = count * (w + 1) / workers;

		if (workers > count) {
			from = w;
			to = w + 1;
		}
		options.worker = (uint16_t)w;
		options.queue = (uint16_t)(queues->first + from);
		options.queues = (uint16_t)(to - from);
		if (!add(ways, &way_nfqueue, &options, first, 1))
			return false;
	}
	return true;
}

static bool
add_replay(struct ways *ways, const struct conf_replay *replay)
{
	uint16_t number = number_of(ways, replay->interface);
	struct way_options options = { .interface_count = 1, .pace = replay->speed };

	if (number == WAY_NONE)
		return add(ways, &way_replay, &options, number, 1);
	ways->opened[number] = ways->paths[number] = strdup(replay->path);
	options.interfaces = &ways->opened[number];
	return ways->paths[number] && add(ways, &way_replay, &options, number, 1);
}

struct ways *
ways_open(const struct conf *conf, const struct settings *settings)
{
	const struct conf_service *s = conf_service(conf);
	const struct conf_line_way *lines = s->lines.items;
	const struct conf_queues *queues = s->queues.items;
	const struct conf_replay *replays = s->replays.items;
	struct ways *ways = calloc(1, sizeof(*ways));
	bool good = ways;

	for (unsigned i = 0; good && i < s->lines.count; i++)
		good = add_line(ways, &lines[i], i, (uint16_t)settings->workers);
	for (unsigned i = 0; good && i < s->queues.count; i++)
		good = add_queues(ways, &queues[i], settings->workers);
	for (unsigned i = 0; good && i < s->replays.count; i++)
		good = add_replay(ways, &replays[i]);
	if (good && !ways->count)
		log_say(LOG_WARNING, "no packets will come: there is no tap, bridge, nfqueue "
				     "or replay in the configuration");
	if (!good) {
		ways_close(ways);
		return NULL;
	}
	return ways;
}

void
ways_close(struct ways *ways)
{
	if (!ways)
		return;
	for (unsigned i = 0; i < ways->count; i++)
		if (ways->items[i].way)
			ways->items[i].kind->close(ways->items[i].way);
	for (unsigned i = 0; i < WAYS_INTERFACES; i++)
		free(ways->paths[i]);
	free(ways);
}
