/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "policy/queue.h"
#include "program/conf_file.h"
#include "program/modules.h"
#include "program/say.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct option_row rows[] = {
	{ MODULES_ROW_FILE },
	{ MODULES_ROW_FOLDER },
	{ 0 },
};

/* The configuration's own; the caller frees them. */
static struct policy_interface *
interfaces_of(const struct conf *conf, unsigned *count)
{
	struct policy_interface *all;
	unsigned n = 0;

	while (conf_interface(conf, n))
		n++;
	*count = n;
	all = calloc(n + 1U, sizeof(*all));
	for (unsigned i = 0; all && i < n; i++) {
		const struct conf_interface *one = conf_interface(conf, i);

		all[i] = (struct policy_interface){ one->name, one->bandwidth_kbps * 1000 };
	}
	return all;
}

/* False: nothing is said of any. `only`: of this one; NULL: of all. */
static enum barn_err
write_all(const struct policy *policy, const struct policy_interface *interfaces,
	  const char *only, struct text *text, struct barn_faults *faults)
{
	unsigned count;
	const struct policy_place_at *places = policy_places(policy, &count);
	enum barn_err worst = BARN_OK;

	for (unsigned i = 0; i < count; i++) {
		enum barn_err err;

		if (only && strcmp(places[i].interface, only) != 0)
			continue;
		err = queue_commands(&places[i], interfaces[places[i].iface].speed_bps, text,
				     faults);
		worst = worst ? worst : err;
	}
	return worst;
}

static enum barn_err
write_conf(const struct conf_file *file, struct registry *registry, const char *only,
	   struct text *text, struct barn_faults *faults)
{
	struct policy_options options = { .interfaces = NULL };
	struct policy_interface *interfaces;
	struct policy *policy = NULL;
	unsigned count;
	enum barn_err err;

	interfaces = interfaces_of(file->conf, &count);
	if (!interfaces)
		return BARN_ERR_MEMORY;
	options.interfaces = interfaces;
	options.interface_count = (uint16_t)count;
	err = policy_new(conf_model(file->conf), registry, &options, &policy, faults);
	if (!err)
		err = write_all(policy, interfaces, only, text, faults);
	policy_free(policy);
	free(interfaces);
	return err;
}

static int
print(const struct conf_file *file, const char *only, const struct text *text)
{
	if (text->len) {
		fputs(text_str(text), stdout);
		return 0;
	}
	say_error("%s: no output policy%s%s has bandwidth, priority or shape", file->path,
		  only ? " of " : "", only ? only : "");
	return EXIT_FAILED;
}

static int
run_with(struct modules_list *modules, const char *path, const char *only)
{
	static struct barn_faults faults;
	struct conf_file file = { .path = path };
	struct barn_engine *engine = NULL;
	struct text text = { 0 };
	int status = EXIT_FAILED;
	enum barn_err err;

	modules->options.conf = &file;
	if (!modules_load(&modules->options, &engine)) {
		err = write_conf(&file, engine->registry, only, &text, &faults);
		if (err == BARN_ERR_TEXT)
			say_faults(&faults);
		else if (err)
			say_error("%s: %s", path, barn_strerror(err));
		else
			status = print(&file, only, &text);
	}
	text_fini(&text);
	barn_engine_free(engine);
	conf_file_fini(&file);
	modules->options.conf = NULL;
	return status;
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct modules_list modules = { .room = 0 };
	const char *value;
	int row, status;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (!modules_option(&modules, &rows[row], value))
			break;
	if (row != OPTIONS_END)
		status = row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	else if (optind == argc)
		status = say_usage(self->name, "no configuration file");
	else if (optind + 2 < argc)
		status = say_usage(self->name, "'%s' is too much", argv[optind + 2]);
	else
		status = run_with(&modules, argv[optind], argv[optind + 1]);
	modules_fini(&modules);
	return status;
}

const struct command command_conf_tc = {
	.name = "conf tc",
	.arguments = "[options] FILE [INTERFACE]",
	.summary = "Print the commands of tc that make the policies' queues",
	.text = "bandwidth, priority and shape of output policies become classes of HTB, which "
		"the\n"
		"upper twelve bits of packets' marks select.\n",
	.options = rows,
	.run = run,
};
