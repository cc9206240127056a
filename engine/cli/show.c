/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"

static const struct command *const shows[] = {
	&command_show_class_map,
	&command_show_discovery,
	&command_show_flows,
	&command_show_interfaces,
	&command_show_pdlm,
	&command_show_policy_map,
	&command_show_port_map,
	&command_show_resources,
	&command_show_stats,
	&command_show_version,
	NULL,
};

const struct command command_show = {
	.name = "show",
	.arguments = "[ip nbar] COMMAND [arguments] [options]",
	.summary = "Print what routers print for their 'show' commands",
	.commands = shows,
	.filler = "ip nbar",
};
