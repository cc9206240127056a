/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *
grow(void *old, size_t size)
{
	void *p = realloc(old, size ? size : 1);

	if (!p) {
		fprintf(stderr, "emix: out of memory\n");
		exit(1);
	}
	return p;
}

void
message_add(struct messages *list, const struct message *m)
{
	struct message *copy;

	if (list->n == list->room) {
		list->room = list->room ? 2 * list->room : 64;
		list->at = grow(list->at, list->room * sizeof(*list->at));
	}
	copy = &list->at[list->n++];
	*copy = *m;
	copy->bytes = grow(NULL, m->len);
	if (m->len)
		memcpy(copy->bytes, m->bytes, m->len);
}

void
message_clear(struct messages *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->at[i].bytes);
	free(list->at);
	*list = (struct messages){ 0 };
}

void
message_splice(struct message *m, size_t at, size_t old, const void *bytes, size_t len)
{
	size_t rest = m->len - at - old;

	if (len > old)
		m->bytes = grow(m->bytes, m->len - old + len);
	memmove(m->bytes + at + len, m->bytes + at + old, rest);
	if (len)
		memcpy(m->bytes + at, bytes, len);
	m->len = m->len - old + len;
}

size_t
message_find(const struct message *m, size_t start, const char *text, size_t len)
{
	const uint8_t *p = NULL;

	if (len && start < m->len)
		p = memmem(m->bytes + start, m->len - start, text, len);
	return p ? (size_t)(p - m->bytes) : m->len;
}

/* The i-th byte, the most significant first. */
static size_t
place(const struct length *length, unsigned i)
{
	return length->offset + (length->little ? length->width - 1 - i : i);
}

uint32_t
message_integer(const uint8_t *p, const struct length *length)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < length->width; i++)
		value = value << 8 | p[place(length, i)];
	return value;
}

void
message_set_integer(uint8_t *p, const struct length *length, uint32_t value)
{
	for (unsigned i = length->width; i-- > 0; value >>= 8)
		p[place(length, i)] = (uint8_t)value;
}
