/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/publish_impl.h"

#include "discovery/ledger.h"

#include <barn/stats.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HOSTS_EACH = 10 }; /* names of a protocol that are shown */

static uint64_t
wall_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t
steady_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
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
	p->started_ns = wall_ns();
	p->all = true;
	for (uint16_t i = 0; i < options->ways->interfaces; i++) {
		struct barn_stats_interface *record = &p->interfaces[i];

		snprintf(record->name, sizeof(record->name), "%.31s", options->ways->names[i]);
		record->enabled = 1;
		record->enabled_ns = record->cleared_ns = p->started_ns;
	}
	err = segment_open(options->segment, &p->segment);
	if (!err)
		err = ledger_new(interfaces, registry_count(options->engine->registry),
				 &p->ledger);
	if (!err)
		err = hosts_new(&p->hosts);
	if (!err)
		err = publish_policies_new(options->policies, p->segment, &p->policies);
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
	publish_policies_free(publish->policies);
	segment_close(publish->segment, false);
	ledger_free(publish->ledger);
	hosts_free(publish->hosts);
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
	if (count > segment_room(p->segment, BARN_STATS_PROTOCOLS))
		count = (uint16_t)segment_room(p->segment, BARN_STATS_PROTOCOLS);
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

/* Links and numbers of interfaces change while it runs. */
static void
look_at_interfaces(struct publish *p)
{
	for (uint16_t i = 0; i < p->options.ways->interfaces; i++) {
		struct barn_stats_interface *record = &p->interfaces[i];

		record->ifindex = p->options.ways->ifindex[i];
		record->up = record->ifindex != 0;
		record->speed_bps = p->options.ways->speed_bps[i];
		record->load_interval_s = ledger_interval_s(p->ledger, i);
	}
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
			.capacity = p->options.flows,
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

void
publish_now(struct publish *p)
{
	const struct discovery *lanes[PULSE_THREADS];
	struct lane_stats stats[PULSE_THREADS];
	uint16_t interfaces = p->options.ways->interfaces;

	for (unsigned i = 0; i < p->options.lane_count; i++) {
		lanes[i] = lane_look(p->options.lanes[i], &stats[i]);
		hosts_ring_take(lane_hosts(p->options.lanes[i]), p->hosts);
	}
	ledger_update(p->ledger, lanes, p->options.lane_count, steady_ns());
	write_protocols(p);
	look_at_interfaces(p);
	segment_count(p->segment, BARN_STATS_INTERFACES, interfaces, p->all);
	ledger_publish(p->ledger, p->segment, p->interfaces, p->all);
	publish_policies_now(p->policies, steady_ns());
	hosts_publish(p->hosts, p->segment, HOSTS_EACH);
	write_workers(p, stats);
	segment_publish(p->segment);
	p->all = false;
}

struct publish_policies *
publish_policies(struct publish *publish)
{
	return publish->policies;
}

/* A configuration that has `ip nbar protocol-discovery` nowhere means all interfaces. */
static bool
names_discovery(const struct conf *conf)
{
	const struct conf_interface *said;

	for (unsigned i = 0; (said = conf_interface(conf, i)); i++)
		if (said->discovery)
			return true;
	return false;
}

static uint32_t
families_of(uint8_t discovery)
{
	return discovery == CONF_DISCOVER_IP4 ? 4 : discovery == CONF_DISCOVER_IP6 ? 6 : 0;
}

static void
enable(struct barn_stats_interface *record, bool on)
{
	if (on && !record->enabled)
		record->enabled_ns = wall_ns();
	if (!on)
		record->enabled_ns = 0;
	record->enabled = on;
}

void
publish_enable(struct publish *p, uint16_t interface, bool on)
{
	if (on && !p->interfaces[interface].enabled)
		publish_clear(p, interface);
	enable(&p->interfaces[interface], on);
	publish_now(p);
}

void
publish_configure(struct publish *p, const struct conf *conf)
{
	bool named = names_discovery(conf);

	for (uint16_t i = 0; i < p->options.ways->interfaces; i++) {
		const struct conf_interface *said =
			conf_interface_named(conf, p->options.ways->names[i]);
		struct barn_stats_interface *record = &p->interfaces[i];

		enable(record, !named || (said && said->discovery));
		record->families = said ? families_of(said->discovery) : 0;
		ledger_interval(p->ledger, i,
				said && said->load_interval_s ? said->load_interval_s
							      : CONF_LOAD_INTERVAL);
	}
}

void
publish_clear(struct publish *p, uint16_t interface)
{
	for (uint16_t i = 0; i < p->options.ways->interfaces; i++) {
		if (interface != i && interface != WAY_NONE)
			continue;
		if (!ledger_clear(p->ledger, i))
			p->interfaces[i].cleared_ns = wall_ns();
	}
	publish_now(p);
}
