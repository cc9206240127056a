/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/modules.h"
#include "cli/say.h"
#include "inspect/ndpi.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <getopt.h>
#include <pcap/pcap.h>
#include <pcre2.h>
#include <stdio.h>
#include <string.h>

static int
run(const struct command *self, int argc, char **argv)
{
	const struct modules_options none = { 0 };
	struct barn_engine *engine;
	const char *value;
	char pcre2[64] = "";

	switch (options_next(self, argc, argv, &value)) {
	case OPTIONS_HELP: return 0;
	case OPTIONS_WRONG: return EXIT_USAGE;
	default: break;
	}
	if (optind != argc)
		return say_usage(self->name, "'%s' is too much", argv[optind]);
	pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
	printf("barn %s\nnDPI %s\nPCRE2 %.*s\n%s\n", BARN_VERSION, ndpi_bridge_version(),
	       (int)strcspn(pcre2, " "), pcre2, pcap_lib_version());
	if (modules_load(&none, &engine))
		return EXIT_FAILED;
	printf("modules %zu\n", pdl_set_count(engine->modules));
	barn_engine_free(engine);
	return 0;
}

const struct command command_version = {
	.name = "version",
	.arguments = "",
	.summary = "Print the versions of barn and of what it rests on",
	.run = run,
};
