/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "program/options.h"
#include <stdbool.h>

/* All of them, in the order of the help; ends in one without a name. */
extern const struct command *const commands[];

/* The last word of its name. */
const char *commands_word(const struct command *command);

/*
 * By the words of its name, "read" or "pdlm", "check", each of which may be abbreviated; of the
 * words the first *count are looked at; sets it to those that were used. NULL: the last of
 * these is none, or `several` begin so.
 */
const struct command *commands_find(char *const *words, int *count, bool *several);

/* The program: runs the command that argv names and returns its exit status. */
int commands_run(int argc, char **argv);

extern const struct command command_help, command_pdlm, command_read, command_version;
extern const struct command command_conf, command_explain, command_show;
extern const struct command command_conf_check, command_conf_modules, command_conf_show;
extern const struct command command_conf_tc;
extern const struct command command_show_class_map, command_show_policy_map;
extern const struct command command_show_discovery, command_show_flows;
extern const struct command command_show_interfaces, command_show_pdlm;
extern const struct command command_show_port_map, command_show_resources;
extern const struct command command_show_stats, command_show_version;
extern const struct command command_clear, command_load, command_reload, command_unload;
extern const struct command command_console, command_top;
extern const struct command command_pdlm_check, command_pdlm_list, command_pdlm_new;
extern const struct command command_pdlm_graph, command_pdlm_print, command_pdlm_stats;
extern const struct command command_pdlm_pack, command_pdlm_test, command_pdlm_verify;

#endif
