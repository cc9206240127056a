/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Modules that are to be refused or contained: -DWRONG=... says what is wrong. */
#include <barn/inspector.h>

enum { NOTHING, NO_SYMBOL, ABI, SIZE, LARGER, INSPECTOR_SIZE, RUNAWAY };

static enum barn_inspector_answer
feed(void *state, struct barn_inspector_view *view, const struct barn_inspector_sink *sink)
{
	(void)state;
	if (WRONG == RUNAWAY) {
		sink->field(sink->self, 99, view->data);
		view->data.p = view->data.end + 1000;
	}
	return BARN_INSPECTOR_SURE;
}

static const struct barn_inspector wrong = {
	.abi = BARN_INSPECTOR_ABI,
	.size = WRONG == INSPECTOR_SIZE ? 20 : sizeof(struct barn_inspector),
	.name = "wrong",
	.transports = BARN_INSPECTOR_TCP,
	.feed = feed,
};

static const struct barn_inspector *const inspectors[] = { &wrong };

#if WRONG == 1
#define TABLE another_name
extern const struct barn_inspector_module another_name;
#else
#define TABLE barn_inspector_module
#endif
const struct barn_inspector_module TABLE = {
	.abi = WRONG == ABI ? 7 : BARN_INSPECTOR_ABI,
	.size = WRONG == SIZE     ? 4
		: WRONG == LARGER ? 4096
				  : sizeof(struct barn_inspector_module),
	.text = "protocol wrong { inspect wrong }",
	.inspectors = inspectors,
	.inspector_count = 1,
};
