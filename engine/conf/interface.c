/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/nbar.h"
#include "conf/policy.h"

#include <inttypes.h>

/* interface NAME, and its lines. */

static struct conf_interface *
find(const struct conf *conf, const char *name)
{
	struct conf_interface *const *all = conf->interfaces.items;

	for (unsigned i = 0; i < conf->interfaces.count; i++)
		if (name && strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}

const struct conf_interface *
conf_interface(const struct conf *conf, unsigned i)
{
	struct conf_interface *const *all = conf->interfaces.items;

	return i < conf->interfaces.count ? all[i] : NULL;
}

const struct conf_interface *
conf_interface_named(const struct conf *conf, const char *name)
{
	return find(conf, name);
}

static void
remove_attach(struct list *list, const char *interface, bool output)
{
	struct policy_attach *attaches = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (strcmp(attaches[i].interface, interface) == 0 &&
		    attaches[i].output == output) {
			policy_remove(list, i, sizeof(*attaches));
			return;
		}
}

static void
remove_interface(struct line *line, struct conf_place place, const char *name)
{
	struct list *list = &line->conf->interfaces;
	struct conf_interface *const *all = list->items;

	remove_attach(&line->conf->model.attaches, name, false);
	remove_attach(&line->conf->model.attaches, name, true);
	for (unsigned i = 0; i < list->count; i++)
		if (name && strcmp(all[i]->name, name) == 0) {
			policy_remove(list, i, sizeof(struct conf_interface *));
			return;
		}
	line_fault(line, place, "'%.64s': there is no such interface here", name);
}

/* "GigabitEthernet 0/1" is one name, as on a router. */
static bool
read_name(struct line *line, const char **name)
{
	struct text text = { 0 };

	if (!line_more(line) || !*line_peek(line))
		return line_wrong(line, "the name of an interface");
	text_add(&text, line_peek(line));
	line->at++;
	if (line_is_number(line)) {
		text_add(&text, line_peek(line));
		line->at++;
	}
	*name = policy_text(line, &text);
	return line_end(line);
}

static void
read_interface(struct line *line)
{
	struct conf_place place = line_place(line);
	struct policy_place here = policy_here(line);
	struct conf_interface *interface, **added;
	const char *name = NULL;

	if (!line->no) {
		line->context = CONF_INTERFACE;
		line->object = NULL;
	}
	if (!read_name(line, &name))
		return;
	if (line->no) {
		remove_interface(line, place, name);
		return;
	}
	interface = find(line->conf, name);
	if (!interface) {
		interface = policy_alloc(line, sizeof(*interface));
		added = interface ? line_add(line, &line->conf->interfaces, sizeof(*added))
				  : NULL;
		if (!added)
			return;
		*interface = (struct conf_interface){ .name = name,
						      .place = here,
						      .load_interval_s = CONF_LOAD_INTERVAL };
		*added = interface;
	}
	line->object = interface;
}

static struct conf_interface *
interface_of(struct line *line, struct conf_interface *none)
{
	*none = (struct conf_interface){ 0 };
	return line->object ? line->object : none;
}

static void
read_policy(struct line *line)
{
	static const struct line_word ways[] = { { "input", false }, { "output", true } };
	struct conf_interface none, *interface = interface_of(line, &none);
	struct policy_attach attach = { .interface = interface->name }, *added;
	struct list *list = &line->conf->model.attaches;
	unsigned output;

	if (!line_keyword(line, ways, 2, &output))
		return;
	attach.output = output;
	attach.place = policy_here(line);
	if ((!line->no || line_more(line)) &&
	    !line_name(line, "the name of a policy map", &attach.map))
		return;
	if (!line_end(line) || !interface->name)
		return;
	remove_attach(list, interface->name, output);
	added = line->no ? NULL : line_add(line, list, sizeof(*added));
	if (added)
		*added = attach;
}

static void
read_discovery(struct line *line)
{
	enum { BOTH = CONF_DISCOVER_IP4 | CONF_DISCOVER_IP6 };
	static const struct line_word versions[] = { { "ipv4", CONF_DISCOVER_IP4 },
						     { "ipv6", CONF_DISCOVER_IP6 } };
	struct conf_interface none, *interface = interface_of(line, &none);
	unsigned version = BOTH;

	if ((line_more(line) && !line_keyword(line, versions, 2, &version)) || !line_end(line))
		return;
	if (line->no)
		interface->discovery &= (uint8_t)~version;
	else
		interface->discovery |= (uint8_t)version;
}

static void
read_load_interval(struct line *line)
{
	enum { STEP = 30, MOST = 600 };
	struct conf_interface none, *interface = interface_of(line, &none);
	struct conf_place place = line_place(line);
	uint32_t seconds = CONF_LOAD_INTERVAL;

	if ((!line->no || line_more(line)) &&
	    !line_number(line, "seconds", STEP, MOST, &seconds))
		return;
	if (seconds % STEP)
		line_fault(line, place, "%" PRIu32 ": expected a multiple of %d", seconds,
			   STEP);
	else
		interface->load_interval_s = line->no ? CONF_LOAD_INTERVAL : seconds;
}

static void
read_bandwidth(struct line *line)
{
	struct conf_interface none, *interface = interface_of(line, &none);
	uint64_t kbps = 0;

	if ((!line->no || line_more(line)) &&
	    !policy_amount(line, "kbit/s", 1, 1000000000, &kbps))
		return;
	interface->bandwidth_kbps = line->no ? 0 : kbps;
}

static void
read_description(struct line *line)
{
	struct conf_interface none, *interface = interface_of(line, &none);

	policy_description(line, &interface->description);
}

static void
read_shutdown(struct line *line)
{
	struct conf_interface none, *interface = interface_of(line, &none);

	interface->shutdown = !line->no;
}

static void
print_attaches(const struct conf *conf, const char *interface, struct text *text)
{
	const struct policy_attach *attaches = conf->model.attaches.items;

	for (unsigned output = 0; output < 2; output++)
		for (unsigned i = 0; i < conf->model.attaches.count; i++) {
			const struct policy_attach *a = &attaches[i];

			if (a->output != output || strcmp(a->interface, interface) != 0)
				continue;
			text_printf(text, " service-policy %s ", output ? "output" : "input");
			nbar_word_print(text, a->map);
			text_char(text, '\n');
		}
}

static void
print_interface(const struct conf *conf, const struct conf_interface *i, struct text *text)
{
	static const char *const versions[] = { "", " ipv4", " ipv6", "" };

	text_add(text, "interface ");
	nbar_word_print(text, i->name);
	text_char(text, '\n');
	if (i->description) {
		text_add(text, " description ");
		policy_description_print(text, i->description);
		text_char(text, '\n');
	}
	if (i->bandwidth_kbps)
		text_printf(text, " bandwidth %" PRIu64 "\n", i->bandwidth_kbps);
	if (i->discovery)
		text_printf(text, " ip nbar protocol-discovery%s\n", versions[i->discovery]);
	if (i->load_interval_s != CONF_LOAD_INTERVAL)
		text_printf(text, " load-interval %" PRIu32 "\n", i->load_interval_s);
	if (i->shutdown)
		text_add(text, " shutdown\n");
	print_attaches(conf, i->name, text);
}

static void
print(const struct conf *conf, struct text *text)
{
	struct conf_interface *const *all = conf->interfaces.items;

	for (unsigned i = 0; i < conf->interfaces.count; i++)
		print_interface(conf, all[i], text);
}

static const struct conf_directive directives[] = {
	{ .words = "interface",
	  .arguments = "NAME",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_interface },
	{ .words = "service-policy",
	  .arguments = "{input|output} NAME",
	  .context = CONF_INTERFACE,
	  .no = true,
	  .read = read_policy },
	{ .words = "ip nbar protocol-discovery",
	  .arguments = "[ipv4|ipv6]",
	  .context = CONF_INTERFACE,
	  .no = true,
	  .read = read_discovery },
	{ .words = "load-interval",
	  .arguments = "SECONDS",
	  .context = CONF_INTERFACE,
	  .no = true,
	  .read = read_load_interval },
	{ .words = "bandwidth",
	  .arguments = "KBPS",
	  .context = CONF_INTERFACE,
	  .no = true,
	  .read = read_bandwidth },
	{ .words = "description",
	  .arguments = "TEXT",
	  .context = CONF_INTERFACE,
	  .no = true,
	  .read = read_description },
	{ .words = "shutdown", .context = CONF_INTERFACE, .no = true, .read = read_shutdown },
};

const struct conf_family interface_family = {
	.directives = directives,
	.count = sizeof(directives) / sizeof(directives[0]),
	.check = policy_check_attaches,
	.print = print,
};
