/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/json_out.h"
#include "cli/read_policy.h"
#include "conf/policy.h"
#include "conf/report.h"

static void
add_counts(struct json_object *object, const struct read_policy_view *v, uint32_t counter)
{
	json_out_number(object, "packets", v->counts[counter].packets);
	json_out_number(object, "bytes", v->counts[counter].bytes);
	json_out_number(object, "bit_rate", tally_bps(v->tally, counter));
}

static void
add_named(struct json_object *object, const char *name, const struct read_policy_view *v,
	  uint32_t counter)
{
	struct json_object *counts = json_object_new_object();

	add_counts(counts, v, counter);
	json_object_object_add(object, name, counts);
}

static void
add_actions(struct json_object *object, const struct list *actions, bool colour)
{
	struct json_object *list = json_out_list(object, "actions");
	const struct policy_action *a = actions->items;

	for (unsigned i = 0; i < actions->count; i++) {
		struct text text = { 0 };

		policy_action_print(&text, &a[i], colour);
		json_object_array_add(list, json_object_new_string(text_str(&text)));
		text_fini(&text);
	}
}

static void
add_place(struct json_object *object, const struct policy_place *place)
{
	if (!place->file)
		return;
	json_out_string(object, "file", place->file);
	json_out_number(object, "line", place->line);
}

static void
add_lines(struct json_object *object, const struct read_policy_view *v,
	  const struct policy_node *node)
{
	struct json_object *list = json_out_list(object, "lines");

	for (unsigned i = 0; i < node->line_count; i++) {
		const struct policy_statement *s = node->lines[i].statement;
		struct json_object *line = json_object_new_object();

		json_out_string(line, "match", s->text);
		add_place(line, &s->place);
		add_counts(line, v, node->lines[i].counter);
		json_object_array_add(list, line);
	}
}

static void
add_police(struct json_object *object, const struct read_policy_view *v,
	   const struct policy_node *node)
{
	const struct police_rates *r = police_rates_of(node->police);
	struct json_object *police = json_object_new_object();

	json_out_string(police, "unit", r->packets ? "packets" : "bits");
	json_out_number(police, "cir", r->cir);
	json_out_number(police, "bc", r->bc);
	if (r->two_rates)
		json_out_number(police, "pir", r->pir);
	if (r->two_rates || r->three_colours)
		json_out_number(police, "be", r->be);
	for (unsigned c = 0; c < POLICY_COLOURS; c++) {
		struct json_object *colour = json_object_new_object();

		add_counts(colour, v, node->counter + POLICY_COLOURED + c);
		if (node->entry && node->entry->police)
			add_actions(colour, &node->entry->police->actions[c], true);
		json_object_object_add(police, report_place_colour(c), colour);
	}
	json_object_object_add(object, "police", police);
}

static struct json_object *stage_of(const struct read_policy_view *v,
				    const struct policy_stage *stage);

static struct json_object *
node_of(const struct read_policy_view *v, const struct policy_node *node)
{
	struct json_object *object = json_object_new_object();
	bool all = node->class_map && node->class_map->all;

	json_out_string(object, "name", node->name);
	json_out_string(object, "match", all ? "all" : "any");
	if (node->entry)
		add_place(object, &node->entry->place);
	add_counts(object, v, node->counter + POLICY_OFFERED);
	add_named(object, "passed", v, node->counter + POLICY_PASSED);
	add_named(object, "dropped", v, node->counter + POLICY_DROPPED);
	add_lines(object, v, node);
	if (node->entry)
		add_actions(object, &node->entry->actions, false);
	if (node->police)
		add_police(object, v, node);
	if (node->child)
		json_object_object_add(object, "policy", stage_of(v, node->child));
	return object;
}

static struct json_object *
stage_of(const struct read_policy_view *v, const struct policy_stage *stage)
{
	struct json_object *object = json_object_new_object(), *list;

	json_out_string(object, "name", stage->map->name);
	add_named(object, "undecided", v, stage->undecided);
	list = json_out_list(object, "classes");
	for (unsigned i = 0; i < stage->count; i++)
		json_object_array_add(list, node_of(v, &stage->nodes[i]));
	return object;
}

void
read_policy_json(const struct read_policy *policy)
{
	struct read_policy_view v = read_policy_view(policy);
	struct json_object *object = json_object_new_object(), *list;
	unsigned count;
	const struct policy_place_at *places = policy_places(v.policy, &count);

	list = json_out_list(object, "places");
	for (unsigned i = 0; i < count; i++) {
		struct json_object *place = json_object_new_object();

		json_out_string(place, "interface", v.names[places[i].iface]);
		json_out_string(place, "direction", places[i].output ? "output" : "input");
		json_out_number(place, "interval", v.intervals_s[places[i].iface]);
		json_object_object_add(place, "policy", stage_of(&v, places[i].stage));
		json_object_array_add(list, place);
	}
	json_out_number(object, "packets", v.sums.packets);
	json_out_number(object, "bytes", v.sums.bytes);
	json_out_number(object, "dropped", v.sums.dropped);
	json_out_number(object, "rejected", v.sums.rejected);
	json_out_number(object, "marked", v.sums.marked);
	json_out_number(object, "undecided", v.sums.undecided);
	json_out_number(object, "held", v.sums.held);
	json_out_number(object, "logged", v.sums.logged);
	json_out_print(object);
}
