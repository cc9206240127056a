/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/talk.h"
#include <netinet/in.h>
#include <stdlib.h>

enum { STORE = 1 << 18 };

enum barn_err
talk_view_new(const struct talk *talk, struct talk_view **view)
{
	struct talk_view *v = calloc(1, sizeof(*v));
	struct stream_store_options store = { .bytes = STORE, .window = TALK_BYTES };

	if (!v || stream_store_new(&store, &v->store)) {
		free(v);
		return BARN_ERR_MEMORY;
	}
	v->talk = talk;
	v->view.udp = talk->info.ip_proto != IPPROTO_TCP;
	*view = v;
	return BARN_OK;
}

void
talk_view_free(struct talk_view *view)
{
	if (!view)
		return;
	for (unsigned d = 0; d < 2; d++)
		stream_clear(&view->stream[d], view->store);
	stream_store_free(view->store);
	free(view);
}

/* As classify does it: a side's first turn ends when the other side has answered. */
static void
take(struct talk_view *v, const struct talk_packet *p)
{
	struct stream *stream = &v->stream[p->dir];
	const struct stream *other = &v->stream[!p->dir];
	uint32_t grown;

	if (v->view.udp) {
		stream_datagram(stream, v->store, p->payload);
		return;
	}
	grown = stream_add(stream, v->store, p->seq, p->tcp_flags & TCP_SYN,
			   p->tcp_flags & TCP_FIN, p->payload, p->length, false);
	if (grown && !v->turn_over[!p->dir] && other->len) {
		v->turn[!p->dir] = other->len;
		v->turn_over[!p->dir] = true;
	}
}

static void
look(struct talk_view *v, bool closed)
{
	for (unsigned d = 0; d < 2; d++) {
		const struct stream *stream = &v->stream[d];

		v->view.side[d] = (struct match_side){
			.data = stream->data,
			.len = stream->len,
			.turn = v->turn_over[d] ? v->turn[d] : stream->len,
			.turn_over = v->turn_over[d],
			.ends = stream->ends,
			.datagrams = stream->kept,
			.closed = closed || stream->ended || stream->full,
		};
	}
}

const struct talk_packet *
talk_view_next(struct talk_view *v)
{
	const struct talk_packet *p;

	if (v->at == v->talk->count) {
		look(v, true);
		return NULL;
	}
	p = &v->talk->packets[v->at++];
	take(v, p);
	/* The payload outlives the view: nothing that is lent needs a copy but for order. */
	stream_keep(&v->stream[p->dir], v->store);
	look(v, false);
	return p;
}

struct bytes
talk_view_bytes(const struct talk_view *v, enum match_dir dir)
{
	return bytes_of(v->stream[dir].data, v->stream[dir].len);
}
