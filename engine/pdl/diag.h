/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_DIAG_H
#define PDL_DIAG_H

/* Faults into the caller's list: what does not fit is counted. */

#include <barn/fault.h>
#include <stdarg.h>
#include <stddef.h>

/* Where something stands in a text; both from 1. */
struct pdl_pos {
	uint32_t line, column;
};

void diag_add(struct barn_faults *faults, const char *file, struct pdl_pos pos,
	      const char *format, ...) __attribute__((format(printf, 4, 5)));
void diag_vadd(struct barn_faults *faults, const char *file, struct pdl_pos pos,
	       const char *format, va_list args) __attribute__((format(printf, 4, 0)));

#endif
