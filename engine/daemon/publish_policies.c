/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/publish_policies.h"

#include "conf/report.h"

#include <barn/stats_tables.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct publish_policies {
	struct policy_slot *slot;
	struct segment *segment;
	const struct policy *policy; /* whose counters these are */
	struct policy_count *counts;
	struct tally *tally;
	uint32_t objects; /* written in this round */
	uint32_t policies;
};

enum barn_err
publish_policies_new(struct policy_slot *slot, struct segment *segment,
		     struct publish_policies **policies)
{
	struct publish_policies *p = calloc(1, sizeof(*p));

	if (!p)
		return BARN_ERR_MEMORY;
	p->slot = slot;
	p->segment = segment;
	*policies = p;
	return BARN_OK;
}

static void
forget(struct publish_policies *p)
{
	free(p->counts);
	tally_free(p->tally);
	p->counts = NULL;
	p->tally = NULL;
	p->policy = NULL;
}

void
publish_policies_free(struct publish_policies *policies)
{
	if (!policies)
		return;
	forget(policies);
	free(policies);
}

/* 32 bits of a key and of what is special to an object below it; never 0. */
static uint32_t
id_of(uint64_t key, uint32_t kind, uint32_t number)
{
	uint64_t x = key ^ ((uint64_t)kind << 56) ^ ((uint64_t)number << 32);

	x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
	x = (x ^ (x >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
	x ^= x >> 33;
	return (uint32_t)x ? (uint32_t)x : 1;
}

/* What is the same wherever a map is applied: by the name alone (FNV-1a). */
static uint32_t
config_of(uint32_t kind, const char *map, const char *name, const char *text)
{
	const char *const parts[] = { map, name, text };
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ kind;

	for (unsigned i = 0; i < 3; i++)
		for (const char *c = parts[i] ? parts[i] : ""; *c; c++)
			h = (h ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
	return (uint32_t)(h ^ (h >> 32));
}

static void
put(struct publish_policies *p, const struct barn_stats_object *object)
{
	if (!segment_write(p->segment, BARN_STATS_OBJECTS, p->objects, object, sizeof(*object)))
		p->objects++;
}

static void
take(const struct publish_policies *p, uint32_t counter, uint64_t *packets, uint64_t *bytes)
{
	*packets = p->counts[counter].packets;
	*bytes = p->counts[counter].bytes;
}

static void
put_statements(struct publish_policies *p, const struct policy_node *node,
	       const struct barn_stats_object *class)
{
	for (unsigned i = 0; i < node->line_count; i++) {
		const struct policy_line *line = &node->lines[i];
		struct barn_stats_object o = {
			.id = id_of(node->key, BARN_STATS_STATEMENT, i + 1),
			.config = config_of(BARN_STATS_STATEMENT, NULL, node->name,
					    line->statement->text),
			.policy = class->policy,
			.parent = class->id,
			.kind = BARN_STATS_STATEMENT,
		};

		snprintf(o.text, sizeof(o.text), "%s",
			 line->statement->text ? line->statement->text : "");
		take(p, line->counter, &o.packets, &o.bytes);
		o.bps = tally_bps(p->tally, line->counter);
		put(p, &o);
	}
}

static void
put_police(struct publish_policies *p, const struct policy_node *node,
	   const struct barn_stats_object *class)
{
	const struct police_rates *rates = police_rates_of(node->police);
	struct barn_stats_object o = {
		.id = id_of(node->key, BARN_STATS_POLICE, 0),
		.config =
			config_of(BARN_STATS_POLICE, node->stage->map->name, node->name, NULL),
		.policy = class->policy,
		.parent = class->id,
		.kind = BARN_STATS_POLICE,
		.cir = rates->cir,
		.pir = rates->pir,
		.bc = rates->bc,
		.be = rates->be,
	};

	for (unsigned colour = 0; colour < POLICY_COLOURS; colour++) {
		uint32_t counter = node->counter + POLICY_COLOURED + colour;

		take(p, counter, &o.colour_packets[colour], &o.colour_bytes[colour]);
		o.colour_bps[colour] = tally_bps(p->tally, counter);
	}
	put(p, &o);
}

static void put_stage(struct publish_policies *p, const struct policy_stage *stage,
		      uint32_t policy, uint32_t parent);

static void
put_class(struct publish_policies *p, const struct policy_node *node, uint32_t policy,
	  uint32_t parent)
{
	struct barn_stats_object o = {
		.id = id_of(node->key, BARN_STATS_CLASS_MAP, 0),
		.config = config_of(BARN_STATS_CLASS_MAP, NULL, node->name, NULL),
		.policy = policy,
		.parent = parent,
		.kind = BARN_STATS_CLASS_MAP,
		.all = node->class_map && node->class_map->all,
	};

	snprintf(o.name, sizeof(o.name), "%s", node->name);
	if (node->class_map && node->class_map->description)
		snprintf(o.text, sizeof(o.text), "%s", node->class_map->description);
	take(p, node->counter + POLICY_OFFERED, &o.packets, &o.bytes);
	take(p, node->counter + POLICY_DROPPED, &o.dropped_packets, &o.dropped_bytes);
	o.bps = tally_bps(p->tally, node->counter + POLICY_OFFERED);
	o.dropped_bps = tally_bps(p->tally, node->counter + POLICY_DROPPED);
	put(p, &o);
	put_statements(p, node, &o);
	if (node->police)
		put_police(p, node, &o);
	if (node->child)
		put_stage(p, node->child, policy, o.id);
}

static void
put_stage(struct publish_policies *p, const struct policy_stage *stage, uint32_t policy,
	  uint32_t parent)
{
	struct barn_stats_object o = {
		.id = id_of(stage->key, BARN_STATS_POLICY_MAP, 0),
		.config = config_of(BARN_STATS_POLICY_MAP, stage->map->name, NULL, NULL),
		.policy = policy,
		.parent = parent,
		.kind = BARN_STATS_POLICY_MAP,
	};

	/* One popular poller takes the policy's number for that of its map's object. */
	if (!parent)
		o.id = policy;
	snprintf(o.name, sizeof(o.name), "%s", stage->map->name);
	if (stage->map->description)
		snprintf(o.text, sizeof(o.text), "%s", stage->map->description);
	put(p, &o);
	for (unsigned i = 0; i < stage->count; i++)
		put_class(p, &stage->nodes[i], policy, o.id);
}

/* Other counters than before: rates begin anew. */
static bool
follow(struct publish_policies *p, const struct policy *policy)
{
	uint32_t count = policy_counter_count(policy);

	forget(p);
	p->counts = calloc(count + 1, sizeof(*p->counts));
	if (!p->counts || tally_new(policy, &p->tally)) {
		forget(p);
		return false;
	}
	p->policy = policy;
	return true;
}

bool
publish_policies_report(const struct publish_policies *p,
			const struct publish_policies_place *at, struct text *text)
{
	const struct policy_place_at *places;
	struct report report = { .counts = p->counts,
				 .tally = p->tally,
				 .interval_s = TALLY_INTERVAL_S };
	const char *before = NULL;
	unsigned count = 0;

	places = p->policy ? policy_places(p->policy, &count) : NULL;
	for (unsigned i = 0; i < count; i++) {
		if ((at->interface && strcmp(at->interface, places[i].interface) != 0) ||
		    (at->directed && at->output != places[i].output))
			continue;
		if (!before || strcmp(before, places[i].interface) != 0)
			text_printf(text, "%s%s\n", before ? "\n" : "", places[i].interface);
		before = places[i].interface;
		report_place(text, &report, &places[i]);
	}
	return before;
}

void
publish_policies_now(struct publish_policies *p, uint64_t time_ns)
{
	const struct policy *policy = slot_policy(p->slot);
	const struct policy_place_at *places;
	uint32_t objects = p->objects, policies = p->policies;
	unsigned count = 0;

	p->objects = p->policies = 0;
	if (!policy)
		forget(p);
	if (policy && (policy == p->policy || follow(p, policy)) &&
	    !slot_read(p->slot, policy, p->counts)) {
		tally_update(p->tally, p->counts, time_ns);
		places = policy_places(policy, &count);
		for (unsigned i = 0; i < count; i++) {
			struct barn_stats_policy record = {
				.id = id_of(places[i].stage->key, BARN_STATS_POLICY_MAP, 0),
				.interface = places[i].iface,
				.output = places[i].output,
				.root = p->objects,
			};

			snprintf(record.map, sizeof(record.map), "%s",
				 places[i].stage->map->name);
			put_stage(p, places[i].stage, record.id, 0);
			if (!segment_write(p->segment, BARN_STATS_POLICIES, p->policies,
					   &record, sizeof(record)))
				p->policies++;
		}
	}
	segment_count(p->segment, BARN_STATS_OBJECTS, p->objects, p->objects != objects);
	segment_count(p->segment, BARN_STATS_POLICIES, p->policies, p->policies != policies);
}
