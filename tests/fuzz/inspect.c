/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Each inspector, fed as the engine feeds it. The input: the inspector's name in a
 * line, then calls of the form | flags | length, 2 bytes | data |; a length past the
 * end is cut.
 */
#include "inspect/inspector.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FLAG_SERVER = 1, FLAG_LOST = 2, FLAG_ENDED = 4, FLAG_SNAPPED = 8, FLAG_UDP = 0x80 };

struct window {
	uint8_t data[INSPECT_WINDOW];
	size_t len;
	bool lost;
	uint32_t datagram;
};

static volatile uint8_t sum;

/* Touches all that the inspector hands out, for the sanitizers to see. */
static void
touch(const void *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		sum = (uint8_t)(sum + ((const uint8_t *)p)[i]);
}

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

static void
on_field(void *self, unsigned field, struct bytes value)
{
	const struct inspector *inspector = self;

	demand(field < inspector->field_count &&
	       inspector->fields[field].kind != INSPECT_NUMBER);
	touch(value.p, bytes_left(&value));
}

static void
on_number(void *self, unsigned field, uint64_t value)
{
	const struct inspector *inspector = self;

	(void)value;
	demand(field < inspector->field_count &&
	       inspector->fields[field].kind == INSPECT_NUMBER);
}

static void
on_announce(void *self, const struct inspect_announcement *announcement)
{
	(void)self;
	touch(announcement->protocol, strlen(announcement->protocol));
}

static void
on_name(void *self, uint8_t ip_version, const uint8_t *address, struct bytes name,
	uint32_t ttl_s)
{
	(void)self;
	(void)ttl_s;
	demand(ip_version == 4 || ip_version == 6);
	touch(address, ip_version == 4 ? 4 : 16);
	touch(name.p, bytes_left(&name));
}

static void
on_inner(void *self, const char *protocol)
{
	(void)self;
	if (protocol)
		touch(protocol, strlen(protocol));
}

static void
on_application(void *self, const char *protocol)
{
	(void)self;
	touch(protocol, strlen(protocol));
}

/* The window's bytes in memory of exactly their size, so that no read past them is missed. */
static enum inspect_answer
call(const struct inspector *inspector, void *state, struct window *w,
     struct inspect_view *view, enum inspect_answer before)
{
	const struct inspect_sink sink = { .self = (void *)(uintptr_t)inspector,
					   .field = on_field,
					   .number = on_number,
					   .announce = on_announce,
					   .name = on_name,
					   .inner = on_inner,
					   .application = on_application };
	uint8_t *exact = malloc(w->len + 1);

	demand(exact != NULL);
	memmove(exact + 1, w->data, w->len);
	view->data = bytes_of(exact + 1, w->len);
	const uint8_t *end = view->data.end;
	enum inspect_answer answer = inspector->feed(state, view, &sink);

	demand(!view->data.bad && view->data.end == end && view->data.p > exact &&
	       view->data.p <= end);
	demand(answer == INSPECT_NO ? before < INSPECT_SURE : answer >= before);
	w->len = bytes_left(&view->data);
	memmove(w->data, view->data.p, w->len);
	free(exact);
	return answer;
}

static void
converse(const struct inspector *inspector, void *state, struct bytes *in)
{
	struct window *windows = calloc(2, sizeof(*windows));
	enum inspect_answer answer = INSPECT_MORE;

	demand(windows != NULL);
	while (bytes_left(in) > 0 && answer != INSPECT_NO && answer != INSPECT_DONE) {
		uint8_t flags = bytes_u8(in);
		uint8_t transport = flags & FLAG_UDP ? INSPECT_UDP : INSPECT_TCP;
		struct window *w = &windows[flags & FLAG_SERVER];
		size_t len = bytes_be16(in);

		if (in->bad)
			break;
		if (!(inspector->transports & transport))
			transport = transport ^ (INSPECT_UDP | INSPECT_TCP);
		if (w->len == INSPECT_WINDOW) {
			w->len = INSPECT_WINDOW / 2;
			memmove(w->data, w->data + INSPECT_WINDOW / 2, w->len);
			w->lost = true;
		}
		if (transport == INSPECT_UDP || flags & FLAG_LOST)
			w->len = 0;
		if (len > INSPECT_WINDOW - w->len)
			len = INSPECT_WINDOW - w->len;
		if (len > bytes_left(in))
			len = bytes_left(in);
		memcpy(w->data + w->len, bytes_take(in, len).p, len);
		w->len += len;

		struct inspect_view view = { .dir = flags & FLAG_SERVER,
					     .transport = transport,
					     .lost = w->lost || flags & FLAG_LOST,
					     .ended = flags & FLAG_ENDED,
					     .snapped = flags & FLAG_SNAPPED,
					     .port = { 40000, 443 },
					     .time_ns = 1000000000,
					     .datagram = w->datagram++ };
		w->lost = false;
		view.data = bytes_of(w->data, w->len);
		bool may = windows[0].datagram + windows[1].datagram > 1 ||
			   inspector_may(inspector, &view);

		answer = call(inspector, state, w, &view, answer);
		demand(may || answer == INSPECT_NO);
	}
	free(windows);
}

static const struct inspector *
choose(struct bytes *in)
{
	for (size_t i = 0; i < inspectors_count; i++) {
		size_t len = strlen(inspectors[i]->name);

		if (bytes_starts(in, inspectors[i]->name) && bytes_left(in) > len &&
		    in->p[len] == '\n') {
			bytes_skip(in, len + 1);
			return inspectors[i];
		}
	}
	return NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = bytes_of(data, size);
	const struct inspector *inspector = choose(&in);

	if (!inspector)
		return 0;
	void *state = calloc(1, inspector->state_size + 1);

	demand(state != NULL);
	converse(inspector, state, &in);
	free(state);
	return 0;
}
