/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BASE_LIST_H
#define BASE_LIST_H

/* An array that grows in an arena; what it outgrew stays there until the arena goes. */

#include "base/arena.h"

#include <string.h>

struct list {
	void *items;
	unsigned count, room;
};

/* A new item at the end, zeroed; NULL: out of memory. `size` is the same in every call. */
static inline void *
list_add(struct list *list, struct arena *arena, size_t size)
{
	if (list->count == list->room) {
		unsigned room = list->room ? list->room * 2 : 4;
		void *items = arena_array(arena, room, size);

		if (!items)
			return NULL;
		if (list->items && list->count > 0)
			memcpy(items, list->items, list->count * size);
		list->items = items;
		list->room = room;
	}
	return (char *)list->items + list->count++ * size;
}

#endif
