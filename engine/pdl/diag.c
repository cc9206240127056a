/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/diag.h"

#include <stdio.h>

void
diag_vadd(struct barn_faults *faults, const char *file, struct pdl_pos pos, const char *format,
	  va_list args)
{
	struct barn_fault *fault;

	if (!faults)
		return;
	if (faults->count < BARN_FAULTS) {
		fault = &faults->fault[faults->count];
		snprintf(fault->file, sizeof(fault->file), "%s", file);
		fault->line = pos.line;
		fault->column = pos.column;
		vsnprintf(fault->text, sizeof(fault->text), format, args);
	}
	faults->count++;
}

void
diag_add(struct barn_faults *faults, const char *file, struct pdl_pos pos, const char *format,
	 ...)
{
	va_list args;

	va_start(args, format);
	diag_vadd(faults, file, pos, format, args);
	va_end(args);
}
