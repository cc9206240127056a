/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/access.h"
#include "conf/directive.h"
#include "conf/nbar.h"

#include <inttypes.h>
#include <stdlib.h>

/*
 * access-list N ..., ip access-list {standard|extended} NAME, ipv6 access-list NAME. A remark
 * belongs to the rule that follows it.
 */

enum { STEP = 10, LAST_SEQUENCE = 2147483647 };

static struct access_list *
find(const struct conf *conf, const char *name)
{
	struct access_list *const *all = conf->model.accesses.items;

	for (unsigned i = 0; i < conf->model.accesses.count; i++)
		if (strcmp(all[i]->access.name, name) == 0)
			return all[i];
	return NULL;
}

static void
remove_list(struct line *line, struct conf_place place, const char *name)
{
	struct list *list = &line->conf->model.accesses;
	struct access_list *const *all = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (strcmp(all[i]->access.name, name) == 0) {
			policy_remove(list, i, sizeof(struct access_list *));
			return;
		}
	line_fault(line, place, "'%.64s': there is no such access list", name);
}

enum kind { STANDARD, EXTENDED, IP6 };

/* The kind of a numbered list; -1: there are none of that number. */
static int
kind_of_number(const char *name)
{
	unsigned long n;

	if (strlen(name) > 4 || strspn(name, "0123456789") != strlen(name) || *name == '0')
		return -1;
	n = strtoul(name, NULL, 10);
	if (n <= 99 || (n >= 1300 && n <= 1999))
		return STANDARD;
	return n <= 199 || (n >= 2000 && n <= 2699) ? EXTENDED : -1;
}

static bool
is_number(const char *name)
{
	return strspn(name, "0123456789") == strlen(name);
}

/* The list of that name, made if there is none. */
static struct access_list *
open_list(struct line *line, const char *name, enum kind kind, struct policy_place place)
{
	struct access_list *list = find(line->conf, name), **added;
	struct conf_place here = { place.file, { place.line, place.column } };

	if (is_number(name) && kind_of_number(name) != (int)kind) {
		line_fault(line, here,
			   "'%.64s': standard lists are 1 to 99 and 1300 to 1999, extended "
			   "ones 100 to 199 and 2000 to 2699",
			   name);
		return NULL;
	}
	if (list) {
		if (list->access.ip6 == (kind == IP6) &&
		    list->access.extended == (kind != STANDARD))
			return list;
		line_fault(line, here, "'%.64s' is a list of another kind", name);
		return NULL;
	}
	list = policy_alloc(line, sizeof(*list));
	added = list ? line_add(line, &line->conf->model.accesses, sizeof(*added)) : NULL;
	if (!added)
		return NULL;
	list->access = (struct policy_access){
		.name = name, .place = place, .ip6 = kind == IP6, .extended = kind != STANDARD
	};
	*added = list;
	return list;
}

static void
open_mode(struct line *line, enum kind kind)
{
	struct conf_place place = line_place(line);
	struct policy_place here = policy_here(line);
	const char *name;

	if (!line->no) {
		line->context = CONF_ACCESS;
		line->object = NULL;
	}
	if (!line_name(line, "the name of an access list", &name) || !line_end(line))
		return;
	if (line->no)
		remove_list(line, place, name);
	else
		line->object = open_list(line, name, kind, here);
}

static void
read_standard(struct line *line)
{
	open_mode(line, STANDARD);
}

static void
read_extended(struct line *line)
{
	open_mode(line, EXTENDED);
}

static void
read_ip6(struct line *line)
{
	open_mode(line, IP6);
}

static void
add_remark(struct line *line, struct access_list *list)
{
	const char *remark = NULL;
	struct text text = { 0 };

	policy_description(line, &remark);
	if (!remark)
		return;
	if (list->remark)
		text_printf(&text, "%s\n", list->remark);
	text_add(&text, remark);
	list->remark = policy_text(line, &text);
}

static uint32_t
last_sequence(const struct access_list *list)
{
	const struct policy_rule *rules = list->access.rules.items;

	return list->access.rules.count ? rules[list->access.rules.count - 1].sequence : 0;
}

/* In its place by sequence; a rule that was there is replaced. */
static void
put_rule(struct line *line, struct access_list *list, struct policy_rule *rule)
{
	struct list *rules = &list->access.rules;
	struct policy_rule *items = rules->items;
	unsigned at = rules->count;

	if (!rule->sequence)
		rule->sequence = (last_sequence(list) / STEP + 1) * STEP;
	if (rule->sequence > LAST_SEQUENCE) {
		line->lost = false;
		line_fault(line, line_place(line), "the list is full: expected a sequence");
		return;
	}
	rule->remark = list->remark;
	list->remark = NULL;
	while (at > 0 && items[at - 1].sequence >= rule->sequence)
		at--;
	if (at < rules->count && items[at].sequence == rule->sequence) {
		items[at] = *rule;
		return;
	}
	if (!line_add(line, rules, sizeof(*rule)))
		return;
	items = rules->items;
	memmove(&items[at + 1], &items[at], (rules->count - 1 - at) * sizeof(*items));
	items[at] = *rule;
}

static void
take_rule(struct line *line, struct access_list *list, struct conf_place place,
	  const char *text)
{
	const struct policy_rule *rules = list->access.rules.items;

	for (unsigned i = 0; i < list->access.rules.count; i++)
		if (strcmp(rules[i].text, text) == 0) {
			policy_remove(&list->access.rules, i, sizeof(*rules));
			return;
		}
	line_fault(line, place, "the list has no such rule");
}

/* Behind permit or deny. */
static void
read_rule(struct line *line, struct access_list *list, bool permit, uint32_t sequence)
{
	struct policy_rule rule = { .permit = permit,
				    .sequence = sequence,
				    .place = policy_here(line) };
	struct conf_place place = line_place(line);
	struct text text = { 0 };

	if (!access_rule_read(line, &list->access, &rule, &text) ||
	    (!sequence && list->access.ip6 && line_accept(line, "sequence") &&
	     !line_number(line, "a sequence", 1, LAST_SEQUENCE, &rule.sequence)) ||
	    !line_end(line)) {
		text_fini(&text);
		return;
	}
	rule.text = policy_text(line, &text);
	if (line->lost)
		return;
	if (line->no)
		take_rule(line, list, place, rule.text);
	else
		put_rule(line, list, &rule);
}

static struct access_list *
list_of(struct line *line, struct access_list *none)
{
	*none = (struct access_list){ .access.extended = true };
	return line->object ? line->object : none;
}

static void
read_permit(struct line *line)
{
	struct access_list none;

	read_rule(line, list_of(line, &none), true, 0);
}

static void
read_deny(struct line *line)
{
	struct access_list none;

	read_rule(line, list_of(line, &none), false, 0);
}

static void
read_remark(struct line *line)
{
	struct access_list none, *list = list_of(line, &none);

	if (line->no) {
		line->at = line->words.count;
		list->remark = NULL;
		return;
	}
	add_remark(line, list);
}

enum verb { PERMIT, DENY, REMARK };

static const struct line_word verbs[] = { { "permit", PERMIT },
					  { "deny", DENY },
					  { "remark", REMARK } };

/* SEQUENCE {permit|deny|remark} ..., no SEQUENCE */
static void
read_numbered(struct line *line)
{
	struct access_list none, *list = list_of(line, &none);
	const struct policy_rule *rules = list->access.rules.items;
	struct conf_place place = line_place(line);
	uint32_t sequence;
	unsigned verb;

	if (!line_number(line, "a sequence", 1, LAST_SEQUENCE, &sequence))
		return;
	if (line->no && !line_more(line)) {
		for (unsigned i = 0; i < list->access.rules.count; i++)
			if (rules[i].sequence == sequence) {
				policy_remove(&list->access.rules, i, sizeof(*rules));
				return;
			}
		line_fault(line, place, "the list has no such rule");
		return;
	}
	if (!line_keyword(line, verbs, 3, &verb))
		return;
	if (verb == REMARK)
		read_remark(line);
	else
		read_rule(line, list, verb == PERMIT, sequence);
}

const struct conf_directive access_numbered = {
	.words = "SEQUENCE", .context = CONF_ACCESS, .no = true, .read = read_numbered
};

static void
read_list(struct line *line)
{
	struct conf_place place = line_place(line);
	struct policy_place here = policy_here(line);
	struct access_list *list;
	const char *name;
	unsigned verb;

	if (!line_name(line, "the number of an access list", &name))
		return;
	if (line->no && !line_more(line)) {
		remove_list(line, place, name);
		return;
	}
	if (kind_of_number(name) < 0) {
		line_fault(line, place,
			   "'%.64s': standard lists are 1 to 99 and 1300 to 1999, extended "
			   "ones 100 to 199 and 2000 to 2699",
			   name);
		return;
	}
	if (!line_keyword(line, verbs, 3, &verb))
		return;
	list = open_list(line, name, (enum kind)kind_of_number(name), here);
	if (!list)
		return;
	line->object = list;
	if (verb == REMARK)
		read_remark(line);
	else
		read_rule(line, list, verb == PERMIT, 0);
}

static void
print_remarks(struct text *text, const char *remark)
{
	struct text one = { 0 };

	while (remark) {
		const char *end = strchr(remark, '\n');

		text_add_n(&one, remark, end ? (size_t)(end - remark) : strlen(remark));
		text_add(text, " remark ");
		policy_description_print(text, text_str(&one));
		text_char(text, '\n');
		text_clear(&one);
		remark = end ? end + 1 : NULL;
	}
	text_fini(&one);
}

static void
print(const struct conf *conf, struct text *text)
{
	struct access_list *const *all = conf->model.accesses.items;

	for (unsigned i = 0; i < conf->model.accesses.count; i++) {
		const struct policy_access *a = &all[i]->access;
		const struct policy_rule *rules = a->rules.items;

		text_add(text, a->ip6        ? "ipv6 access-list "
			       : a->extended ? "ip access-list extended "
					     : "ip access-list standard ");
		nbar_word_print(text, a->name);
		text_char(text, '\n');
		for (unsigned n = 0; n < a->rules.count; n++) {
			print_remarks(text, rules[n].remark);
			text_printf(text,
				    a->ip6 ? " sequence %" PRIu32 " %s\n" : " %" PRIu32 " %s\n",
				    rules[n].sequence, rules[n].text);
		}
		print_remarks(text, all[i]->remark);
	}
}

static const struct conf_directive directives[] = {
	{ .words = "access-list",
	  .arguments = "N {permit|deny|remark} ...",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_list },
	{ .words = "ip access-list standard",
	  .arguments = "NAME",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_standard },
	{ .words = "ip access-list extended",
	  .arguments = "NAME",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_extended },
	{ .words = "ipv6 access-list",
	  .arguments = "NAME",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_ip6 },
	{ .words = "permit",
	  .arguments = "[PROTOCOL] SOURCE [PORTS] [DESTINATION [PORTS]] [OPTIONS]",
	  .context = CONF_ACCESS,
	  .no = true,
	  .read = read_permit },
	{ .words = "deny",
	  .arguments = "[PROTOCOL] SOURCE [PORTS] [DESTINATION [PORTS]] [OPTIONS]",
	  .context = CONF_ACCESS,
	  .no = true,
	  .read = read_deny },
	{ .words = "sequence",
	  .arguments = "N {permit|deny} ...",
	  .context = CONF_ACCESS,
	  .no = true,
	  .read = read_numbered },
	{ .words = "remark",
	  .arguments = "TEXT",
	  .context = CONF_ACCESS,
	  .no = true,
	  .read = read_remark },
};

const struct conf_family access_list_family = {
	.directives = directives,
	.count = sizeof(directives) / sizeof(directives[0]),
	.print = print,
};
