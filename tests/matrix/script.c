/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "script.h"

#include <stdlib.h>
#include <string.h>

enum { SECOND_CONNECTION = 0x20000000 }; /* how far its sequence numbers are */

struct script *
script_new(void)
{
	struct script *s = calloc(1, sizeof(*s));

	if (s) {
		s->event = calloc(SCRIPT_EVENTS, sizeof(*s->event));
		s->bytes = malloc(SCRIPT_BYTES);
	}
	if (!s || !s->event || !s->bytes)
		abort();
	return s;
}

void
script_free(struct script *script)
{
	free(script->event);
	free(script->bytes);
	free(script);
}

struct script_event *
script_add(struct script *script, struct script_event event)
{
	if (script->count == SCRIPT_EVENTS)
		abort();
	script->event[script->count] = event;
	return &script->event[script->count++];
}

void
script_insert(struct script *script, unsigned i, struct script_event event)
{
	script_add(script, event);
	memmove(script->event + i + 1, script->event + i,
		(script->count - 1 - i) * sizeof(*script->event));
	script->event[i] = event;
}

void
script_remove(struct script *script, unsigned i)
{
	memmove(script->event + i, script->event + i + 1,
		(--script->count - i) * sizeof(*script->event));
}

void
script_swap(struct script *script, unsigned i, unsigned j)
{
	struct script_event event = script->event[i];

	script->event[i] = script->event[j];
	script->event[j] = event;
}

void
script_cut(struct script *script, unsigned i, uint32_t len)
{
	struct script_event rest = script->event[i];

	if (len == 0 || len >= rest.len)
		return;
	rest.seq += len;
	rest.at += len;
	rest.len -= len;
	script->event[i].len = len;
	script->event[i].flags &= (uint8_t) ~(SCRIPT_PSH | SCRIPT_FIN);
	script_insert(script, i + 1, rest);
}

unsigned
script_first(const struct script *script, unsigned dir, unsigned from)
{
	unsigned i = from;

	while (i < script->count && (script->event[i].dir != dir || script->event[i].len == 0))
		i++;
	return i;
}

static void
handshake(struct script *s)
{
	script_add(s, (struct script_event){ .flags = SCRIPT_SYN, .message = -1 });
	script_add(s, (struct script_event){ .dir = 1,
					     .flags = SCRIPT_SYN | SCRIPT_ACK,
					     .message = -1,
					     .ack = 1 });
	script_add(s, (struct script_event){
			      .flags = SCRIPT_ACK, .message = -1, .seq = 1, .ack = 1 });
}

static void
farewell(struct script *s, const uint32_t next[2])
{
	script_add(s, (struct script_event){ .flags = SCRIPT_FIN | SCRIPT_ACK,
					     .message = -1,
					     .seq = next[0],
					     .ack = next[1] });
	script_add(s, (struct script_event){ .dir = 1,
					     .flags = SCRIPT_FIN | SCRIPT_ACK,
					     .message = -1,
					     .seq = next[1],
					     .ack = next[0] + 1 });
	script_add(s, (struct script_event){ .flags = SCRIPT_ACK,
					     .message = -1,
					     .seq = next[0] + 1,
					     .ack = next[1] + 1 });
}

void
script_write(struct script *script, const struct talk *talk)
{
	uint32_t next[2] = { 1, 1 };

	script->udp = talk->udp;
	script->count = 0;
	script->used = talk->used;
	memcpy(script->bytes, talk->bytes, talk->used);
	if (!talk->udp)
		handshake(script);
	for (unsigned i = 0; i < talk->count; i++) {
		const struct talk_message *m = &talk->message[i];

		script_add(script, (struct script_event){
					   .dir = m->dir,
					   .flags = talk->udp ? 0 : SCRIPT_PSH | SCRIPT_ACK,
					   .message = (int16_t)i,
					   .seq = next[m->dir],
					   .ack = next[!m->dir],
					   .at = m->at,
					   .len = m->len });
		next[m->dir] += m->len;
	}
	if (!talk->udp)
		farewell(script, next);
}

void
script_repeat(struct script *script, int64_t pause_ns)
{
	unsigned count = script->count;

	for (unsigned i = 0; i < count; i++) {
		struct script_event event = script->event[i];

		if (!script->udp) {
			event.seq += SECOND_CONNECTION;
			if (event.flags & SCRIPT_ACK)
				event.ack += SECOND_CONNECTION;
		}
		if (i == 0)
			event.pause_ns = pause_ns;
		script_add(script, event);
	}
}
