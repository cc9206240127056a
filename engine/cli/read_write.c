/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_write.h"
#include "io/savefile.h"
#include "program/say.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

struct read_write {
	uint64_t **chunks; /* of CHUNK packets each: a packet's flow; 0: not looked at */
	size_t chunk_count;
	pthread_mutex_t lock; /* of what follows */
	uint64_t *wanted;     /* a bit a flow id */
	size_t words;
	bool failed;
};

struct read_write *
read_write_new(void)
{
	struct read_write *w = calloc(1, sizeof(*w));

	if (w)
		pthread_mutex_init(&w->lock, NULL);
	else
		say_error("out of memory");
	return w;
}

void
read_write_free(struct read_write *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->chunk_count; i++)
		free(w->chunks[i]);
	free(w->chunks);
	free(w->wanted);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

/* An array of zeros that is longer; false: no memory, and it is as it was. */
static bool
grow(void **array, size_t *count, size_t wanted, size_t size)
{
	size_t more = wanted > 2 * *count ? wanted : 2 * *count;
	char *longer = realloc(*array, more * size);

	if (!longer)
		return false;
	memset(longer + *count * size, 0, (more - *count) * size);
	*array = longer;
	*count = more;
	return true;
}

uint64_t *
read_write_slot(struct read_write *w, uint64_t serial)
{
	size_t i = serial / CHUNK;

	if (i >= w->chunk_count &&
	    !grow((void **)&w->chunks, &w->chunk_count, i + 1, sizeof(*w->chunks)))
		return NULL;
	if (!w->chunks[i])
		w->chunks[i] = calloc(CHUNK, sizeof(*w->chunks[i]));
	return w->chunks[i] ? &w->chunks[i][serial % CHUNK] : NULL;
}

void
read_write_want(struct read_write *w, uint64_t flow)
{
	size_t i = flow / 64;

	pthread_mutex_lock(&w->lock);
	if (i < w->words || grow((void **)&w->wanted, &w->words, i + 1, sizeof(*w->wanted)))
		w->wanted[i] |= UINT64_C(1) << flow % 64;
	else
		w->failed = true;
	pthread_mutex_unlock(&w->lock);
}

static bool
wants(const struct read_write *w, uint64_t serial)
{
	size_t i = serial / CHUNK;
	uint64_t flow;

	if (i >= w->chunk_count || !w->chunks[i])
		return false;
	flow = w->chunks[i][serial % CHUNK];
	return flow && flow / 64 < w->words && w->wanted[flow / 64] >> flow % 64 & 1;
}

int
read_write_flows(struct read_write *w, struct read_input *input, const char *path,
		 uint64_t *packets)
{
	enum barn_err err = BARN_OK;
	struct savefile *out;
	struct io_frame frame;
	uint64_t serial;
	unsigned file;

	*packets = 0;
	if (w->failed) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	if (savefile_open(path, &out)) {
		say_error("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	if (!read_input_again(input))
		err = BARN_ERR_MEMORY;
	while (!err && read_input_next(input, &frame, &serial, &file) == READ_INPUT_FRAME) {
		if (!wants(w, serial))
			continue;
		err = savefile_write(out, &frame);
		*packets += !err;
	}
	if (err == BARN_ERR_ARGUMENT)
		say_error("%s: a capture holds packets of one link type only", path);
	if (err) {
		savefile_drop(out);
		return EXIT_FAILED;
	}
	if (savefile_close(out) != BARN_OK) {
		say_error("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	return 0;
}
