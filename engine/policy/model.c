/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/model.h"

#include <string.h>

const struct policy_class *
model_class(const struct policy_model *model, const char *name)
{
	struct policy_class *const *classes = model->classes.items;

	for (unsigned i = 0; i < model->classes.count; i++)
		if (strcmp(classes[i]->name, name) == 0)
			return classes[i];
	return NULL;
}

const struct policy_map *
model_map(const struct policy_model *model, const char *name)
{
	struct policy_map *const *maps = model->maps.items;

	for (unsigned i = 0; i < model->maps.count; i++)
		if (strcmp(maps[i]->name, name) == 0)
			return maps[i];
	return NULL;
}

const struct policy_access *
model_access(const struct policy_model *model, const char *name)
{
	struct policy_access *const *accesses = model->accesses.items;

	for (unsigned i = 0; i < model->accesses.count; i++)
		if (strcmp(accesses[i]->name, name) == 0)
			return accesses[i];
	return NULL;
}
