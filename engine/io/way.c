/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/way.h"
#include <string.h>

static const struct way_kind *const kinds[] = { &way_bridge, &way_nfqueue, &way_replay,
						&way_tap, NULL };

const struct way_kind *const *
way_kinds(void)
{
	return kinds;
}

const char *
way_no_limit(const struct way *way)
{
	(void)way;
	return NULL;
}

const struct way_kind *
way_named(const char *name)
{
	for (const struct way_kind *const *k = kinds; *k; k++) {
		if (strcmp((*k)->name, name) == 0)
			return *k;
	}
	return NULL;
}
