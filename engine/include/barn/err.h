/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_ERR_H
#define BARN_ERR_H

/*
 * Errors of the library's calls: 0 or a negative number. Packets never raise
 * errors; they are counted. A fault in a text (a module, a configuration) is
 * BARN_ERR_TEXT, and comes with a list of struct barn_fault.
 */
enum barn_err {
	BARN_OK = 0,
	BARN_ERR_MEMORY = -1,   /* out of memory, or of a stated bound */
	BARN_ERR_TEXT = -2,     /* a text is wrong; see the faults that come with it */
	BARN_ERR_ARGUMENT = -3, /* the caller passed what the call forbids */
	BARN_ERR_EXISTS = -4,   /* a name or number is taken */
	BARN_ERR_MISSING = -5,  /* no such protocol, field, module, ... */
	BARN_ERR_SYSTEM = -6,   /* the operating system refused; errno says why */
	BARN_ERR_FORMAT = -7,   /* a file is not what it should be, or is damaged */
	BARN_ERR_LIBRARY = -8,  /* a library that we rest on refused */
	BARN_ERR_END = -9,      /* no more */
};

/* A short text in lower case without a full stop; never NULL. */
const char *barn_strerror(enum barn_err err);

#endif
