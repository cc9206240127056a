/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_FAULT_H
#define BARN_FAULT_H

/*
 * What is wrong with a text, for people: file:line:column: message. A list holds the first 20
 * of a run and counts the rest. Owned by the caller, without memory of its own: set it to
 * zeros.
 */

#include <stdint.h>

enum { BARN_FAULTS = 20 };

struct barn_fault {
	char file[128];
	uint32_t line, column; /* from 1; columns count characters. 0: the file as a whole */
	char text[256];        /* "unknown keyword 'prot': expected title, id, ..." */
};

struct barn_faults {
	uint32_t count; /* all that were found, of which the first BARN_FAULTS are kept */
	struct barn_fault fault[BARN_FAULTS];
};

#endif
