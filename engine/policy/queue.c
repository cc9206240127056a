/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/queue.h"

enum { FIRST = 2 };

bool
queue_asks(const struct policy_stage *stage)
{
	for (unsigned i = 0; stage && i < stage->count; i++) {
		const struct policy_node *node = &stage->nodes[i];

		if ((node->entry && node->entry->queues.count) || queue_asks(node->child))
			return true;
	}
	return false;
}

static bool
is_parent(const struct policy_node *node)
{
	return queue_asks(node->child);
}

static bool
number(const struct policy_stage *stage, uint16_t *next)
{
	bool good = true;

	for (unsigned i = 0; i < stage->count && good; i++) {
		struct policy_node *node = &stage->nodes[i];
		bool own = i + 1 == stage->count || is_parent(node) ||
			   (node->entry && node->entry->queues.count);

		if (!own)
			continue;
		good = *next <= QUEUE_MOST;
		node->queue = good ? (*next)++ : 0;
		if (good && is_parent(node))
			good = number(node->child, next);
	}
	return good;
}

static const struct policy_node *
leaf(const struct policy_node *node)
{
	while (is_parent(node))
		node = &node->child->nodes[node->child->count - 1];
	return node;
}

static void
mark(const struct policy_stage *stage)
{
	const struct policy_node *rest = &stage->nodes[stage->count - 1];

	for (unsigned i = 0; i < stage->count; i++) {
		struct policy_node *node = &stage->nodes[i];

		if (node->queue && is_parent(node))
			mark(node->child);
		else
			node->queue_mark = (uint32_t)leaf(node->queue ? node : rest)->queue
					   << QUEUE_SHIFT;
	}
}

bool
queue_number(const struct policy_stage *stage)
{
	uint16_t next = FIRST;

	if (!queue_asks(stage))
		return true;
	if (!number(stage, &next))
		return false;
	mark(stage);
	return true;
}
