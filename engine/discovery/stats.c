/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/layout.h"

#include <barn/stats.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The writer comes each 200 ms: what is disturbed more often than this is damaged. */
enum { TRIES = 64 };

struct map {
	const struct layout_head *head; /* NULL: there is none */
	const uint8_t *base;
	size_t size;
	dev_t device;
	ino_t inode;
};

struct barn_stats {
	struct map map;
	char path[];
};

enum barn_err
barn_stats_open(const char *path, struct barn_stats **stats)
{
	size_t length = strlen(path) + 1;
	struct barn_stats *s = calloc(1, sizeof(*s) + length);

	if (!s)
		return BARN_ERR_MEMORY;
	memcpy(s->path, path, length);
	*stats = s;
	return BARN_OK;
}

static void
unmap(struct map *map)
{
	if (map->base)
		(void)munmap((void *)(uintptr_t)map->base, map->size);
	*map = (struct map){ 0 };
}

void
barn_stats_close(struct barn_stats *stats)
{
	if (!stats)
		return;
	unmap(&stats->map);
	free(stats);
}

static bool
is_within(const struct map *map, uint64_t offset, uint64_t count, uint64_t size)
{
	return offset % sizeof(layout_word) == 0 && offset <= map->size &&
	       count <= LAYOUT_ROOM_MAX && size * count <= map->size - offset;
}

static bool
is_sane_table(const struct map *map, const struct layout_table *table)
{
	return table->size % sizeof(layout_word) == 0 && table->size <= LAYOUT_RECORD_MAX &&
	       is_within(map, table->offset, table->room, layout_stride(table->size));
}

/* All that is read from it later lies within the file, whatever the numbers are. */
static bool
is_sane(const struct map *map)
{
	const struct layout_head *head = map->head;

	if (map->size < sizeof(*head) || head->magic != LAYOUT_MAGIC ||
	    head->version != LAYOUT_VERSION || head->size > map->size || !head->rows ||
	    head->tables > (map->size - sizeof(*head)) / sizeof(head->table[0]) ||
	    !is_within(map, head->lines, head->interfaces, sizeof(layout_word)))
		return false;
	for (uint32_t t = 0; t < head->tables && t < BARN_STATS_TABLES; t++)
		if (!is_sane_table(map, &head->table[t]))
			return false;
	return head->tables > BARN_STATS_ROWS &&
	       (uint64_t)head->interfaces * head->rows <= head->table[BARN_STATS_ROWS].room;
}

static enum barn_err
map_file(int fd, struct map *map)
{
	struct stat st;
	void *base;

	if (fstat(fd, &st))
		return BARN_ERR_SYSTEM;
	if (!S_ISREG(st.st_mode) || st.st_size < (off_t)sizeof(*map->head))
		return BARN_ERR_FORMAT;
	base = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED)
		return BARN_ERR_SYSTEM;
	*map = (struct map){ .head = base,
			     .base = base,
			     .size = (size_t)st.st_size,
			     .device = st.st_dev,
			     .inode = st.st_ino };
	if (is_sane(map))
		return BARN_OK;
	unmap(map);
	return BARN_ERR_FORMAT;
}

static enum barn_err
why(void)
{
	return errno == ENOENT || errno == ENOTDIR ? BARN_ERR_MISSING : BARN_ERR_SYSTEM;
}

enum barn_err
barn_stats_refresh(struct barn_stats *stats, bool *changed)
{
	struct map map;
	struct stat st;
	enum barn_err err;
	int fd;

	*changed = false;
	if (stat(stats->path, &st))
		return why();
	if (stats->map.head && st.st_dev == stats->map.device && st.st_ino == stats->map.inode)
		return BARN_OK;
	fd = open(stats->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return why();
	err = map_file(fd, &map);
	(void)close(fd);
	if (err)
		return err;
	/* Just made: what was there before is more than nothing. */
	if (!atomic_load(&map.head->serial)) {
		unmap(&map);
		return stats->map.head ? BARN_OK : BARN_ERR_MISSING;
	}
	unmap(&stats->map);
	stats->map = map;
	*changed = true;
	return BARN_OK;
}

uint64_t
barn_stats_age_ms(const struct barn_stats *stats)
{
	struct timespec now;
	uint64_t beat_ns, now_ns;

	if (!stats->map.head)
		return UINT64_MAX;
	(void)clock_gettime(CLOCK_BOOTTIME, &now);
	now_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	beat_ns = atomic_load(&stats->map.head->beat_ns);
	return beat_ns < now_ns ? (now_ns - beat_ns) / 1000000 : 0;
}

uint64_t
barn_stats_serial(const struct barn_stats *stats)
{
	return stats->map.head ? atomic_load(&stats->map.head->serial) : 0;
}

static const struct layout_table *
find(const struct barn_stats *stats, enum barn_stats_table table)
{
	const struct layout_head *head = stats->map.head;

	return head && (uint32_t)table < head->tables ? &head->table[table] : NULL;
}

uint64_t
barn_stats_version(const struct barn_stats *stats, enum barn_stats_table table)
{
	const struct layout_table *t = find(stats, table);

	return t ? atomic_load(&t->version) : 0;
}

uint32_t
barn_stats_count(const struct barn_stats *stats, enum barn_stats_table table)
{
	const struct layout_table *t = find(stats, table);
	uint64_t count = t ? atomic_load(&t->count) : 0;

	return t && count > t->room ? t->room : (uint32_t)count;
}

/* The copy that the sequence names, if nobody has come to take it in the meantime. */
static bool
copy_out(const layout_word *sequence, uint64_t n, const struct layout_table *t, void *record,
	 size_t size)
{
	const layout_word *copy = sequence + 1 + (n & 1) * (t->size / sizeof(*copy));
	uint64_t words[LAYOUT_RECORD_MAX / sizeof(uint64_t)];
	size_t known = size < t->size ? size : t->size;

	for (size_t i = 0; i < (known + sizeof(words[0]) - 1) / sizeof(words[0]); i++)
		words[i] = atomic_load_explicit(&copy[i], memory_order_acquire);
	if (atomic_load_explicit(sequence, memory_order_relaxed) != n)
		return false;
	memcpy(record, words, known);
	return true;
}

enum barn_err
barn_stats_read(const struct barn_stats *stats, enum barn_stats_table table, uint32_t number,
		void *record, size_t size)
{
	const struct layout_table *t = find(stats, table);
	const layout_word *sequence;

	memset(record, 0, size);
	if (!t || number >= t->room ||
	    (table != BARN_STATS_ROWS && number >= barn_stats_count(stats, table)))
		return BARN_ERR_MISSING;
	sequence = (const layout_word *)(const void *)(stats->map.base + t->offset +
						       number * layout_stride(t->size));
	for (unsigned i = 0; i < TRIES; i++) {
		uint64_t n = atomic_load_explicit(sequence, memory_order_acquire);

		if (!n || copy_out(sequence, n, t, record, size))
			return BARN_OK;
	}
	return BARN_ERR_FORMAT;
}

enum barn_err
barn_stats_read_row(const struct barn_stats *stats, uint32_t interface, uint32_t protocol,
		    void *row, size_t size)
{
	uint32_t place = protocol + 1; /* of BARN_STATS_TOTAL: 0 */

	if (interface >= barn_stats_count(stats, BARN_STATS_INTERFACES) ||
	    interface >= stats->map.head->interfaces || place >= stats->map.head->rows) {
		memset(row, 0, size);
		return BARN_ERR_MISSING;
	}
	return barn_stats_read(stats, BARN_STATS_ROWS,
			       interface * stats->map.head->rows + place, row, size);
}

static enum barn_err
read_all(const struct barn_stats *stats, uint32_t interface, void *record, size_t record_size,
	 uint8_t *rows, size_t size, uint32_t count)
{
	enum barn_err err =
		barn_stats_read(stats, BARN_STATS_INTERFACES, interface, record, record_size);

	for (uint32_t i = 0; !err && i < count; i++)
		err = barn_stats_read_row(stats, interface, i - 1, rows + i * size, size);
	return err;
}

enum barn_err
barn_stats_read_interface(const struct barn_stats *stats, uint32_t interface, void *record,
			  size_t record_size, void *rows, size_t size, uint32_t count,
			  bool *whole)
{
	const layout_word *line;
	enum barn_err err = BARN_OK;

	*whole = false;
	if (interface >= barn_stats_count(stats, BARN_STATS_INTERFACES) ||
	    interface >= stats->map.head->interfaces || count > stats->map.head->rows) {
		memset(record, 0, record_size);
		memset(rows, 0, size * count);
		return BARN_ERR_MISSING;
	}
	line = (const layout_word *)(const void *)(stats->map.base + stats->map.head->lines) +
	       interface;
	for (unsigned i = 0; !err && !*whole && i < TRIES / 8; i++) {
		uint64_t n = atomic_load_explicit(line, memory_order_acquire);

		err = read_all(stats, interface, record, record_size, rows, size, count);
		*whole = !err && !(n & 1) &&
			 atomic_load_explicit(line, memory_order_relaxed) == n;
	}
	return err;
}
