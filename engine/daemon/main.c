/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/load.h"
#include "daemon/parent.h"
#include "daemon/settings.h"
#include "program/options.h"
#include "program/say.h"

#include <barn/barn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option_row rows[] = {
	{ "conf", 'c', "FILE", "The configuration; " BARN_SYSCONFDIR "/barn.conf" },
	{ "foreground", 'F', NULL, "Stay in the foreground" },
	{ "modules", 'M', "DIR", "Take the modules of this folder or pack" },
	{ "index-file", 0, "FILE", "Keep the indexes of protocols that name none in FILE" },
	{ "test", 't', NULL, "Check configuration and modules, and exit" },
	{ "version", 'V', NULL, "Say the version" },
	{ 0 },
};

static const struct command barnd = {
	.name = "",
	.arguments = "[options]",
	.summary = "Application recognition in a router or bridge",
	.options = rows,
};

struct wanted {
	struct parent_options parent;
	bool test, version;
};

static bool
take(struct wanted *w, const struct option_row *row, const char *value)
{
	switch (row->letter) {
	case 'c': w->parent.conf = value; break;
	case 'F': w->parent.foreground = true; break;
	case 'M': w->parent.folder = value; break;
	case 't': w->test = true; break;
	case 'V': w->version = true; break;
	default: w->parent.index_file = value;
	}
	return true;
}

/* The configuration and the modules, and nothing is started. */
static int
test(const struct parent_options *options)
{
	struct load load;

	if (!load_read(&load, options->conf, options->folder, NULL))
		return EXIT_FAILED;
	load_fini(&load);
	printf("%s is well\n", options->conf);
	return say_flush();
}

/* Goes on in a process of its own; the one that was started ends when that is ready, or with
 * it. */
static int
run_behind(struct parent_options *options)
{
	int ends[2];
	char byte;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0 || (pid = fork()) < 0) {
		say_error("the background: %s", strerror(errno));
		return EXIT_FAILED;
	}
	if (pid > 0) {
		close(ends[1]);
		return read(ends[0], &byte, 1) == 1 ? EXIT_SUCCESS : EXIT_FAILED;
	}
	close(ends[0]);
	setsid();
	options->ready = ends[1];
	return parent_run(options);
}

int
main(int argc, char **argv)
{
	struct wanted w = { .parent = { .conf = BARN_SYSCONFDIR "/barn.conf", .ready = -1 } };
	const char *value;
	int n;

	say_as("barnd");
	while ((n = options_next(&barnd, argc, argv, &value)) >= 0)
		take(&w, &rows[n], value);
	if (n == OPTIONS_HELP)
		return EXIT_SUCCESS;
	if (n == OPTIONS_WRONG)
		return EXIT_USAGE;
	if (optind < argc)
		return say_usage("", "'%s': expected no argument", argv[optind]);
	if (w.version) {
		printf("barnd %s\n", BARN_VERSION);
		return say_flush();
	}
	if (w.test)
		return test(&w.parent);
	return w.parent.foreground ? parent_run(&w.parent) : run_behind(&w.parent);
}
