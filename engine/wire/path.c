/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/*
 * What a layer adds to the key of the path, and with it to the identity of the
 * flows inside: both directions of a flow must get the same key.
 */
enum share {
	SHARE_NOTHING, /* tells nobody apart */
	SHARE_KIND,    /* that the layer is there; its id belongs to one direction */
	SHARE_ID,      /* the layer and its id */
	SHARE_TAG,     /* likewise, if not 0, a priority: IEEE 802.1Q table 9-2 */
};

static const uint8_t SHARES[LAYER__COUNT] = {
	[LAYER_NONE] = SHARE_NOTHING, [LAYER_VLAN] = SHARE_TAG,     [LAYER_SVLAN] = SHARE_TAG,
	[LAYER_PPP] = SHARE_NOTHING,  [LAYER_WLAN] = SHARE_NOTHING, [LAYER_MPLS] = SHARE_ID,
	[LAYER_PPPOE] = SHARE_ID, /* one session id for both, RFC 2516 section 4 */
	[LAYER_IP4] = SHARE_KIND, /* and the addresses, see path_push_ip */
	[LAYER_IP6] = SHARE_KIND,     [LAYER_GRE] = SHARE_ID,       [LAYER_VXLAN] = SHARE_ID,
	[LAYER_GENEVE] = SHARE_ID,    [LAYER_GTP] = SHARE_KIND,  /* each end chooses its own,
								    3GPP TS 29.281 section 5.1 */
	[LAYER_TEREDO] = SHARE_KIND,  [LAYER_L2TP] = SHARE_KIND, /* each end chooses its own,
								    RFC 2661 section 3.1 */
};

static void
mix(struct decode *d, uint64_t x)
{
	d->path_key = hash_mix(d->path_key ^ x);
}

bool
path_push(struct decode *d, enum packet_layer layer, uint32_t id)
{
	struct packet_hop *hop;

	if (d->path_len == PACKET_PATH_MAX) {
		d->packet->fault = PACKET_DEEP;
		return false;
	}
	hop = &d->packet->path[d->path_len++];
	hop->layer = (uint8_t)layer;
	hop->id = id;
	if (SHARES[layer] == SHARE_ID || (SHARES[layer] == SHARE_TAG && id != 0))
		mix(d, (uint64_t)layer << 32 | id);
	else if (SHARES[layer] == SHARE_KIND)
		mix(d, (uint64_t)layer << 32);
	return true;
}

static uint64_t
folded(const union packet_addr *addr)
{
	return hash_mix(addr->q[0] ^ hash_mix(addr->q[1] + 0x9e3779b97f4a7c15));
}

bool
path_push_ip(struct decode *d)
{
	const struct packet *p = d->packet;

	if (!path_push(d, p->ip_version == 4 ? LAYER_IP4 : LAYER_IP6, 0))
		return false;
	mix(d, folded(&p->src) + folded(&p->dst));
	return true;
}
