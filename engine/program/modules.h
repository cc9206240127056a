/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PROGRAM_MODULES_H
#define PROGRAM_MODULES_H

/*
 * The modules of a run, compiled. Their folder is the one given, or $BARN_PDLM_PATH, or, when
 * the program lies in its build tree, the source's, or the installed one. Wherever a folder or
 * a file of modules may stand, a protocol pack may.
 */

#include "program/conf_file.h"
#include "program/options.h"
#include "worker/engine.h"

enum { MODULES_KEYS = 8 };

/* A pack in memory. */
struct modules_pack {
	const char *file; /* NULL: none */
	struct bytes data;
};

struct modules_options {
	const char *folder; /* NULL: search */
	const char *const
		*files; /* added to the folder's, and replacing those of their names */
	unsigned file_count;
	struct conf_file *conf; /* a configuration, read and applied after them; NULL: none */
	bool no_ndpi, no_hyperscan;
	uint32_t opaque;        /* encapsulations that are not looked into: wire_options */
	const char *index_file; /* of indexes that were given; NULL: none */
	bool untested;          /* the command runs the modules' tests itself */
	/* Public keys, of which one must have signed each pack that is added; none: not asked.
	 */
	const char *key_files[MODULES_KEYS];
	unsigned key_count;
	struct modules_pack pack; /* added last */
};

/* Rows of a command's table of options that choose the modules. */
#define MODULES_ROW_FILE "module", 'm', "FILE", "Add the protocols of this module or pack"
#define MODULES_ROW_CONF \
	"conf", 'c', "FILE", "Add what this configuration says, see barn.conf(5)"
#define MODULES_ROW_FOLDER \
	"modules", 'M', "DIR", "Take the modules of this folder or pack instead"
#define MODULES_ROW_KEY "key", 0, "FILE", "Take packs only that this public key has signed"
#define MODULES_ROW_INDEX \
	"index-file", 0, "FILE", "Keep the indexes of protocols that name none in FILE"
#define MODULES_ROW_NDPI "no-ndpi", 0, NULL, "Do not ask nDPI"

/* What a command collects of them. All zero is empty; modules_fini frees what it holds. */
struct modules_list {
	struct modules_options options;
	struct conf_file conf; /* of the option */
	char **files;
	unsigned room;
};

/*
 * Adds a file, or all modules of a folder. False: the user was told, no memory, or a folder
 * without modules.
 */
bool modules_add(struct modules_list *list, const char *path);

bool modules_file(struct modules_list *list, const char *path); /* a file, not a folder */

/* Takes an option's value, if the row is one of the above. False as modules_add. */
bool modules_option(struct modules_list *list, const struct option_row *row, const char *value);

void modules_fini(struct modules_list *list);

/* Adds a public key. False: too many, and nobody was told. */
bool modules_key(struct modules_options *options, const char *path);

/* Where the modules are taken from, with these options. */
void modules_folder(const struct modules_options *options, char *folder, size_t size);

/* The whole file, of which the caller owns the memory; NULL: the user was told. */
char *modules_read(const char *path, size_t *len);

/* Adds a file, or a pack, to an engine that is not ready yet. False: faults, or the user was
 * told. */
bool modules_load_file(struct barn_engine *engine, const char *path,
		       const struct barn_keys *keys, struct barn_faults *faults);

/* An engine, ready; the caller frees it. On an error the user was told why. */
enum barn_err modules_load(const struct modules_options *options, struct barn_engine **engine);

/* Same, with the modules of one text more, which `file` names in faults. */
enum barn_err modules_load_text(const struct modules_options *options, const char *file,
				const char *text, size_t len, struct barn_engine **engine);

/* Same as modules_load, but what is wrong in the modules' text is in faults, and nobody was
 * told of it. */
enum barn_err modules_try(const struct modules_options *options, struct barn_faults *faults,
			  struct barn_engine **engine);

#endif
