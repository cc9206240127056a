/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/epoch.h"

#include <stdlib.h>

/* Pools of inspectors' states: memory is backed when it is first used. */
static enum barn_err
new_states(struct epoch *e, uint32_t bound)
{
	enum barn_err err = BARN_OK;
	size_t largest = 1;

	e->states = calloc(e->protocols, sizeof(*e->states));
	if (!e->states)
		return BARN_ERR_MEMORY;
	for (uint16_t i = 1; i < e->protocols && !err; i++) {
		const struct inspector *inspector =
			registry_protocol(e->registry, i)->inspector;

		if (!inspector || !inspector->state_size)
			continue;
		err = pool_new(inspector->state_size, bound, &e->states[i]);
		if (largest < inspector->state_size)
			largest = inspector->state_size;
	}
	e->trial = aligned_alloc(64, (largest + 63) / 64 * 64);
	e->passed = calloc(e->protocols, sizeof(*e->passed));
	return err ? err : e->trial && e->passed ? BARN_OK : BARN_ERR_MEMORY;
}

static void
free_memory(struct epoch *e)
{
	for (uint16_t i = 0; e->states && i < e->protocols; i++)
		pool_free(e->states[i]);
	rule_scratch_free(e->rules);
	free(e->states);
	free(e->trial);
	free(e->passed);
	free(e);
}

enum barn_err
epoch_new(struct registry *registry, uint32_t inspected, struct epoch **epoch)
{
	struct epoch *e = calloc(1, sizeof(*e));
	enum barn_err err;

	if (!e)
		return BARN_ERR_MEMORY;
	e->registry = registry;
	e->custom = registry_custom(registry);
	e->protocols = registry_count(registry);
	err = registry_scratch_new(registry, &e->rules);
	if (!err)
		err = new_states(e, inspected);
	if (err)
		free_memory(e);
	else
		*epoch = e;
	return err;
}

void
epoch_free(struct epoch *epoch)
{
	if (!epoch)
		return;
	registry_drop(epoch->registry);
	free_memory(epoch);
}
