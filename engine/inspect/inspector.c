/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/inspector.h"

const struct inspector *
inspector_find(const char *name)
{
	for (size_t i = 0; i < inspectors_count; i++)
		if (strcmp(inspectors[i]->name, name) == 0)
			return inspectors[i];
	return NULL;
}
