/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/flows.h"
#include "cli/flow_format.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 16, GAP = 2 };

struct row {
	uint64_t id;
	uint64_t order; /* a flow can be reported more than once */
	char *line;
};

struct flows {
	const struct format *format;
	pthread_mutex_t lock;
	bool failed;
	bool begun;
	uint64_t order;
	unsigned count;
	size_t widths[CELLS_MAX]; /* of text's cells, so far */
	struct row rows[FLOWS_BUFFERED];
};

static const struct format {
	const char *head, *align, *end;
	void (*line)(const struct barn_flow *flow, const struct barn_flow_info *info,
		     struct text *line);
} formats[] = {
	[FLOWS_TEXT] = { flow_text_head, flow_text_align, "\n", flow_text },
	[FLOWS_JSON] = { NULL, NULL, "\n", flow_json },
	[FLOWS_CSV] = { flow_csv_head, NULL, "\r\n", flow_csv },
};

enum barn_err
flows_new(enum flows_format format, struct flows **flows)
{
	struct flows *f = calloc(1, sizeof(*f));

	if (!f)
		return BARN_ERR_MEMORY;
	f->format = &formats[format];
	pthread_mutex_init(&f->lock, NULL);
	*flows = f;
	return BARN_OK;
}

/* Columns on a terminal, for text without wide characters. */
static size_t
width(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += ((unsigned char)s[i] & 0xc0) != 0x80;
	return n;
}

static void
measure(struct flows *f, const char *align, const char *line)
{
	for (unsigned i = 0; align[i]; i++) {
		size_t len = strcspn(line, "\t"), n = width(line, len);

		if (n > f->widths[i])
			f->widths[i] = n;
		line += len + (line[len] != '\0');
	}
}

static void
print_aligned(const struct flows *f, const char *line)
{
	size_t owed = 0; /* blanks that only come if something follows */

	for (unsigned i = 0; f->format->align[i]; i++) {
		size_t len = strcspn(line, "\t"), fill = f->widths[i] - width(line, len);

		if (f->format->align[i] == 'r')
			owed += fill;
		if (len) {
			printf("%*s%.*s", (int)owed, "", (int)len, line);
			owed = 0;
		}
		if (f->format->align[i] != 'r')
			owed += fill;
		owed += GAP;
		line += len + (line[len] != '\0');
	}
	fputs(f->format->end, stdout);
}

static void
print_plain(const struct flows *f, const char *line)
{
	fputs(line, stdout);
	fputs(f->format->end, stdout);
}

static int
by_id(const void *a, const void *b)
{
	const struct row *one = a, *other = b;

	if (one->id != other->id)
		return one->id < other->id ? -1 : 1;
	return one->order < other->order ? -1 : one->order > other->order;
}

static void
print_rows(struct flows *f)
{
	const char *align = f->format->align;
	void (*print)(const struct flows *, const char *) = align ? print_aligned : print_plain;

	qsort(f->rows, f->count, sizeof(f->rows[0]), by_id);
	if (align && !f->begun)
		measure(f, align, f->format->head);
	for (unsigned i = 0; align && i < f->count; i++)
		measure(f, align, f->rows[i].line);
	if (f->format->head && !f->begun)
		print(f, f->format->head);
	f->begun = true;
	for (unsigned i = 0; i < f->count; i++) {
		print(f, f->rows[i].line);
		free(f->rows[i].line);
	}
	f->count = 0;
}

void
flows_add(struct flows *f, const struct barn_flow *flow, const struct barn_flow_info *info)
{
	struct text text = { 0 };
	char *line;

	f->format->line(flow, info, &text);
	line = text_steal(&text);
	pthread_mutex_lock(&f->lock);
	if (line)
		f->rows[f->count++] = (struct row){ info->id, f->order++, line };
	else
		f->failed = true;
	if (f->count == FLOWS_BUFFERED)
		print_rows(f);
	pthread_mutex_unlock(&f->lock);
}

enum barn_err
flows_close(struct flows *f)
{
	enum barn_err err = f->failed ? BARN_ERR_MEMORY : BARN_OK;

	print_rows(f);
	flows_drop(f);
	return err;
}

void
flows_drop(struct flows *f)
{
	for (unsigned i = 0; i < f->count; i++)
		free(f->rows[i].line);
	pthread_mutex_destroy(&f->lock);
	free(f);
}
