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
		ways->interfaces++;
	}
	return i;
}

/* One way of one worker. */
static bool
add(struct ways *ways, const struct way_kind *kind, const struct way_options *options,
    uint16_t first, uint16_t count)
{
	struct source_fault fault = { .text = "" };
	struct ways_item item = { kind, NULL, options->worker, first, count };

	if (ways->count == WAYS_MAX || first == WAY_NONE) {
		log_say(LOG_ERR, "more interfaces than %d", WAYS_INTERFACES);
		return false;
	}
	if (kind->open(options, &item.way, &fault)) {
		log_say(LOG_ERR, "%s: %s", kind->name, fault.text);
		return false;
	}
	ways->items[ways->count++] = item;
	ways->net_admin |= kind->keeps_net_admin;
	return true;
}

/* A tap's interface, or the two of a bridge; by all workers. */
static bool
add_line(struct ways *ways, const struct conf_line_way *line, unsigned index, unsigned workers)
{
	const char *const names[] = { line->interface, line->other };
	uint16_t first = ways->interfaces, count = line->other ? 2 : 1;
	struct way_options options = {
		.interfaces = names,
		.interface_count = count,
		.workers = (uint16_t)workers,
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
	struct way_options options = {
		.interfaces = &replay->path,
		.interface_count = 1,
		.pace = replay->speed,
	};

	return add(ways, &way_replay, &options, number_of(ways, replay->interface), 1);
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
		good = add_line(ways, &lines[i], i, settings->workers);
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
		ways->items[i].kind->close(ways->items[i].way);
	free(ways);
}
