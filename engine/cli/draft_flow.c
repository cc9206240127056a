/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/draft.h"
#include <netinet/in.h>
#include <stdlib.h>

/* The message at hand: bytes of a direction until the other side sends, or a datagram. */
struct growing {
	struct draft_flow *flow;
	struct arena *arena;
	uint32_t from; /* where it begins in the stream */
	int dir;       /* -1: none yet */
};

static bool
keep(struct growing *g, struct bytes data)
{
	struct draft_message *message;
	size_t left = bytes_left(&data), kept = left < DRAFT_MESSAGE ? left : DRAFT_MESSAGE;
	uint8_t *copy;

	if (g->flow->count == DRAFT_MESSAGES || left == 0)
		return true;
	copy = arena_copy(g->arena, data.p, kept);
	if (!copy)
		return false;
	message = &g->flow->messages[g->flow->count++];
	*message = (struct draft_message){
		.dir = (uint8_t)g->dir,
		.data = bytes_of(copy, kept),
		.length = (uint32_t)left,
	};
	return true;
}

static bool
finish(struct growing *g, const struct talk_view *view)
{
	struct bytes all;

	if (g->dir < 0)
		return true;
	all = talk_view_bytes(view, (enum match_dir)g->dir);
	bytes_skip(&all, g->from);
	return keep(g, all);
}

static bool
grow(struct growing *g, struct talk_view *view, uint32_t done[2])
{
	const struct talk_packet *p;

	while ((p = talk_view_next(view))) {
		uint32_t len = view->view.side[p->dir].len;

		if (len == done[p->dir])
			continue;
		if (view->view.udp || g->dir != p->dir) {
			if (!view->view.udp && !finish(g, view))
				return false;
			g->dir = p->dir;
			g->from = done[p->dir];
		}
		if (view->view.udp && !finish(g, view))
			return false;
		done[p->dir] = len;
	}
	return view->view.udp || finish(g, view);
}

enum barn_err
draft_flow_init(struct draft_flow *flow, const struct talk *talk, struct arena *arena)
{
	struct growing g = { .flow = flow, .arena = arena, .dir = -1 };
	struct talk_view *view;
	uint32_t done[2] = { 0 };
	enum barn_err err = talk_view_new(talk, &view);

	*flow = (struct draft_flow){ .talk = talk };
	if (err)
		return err;
	if (!grow(&g, view, done))
		err = BARN_ERR_MEMORY;
	flow->from_start = talk->info.ip_proto != IPPROTO_TCP || view->stream[0].synced ||
			   view->stream[1].synced;
	talk_view_free(view);
	return err;
}

const struct draft_message *
draft_flow_message(const struct draft_flow *flow, unsigned dir, unsigned n)
{
	for (unsigned i = 0; i < flow->count; i++)
		if (flow->messages[i].dir == dir && n-- == 0)
			return &flow->messages[i];
	return NULL;
}
