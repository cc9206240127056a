/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/act.h"

#include "policy/reject.h"
#include "policy/rewrite.h"

#include <arpa/inet.h>
#include <stdio.h>

/* RFC 1812 section 4.3.2.8 wants a limit, and leaves it to us. */
enum { REJECTS_A_SECOND = 1000, REJECTS_AT_ONCE = 200 };

enum barn_err
act_init(struct act *act, const struct ways *ways, bool dry_run)
{
	const struct police_rates rates = { .packets = true,
					    .cir = REJECTS_A_SECOND,
					    .bc = REJECTS_AT_ONCE };

	*act = (struct act){ .ways = ways, .dry_run = dry_run };
	return police_new(&rates, &act->rejects);
}

void
act_fini(struct act *act)
{
	police_drop(act->rejects);
	act->rejects = NULL;
}

/* The sender is told: by a reset, or where that is none by ICMP. */
static void
refuse(struct act *act, const struct ways_item *item, const struct way_frame *frame,
       const struct packet *packet)
{
	uint8_t out[REJECT_ROOM];
	size_t length;

	if (!item->kind->inject ||
	    police_packet(act->rejects, packet->time_ns, packet->wire_len) != POLICY_CONFORM)
		return;
	length = packet->ip_proto == IPPROTO_TCP ? reject_reset(packet, out)
						 : reject_prohibited(packet, out);
	if (length)
		item->kind->inject(item->way, frame->interface, bytes_of(out, length));
	if (packet->ip_proto != IPPROTO_TCP || frame->towards == WAY_NONE)
		return;
	length = reject_reset_onward(packet, out);
	if (length)
		item->kind->inject(item->way, frame->towards, bytes_of(out, length));
}

static const char *
address(const struct packet *packet, const union packet_addr *addr, char *text, socklen_t size)
{
	int family = packet->ip_version == 6 ? AF_INET6 : AF_INET;

	return inet_ntop(family, addr->b, text, size) ? text : "-";
}

static void
tell(struct act *act, const struct packet *packet, const struct policy_verdict *v)
{
	static const char *const fates[] = {
		[POLICY_FATE_FORWARD] = "passed",
		[POLICY_FATE_DROP] = "dropped",
		[POLICY_FATE_REJECT] = "rejected",
		[POLICY_FATE_HOLD] = "held",
	};
	char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN];

	log_rated(&act->log, LOG_INFO, "%s: class %s: %s:%u to %s:%u, protocol %u: %s",
		  act->ways->names[packet->iface], v->path[0].node->name,
		  address(packet, &packet->src, from, sizeof(from)), packet->src_port,
		  address(packet, &packet->dst, to, sizeof(to)), packet->dst_port,
		  packet->ip_proto, fates[v->fate]);
}

/* False: the packet goes no further. */
static bool
apply(struct act *act, const struct ways_item *item, const struct way_frame *frame,
      const struct packet *packet, const struct policy_verdict *v, struct way_verdict *verdict)
{
	if (v->log && v->depth)
		tell(act, packet, v);
	if (act->dry_run || item->kind->passive)
		return true;
	if (v->fate == POLICY_FATE_DROP || v->fate == POLICY_FATE_REJECT) {
		verdict->action = WAY_DROP;
		if (v->fate == POLICY_FATE_REJECT)
			refuse(act, item, frame, packet);
		return false;
	}
	if ((v->tos_mask || v->has & POLICY_HAS_COS) && frame->change) {
		struct header_place place = header_find(packet);

		if (rewrite_frame(frame->change, bytes_left(&frame->data), &place, v))
			verdict->action = WAY_CHANGED;
	}
	verdict->mark = (verdict->mark & ~v->mark_mask) | (v->mark & v->mark_mask);
	verdict->mark_mask |= v->mark_mask;
	return true;
}

/*
 * Frames are not held back for their protocol's sake: the kernel's rings are no place to wait
 * in. So a first packet that would be held passes.
 */
void
act_on(struct act *act, struct worker *worker, const struct ways_item *item,
       const struct way_frame *frame, const struct packet *packet, struct way_verdict *verdict)
{
	struct decide_ask ask = { .iface = packet->iface,
				  .output = packet->dir == PACKET_OUT,
				  .last = true };
	struct policy_verdict said;

	worker_decide(worker, packet, &ask, &said);
	if (!apply(act, item, frame, packet, &said, verdict) || !packet->leaves)
		return;
	ask = (struct decide_ask){ .iface = packet->leaves - 1, .output = true, .last = true };
	worker_decide(worker, packet, &ask, &said);
	apply(act, item, frame, packet, &said, verdict);
}
