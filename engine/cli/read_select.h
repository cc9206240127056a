/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_SELECT_H
#define CLI_READ_SELECT_H

/* Which flows the user wants: --protocol, and all the statements of --match. Any thread. */

#include "cli/read_options.h"

struct read_select;

/* NULL is a selection of all flows. Returns 0, or an exit status: the user was told. */
int read_select_new(const struct command *command, const struct registry *registry,
		    const struct read_options *options, struct read_select **select);
void read_select_free(struct read_select *select);

/* A value was found in the flow: notes in flow->policy, a bit a statement, which statements it
 * fits. */
void read_select_value(struct read_select *select, struct flow *flow, uint16_t field,
		       struct bytes value);
bool read_select_flow(struct read_select *select, const struct barn_flow *flow,
		      const struct barn_flow_info *info);
/* Expressions of --match that tried too much. */
uint64_t read_select_cuts(const struct read_select *select);
/* Whether --protocol is this one, for rows of the table. */
bool read_select_protocol(const struct read_select *select, const char *name);

#endif
