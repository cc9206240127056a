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

static bool
fits(const struct inspect_start *start, const struct inspect_view *view)
{
	struct bytes b = view->data;
	size_t left = bytes_left(&b);

	if ((start->transports && !(start->transports & view->transport)) ||
	    (start->from && !(start->from >> view->dir & 1)) || left < start->least ||
	    (start->most && left > start->most) ||
	    (start->port && start->port != view->port[0] && start->port != view->port[1]))
		return false;
	for (unsigned i = 0; i < start->count && i < INSPECT_START_BYTES && i < left; i++) {
		uint8_t byte = bytes_u8(&b);

		if (byte < start->bytes[i][0] || byte > start->bytes[i][1])
			return false;
	}
	return true;
}

bool
inspector_may(const struct inspector *inspector, const struct inspect_view *view)
{
	if (!inspector->starts || view->lost || bytes_left(&view->data) == 0)
		return true;
	for (unsigned i = 0; i < inspector->start_count; i++)
		if (fits(&inspector->starts[i], view))
			return true;
	return false;
}
