/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "config.h"

#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/packs_out.h"
#include "inspect/inspector.h"
#include "inspect/ndpi.h"
#include "program/modules.h"
#include "program/say.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <getopt.h>
#include <limits.h>
#include <openssl/crypto.h>
#include <pcap/pcap.h>
#include <pcre2.h>
#include <stdio.h>
#include <string.h>
#ifdef HAVE_HYPERSCAN
#include <hs/hs_runtime.h>
#endif

enum row { JSON, MODULE, CONFIG, MODULES, KEY, NO_NDPI, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[JSON] = { "json", 0, NULL, "Print a JSON object" },
	[MODULE] = { MODULES_ROW_FILE },
	[CONFIG] = { MODULES_ROW_CONF },
	[MODULES] = { MODULES_ROW_FOLDER },
	[KEY] = { MODULES_ROW_KEY },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	{ 0 },
};

/* What barn rests on: the versions that it runs with, not those that it was built with. */
enum library { NDPI, PCRE2, PCAP, HYPERSCAN, JSONC, CRYPTO, LIBRARIES };

static const char *const names[LIBRARIES] = {
	[NDPI] = "nDPI",           [PCRE2] = "PCRE2",  [PCAP] = "libpcap",
	[HYPERSCAN] = "Hyperscan", [JSONC] = "json-c", [CRYPTO] = "libcrypto",
};

enum { VERSION_MAX = 32 };

struct versions {
	char text[LIBRARIES][VERSION_MAX]; /* empty: without it */
};

/* From the first digit to the next blank: "OpenSSL 3.0.15 3 Sep 2024", "libpcap version ...".
 */
static void
set(char version[VERSION_MAX], const char *text)
{
	text += strcspn(text, "0123456789");
	snprintf(version, VERSION_MAX, "%.*s", (int)strcspn(text, " ("), text);
}

static void
find_versions(struct versions *v, bool ndpi)
{
	char pcre2[64] = "";

	*v = (struct versions){ 0 };
	pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
	if (ndpi)
		set(v->text[NDPI], ndpi_bridge_version());
	set(v->text[PCRE2], pcre2);
	set(v->text[PCAP], pcap_lib_version());
	set(v->text[JSONC], json_c_version());
	set(v->text[CRYPTO], OpenSSL_version(OPENSSL_VERSION));
#ifdef HAVE_HYPERSCAN
	if (hs_valid_platform() == HS_SUCCESS)
		set(v->text[HYPERSCAN], hs_version());
#endif
}

static unsigned
count_vectors(const struct pdl_set *modules)
{
	unsigned count = 0;

	for (size_t i = 0; i < pdl_set_count(modules); i++)
		count += pdl_set_at(modules, i)->test_count;
	return count;
}

/* In the form of `show ip nbar version`: names in a column, packs as blocks below it. */
static void
print_text(struct barn_engine *engine, const char *folder, const struct versions *v)
{
	printf("barn software version:  %s\n", BARN_VERSION);
	printf("barn inspector interface:  %d\n", INSPECTOR_ABI);
	printf("\nLoaded modules:\n");
	printf("  %-30s %s\n", "Folder:", folder);
	printf("  %-30s %zu\n", "Protocols:", pdl_set_count(engine->modules));
	printf("  %-30s %u\n", "Tests:", count_vectors(engine->modules));
	packs_out_text(engine);
	printf("\nLibraries:\n");
	for (unsigned i = 0; i < LIBRARIES; i++) {
		char name[VERSION_MAX];

		snprintf(name, sizeof(name), "%s:", names[i]);
		printf("  %-30s %s\n", name, *v->text[i] ? v->text[i] : "none");
	}
}

static void
print_json(struct barn_engine *engine, const char *folder, const struct versions *v)
{
	struct json_object *object = json_object_new_object();
	struct json_object *modules = json_object_new_object();
	struct json_object *libraries = json_object_new_object();

	json_out_string(object, "version", BARN_VERSION);
	json_out_number(object, "inspector_interface", INSPECTOR_ABI);
	json_out_string(modules, "folder", folder);
	json_out_number(modules, "protocols", pdl_set_count(engine->modules));
	json_out_number(modules, "tests", count_vectors(engine->modules));
	json_object_object_add(object, "modules", modules);
	json_object_object_add(object, "packs", packs_out_json(engine));
	for (unsigned i = 0; i < LIBRARIES; i++)
		json_object_object_add(libraries, names[i],
				       *v->text[i] ? json_object_new_string(v->text[i]) : NULL);
	json_object_object_add(object, "libraries", libraries);
	json_out_print(object);
}

static int
print(const struct modules_list *list, bool json)
{
	struct barn_engine *engine;
	struct versions versions;
	char folder[PATH_MAX + 16];

	if (modules_load(&list->options, &engine))
		return EXIT_FAILED;
	modules_folder(&list->options, folder, sizeof(folder));
	find_versions(&versions, !list->options.no_ndpi);
	if (json)
		print_json(engine, folder, &versions);
	else
		print_text(engine, folder, &versions);
	barn_engine_free(engine);
	return 0;
}

static int
parse(const struct command *self, int argc, char **argv, struct modules_list *list)
{
	const char *value;
	bool json = false;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		json |= row == JSON;
		if (!modules_option(list, &rows[row], value))
			return EXIT_FAILED;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (optind != argc)
		return say_usage(self->name, "'%s' is too much", argv[optind]);
	return print(list, json);
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct modules_list list = { .room = 0 };
	int status = parse(self, argc, argv, &list);

	modules_fini(&list);
	return status;
}

const struct command command_version = {
	.name = "version",
	.arguments = "[options]",
	.summary = "Print the versions of barn, its modules, and what it rests on",
	.options = rows,
	.run = run,
};
