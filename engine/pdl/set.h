/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_SET_H
#define PDL_SET_H

/*
 * Modules that are loaded together. A set is built by one thread, then finished, and from then
 * on immutable and shared. All that hangs off it lives until pdl_set_free. A copy of it is open
 * again, and shares what was parsed; any thread may free either.
 */

#include <barn/err.h>
#include <barn/fault.h>
#include <stdbool.h>
#include <stddef.h>

struct pdl_protocol;

struct pdl_options {
	/* Whether there is an inspector of that name, and, with field, whether it yields that
	 * field. */
	bool (*inspector)(void *self, const char *inspector, const char *field);
	void *self;
};

struct pdl_set;

enum barn_err pdl_set_new(const struct pdl_options *options, struct pdl_set **set);
void pdl_set_free(struct pdl_set *set);

/* An open set with the same modules, which are shared and not parsed again. */
enum barn_err pdl_set_copy(const struct pdl_set *set, struct pdl_set **copy);

/* Whether this very module is in the set, not merely one of its name. */
bool pdl_set_has(const struct pdl_set *set, const struct pdl_protocol *protocol);

/* Takes a module out. BARN_ERR_MISSING: there is none of this name. */
enum barn_err pdl_set_remove(struct pdl_set *set, const char *name);

/*
 * Parses a text and adds its modules. A module of a name that is there replaces it. On
 * BARN_ERR_TEXT nothing was added and the faults say why.
 */
enum barn_err pdl_set_add(struct pdl_set *set, const char *file, const char *text, size_t len,
			  struct barn_faults *faults);

/* An open set without modules, for the same inspectors. */
enum barn_err pdl_set_like(const struct pdl_set *set, struct pdl_set **empty);

/*
 * Takes the modules of `out` (NULL: none) out, and puts those of `in` (NULL: none) in, which
 * both sets then share; all or, on an error, nothing. A module that has come in place of one of
 * `out`'s stays, also where `in` has one of its name.
 */
enum barn_err pdl_set_exchange(struct pdl_set *set, const struct pdl_set *out,
			       const struct pdl_set *in);

/* What needs all modules: names referred to, unique ids, indexes and aliases. Then it is
 * closed. */
enum barn_err pdl_set_finish(struct pdl_set *set, struct barn_faults *faults);

/* What is most likely not meant, but no fault: by pdl_set_add and pdl_set_finish; and by
 * pdl_set_check_ndpi, for modules of whose names the nDPI at hand knows none. */
const struct barn_faults *pdl_set_warnings(const struct pdl_set *set);
void pdl_set_check_ndpi(struct pdl_set *set, bool (*knows)(void *self, const char *name),
			void *self);

/* Whether the inspector yields the field, by the set's options; false without such. */
bool pdl_set_knows(const struct pdl_set *set, const char *inspector, const char *field);

size_t pdl_set_count(const struct pdl_set *set);
const struct pdl_protocol *pdl_set_at(const struct pdl_set *set,
				      size_t i); /* in order of adding */

#endif
