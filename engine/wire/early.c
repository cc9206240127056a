/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/early.h"

#include "base/pool.h"

#include <stdlib.h>

struct early {
	struct pool *packets;
	struct early_list ready;
};

enum barn_err
early_new(uint32_t packets, struct early **early)
{
	struct early *e = calloc(1, sizeof(*e));

	if (!e)
		return BARN_ERR_MEMORY;
	if (pool_new(sizeof(struct early_packet), packets, &e->packets) != BARN_OK) {
		free(e);
		return BARN_ERR_MEMORY;
	}
	*early = e;
	return BARN_OK;
}

void
early_free(struct early *early)
{
	if (!early)
		return;
	pool_free(early->packets);
	free(early);
}

static void
append(struct early_list *list, struct early_packet *first, struct early_packet **end)
{
	if (list->first)
		*list->end = first;
	else
		list->first = first;
	list->end = end;
}

bool
early_wait(struct early *early, struct early_list *list, const struct packet *packet)
{
	struct early_packet *e = pool_get(early->packets);

	if (!e)
		return false;
	e->packet = *packet;
	e->packet.frame = e->packet.network = e->packet.payload = (struct bytes){ 0 };
	e->next = NULL;
	append(list, e, &e->next);
	return true;
}

void
early_ready(struct early *early, struct early_list *list,
	    const struct fragment_transport *transport)
{
	if (!list->first)
		return;
	for (struct early_packet *e = list->first; e; e = e->next) {
		struct packet *p = &e->packet;

		p->held = false;
		p->fault = transport ? PACKET_WHOLE : PACKET_FRAGMENT_LOST;
		if (!transport)
			continue;
		p->ip_proto = transport->proto;
		p->src_port = transport->src_port;
		p->dst_port = transport->dst_port;
	}
	append(&early->ready, list->first, list->end);
	*list = (struct early_list){ 0 };
}

bool
early_take(struct early *early, struct packet *packet)
{
	struct early_packet *e = early->ready.first;

	if (!e)
		return false;
	*packet = e->packet;
	early->ready.first = e->next;
	pool_put(early->packets, e);
	return true;
}

bool
early_any(const struct early *early)
{
	return pool_used(early->packets) > 0;
}
