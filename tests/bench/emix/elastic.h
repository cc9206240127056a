/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Making the free part of a message longer and shorter. */
#ifndef BARN_BENCH_EMIX_ELASTIC_H
#define BARN_BENCH_EMIX_ELASTIC_H

#include "app.h"

/* Where a message is elastic. */
struct elastic_part {
	const struct elastic *rule; /* NULL: nowhere */
	size_t at, len;
	size_t was; /* len when found: the bytes that are repeated, the least with a filler */
};

struct elastic_part elastic_find(const struct app *app, const struct message *m);

/*
 * Changes the message by up to this many bytes, never more nor in the other direction, and
 * answers by how many it did. Near a power of ten an HTTP body can miss by one.
 */
long elastic_resize(struct message *m, struct elastic_part *part, long change);

#endif
