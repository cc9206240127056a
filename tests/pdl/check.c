/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Compiles modules given as files, for the scripts here: prints each fault as
 * file:line:column: message, with -p the canonical form of what is right. -a: the table
 * of attributes, -k: the words of the language. Warnings are told with -w. Every inspector
 * and every field of one is there, unless its name is "missing".
 */
#include "pdl/pdl.h"
#include "pdl/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
inspector(void *self, const char *name, const char *field)
{
	(void)self;
	return strcmp(name, "missing") != 0 && (!field || strcmp(field, "missing") != 0);
}

static char *
read_file(const char *name, size_t *len)
{
	FILE *f = fopen(name, "rb");
	char *text = malloc(2 << 20);

	if (!f || !text) {
		perror(name);
		exit(2);
	}
	*len = fread(text, 1, 2 << 20, f);
	fclose(f);
	return text;
}

static int
tell(const struct barn_faults *faults, enum barn_err err)
{
	for (uint32_t i = 0; i < faults->count && i < BARN_FAULTS; i++)
		printf("%s:%u:%u: %s\n", faults->fault[i].file, faults->fault[i].line,
		       faults->fault[i].column, faults->fault[i].text);
	if (faults->count > BARN_FAULTS)
		printf("%u more\n", faults->count - BARN_FAULTS);
	if (err && faults->count == 0)
		printf("%s\n", barn_strerror(err));
	return err ? 1 : 0;
}

static void
print_attributes(void)
{
	for (size_t i = 0; i < words_attribute_count; i++)
		for (size_t j = 0; j < words_attributes[i].count; j++)
			printf("%s %s\n", words_attributes[i].key,
			       words_attributes[i].values[j]);
}

static void
print_words(void)
{
	for (size_t i = 0; i < WORDS_ITEMS; i++)
		puts(words_items[i]);
	for (size_t i = 0; i < words_reserved_count; i++)
		puts(words_reserved[i]);
	for (size_t i = 0; i < words_other_count; i++)
		puts(words_others[i]);
}

int
main(int argc, char **argv)
{
	bool print = argc > 1 && strcmp(argv[1], "-p") == 0;
	bool warn = argc > 1 && strcmp(argv[1], "-w") == 0;
	struct pdl_options options = { .inspector = inspector };
	struct barn_faults faults = { 0 };
	struct pdl_set *set = NULL;
	struct text text = { 0 };
	enum barn_err err = pdl_set_new(&options, &set);

	if (argc > 1 && (strcmp(argv[1], "-a") == 0 || strcmp(argv[1], "-k") == 0)) {
		if (argv[1][1] == 'a')
			print_attributes();
		else
			print_words();
		pdl_set_free(set);
		return 0;
	}
	for (int i = print || warn ? 2 : 1; i < argc && !err; i++) {
		size_t len;
		char *module = read_file(argv[i], &len);
		const char *base = strrchr(argv[i], '/');

		err = pdl_set_add(set, base ? base + 1 : argv[i], module, len, &faults);
		free(module);
	}
	if (!err)
		err = pdl_set_finish(set, &faults);
	for (size_t i = 0; print && !err && i < pdl_set_count(set); i++)
		pdl_print(pdl_set_at(set, i), &text);
	fputs(text_str(&text), stdout);
	if (warn)
		tell(pdl_set_warnings(set), BARN_OK);
	text_fini(&text);
	pdl_set_free(set);
	return tell(&faults, err);
}
