/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/mirror.h"

#include "daemon/log.h"

#include <errno.h>
#include <string.h>

enum { SETTLE = 15 }; /* steps: three seconds, as copper takes to negotiate */

/* The next bridge; each has an item for every worker, of which the first stands for all. */
static const struct ways_item *
next_bridge(const struct ways *ways, unsigned *at)
{
	while (*at < ways->count) {
		const struct ways_item *item = &ways->items[(*at)++];

		if (item->kind == &way_bridge && item->worker == 0)
			return item;
	}
	return NULL;
}

static void
set(const char *name, const char *other, bool up)
{
	if (link_set(name, up))
		log_say(LOG_NOTICE, "%s: set %s, as %s is", name, up ? "up" : "down", other);
	else
		log_say(LOG_WARNING, "%s: cannot be set %s: %s", name, up ? "up" : "down",
			strerror(errno));
}

void
mirror_step(struct mirror *mirror, const struct ways *ways)
{
	const struct ways_item *item;
	unsigned at = 0;

	for (unsigned n = 0; n < MIRROR_BRIDGES && (item = next_bridge(ways, &at)); n++) {
		const char *names[] = { ways->names[item->first],
					ways->names[item->first + 1] };

		for (unsigned side = 0; side < 2; side++) {
			bool up = link_is_up(names[side]);
			uint8_t *settling = mirror->settling[n];

			if (up)
				settling[side] = 0;
			if (settling[side]) {
				settling[side]--;
				continue;
			}
			enum link_act act = link_mirror_step(&mirror->bridges[n], side, up);

			if (act == LINK_SET_UP)
				settling[!side] = SETTLE;
			if (act != LINK_NOTHING)
				set(names[!side], names[side], act == LINK_SET_UP);
		}
	}
}

void
mirror_end(struct mirror *mirror, const struct ways *ways)
{
	const struct ways_item *item;
	unsigned at = 0;

	for (unsigned n = 0; n < MIRROR_BRIDGES && (item = next_bridge(ways, &at)); n++)
		for (unsigned side = 0; side < 2; side++)
			if (mirror->bridges[n].held[side])
				link_set(ways->names[item->first + side], true);
	*mirror = (struct mirror){ 0 };
}
