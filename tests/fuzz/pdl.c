/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The text of a module: compiled, or refused with a fault that says where. */
#include "pdl/pdl.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

static bool
knows_all(void *self, const char *inspector, const char *field)
{
	(void)self;
	(void)inspector;
	(void)field;
	return true;
}

static void
demand_told(enum barn_err err, const struct barn_faults *faults)
{
	demand((err == BARN_ERR_TEXT) == (faults->count > 0));
	for (uint32_t i = 0; i < faults->count && i < BARN_FAULTS; i++) {
		const struct barn_fault *f = &faults->fault[i];

		demand(f->text[0] && memchr(f->text, 0, sizeof(f->text)));
		demand(memchr(f->file, 0, sizeof(f->file)) != NULL);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pdl_options options = { .inspector = knows_all };
	struct barn_faults *faults = calloc(2, sizeof(*faults));
	char *text = malloc(size ? size : 1);
	struct pdl_set *set = NULL;

	demand(faults && text && pdl_set_new(&options, &set) == BARN_OK);
	memcpy(text, data, size);
	enum barn_err err = pdl_set_add(set, "fuzz.pdlm", text, size, &faults[0]);

	free(text); /* what was compiled must not point into it */
	demand_told(err, &faults[0]);
	demand(err == BARN_OK || pdl_set_count(set) == 0);
	demand_told(pdl_set_finish(set, &faults[1]), &faults[1]);
	pdl_set_free(set);
	free(faults);
	return 0;
}
