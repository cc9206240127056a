/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "worker/shared.h"

#include <stdlib.h>

enum { EXPECTATIONS = 65536, LEARNED = 65536 };

enum barn_err
shared_new(const uint64_t seed[2], struct shared **shared)
{
	struct shared *s = calloc(1, sizeof(*s));
	enum barn_err err;

	if (!s)
		return BARN_ERR_MEMORY;
	pthread_mutex_init(&s->lock, NULL);
	err = expect_new(EXPECTATIONS, seed, &s->expect);
	if (!err)
		err = learn_new(LEARNED, seed, &s->learn);
	if (err) {
		shared_free(s);
		return err;
	}
	*shared = s;
	return BARN_OK;
}

void
shared_free(struct shared *shared)
{
	if (!shared)
		return;
	expect_free(shared->expect);
	learn_free(shared->learn);
	pthread_mutex_destroy(&shared->lock);
	free(shared);
}

bool
shared_meet(struct shared *shared, const struct packet *packet, struct expect_entry *entry)
{
	bool met;

	pthread_mutex_lock(&shared->lock);
	met = expect_meet(shared->expect, packet, entry);
	pthread_mutex_unlock(&shared->lock);
	return met;
}

void
shared_announce(struct shared *shared, const struct expect_entry *entry)
{
	pthread_mutex_lock(&shared->lock);
	expect_add(shared->expect, entry);
	pthread_mutex_unlock(&shared->lock);
}

bool
shared_recall(struct shared *shared, const struct learn_entry *wanted, uint64_t time_ns,
	      struct learn_entry *found)
{
	bool known;

	pthread_mutex_lock(&shared->lock);
	known = learn_find(shared->learn, wanted, time_ns, found);
	pthread_mutex_unlock(&shared->lock);
	return known;
}

void
shared_learn(struct shared *shared, const struct learn_entry *entry)
{
	if (shared->no_learned && !entry->strong)
		return;
	pthread_mutex_lock(&shared->lock);
	learn_add(shared->learn, entry);
	pthread_mutex_unlock(&shared->lock);
}

struct expect_stats
shared_announced(struct shared *shared)
{
	struct expect_stats stats;

	pthread_mutex_lock(&shared->lock);
	stats = *expect_stats(shared->expect);
	pthread_mutex_unlock(&shared->lock);
	return stats;
}

uint64_t
shared_forgotten(struct shared *shared)
{
	uint64_t evicted;

	pthread_mutex_lock(&shared->lock);
	evicted = learn_evicted(shared->learn);
	pthread_mutex_unlock(&shared->lock);
	return evicted;
}
