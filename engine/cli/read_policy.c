/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_policy.h"
#include "cli/read_hold.h"
#include "program/say.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t STEP_NS = UINT64_C(1000000000) * TALLY_STEP_S;

struct read_policy {
	struct read_policy_options options;
	struct arena *arena;
	struct policy_model model;           /* the configuration's, with attaches of its own */
	struct policy_interface *interfaces; /* by number */
	const char **names;
	uint32_t *intervals_s;
	struct policy_slot *slot;
	const struct policy *policy; /* the slot's */
	struct policy_count *counts;
	struct tally *tally;
	uint64_t step_ns; /* when the rates are next brought up to date */
	struct read_hold *hold;
	struct read_policy_sums sums;
};

/* The interface that the configuration means by a capture's name: eth0, or eth0.pcap. */
static const struct conf_interface *
meant(const struct conf *conf, const char *name)
{
	static const char *const ends[] = { ".gz", ".zst", ".pcap", ".pcapng", ".cap" };
	const struct conf_interface *found = conf_interface_named(conf, name);
	char stem[256];
	size_t len = strlen(name);

	if (found || len >= sizeof(stem))
		return found;
	memcpy(stem, name, len + 1);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t end = strlen(ends[i]);

		if (len > end && strcmp(stem + len - end, ends[i]) == 0)
			stem[len -= end] = '\0';
	}
	return conf_interface_named(conf, stem);
}

/* Two captures of one name are two interfaces, which a policy tells apart by their names. */
static const char *
unique(struct read_policy *p, uint16_t number, const char *name)
{
	struct text text = { 0 };
	const char *copy;

	for (uint16_t i = 0; i < number; i++)
		if (strcmp(p->names[i], name) == 0) {
			text_printf(&text, "%s#%u", name, number + 1u);
			copy = text.failed ? NULL : arena_strdup(p->arena, text_str(&text));
			text_fini(&text);
			return copy;
		}
	return arena_strdup(p->arena, name);
}

static enum barn_err
name_interfaces(struct read_policy *p)
{
	const struct read_policy_options *o = &p->options;

	p->interfaces = arena_array(p->arena, o->interfaces, sizeof(*p->interfaces));
	p->names = arena_array(p->arena, o->interfaces, sizeof(*p->names));
	p->intervals_s = arena_array(p->arena, o->interfaces, sizeof(*p->intervals_s));
	if (!p->interfaces || !p->names || !p->intervals_s)
		return BARN_ERR_MEMORY;
	for (uint16_t i = 0; i < o->interfaces; i++) {
		const struct conf_interface *conf = meant(o->conf, o->names[i]);

		p->names[i] = unique(p, i, conf ? conf->name : o->names[i]);
		p->intervals_s[i] = conf ? conf->load_interval_s : TALLY_INTERVAL_S;
		if (!p->names[i])
			return BARN_ERR_MEMORY;
		p->interfaces[i] = (struct policy_interface){
			.name = p->names[i],
			.speed_bps = conf ? conf->bandwidth_kbps * 1000 : 0,
		};
	}
	return BARN_OK;
}

static enum barn_err
attach(struct read_policy *p, const char *map, bool output)
{
	for (uint16_t i = 0; map && i < p->options.interfaces; i++) {
		struct policy_attach *a = list_add(&p->model.attaches, p->arena, sizeof(*a));

		if (!a)
			return BARN_ERR_MEMORY;
		*a = (struct policy_attach){ p->names[i], output, map, { NULL, 0, 0 } };
	}
	return BARN_OK;
}

static bool
has_map(const struct read_policy *p, const char *name)
{
	if (!name || model_map(&p->model, name))
		return true;
	say_error("no such policy map: %s", name);
	return false;
}

/* 0, or an exit status. */
static int
compile(struct read_policy *p)
{
	const struct read_policy_options *o = &p->options;
	struct policy_options options = {
		.interfaces = p->interfaces,
		.interface_count = o->interfaces,
		.no_hyperscan = o->no_hyperscan,
	};
	struct barn_faults faults = { .count = 0 };
	struct policy *policy;
	unsigned places;
	enum barn_err err =
		policy_new(&p->model, o->engine->registry, &options, &policy, &faults);

	if (err == BARN_ERR_TEXT) {
		say_faults(&faults);
		return EXIT_FAILED;
	}
	if (!err) {
		err = slot_publish(p->slot, policy);
		if (err)
			policy_free(policy);
	}
	if (err) {
		say_error("%s", barn_strerror(err));
		return EXIT_FAILED;
	}
	p->policy = policy;
	policy_places(policy, &places);
	if (!places) {
		say_error("the configuration applies no policy to these interfaces");
		return EXIT_FAILED;
	}
	return 0;
}

static enum barn_err
prepare(struct read_policy *p)
{
	unsigned places;
	const struct policy_place_at *place = policy_places(p->policy, &places);
	enum barn_err err = tally_new(p->policy, &p->tally);

	for (unsigned i = 0; i < places && !err; i++)
		tally_interval(p->tally, i, p->intervals_s[place[i].iface]);
	p->counts = calloc(policy_counter_count(p->policy), sizeof(*p->counts));
	return err ? err : p->counts ? BARN_OK : BARN_ERR_MEMORY;
}

static enum barn_err
start(struct read_policy *p)
{
	const struct read_policy_options *o = &p->options;
	enum barn_err err = arena_new(0, &p->arena);

	p->model = *conf_model(o->conf);
	if (!err)
		err = name_interfaces(p);
	if (!err && !o->attached) {
		p->model.attaches = (struct list){ NULL, 0, 0 };
		err = attach(p, o->input, false);
		if (!err)
			err = attach(p, o->output, true);
	}
	if (!err)
		err = read_hold_new(&p->hold);
	return err ? err : slot_new(&p->slot);
}

int
read_policy_new(const struct read_policy_options *options, struct read_policy **policy)
{
	struct read_policy *p = calloc(1, sizeof(*p));
	enum barn_err err = BARN_ERR_MEMORY;
	int status = EXIT_FAILED;

	if (p) {
		p->options = *options;
		err = start(p);
	}
	if (!err) {
		if (!has_map(p, options->input) || !has_map(p, options->output) || compile(p)) {
			read_policy_free(p);
			return EXIT_FAILED;
		}
		err = prepare(p);
	}
	if (!err) {
		*policy = p;
		return 0;
	}
	say_error("%s", barn_strerror(err));
	read_policy_free(p);
	return status;
}

void
read_policy_free(struct read_policy *p)
{
	if (!p)
		return;
	read_hold_free(p->hold);
	tally_free(p->tally);
	free(p->counts);
	slot_free(p->slot);
	arena_free(p->arena);
	free(p);
}

struct policy_slot *
read_policy_slot(struct read_policy *p)
{
	return p->slot;
}

static void
count(struct read_policy *p, const struct packet *packet, const struct policy_verdict *v)
{
	struct read_policy_sums *s = &p->sums;

	s->packets++;
	s->bytes += packet->wire_len;
	s->logged += v->log;
	s->undecided += v->undecided;
	if (v->fate == POLICY_FATE_DROP)
		s->dropped++;
	else if (v->fate == POLICY_FATE_REJECT)
		s->rejected++;
	else if (v->tos_mask || v->has || v->mark_mask)
		s->marked++;
}

static void
settle(struct read_policy *p, const struct packet *packet, uint64_t flow, bool output,
       uint64_t *note, const struct policy_verdict *v)
{
	count(p, packet, v);
	if (note)
		*note = read_policy_note(packet, v);
	if (p->options.decided)
		p->options.decided(p->options.self, packet, flow, output, v);
}

/* Asks about one that was held again. False: it still is. */
static bool
redo(struct read_policy *p, struct worker *worker, const struct read_held *held, bool last)
{
	struct decide_ask ask = { held->packet.iface, held->output, last, true };
	struct policy_verdict verdict;

	worker_decide(worker, &held->packet, &ask, &verdict);
	if (verdict.fate == POLICY_FATE_HOLD)
		return false;
	settle(p, &held->packet, held->flow, held->output, held->note, &verdict);
	return true;
}

/* What has waited long enough, and what comes before this packet in its flow. */
static void
release(struct read_policy *p, struct worker *worker, const struct packet *packet,
	uint64_t flow)
{
	struct read_held *held;

	while ((held = read_hold_due(p->hold, packet->time_ns))) {
		redo(p, worker, held, true);
		read_hold_drop(p->hold, held);
	}
	while ((held = read_hold_of(p->hold, flow)) && redo(p, worker, held, false))
		read_hold_drop(p->hold, held);
}

static enum barn_err
update_rates(struct read_policy *p, uint64_t time_ns)
{
	enum barn_err err = slot_read(p->slot, p->policy, p->counts);

	if (!err)
		tally_update(p->tally, p->counts, time_ns);
	return err;
}

/* Before the packet of this time is counted; damaged captures have times without end. */
static enum barn_err
advance(struct read_policy *p, uint64_t time_ns)
{
	enum barn_err err = BARN_OK;
	uint64_t steps;

	if (!p->step_ns) {
		err = update_rates(p, time_ns);
		p->step_ns = time_ns;
	} else if (time_ns - p->step_ns >= STEP_NS && time_ns > p->step_ns) {
		steps = (time_ns - p->step_ns) / STEP_NS;
		err = update_rates(p, p->step_ns + STEP_NS);
		p->step_ns += steps * STEP_NS;
		if (!err)
			err = update_rates(p, p->step_ns);
	}
	return err;
}

static bool
is_output(const struct read_policy *p, const struct worker *worker, const struct packet *packet)
{
	const struct read_policy_options *o = &p->options;

	if (!o->attached && !o->inside && !(o->input && o->output))
		return o->output != NULL;
	return worker_dir(worker, packet) == PACKET_OUT;
}

enum barn_err
read_policy_packet(struct read_policy *p, struct worker *worker, const struct packet *packet,
		   uint64_t flow, uint64_t *note)
{
	struct decide_ask ask = { .iface = packet->iface };
	struct policy_verdict verdict;
	enum barn_err err = advance(p, packet->time_ns);

	if (err)
		return err;
	release(p, worker, packet, flow);
	ask.output = is_output(p, worker, packet);
	if (!policy_stage_at(p->policy, ask.iface, ask.output))
		return BARN_OK;
	worker_decide(worker, packet, &ask, &verdict);
	if (verdict.fate == POLICY_FATE_HOLD) {
		p->sums.held++;
		return read_hold_add(p->hold, packet, flow, ask.output, note);
	}
	settle(p, packet, flow, ask.output, note, &verdict);
	return BARN_OK;
}

enum barn_err
read_policy_finish(struct read_policy *p, struct worker *worker, uint64_t last_ns)
{
	struct read_held *held;

	while ((held = read_hold_due(p->hold, UINT64_MAX))) {
		redo(p, worker, held, true);
		read_hold_drop(p->hold, held);
	}
	return update_rates(p, last_ns);
}

struct read_policy_view
read_policy_view(const struct read_policy *p)
{
	return (struct read_policy_view){
		.policy = p->policy,
		.counts = p->counts,
		.tally = p->tally,
		.names = p->names,
		.intervals_s = p->intervals_s,
		.sums = p->sums,
	};
}
