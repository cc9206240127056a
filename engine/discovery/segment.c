/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/segment.h"
#include "discovery/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct segment {
	struct layout_head *head;
	uint8_t *base;
	size_t size;
};

static const uint32_t record_size[BARN_STATS_TABLES] = {
	[BARN_STATS_ENGINE] = sizeof(struct barn_stats_engine),
	[BARN_STATS_PACKS] = sizeof(struct barn_stats_pack),
	[BARN_STATS_INTERFACES] = sizeof(struct barn_stats_interface),
	[BARN_STATS_PROTOCOLS] = sizeof(struct barn_stats_protocol),
	[BARN_STATS_ROWS] = sizeof(struct barn_stats_row),
	[BARN_STATS_WORKERS] = sizeof(struct barn_stats_worker),
	[BARN_STATS_MODULES] = sizeof(struct barn_stats_module),
	[BARN_STATS_POLICIES] = sizeof(struct barn_stats_policy),
	[BARN_STATS_OBJECTS] = sizeof(struct barn_stats_object),
	[BARN_STATS_HOSTS] = sizeof(struct barn_stats_host),
};

static uint64_t
up(uint64_t n)
{
	return (n + 63) / 64 * 64;
}

enum {
	HEAD_SIZE = sizeof(struct layout_head) + BARN_STATS_TABLES * sizeof(struct layout_table)
};

static struct layout_head *
head_new(void)
{
	return calloc(1, HEAD_SIZE);
}

/* The head with everything that is known before the file is there. */
static enum barn_err
plan(const struct segment_room *room, struct layout_head *head)
{
	uint32_t interfaces = room->records[BARN_STATS_INTERFACES];
	uint32_t protocols = room->records[BARN_STATS_PROTOCOLS];
	uint64_t at = up(HEAD_SIZE);

	if (protocols >= UINT16_MAX || interfaces > LAYOUT_ROOM_MAX / (protocols + 1))
		return BARN_ERR_ARGUMENT;
	head->magic = LAYOUT_MAGIC;
	head->version = LAYOUT_VERSION;
	head->tables = BARN_STATS_TABLES;
	head->interfaces = interfaces;
	head->rows = protocols + 1;
	head->lines = at;
	at += up(interfaces * sizeof(layout_word));
	for (unsigned t = 0; t < BARN_STATS_TABLES; t++) {
		struct layout_table *table = &head->table[t];

		table->room = t == BARN_STATS_ROWS ? interfaces * head->rows : room->records[t];
		if (table->room > LAYOUT_ROOM_MAX)
			return BARN_ERR_ARGUMENT;
		table->size = record_size[t];
		table->offset = at;
		at += up(table->room * layout_stride(table->size));
	}
	head->size = at;
	return BARN_OK;
}

/* Readers that look while this goes on see nothing: the name comes last. */
static int
fill(int fd, mode_t mode, const struct layout_head *head)
{
	errno = posix_fallocate(fd, 0, (off_t)head->size);
	if (errno || fchmod(fd, mode))
		return -1;
	return pwrite(fd, head, HEAD_SIZE, 0) == HEAD_SIZE ? 0 : -1;
}

static enum barn_err
make(int folder, const char *path, const char *draft, mode_t mode,
     const struct layout_head *head, int *fd)
{
	int made, why;

	(void)unlinkat(folder, draft, 0); /* of one that was killed here */
	made = openat(folder, draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (made < 0)
		return BARN_ERR_SYSTEM;
	if (fill(made, mode, head) || renameat(folder, draft, folder, path)) {
		why = errno;
		(void)unlinkat(folder, draft, 0);
		(void)close(made);
		errno = why;
		return BARN_ERR_SYSTEM;
	}
	*fd = made;
	return BARN_OK;
}

enum barn_err
segment_make(int folder, const char *path, mode_t mode, const struct segment_room *room,
	     int *fd)
{
	struct layout_head *head = head_new();
	size_t length = strlen(path) + sizeof(".new");
	char *draft = malloc(length);
	enum barn_err err = BARN_ERR_MEMORY;

	if (head && draft) {
		snprintf(draft, length, "%s.new", path);
		err = plan(room, head);
		if (!err)
			err = make(folder, path, draft, mode, head, fd);
	}
	free(head);
	free(draft);
	return err;
}

static bool
is_like(const struct layout_head *head, const struct layout_head *want)
{
	if (head->version != want->version || head->tables != want->tables ||
	    head->size != want->size || head->rows != want->rows || head->lines != want->lines)
		return false;
	for (unsigned t = 0; t < BARN_STATS_TABLES; t++)
		if (head->table[t].offset != want->table[t].offset ||
		    head->table[t].size != want->table[t].size ||
		    head->table[t].room != want->table[t].room)
			return false;
	return true;
}

/* Of this very layout: what has another is not written, but replaced. */
static bool
is_ours(const struct layout_head *head, uint64_t size)
{
	struct layout_head *want = head_new();
	struct segment_room room = { { 0 } };
	bool ours = want && head->magic == LAYOUT_MAGIC && head->size == size;

	for (unsigned t = 0; ours && t < BARN_STATS_TABLES; t++)
		room.records[t] = head->table[t].room;
	ours = ours && !plan(&room, want) && is_like(head, want);
	free(want);
	return ours;
}

enum barn_err
segment_open(int fd, struct segment **segment)
{
	struct segment *s = calloc(1, sizeof(*s));
	struct stat st;

	if (!s)
		return BARN_ERR_MEMORY;
	if (fstat(fd, &st)) {
		free(s);
		return BARN_ERR_SYSTEM;
	}
	s->size = (size_t)st.st_size;
	if (s->size < HEAD_SIZE) {
		free(s);
		return BARN_ERR_FORMAT;
	}
	s->base = mmap(NULL, s->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (s->base == MAP_FAILED) {
		free(s);
		return BARN_ERR_SYSTEM;
	}
	s->head = (struct layout_head *)(void *)s->base;
	if (!is_ours(s->head, s->size)) {
		segment_close(s, false);
		return BARN_ERR_FORMAT;
	}
	*segment = s;
	return BARN_OK;
}

void
segment_close(struct segment *segment, bool superseded)
{
	if (!segment)
		return;
	if (superseded)
		atomic_store(&segment->head->superseded, 1);
	(void)munmap(segment->base, segment->size);
	free(segment);
}

uint32_t
segment_room(const struct segment *segment, enum barn_stats_table table)
{
	return segment->head->table[table].room;
}

static layout_word *
slot(const struct segment *s, enum barn_stats_table table, uint32_t number)
{
	const struct layout_table *t = &s->head->table[table];

	return (layout_word *)(void *)(s->base + t->offset + number * layout_stride(t->size));
}

static bool
is_same(const layout_word *copy, const uint64_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (atomic_load_explicit(&copy[i], memory_order_relaxed) != words[i])
			return false;
	return true;
}

/*
 * A latch: readers of the named copy are undisturbed. The words are released one by one, so
 * that who reads one of them sees the sequence of the write before, too: that this write took
 * the copy away from what was named until then. Fences would say the same, but the thread
 * sanitizer does not know them.
 */
static void
write_slot(layout_word *sequence, const uint64_t *words, size_t count)
{
	uint64_t n = atomic_load_explicit(sequence, memory_order_relaxed);
	layout_word *copy[2] = { sequence + 1, sequence + 1 + count };

	if (is_same(copy[n & 1], words, count))
		return;
	for (size_t i = 0; i < count; i++)
		atomic_store_explicit(&copy[(n + 1) & 1][i], words[i], memory_order_release);
	atomic_store_explicit(sequence, n + 1, memory_order_release);
}

enum barn_err
segment_write(struct segment *segment, enum barn_stats_table table, uint32_t number,
	      const void *record, size_t size)
{
	uint64_t words[LAYOUT_RECORD_MAX / sizeof(uint64_t)];

	if (number >= segment->head->table[table].room)
		return BARN_ERR_MISSING;
	if (size != segment->head->table[table].size)
		return BARN_ERR_ARGUMENT;
	memcpy(words, record, size);
	write_slot(slot(segment, table, number), words, size / sizeof(words[0]));
	return BARN_OK;
}

enum barn_err
segment_write_row(struct segment *segment, uint32_t interface, uint32_t protocol,
		  const struct barn_stats_row *row)
{
	uint32_t place = protocol + 1; /* of BARN_STATS_TOTAL: 0 */

	if (interface >= segment->head->interfaces || place >= segment->head->rows)
		return BARN_ERR_MISSING;
	return segment_write(segment, BARN_STATS_ROWS, interface * segment->head->rows + place,
			     row, sizeof(*row));
}

static void
step_line(struct segment *s, uint32_t interface, unsigned to)
{
	layout_word *line = (layout_word *)(void *)(s->base + s->head->lines) + interface;
	uint64_t n;

	if (interface >= s->head->interfaces)
		return;
	n = atomic_load_explicit(line, memory_order_relaxed);
	if ((n & 1) == to)
		return;
	/* Rows are released word by word: none is seen before the begin. */
	atomic_store_explicit(line, n + 1, memory_order_release);
}

void
segment_begin(struct segment *segment, uint32_t interface)
{
	step_line(segment, interface, 1);
}

void
segment_end(struct segment *segment, uint32_t interface)
{
	step_line(segment, interface, 0);
}

void
segment_count(struct segment *segment, enum barn_stats_table table, uint32_t count, bool moved)
{
	struct layout_table *t = &segment->head->table[table];
	uint64_t before = atomic_load_explicit(&t->count, memory_order_relaxed);

	if (count > t->room)
		count = t->room;
	atomic_store_explicit(&t->count, count, memory_order_release);
	if (moved || before != count)
		atomic_fetch_add(&t->version, 1);
}

void
segment_publish(struct segment *segment)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	atomic_store(&segment->head->beat_ns,
		     (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
	atomic_fetch_add(&segment->head->serial, 1);
}
