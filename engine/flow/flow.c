/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/flow.h"

#include "flow/key.h"

static const char *const end_names[FLOW_ENDS] = {
	[FLOW_ACTIVE] = "active", [FLOW_FIN] = "fin",         [FLOW_RST] = "rst",
	[FLOW_IDLE] = "idle",     [FLOW_EVICTED] = "evicted", [FLOW_SHUTDOWN] = "shutdown",
};

unsigned
flow_key_of(const struct packet *packet, struct flow_key *key)
{
	return key_of(packet, key);
}

const char *
flow_end_name(enum flow_end end)
{
	return (unsigned)end < FLOW_ENDS ? end_names[end] : "?";
}
