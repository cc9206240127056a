/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_OPTIONS_H
#define CLI_READ_OPTIONS_H

/* What `barn read` was told to do. */

#include "cli/crew.h"
#include "cli/inside.h"
#include "program/modules.h"
#include "program/options.h"

enum read_display {
	READ_TABLE, /* the discovery table */
	READ_TABLE_JSON,
	READ_FLOWS,
	READ_FLOWS_JSON,
	READ_FLOWS_CSV,
	READ_POLICY, /* what policies would have done */
	READ_POLICY_JSON,
	READ_NOTHING, /* only -w */
};

enum { READ_LIST_MAX = 32 }; /* how often an option can be repeated */

struct read_options {
	enum read_display display;
	const char *const *paths; /* of argv */
	unsigned path_count;
	const char *interface; /* NULL: an interface a file */
	struct inside inside[READ_LIST_MAX];
	unsigned inside_count;
	uint32_t top;         /* rows; 0: all */
	const char *protocol; /* NULL: all */
	const char *match[READ_LIST_MAX];
	unsigned match_count;
	const char *filter;              /* BPF; NULL: none */
	const char *write;               /* NULL: nowhere */
	const char *policy, *policy_out; /* policy maps; NULL: none */
	bool attached;                   /* those that the configuration applies */
	unsigned jobs;
	bool learned, no_learned;
	const char *learned_file; /* NULL: none */
	struct modules_options modules;
	struct conf_file conf; /* of modules */
	const char *module_files[READ_LIST_MAX];
};

extern const struct option_row read_options_rows[];

/* Whether policies are asked. */
static inline bool
read_options_policies(const struct read_options *options)
{
	return options->policy || options->policy_out || options->attached;
}

/* 0, or OPTIONS_WRONG or OPTIONS_HELP. argv is kept. */
int read_options_parse(const struct command *command, int argc, char **argv,
		       struct read_options *options);

#endif
