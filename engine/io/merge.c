/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/merge.h"
#include <stdlib.h>

struct input {
	struct pcapfile *file;
	struct io_frame next;
	unsigned number;
};

/*
 * heap[0 .. open-1] are the inputs that have a next frame, the earliest in front. The frame
 * that was given last is the front's, and its successor is read in the next call: until then
 * its data must stay.
 */
struct merge {
	struct merge_options options;
	struct input *heap;
	unsigned open;
	bool given;
	bool size_unknown;
	uint64_t ended_read; /* bytes of the files that have been closed */
	uint64_t size;
};

static bool
earlier(const struct input *a, const struct input *b)
{
	if (a->next.time_ns != b->next.time_ns)
		return a->next.time_ns < b->next.time_ns;
	return a->number < b->number;
}

static void
swap(struct input *a, struct input *b)
{
	struct input t = *a;

	*a = *b;
	*b = t;
}

static void
sift_down(struct merge *m, unsigned at)
{
	for (;;) {
		unsigned first = at, left = 2 * at + 1;

		for (unsigned i = left; i < left + 2 && i < m->open; i++)
			if (earlier(&m->heap[i], &m->heap[first]))
				first = i;
		if (first == at)
			return;
		swap(&m->heap[at], &m->heap[first]);
		at = first;
	}
}

/* Reads the input's next frame. False: it has ended and is closed. */
static bool
advance(struct merge *m, struct input *input)
{
	uint64_t read, size;
	enum barn_err err = pcapfile_next(input->file, &input->next);

	if (!err)
		return true;
	if (err != BARN_ERR_END)
		m->options.fault(m->options.self, input->number, pcapfile_fault(input->file),
				 pcapfile_frames(input->file));
	pcapfile_progress(input->file, &read, &size);
	m->ended_read += size ? size : read;
	pcapfile_close(input->file);
	input->file = NULL;
	return false;
}

static void
open_input(struct merge *m, unsigned number)
{
	struct input *input = &m->heap[m->open];
	struct source_fault fault;
	uint64_t read, size;

	input->number = number;
	if (pcapfile_open(m->options.paths[number], &input->file, &fault)) {
		m->options.fault(m->options.self, number, &fault, 0);
		return;
	}
	pcapfile_progress(input->file, &read, &size);
	m->size += size;
	m->size_unknown = m->size_unknown || !size;
	if (advance(m, input))
		m->open++;
}

enum barn_err
merge_new(const struct merge_options *options, struct merge **merge)
{
	struct merge *m = calloc(1, sizeof(*m));

	if (!m)
		return BARN_ERR_MEMORY;
	m->options = *options;
	m->heap = calloc(options->count ? options->count : 1, sizeof(*m->heap));
	if (!m->heap) {
		free(m);
		return BARN_ERR_MEMORY;
	}
	for (unsigned i = 0; i < options->count; i++)
		open_input(m, i);
	for (unsigned i = m->open / 2; i-- > 0;)
		sift_down(m, i);
	*merge = m;
	return BARN_OK;
}

void
merge_free(struct merge *m)
{
	if (!m)
		return;
	for (unsigned i = 0; i < m->open; i++)
		pcapfile_close(m->heap[i].file);
	free(m->heap);
	free(m);
}

enum barn_err
merge_next(struct merge *m, struct io_frame *frame, unsigned *file)
{
	if (m->given) {
		m->given = false;
		if (!advance(m, &m->heap[0]))
			m->heap[0] = m->heap[--m->open];
		sift_down(m, 0);
	}
	if (!m->open)
		return BARN_ERR_END;
	*frame = m->heap[0].next;
	*file = m->heap[0].number;
	m->given = true;
	return BARN_OK;
}

void
merge_progress(const struct merge *m, uint64_t *read, uint64_t *size)
{
	uint64_t one;

	*read = m->ended_read;
	for (unsigned i = 0; i < m->open; i++) {
		pcapfile_progress(m->heap[i].file, &one, size);
		*read += one;
	}
	*size = m->size_unknown ? 0 : m->size;
}
