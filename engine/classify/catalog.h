/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_CATALOG_H
#define CLASSIFY_CATALOG_H

/*
 * Numbers for names that hold as long as the engine does, whichever modules come and go: what a
 * flow keeps of its verdict (protocol, rule) and of its notes (fields) are such numbers, so it
 * has its name when its module is gone. Append-only; the same name again has the same number.
 *
 *	load:    intern, intern, ...  ─► commit: all readers may see them
 *	                              └► rewind: as if they had never been
 *
 * One thread loads at a time. A number may be given to other threads only after the commit;
 * then catalog_name may be called by any of them, without a lock, and what it returns lives as
 * long as the catalog.
 */

#include <barn/err.h>
#include <stdint.h>

struct catalog;

enum catalog_kind {
	CATALOG_PROTOCOLS, /* "http"; number 0 is "unknown" */
	CATALOG_FIELDS,    /* "http.host"; from 0 */
	CATALOG_RULES,     /* "ftp: rule banner"; number 0 is not used */
	CATALOG_KINDS
};

enum { CATALOG_BOUND = 65520 }; /* names of a kind; numbers above are notes' own */

enum barn_err catalog_new(struct catalog **catalog);
void catalog_free(struct catalog *catalog);

/* BARN_ERR_EXISTS: there are CATALOG_BOUND names already. */
enum barn_err catalog_intern(struct catalog *catalog, enum catalog_kind kind, const char *name,
			     uint16_t *number);
void catalog_commit(struct catalog *catalog);
void catalog_rewind(struct catalog *catalog);

/* With those that are not committed. The loading thread's. */
uint16_t catalog_count(const struct catalog *catalog, enum catalog_kind kind);

/* Of a committed number; "" for any other. */
const char *catalog_name(const struct catalog *catalog, enum catalog_kind kind,
			 uint16_t number);

#endif
