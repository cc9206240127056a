/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/indexes.h"

#include "base/bytes.h"
#include "pdl/diag.h"

#include <stdlib.h>

static const char head[] = "barn-indexes 1";

struct entry {
	char *name;
	uint16_t index;
};

struct indexes {
	struct entry *entries; /* by name */
	unsigned count, room;
	const char *holders[INDEXES_MAX + 1];
	struct text comments; /* lines that begin with #, which stay */
};

enum barn_err
indexes_new(struct indexes **indexes)
{
	*indexes = calloc(1, sizeof(**indexes));
	return *indexes ? BARN_OK : BARN_ERR_MEMORY;
}

void
indexes_free(struct indexes *indexes)
{
	if (!indexes)
		return;
	for (unsigned i = 0; i < indexes->count; i++)
		free(indexes->entries[i].name);
	free(indexes->entries);
	text_fini(&indexes->comments);
	free(indexes);
}

/* Where the name is, or would stand. */
static unsigned
place_of(const struct indexes *x, const char *name, bool *found)
{
	unsigned low = 0, high = x->count;

	*found = false;
	while (low < high && !*found) {
		unsigned middle = (low + high) / 2;
		int order = strcmp(name, x->entries[middle].name);

		if (order == 0) {
			low = middle;
			*found = true;
		} else if (order < 0) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low;
}

uint16_t
indexes_find(const struct indexes *indexes, const char *name)
{
	bool found;
	unsigned at = place_of(indexes, name, &found);

	return found && indexes->entries ? indexes->entries[at].index : 0;
}

const char *
indexes_holder(const struct indexes *indexes, uint16_t index)
{
	return index <= INDEXES_MAX ? indexes->holders[index] : NULL;
}

static enum barn_err
insert(struct indexes *x, unsigned at, const char *name, uint16_t index)
{
	char *copy = strdup(name);

	if (copy && x->count == x->room) {
		unsigned room = x->room ? 2 * x->room : 64;
		struct entry *entries = realloc(x->entries, room * sizeof(*entries));

		if (!entries) {
			free(copy);
			return BARN_ERR_MEMORY;
		}
		x->entries = entries;
		x->room = room;
	}
	if (!copy)
		return BARN_ERR_MEMORY;
	memmove(&x->entries[at + 1], &x->entries[at], (x->count - at) * sizeof(*x->entries));
	x->count++;
	x->entries[at] = (struct entry){ copy, index };
	x->holders[index] = copy;
	return BARN_OK;
}

enum barn_err
indexes_set(struct indexes *indexes, const char *name, uint16_t index)
{
	bool found;
	unsigned at = place_of(indexes, name, &found);

	if (index == 0 || index > INDEXES_MAX || indexes->holders[index])
		return BARN_ERR_ARGUMENT;
	if (!found || !indexes->entries)
		return insert(indexes, at, name, index);
	indexes->holders[indexes->entries[at].index] = NULL;
	indexes->holders[index] = indexes->entries[at].name;
	indexes->entries[at].index = index;
	return BARN_OK;
}

void
indexes_forget(struct indexes *indexes, const char *name)
{
	bool found;
	unsigned at = place_of(indexes, name, &found);

	if (!found)
		return;
	indexes->holders[indexes->entries[at].index] = NULL;
	free(indexes->entries[at].name);
	indexes->count--;
	memmove(&indexes->entries[at], &indexes->entries[at + 1],
		(indexes->count - at) * sizeof(*indexes->entries));
}

enum barn_err
indexes_copy(const struct indexes *indexes, struct indexes **copy)
{
	struct indexes *x;
	enum barn_err err = indexes_new(&x);

	for (unsigned i = 0; !err && i < indexes->count; i++)
		err = insert(x, i, indexes->entries[i].name, indexes->entries[i].index);
	if (!err && indexes->comments.len)
		text_add(&x->comments, text_str(&indexes->comments));
	if (!err && x->comments.failed)
		err = BARN_ERR_MEMORY;
	if (err)
		indexes_free(x);
	else
		*copy = x;
	return err;
}

/* The text as far as it is read. */
struct reader {
	struct indexes *x;
	const char *file;
	struct barn_faults *faults;
	uint32_t line;
	enum barn_err err; /* no memory */
};

static void __attribute__((format(printf, 3, 4)))
wrong(struct reader *r, uint32_t column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diag_vadd(r->faults, r->file, (struct pdl_pos){ r->line, column }, format, args);
	va_end(args);
}

enum { NAME_MAX_BYTES = 127 };

/* What names are made of: letters, digits and signs, without a blank. */
static size_t
name_length(struct bytes line)
{
	size_t n = 0;

	while (n < bytes_left(&line) && line.p[n] > ' ' && line.p[n] < 0x7f)
		n++;
	return n;
}

/* "1024" and nothing else; 0: it is no index. */
static uint16_t
index_of(struct bytes digits)
{
	uint32_t value = 0;

	if (bytes_left(&digits) == 0 || bytes_left(&digits) > 4 || *digits.p == '0')
		return 0;
	for (; digits.p < digits.end; digits.p++) {
		if (*digits.p < '0' || *digits.p > '9')
			return 0;
		value = value * 10 + (uint32_t)(*digits.p - '0');
	}
	return value <= INDEXES_MAX ? (uint16_t)value : 0;
}

static void
read_entry(struct reader *r, struct bytes line)
{
	size_t length = name_length(line);
	char name[NAME_MAX_BYTES + 1] = "";
	const char *holder;
	uint16_t index;

	if (length == 0 || length > NAME_MAX_BYTES || length == bytes_left(&line) ||
	    line.p[length] != ' ') {
		wrong(r, 1, "expected NAME INDEX");
		return;
	}
	memcpy(name, line.p, length);
	index = index_of(bytes_of(line.p + length + 1, bytes_left(&line) - length - 1));
	holder = indexes_holder(r->x, index);
	if (index == 0)
		wrong(r, (uint32_t)length + 2, "expected an index from 1 to %d", INDEXES_MAX);
	else if (indexes_find(r->x, name))
		wrong(r, 1, "'%s' has index %u already", name, indexes_find(r->x, name));
	else if (holder)
		wrong(r, (uint32_t)length + 2, "index %u is taken by '%s'", index, holder);
	else if (!r->err)
		r->err = indexes_set(r->x, name, index);
}

static void
read_line(struct reader *r, struct bytes line)
{
	r->line++;
	if (r->line == 1) {
		if (!bytes_is(&line, head))
			wrong(r, 1, "expected '%s': not a file of indexes, or of a later barn",
			      head);
	} else if (bytes_starts(&line, "#")) {
		text_add_n(&r->x->comments, line.p, bytes_left(&line));
		text_char(&r->x->comments, '\n');
	} else if (bytes_left(&line)) {
		read_entry(r, line);
	}
}

enum barn_err
indexes_read(struct indexes *indexes, const char *file, const char *text, size_t length,
	     struct barn_faults *faults)
{
	struct bytes rest = bytes_of(text, length);
	uint32_t before = faults->count;
	struct reader r = { .file = file, .faults = faults };
	struct indexes old = *indexes;

	r.err = indexes_new(&r.x);
	while (!r.err && (r.line == 0 || bytes_left(&rest))) {
		size_t left = bytes_left(&rest);
		const uint8_t *end = left ? memchr(rest.p, '\n', left) : NULL;
		size_t n = end ? (size_t)(end - rest.p) : left;

		read_line(&r, bytes_of(rest.p, n));
		if (!end && left)
			wrong(&r, (uint32_t)n + 1, "the line has no end: the file was cut");
		bytes_skip(&rest, end ? n + 1 : n);
	}
	if (!r.err && faults->count > before)
		r.err = BARN_ERR_TEXT;
	if (!r.err && r.x->comments.failed)
		r.err = BARN_ERR_MEMORY;
	if (!r.err) {
		*indexes = *r.x;
		*r.x = old;
	}
	indexes_free(r.x);
	return r.err;
}

void
indexes_write(const struct indexes *indexes, struct text *text)
{
	text_printf(text, "%s\n%s", head, text_str(&indexes->comments));
	for (unsigned i = 0; i < indexes->count; i++)
		text_printf(text, "%s %u\n", indexes->entries[i].name,
			    indexes->entries[i].index);
}
