/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/packs_out.h"
#include "program/modules.h"
#include "program/pack_file.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum row { JSON, KEY, MODULE, MODULES, NO_NDPI, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[JSON] = { "json", 0, NULL, "Print the pack as a JSON object" },
	[KEY] = { "key", 0, "FILE", "It must be signed by this public key, Ed25519 in PEM" },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	{ 0 },
};

struct job {
	struct modules_list modules;
	bool json;
};

static unsigned
count_tests(const struct packs_item *item)
{
	unsigned count = 0;

	for (size_t i = 0; i < pdl_set_count(item->modules); i++)
		count += pdl_set_at(item->modules, i)->test_count;
	return count;
}

/* All was checked: the load ran the tests, too. */
static void
tell(const struct job *job, const char *path, const struct packs_item *item)
{
	const struct barn_pack_info *info = &item->info;
	struct json_object *object;
	char seal[48];

	if (job->json) {
		object = packs_out_object(info);
		json_out_number(object, "tests", count_tests(item));
		json_out_print(object);
		return;
	}
	printf("%s: good\n", path);
	printf("  %-12s %s %s\n", "pack", info->name, info->version);
	printf("  %-12s %s\n", "publisher", info->publisher);
	printf("  %-12s %s\n", "needs barn", info->engine);
	printf("  %-12s %s\n", "signed", packs_out_seal(info, seal));
	printf("  %-12s %u, with %u tests\n", "protocols", info->protocols, count_tests(item));
}

static int
verify(struct job *job, const char *path)
{
	struct modules_options options = job->modules.options;
	struct text archive = { 0 };
	struct barn_engine *engine;
	enum barn_err err = BARN_ERR_TEXT;

	if (pack_file_read(path, &archive)) {
		options.pack.file = path;
		options.pack.data = bytes_of(archive.s, archive.len);
		err = modules_load(&options, &engine);
	}
	text_fini(&archive);
	if (err)
		return EXIT_FAILED;
	tell(job, path, engine->packs.items[engine->packs.count - 1]);
	barn_engine_free(engine);
	return 0;
}

static int
parse(const struct command *self, int argc, char **argv, struct job *job)
{
	const char *value;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		job->json |= row == JSON;
		if (!modules_option(&job->modules, &rows[row], value))
			return EXIT_FAILED;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (optind + 1 != argc)
		return say_usage(self->name, "expected one protocol pack");
	return verify(job, argv[optind]);
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .json = false };
	int status = parse(self, argc, argv, &job);

	modules_fini(&job.modules);
	return status;
}

const struct command command_pdlm_verify = {
	.name = "pdlm verify",
	.arguments = "[options] PACK",
	.summary = "Check a protocol pack, its signature and its modules",
	.text = "The pack is checked and loaded together with the other modules, and its\n"
		"modules' tests are run.\n",
	.options = rows,
	.run = run,
};
