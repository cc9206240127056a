/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/publish.h"

#include "daemon/log.h"
#include "discovery/segment.h"

#include <barn/stats.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOAD_INTERVAL_S = RATES_INTERVAL_S };

struct publish {
	struct publish_options options;
	struct segment *segment;
	struct discovery **copies; /* a lane's each */
	struct discovery *sum;
	struct discovery *zero; /* what was counted when an interface was cleared */
	struct rates *rates;
	uint16_t room; /* protocols */
	uint16_t protocols;
	const struct registry *registry; /* that the protocols' records are of */
	uint64_t changes[WAYS_INTERFACES];
	uint64_t cleared_ns[WAYS_INTERFACES];
	uint64_t started_ns, rated_ns;
};

static uint64_t
wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

enum barn_err
publish_new(const struct publish_options *options, struct publish **publish)
{
	struct publish *p = calloc(1, sizeof(*p));
	uint16_t interfaces = options->ways->interfaces ? options->ways->interfaces : 1;
	enum barn_err err;

	if (!p)
		return BARN_ERR_MEMORY;
	p->options = *options;
	p->room = (uint16_t)(registry_count(options->engine->registry) + PUBLISH_MORE);
	p->started_ns = wall_ns();
	for (unsigned i = 0; i < WAYS_INTERFACES; i++)
		p->cleared_ns[i] = p->started_ns;
	p->copies = calloc(options->lane_count, sizeof(struct discovery *));
	err = p->copies ? segment_open(options->segment, &p->segment) : BARN_ERR_MEMORY;
	if (!err)
		err = discovery_new(interfaces, p->room, &p->sum);
	if (!err)
		err = discovery_new(interfaces, p->room, &p->zero);
	if (!err)
		err = rates_new(interfaces, p->room, LOAD_INTERVAL_S, &p->rates);
	for (unsigned i = 0; !err && i < options->lane_count; i++)
		err = discovery_new(interfaces, 1, &p->copies[i]);
	if (err) {
		publish_free(p);
		return err;
	}
	*publish = p;
	return BARN_OK;
}

void
publish_free(struct publish *publish)
{
	if (!publish)
		return;
	segment_close(publish->segment, false);
	discovery_free(publish->sum);
	discovery_free(publish->zero);
	rates_free(publish->rates);
	for (unsigned i = 0; publish->copies && i < publish->options.lane_count; i++)
		discovery_free(publish->copies[i]);
	free(publish->copies);
	free(publish);
}

static const char *const attributes[BARN_STATS_ATTRIBUTES] = {
	[BARN_STATS_CATEGORY] = "category",
	[BARN_STATS_SUB_CATEGORY] = "sub-category",
	[BARN_STATS_APPLICATION_GROUP] = "application-group",
	[BARN_STATS_APPLICATION_FAMILY] = "application-family",
	[BARN_STATS_APPLICATION_SET] = "application-set",
	[BARN_STATS_ENCRYPTED] = "encrypted",
	[BARN_STATS_TUNNEL] = "tunnel",
	[BARN_STATS_P2P_TECHNOLOGY] = "p2p-technology",
	[BARN_STATS_BUSINESS_RELEVANCE] = "business-relevance",
	[BARN_STATS_TRAFFIC_CLASS] = "traffic-class",
};

static void
take_attributes(struct barn_stats_protocol *record, const struct pdl_protocol *module)
{
	for (unsigned i = 0; module && i < module->attribute_count; i++)
		for (unsigned a = 0; a < BARN_STATS_ATTRIBUTES; a++)
			if (strcmp(module->attributes[i].key, attributes[a]) == 0)
				snprintf(record->attributes[a], sizeof(record->attributes[a]),
					 "%s", module->attributes[i].value);
}

static void
write_protocols(struct publish *p)
{
	const struct registry *r = p->options.engine->registry;
	uint16_t count = registry_count(r);

	if (r == p->registry)
		return;
	if (count > p->room)
		count = p->room;
	for (uint16_t i = 0; i < count; i++) {
		const struct protocol *of = registry_protocol(r, i);
		struct barn_stats_protocol record = {
			.index = of->index,
			.id = (uint32_t)of->id_engine << 24 | of->id_selector,
			.loaded = of->loaded,
		};

		snprintf(record.name, sizeof(record.name), "%s", of->name);
		snprintf(record.title, sizeof(record.title), "%s", of->title ? of->title : "");
		take_attributes(&record, of->module);
		segment_write(p->segment, BARN_STATS_PROTOCOLS, i, &record, sizeof(record));
	}
	segment_count(p->segment, BARN_STATS_PROTOCOLS, count, count != p->protocols);
	p->protocols = count;
	p->registry = r;
}

static void
write_interface(struct publish *p, uint16_t i)
{
	const char *name = p->options.ways->names[i];
	struct barn_stats_interface record = {
		.ifindex = if_nametoindex(name),
		.enabled = 1,
		.load_interval_s = LOAD_INTERVAL_S,
		.enabled_ns = p->started_ns,
		.cleared_ns = p->cleared_ns[i],
	};

	record.up = record.ifindex != 0;
	snprintf(record.name, sizeof(record.name), "%.31s", name);
	segment_write(p->segment, BARN_STATS_INTERFACES, i, &record, sizeof(record));
}

static void
write_row(struct publish *p, uint16_t i, uint16_t protocol)
{
	struct barn_stats_row row = { .packets = { 0 } };
	bool total = protocol == UINT16_MAX, any = false;

	for (uint8_t dir = 0; dir < 2; dir++) {
		struct discovery_cell now = total ? discovery_total(p->sum, i, dir)
						  : *discovery_cell(p->sum, i, dir, protocol);
		struct discovery_cell then = total ? discovery_total(p->zero, i, dir)
						   : *discovery_cell(p->zero, i, dir, protocol);

		row.packets[dir] = now.packets - then.packets;
		row.bytes[dir] = now.bytes - then.bytes;
		row.guessed_packets[dir] = now.guessed_packets - then.guessed_packets;
		row.guessed_bytes[dir] = now.guessed_bytes - then.guessed_bytes;
		row.bps[dir] = rates_bps(p->rates, i, dir, protocol);
		row.max_bps[dir] = rates_max_bps(p->rates, i, dir, protocol);
		any |= now.packets > 0;
	}
	if (any || total)
		segment_write_row(p->segment, i, total ? BARN_STATS_TOTAL : protocol, &row);
}

static void
write_rows(struct publish *p, uint16_t i, bool always)
{
	uint64_t changes = discovery_changes(p->sum, i);

	if (changes == p->changes[i] && !always)
		return;
	p->changes[i] = changes;
	segment_begin(p->segment, i);
	write_row(p, i, UINT16_MAX);
	for (uint16_t protocol = 0; protocol < p->protocols; protocol++)
		write_row(p, i, protocol);
	segment_end(p->segment, i);
}

static void
write_workers(struct publish *p, const struct lane_stats *stats)
{
	struct barn_stats_engine engine = { .started_ns = p->started_ns,
					    .discontinuity_ns = p->started_ns,
					    .published_ns = wall_ns(),
					    .pid = (uint32_t)getpid() };

	for (unsigned i = 0; i < p->options.lane_count; i++) {
		const struct lane_stats *s = &stats[i];
		struct barn_stats_worker record = {
			.packets = s->packets,
			.dropped = s->kernel_drops,
			.flows = s->table.flows,
			.peak = s->table.flows_peak,
			.created = s->table.created,
			.evicted = s->table.ended[FLOW_EVICTED],
			.pid = (uint32_t)getpid(),
		};

		segment_write(p->segment, BARN_STATS_WORKERS, i, &record, sizeof(record));
		engine.packets += s->packets;
		engine.dropped += s->kernel_drops;
		engine.undecodable += s->undecodable;
	}
	snprintf(engine.version, sizeof(engine.version), "%s", BARN_VERSION);
	segment_count(p->segment, BARN_STATS_WORKERS, p->options.lane_count, false);
	segment_write(p->segment, BARN_STATS_ENGINE, 0, &engine, sizeof(engine));
	segment_count(p->segment, BARN_STATS_ENGINE, 1, false);
}

static bool
add_up(struct publish *p, struct lane_stats *stats)
{
	const struct discovery *lanes[PULSE_THREADS];
	unsigned n = p->options.lane_count;

	for (unsigned i = 0; i < n; i++) {
		if (lane_add(p->options.lanes[i], &p->copies[i], &stats[i]))
			return false;
		if (discovery_protocols(p->copies[i]) > p->room)
			return false;
		lanes[i] = p->copies[i];
	}
	discovery_sum(p->sum, lanes, n);
	return true;
}

void
publish_now(struct publish *p)
{
	struct lane_stats stats[PULSE_THREADS] = { { 0 } };
	uint16_t interfaces = p->options.ways->interfaces;
	uint64_t now = wall_ns();
	bool rated = now >= p->rated_ns + (uint64_t)RATES_STEP_S * 1000000000;

	if (!add_up(p, stats))
		return;
	write_protocols(p);
	if (rated) {
		rates_update(p->rates, p->sum, now);
		p->rated_ns = now;
	}
	for (uint16_t i = 0; i < interfaces; i++) {
		write_interface(p, i);
		write_rows(p, i, rated);
	}
	segment_count(p->segment, BARN_STATS_INTERFACES, interfaces, false);
	write_workers(p, stats);
	segment_publish(p->segment);
}

void
publish_clear(struct publish *p, uint16_t interface)
{
	for (uint16_t i = 0; i < p->options.ways->interfaces; i++) {
		if (interface != i && interface != WAY_NONE)
			continue;
		discovery_copy(p->zero, p->sum, i);
		p->cleared_ns[i] = wall_ns();
		write_interface(p, i);
		write_rows(p, i, true);
	}
	segment_publish(p->segment);
}
