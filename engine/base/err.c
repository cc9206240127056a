/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include <barn/err.h>

const char *
barn_strerror(enum barn_err err)
{
	/* No default: the compiler tells of an error that has no text. */
	switch (err) {
	case BARN_OK: return "no error";
	case BARN_ERR_MEMORY: return "out of memory";
	case BARN_ERR_TEXT: return "the text has faults";
	case BARN_ERR_ARGUMENT: return "invalid argument";
	case BARN_ERR_EXISTS: return "already exists";
	case BARN_ERR_MISSING: return "not found";
	case BARN_ERR_SYSTEM: return "system call failed";
	case BARN_ERR_FORMAT: return "damaged or of an unknown format";
	case BARN_ERR_LIBRARY: return "a library failed";
	case BARN_ERR_END: return "no more";
	}
	return "unknown error";
}
