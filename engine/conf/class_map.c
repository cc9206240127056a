/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/nbar.h"
#include "conf/policy.h"

#include <strings.h>

/* class-map [match-any | match-all] NAME, and its lines. */

static void
remove_class(struct line *line, struct conf_place place, const char *name)
{
	struct list *list = &line->conf->model.classes;
	struct policy_class **classes = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (strcmp(classes[i]->name, name) == 0) {
			policy_remove(list, i, sizeof(struct policy_class *));
			return;
		}
	line_fault(line, place, "'%.64s': there is no such class map", name);
}

static struct policy_class *
find_class(const struct conf *conf, const char *name)
{
	struct policy_class *const *classes = conf->model.classes.items;

	for (unsigned i = 0; i < conf->model.classes.count; i++)
		if (strcmp(classes[i]->name, name) == 0)
			return classes[i];
	return NULL;
}

static struct policy_class *
add_class(struct line *line, const char *name, struct policy_place place)
{
	struct policy_class *class = policy_alloc(line, sizeof(*class)), **added;

	added = class ? line_add(line, &line->conf->model.classes, sizeof(*added)) : NULL;
	if (!added)
		return NULL;
	*class = (struct policy_class){ .name = name, .place = place, .all = true };
	*added = class;
	return class;
}

static void
read_class(struct line *line)
{
	static const struct line_word kinds[] = { { "match-any", false },
						  { "match-all", true } };
	struct policy_class *class;
	struct conf_place place;
	struct policy_place here;
	unsigned all = true;
	bool told;
	const char *name;

	if (!line->no) {
		line->context = CONF_CLASS_MAP;
		line->object = NULL;
	}
	told = line->at + 1 < line->words.count && line_may(line, kinds, 2, &all);
	place = line_place(line);
	here = policy_here(line);
	if (!line_name(line, "the name of a class map", &name) || !line_end(line))
		return;
	if (strcmp(name, "class-default") == 0) {
		line_fault(line, place, "'class-default' is in every policy map by itself");
		return;
	}
	if (line->no) {
		remove_class(line, place, name);
		return;
	}
	class = find_class(line->conf, name);
	if (!class)
		class = add_class(line, name, here);
	if (class && told)
		class->all = all;
	line->object = class;
}

static void
read_description(struct line *line)
{
	struct policy_class none = { 0 }, *class = line->object ? line->object : &none;

	policy_description(line, &class->description);
}

static void
print_classes(const struct conf *conf, struct text *text)
{
	struct policy_class *const *classes = conf->model.classes.items;

	for (unsigned i = 0; i < conf->model.classes.count; i++) {
		const struct policy_statement *statements = classes[i]->statements.items;

		text_printf(text, "class-map %s ", classes[i]->all ? "match-all" : "match-any");
		nbar_word_print(text, classes[i]->name);
		text_char(text, '\n');
		if (classes[i]->description) {
			text_add(text, " description ");
			policy_description_print(text, classes[i]->description);
			text_char(text, '\n');
		}
		for (unsigned n = 0; n < classes[i]->statements.count; n++)
			text_printf(text, " match %s\n", statements[n].text);
	}
}

static const struct conf_directive directives[] = {
	{ .words = "class-map",
	  .arguments = "[match-any|match-all] NAME",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_class },
	{ .words = "match",
	  .arguments = "[not] TEST",
	  .context = CONF_CLASS_MAP,
	  .no = true,
	  .read = class_match_read },
	{ .words = "description",
	  .arguments = "TEXT",
	  .context = CONF_CLASS_MAP,
	  .no = true,
	  .read = read_description },
};

const struct conf_family class_map_family = {
	.directives = directives,
	.count = sizeof(directives) / sizeof(directives[0]),
	.check = policy_check_classes,
	.print = print_classes,
};
