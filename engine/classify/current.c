/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/current.h"

#include <pthread.h>
#include <stdlib.h>

/* All that were published and not freed, newest first; the list holds no reference to them but
 * to the one in force. */
struct generation {
	struct generation *older;
	struct registry *registry;
};

struct current_list {
	pthread_mutex_t lock;
	struct generation *newest;
};

enum barn_err
current_init(struct current *current)
{
	struct current_list *list = calloc(1, sizeof(*list));

	if (!list)
		return BARN_ERR_MEMORY;
	pthread_mutex_init(&list->lock, NULL);
	current->list = list;
	return BARN_OK;
}

enum barn_err
current_publish(struct current *current, struct registry *registry)
{
	struct current_list *list = current->list;
	struct generation *g = malloc(sizeof(*g));

	if (!g)
		return BARN_ERR_MEMORY;
	pthread_mutex_lock(&list->lock);
	*g = (struct generation){ list->newest, registry };
	if (list->newest)
		registry_drop(list->newest->registry);
	list->newest = g;
	atomic_store_explicit(&current->registry, registry, memory_order_release);
	pthread_mutex_unlock(&list->lock);
	return BARN_OK;
}

struct registry *
current_take(struct current *current)
{
	struct current_list *list = current->list;
	struct registry *registry = NULL;

	pthread_mutex_lock(&list->lock);
	if (list->newest)
		registry = registry_hold(list->newest->registry);
	pthread_mutex_unlock(&list->lock);
	return registry;
}

/* Takes out of the list those that nobody holds; nobody can take hold of them again. */
static struct generation *
take_out(struct current_list *list, unsigned *left)
{
	struct generation *out = NULL, **at;

	pthread_mutex_lock(&list->lock);
	for (at = &list->newest; *at;) {
		struct generation *g = *at;

		if (registry_is_held(g->registry)) {
			at = &g->older;
			++*left;
			continue;
		}
		*at = g->older;
		g->older = out;
		out = g;
	}
	pthread_mutex_unlock(&list->lock);
	return out;
}

unsigned
current_collect(struct current *current)
{
	unsigned left = 0;
	struct generation *older, *g = take_out(current->list, &left);

	for (; g; g = older) {
		older = g->older;
		registry_free(g->registry);
		free(g);
	}
	return left;
}

void
current_fini(struct current *current)
{
	struct current_list *list = current->list;
	struct generation *g;

	if (!list)
		return;
	if (list->newest)
		registry_drop(list->newest->registry);
	current_collect(current);
	while ((g = list->newest)) {
		list->newest = g->older;
		free(g);
	}
	pthread_mutex_destroy(&list->lock);
	free(list);
	current->list = NULL;
}
