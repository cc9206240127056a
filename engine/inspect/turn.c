/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* TURN is read by stun.c: here are the methods that STUN itself has not (RFC 8656, RFC 6062).
 */
#include "inspect/stun.h"

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return stun_feed(state, true, view, sink);
}

const struct inspector inspect_turn = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "turn",
	.state_size = sizeof(struct stun),
	.transports = INSPECT_UDP | INSPECT_TCP,
	.fields = stun_fields,
	.field_count = STUN_FIELDS,
	.feed = feed,
};
