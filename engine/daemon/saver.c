/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/saver.h"

#include "daemon/log.h"
#include "discovery/state.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct saver {
	int folder;
	const char *name;
	pthread_t thread;
	bool started, stop, failing;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	char *text; /* to be written; NULL: nothing */
	size_t length;
	char *last; /* what was written; the thread's */
	size_t last_length;
};

struct saver *
saver_new(int folder, const char *name)
{
	struct saver *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->folder = folder;
	s->name = name;
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->changed, NULL);
	return s;
}

/* Told once when it begins to fail, and once when it is well again. */
static void
save(struct saver *s, const char *text, size_t length)
{
	enum barn_err err = state_save(s->folder, s->name, text, length);

	if (err && !s->failing)
		log_say(LOG_ERR, "the state file is not saved: %s",
			err == BARN_ERR_SYSTEM ? strerror(errno) : barn_strerror(err));
	if (!err && s->failing)
		log_say(LOG_NOTICE, "the state file is saved again");
	s->failing = err != BARN_OK;
}

/* A disk is not woken for what it has. */
static void
write_text(struct saver *s, char *text, size_t length)
{
	bool same = s->last && s->last_length == length && memcmp(s->last, text, length) == 0;

	if (!same || s->failing)
		save(s, text, length);
	free(s->last);
	s->last = text;
	s->last_length = length;
}

static void *
work(void *self)
{
	struct saver *s = self;

	pthread_mutex_lock(&s->lock);
	for (;;) {
		char *text = s->text;
		size_t length = s->length;

		s->text = NULL;
		if (text) {
			pthread_mutex_unlock(&s->lock);
			write_text(s, text, length);
			pthread_mutex_lock(&s->lock);
			continue;
		}
		if (s->stop)
			break;
		pthread_cond_wait(&s->changed, &s->lock);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

bool
saver_start(struct saver *saver)
{
	saver->started = pthread_create(&saver->thread, NULL, work, saver) == 0;
	return saver->started;
}

void
saver_put(struct saver *saver, char *text, size_t length)
{
	pthread_mutex_lock(&saver->lock);
	free(saver->text);
	saver->text = text;
	saver->length = length;
	pthread_cond_signal(&saver->changed);
	pthread_mutex_unlock(&saver->lock);
}

void
saver_free(struct saver *saver)
{
	if (!saver)
		return;
	pthread_mutex_lock(&saver->lock);
	saver->stop = true;
	pthread_cond_signal(&saver->changed);
	pthread_mutex_unlock(&saver->lock);
	if (saver->started)
		pthread_join(saver->thread, NULL);
	free(saver->text);
	free(saver->last);
	pthread_cond_destroy(&saver->changed);
	pthread_mutex_destroy(&saver->lock);
	free(saver);
}
