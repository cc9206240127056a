/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"

static const struct command *const all[] = {
	&command_pdlm_check,  &command_pdlm_graph,
	&command_pdlm_list,   &command_pdlm_new,
	&command_pdlm_pack,   &command_pdlm_print,
	&command_pdlm_stats,  &command_pdlm_test,
	&command_pdlm_verify, NULL,
};

const struct command command_pdlm = {
	.name = "pdlm",
	.arguments = "COMMAND [options] [arguments]",
	.summary = "Write, check and list protocol modules",
	.text = "'barn help pdlm COMMAND' tells more; barn-pdlm(1) tells all.\n",
	.commands = all,
};
