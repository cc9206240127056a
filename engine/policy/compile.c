/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/compile.h"

#include "base/hash.h"
#include "policy/queue.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void
compile_fault(struct compile *c, const struct policy_place *place, const char *format, ...)
{
	struct barn_fault *f;
	va_list args;

	if (c->faults->count++ >= BARN_FAULTS)
		return;
	f = &c->faults->fault[c->faults->count - 1];
	snprintf(f->file, sizeof(f->file), "%s", place->file ? place->file : "");
	f->line = place->line;
	f->column = place->column;
	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
}

uint16_t
compile_interface(const struct compile *c, const char *name)
{
	for (uint16_t i = 0; i < c->options->interface_count; i++)
		if (strcmp(c->options->interfaces[i].name, name) == 0)
			return i;
	return HEADER_NONE;
}

/* Not against strangers: the configuration's own names. */
static uint64_t
key_of(uint64_t key, const char *name)
{
	static const struct hash_key fixed = { { 1, 2 } };

	return hash_mix(key ^ hash_bytes(&fixed, name, strlen(name)));
}

/* A class with other statements is another one. */
static uint64_t
key_of_class(uint64_t key, const struct policy_class *class_map)
{
	const struct policy_statement *s = class_map->statements.items;

	key = hash_mix(key + class_map->all);
	for (unsigned i = 0; i < class_map->statements.count; i++)
		key = key_of(key, s[i].text ? s[i].text : "");
	return key;
}

static uint32_t
add_counter(struct policy *p, uint64_t key, bool *ok)
{
	uint64_t *counter = list_add(&p->counter_keys, p->arena, sizeof(*counter));

	*ok = *ok && counter;
	if (counter)
		*counter = key;
	return p->counter_keys.count - 1;
}

static bool
add_counters(struct compile *c, struct policy_node *node)
{
	struct policy *p = c->policy;
	const struct policy_statement *s;
	bool ok = true;

	node->counter = add_counter(p, hash_mix(node->key + 1), &ok);
	for (unsigned i = 1; i < POLICY_COUNTERS; i++)
		add_counter(p, hash_mix(node->key + 1 + i), &ok);
	if (!node->class_map)
		return ok;
	s = node->class_map->statements.items;
	node->line_count = node->class_map->statements.count;
	node->lines = arena_array(p->arena, node->line_count, sizeof(*node->lines));
	for (unsigned i = 0; node->lines && i < node->line_count; i++)
		node->lines[i] = (struct policy_line){
			&s[i],
			add_counter(p, key_of(node->key, s[i].text ? s[i].text : ""), &ok)
		};
	return ok && node->lines;
}

/* Of the nearest policer around, as IOS has it, else the interface's. */
static uint64_t
speed_of(const struct policy_node *around, uint64_t speed_bps)
{
	for (; around; around = around->stage->parent)
		if (around->police && !police_rates_of(around->police)->packets)
			return police_rates_of(around->police)->cir;
	return speed_bps;
}

static enum barn_err
make_police(struct compile *c, struct policy_node *node, uint64_t speed_bps)
{
	const struct policy_police *config = node->entry->police;
	struct police_rates rates;

	if (!config)
		return BARN_OK;
	if (!police_rates(config, speed_of(node->stage->parent, speed_bps), &rates)) {
		compile_fault(c, &config->place, "per cent of a speed that is not known");
		return BARN_ERR_TEXT;
	}
	if (rates.cir == 0 && (!config->percent || config->cir)) {
		compile_fault(c, &config->place, "the rate comes to 0");
		return BARN_ERR_TEXT;
	}
	return police_new(&rates, &node->police);
}

/* What limits the lines of `log` is a policer, too: of lines. */
static enum barn_err
make_log(struct policy_node *node)
{
	const struct policy_action *a = node->entry->actions.items;
	struct police_rates rates = { .packets = true };

	for (unsigned i = 0; i < node->entry->actions.count; i++)
		if (a[i].act == POLICY_LOG)
			rates.cir = rates.bc = a[i].value ? a[i].value : 1;
	return rates.cir ? police_new(&rates, &node->log) : BARN_OK;
}

static enum barn_err compile_stage(struct compile *c, const struct policy_map *map,
				   const struct policy_node *parent, uint64_t key,
				   uint64_t speed_bps, unsigned depth,
				   const struct policy_stage **stage);

static enum barn_err
compile_child(struct compile *c, struct policy_node *node, uint64_t speed_bps, unsigned depth)
{
	const struct policy_entry *entry = node->entry;
	const struct policy_map *map = model_map(c->policy->model, entry->child);

	if (!map) {
		compile_fault(c, &entry->child_at, "no such policy map: '%s'", entry->child);
		return BARN_ERR_TEXT;
	}
	for (const struct policy_node *n = node; n; n = n->stage->parent)
		if (n->stage->map == map) {
			compile_fault(c, &entry->child_at, "policy map '%s' contains itself",
				      entry->child);
			return BARN_ERR_TEXT;
		}
	if (depth == POLICY_DEPTH) {
		compile_fault(c, &entry->child_at, "policy maps in policy maps: more than %d",
			      POLICY_DEPTH);
		return BARN_ERR_TEXT;
	}
	return compile_stage(c, map, node, node->key, speed_bps, depth + 1, &node->child);
}

static enum barn_err
compile_node(struct compile *c, struct stage *stage, unsigned number, uint64_t speed_bps,
	     unsigned depth)
{
	struct policy_node *node = &stage->public.nodes[number];
	struct policy_node **all = list_add(&c->policy->nodes, c->policy->arena, sizeof(*all));
	const struct policy_entry *entry = node->entry;
	enum barn_err err = BARN_OK, other;

	if (!all)
		return BARN_ERR_MEMORY;
	*all = node;
	node->stage = &stage->public;
	node->key = key_of(stage->public.key, node->name);
	if (entry && strcmp(node->name, "class-default") != 0) {
		node->class_map = model_class(c->policy->model, node->name);
		if (!node->class_map) {
			compile_fault(c, &entry->place, "no such class map: '%s'", node->name);
			return BARN_ERR_TEXT;
		}
		node->key = key_of_class(node->key, node->class_map);
		err = compile_class(c, node->class_map, 0, &stage->formulas[number]);
	}
	if (!add_counters(c, node))
		return BARN_ERR_MEMORY;
	if (!entry)
		return err;
	other = make_police(c, node, speed_bps);
	err = err ? err : other;
	other = make_log(node);
	err = err ? err : other;
	other = entry->child ? compile_child(c, node, speed_bps, depth) : BARN_OK;
	return err ? err : other;
}

/* Entries in the order in which they are written, class-default last. */
static void
order(const struct policy_map *map, struct policy_node *nodes, unsigned *count)
{
	const struct policy_entry *entries = map->entries.items, *rest = NULL;

	*count = 0;
	for (unsigned i = 0; i < map->entries.count; i++) {
		if (strcmp(entries[i].class_name, "class-default") == 0) {
			rest = &entries[i];
			continue;
		}
		nodes[*count].entry = &entries[i];
		nodes[(*count)++].name = entries[i].class_name;
	}
	nodes[*count].entry = rest;
	nodes[(*count)++].name = "class-default";
}

static enum barn_err
compile_stage(struct compile *c, const struct policy_map *map, const struct policy_node *parent,
	      uint64_t key, uint64_t speed_bps, unsigned depth,
	      const struct policy_stage **stage)
{
	struct policy *p = c->policy;
	struct stage *s = arena_alloc(p->arena, sizeof(*s));
	enum barn_err worst = BARN_OK;
	bool ok = true;

	if (!s)
		return BARN_ERR_MEMORY;
	s->public.map = map;
	s->public.parent = parent;
	s->public.key = key_of(key, map->name);
	s->public.undecided = add_counter(p, hash_mix(s->public.key), &ok);
	s->public.nodes =
		arena_array(p->arena, map->entries.count + 1, sizeof(struct policy_node));
	s->formulas = arena_array(p->arena, map->entries.count + 1, sizeof(*s->formulas));
	if (!ok || !s->public.nodes || !s->formulas)
		return BARN_ERR_MEMORY;
	order(map, s->public.nodes, &s->public.count);
	*stage = &s->public;
	for (unsigned i = 0; i < s->public.count; i++) {
		enum barn_err err = compile_node(c, s, i, speed_bps, depth);

		if (err == BARN_ERR_MEMORY)
			return err;
		worst = worst ? worst : err;
	}
	return worst;
}

static enum barn_err
compile_place(struct compile *c, const struct policy_attach *attach)
{
	struct policy *p = c->policy;
	const struct policy_map *map = model_map(p->model, attach->map);
	uint16_t iface = compile_interface(c, attach->interface);
	struct policy_place_at *place;
	uint64_t key = key_of(attach->output, attach->interface);
	enum barn_err err;

	if (!map) {
		compile_fault(c, &attach->place, "no such policy map: '%s'", attach->map);
		return BARN_ERR_TEXT;
	}
	if (iface == HEADER_NONE)
		return BARN_OK;
	place = list_add(&p->places, p->arena, sizeof(*place));
	if (!place)
		return BARN_ERR_MEMORY;
	*place = (struct policy_place_at){ attach->interface, iface, attach->output, NULL };
	err = compile_stage(c, map, NULL, key, c->options->interfaces[iface].speed_bps, 1,
			    &place->stage);
	p->at[iface * 2 + attach->output] = place->stage;
	if (!err && attach->output && !queue_number(place->stage)) {
		compile_fault(c, &attach->place, "more than %d classes with queues",
			      QUEUE_MOST);
		return BARN_ERR_TEXT;
	}
	return err;
}

static enum barn_err
compile_tests(struct compile *c)
{
	struct policy *p = c->policy;
	const struct proto_test *tests = p->protos.items;
	enum barn_err err = match_set_new(registry_field_count(p->registry), &p->matches);

	for (uint32_t i = 0; i < p->protos.count && !err; i++)
		if (tests[i].match)
			err = match_set_add(p->matches, tests[i].match, i);
	if (!err)
		err = match_set_compile(p->matches, c->options->no_hyperscan);
	if (!err)
		err = header_compile(&p->tables, p->arena, p->headers.items, p->headers.count,
				     p->interfaces);
	return err;
}

/* What is not in use: told of all the same. Nothing of it is ever applied. */
static enum barn_err
check_rest(struct compile *c)
{
	const struct policy_model *model = c->policy->model;
	struct policy_class *const *classes = model->classes.items;
	struct policy_map *const *maps = model->maps.items;
	enum barn_err err = BARN_OK;

	for (unsigned i = 0; i < model->maps.count && err != BARN_ERR_MEMORY; i++) {
		const struct policy_stage *stage;
		bool used = false;

		for (unsigned k = 0; k < c->policy->nodes.count && !used; k++)
			used = ((struct policy_node *const *)c->policy->nodes.items)[k]
				       ->stage->map == maps[i];
		/* A speed that is not known is no fault where the map is not applied. */
		if (!used)
			err = compile_stage(c, maps[i], NULL, 0, 1000000000, 1, &stage);
	}
	for (unsigned i = 0; i < model->classes.count && err != BARN_ERR_MEMORY; i++) {
		const struct formula *formula;

		err = compile_class(c, classes[i], 0, &formula);
	}
	return err;
}

static enum barn_err
compile_places(struct compile *c)
{
	struct policy *p = c->policy;
	const struct policy_attach *attaches = p->model->attaches.items;
	uint32_t before = c->faults->count;
	enum barn_err err = BARN_OK;

	for (unsigned i = 0; i < p->model->attaches.count && err != BARN_ERR_MEMORY; i++)
		err = compile_place(c, &attaches[i]);
	if (err != BARN_ERR_MEMORY && c->check)
		err = check_rest(c);
	if (err == BARN_ERR_MEMORY)
		return err;
	return c->faults->count > before ? BARN_ERR_TEXT : compile_tests(c);
}

enum barn_err
policy_new(const struct policy_model *model, struct registry *registry,
	   const struct policy_options *options, struct policy **policy,
	   struct barn_faults *faults)
{
	struct policy *p = calloc(1, sizeof(*p));
	struct compile c = {
		.policy = p, .options = options, .faults = faults, .check = options->check
	};
	enum barn_err err;

	if (!p)
		return BARN_ERR_MEMORY;
	p->model = model;
	p->registry = registry_hold(registry);
	p->interfaces = options->interface_count;
	err = arena_new(0, &p->arena);
	if (!err) {
		p->at = arena_array(p->arena, options->interface_count * (size_t)2 + 1,
				    sizeof(struct policy_stage *));
		err = p->at ? compile_places(&c) : BARN_ERR_MEMORY;
	}
	if (err) {
		policy_free(p);
		return err;
	}
	*policy = p;
	return BARN_OK;
}
