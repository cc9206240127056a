/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_BUNDLE_H
#define DAEMON_BUNDLE_H

/*
 * What has changed in modules and configuration, as one text: the parent reads files and makes
 * a bundle of what differs from what is in force; the process that looks at packets applies it,
 * all or nothing.
 */

#include "worker/engine.h"

enum bundle_kind {
	BUNDLE_MODULE = 'm', /* name: of a file, for faults; text: modules */
	BUNDLE_UNLOAD = 'u', /* name: of a protocol */
	BUNDLE_CONF = 'c',   /* text: the running configuration */
};

struct bundle_item {
	uint8_t kind;
	const char *name;
	struct bytes text;
};

void bundle_add(struct text *bundle, enum bundle_kind kind, const char *name, const char *text,
		size_t len);

/* The next item, which lies in the bundle; false: there is none, or it is damaged. */
bool bundle_next(struct bytes *bundle, struct bundle_item *item);

/* Modules of `to` that are not in `from` as they are, and those of `from` that are gone. */
void bundle_modules(struct text *bundle, const struct pdl_set *from, const struct pdl_set *to);

/*
 * Stages and commits what a bundle says of modules. BARN_ERR_TEXT: the faults say what is
 * wrong, and nothing has changed.
 */
enum barn_err bundle_apply(struct bytes bundle, struct barn_engine *engine,
			   struct barn_faults *faults);

#endif
