/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/*
 * What a layer adds to the identity of the flows inside: to the key of the path, which both
 * directions of a flow share, or to its way, which is that of one direction.
 */
enum share {
	SHARE_NOTHING, /* tells nobody apart */
	SHARE_KIND,    /* to the key: that the layer is there */
	SHARE_ID,      /* to the key: the layer and its id */
	SHARE_TAG,     /* likewise, unless 0: a tag with a priority alone */
	SHARE_WAY,     /* to the key that the layer is there, to the way its id */
};

/* No default: the compiler tells of a layer that was not thought of. */
static enum share
share_of(enum packet_layer layer)
{
	switch (layer) {
	case LAYER_NONE:
	case LAYER_PPP:
	case LAYER_WLAN:
	case LAYER_ETHERNET:
	case LAYER__COUNT: break;
	case LAYER_VLAN:
	case LAYER_SVLAN: return SHARE_TAG;
	case LAYER_PPPOE: /* RFC 2516 section 4: one session number for both directions */
	case LAYER_GRE:
	case LAYER_VXLAN:
	case LAYER_LISP:
	case LAYER_BACKBONE: /* IEEE 802.1Q section 9.7: the service is both directions' */
	case LAYER_GENEVE: return SHARE_ID;
	case LAYER_IP4: /* and the addresses, see path_push_ip */
	case LAYER_IP6:
	case LAYER_TEREDO:
	case LAYER_AYIYA:
	case LAYER_CAPWAP:
	case LAYER_TZSP: return SHARE_KIND;
	case LAYER_MPLS:   /* RFC 3031 section 3.1.1: whom it is sent to chooses the label */
	case LAYER_ERSPAN: /* a session may mirror one direction alone */
	case LAYER_NSH:    /* RFC 8300 section 2.3: a path has one direction */
	case LAYER_VNTAG:  /* source and destination */
	case LAYER_TRILL:  /* likewise */
	case LAYER_ESP:    /* RFC 4301 section 4.1: an association is that of one direction */
	case LAYER_PPTP:   /* RFC 2637 section 4.1: the call's number of the other end */
	case LAYER_GTP:    /* 3GPP TS 29.281 section 5.1: each end chooses its own */
	case LAYER_L2TP: /* RFC 2661 section 3.1: likewise */ return SHARE_WAY;
	}
	return SHARE_NOTHING;
}

static void
mix(struct decode *d, uint64_t x)
{
	d->path_key = hash_mix(d->path_key ^ x);
}

/* Never 0 afterwards. */
static void
mix_way(struct decode *d, uint64_t x)
{
	d->path_way = (uint32_t)(hash_mix(d->path_way ^ x << 32 ^ x) >> 32) | 1;
}

static bool
push(struct decode *d, enum packet_layer layer, uint32_t id)
{
	struct packet_hop *hop;
	enum share share;
	bool again;

	if (d->path_len == PACKET_PATH_MAX) {
		d->packet->fault = PACKET_DEEP;
		return false;
	}
	/* The two directions of a stack of labels need not be equally deep. */
	again = layer == LAYER_MPLS && d->path_len > 0 &&
		d->packet->path[d->path_len - 1].layer == LAYER_MPLS;
	hop = &d->packet->path[d->path_len++];
	hop->layer = (uint8_t)layer;
	hop->id = id;
	share = share_of(layer);
	if (share == SHARE_ID || (share == SHARE_TAG && id != 0))
		mix(d, (uint64_t)layer << 32 | id);
	else if ((share == SHARE_KIND || share == SHARE_WAY) && !again)
		mix(d, (uint64_t)layer << 32);
	if (share == SHARE_WAY)
		mix_way(d, (uint64_t)layer << 32 | id);
	return true;
}

bool
path_push(struct decode *d, enum packet_layer layer, uint32_t id)
{
	return !path_opaque(d, layer) && push(d, layer, id);
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

	if (!push(d, p->ip_version == 4 ? LAYER_IP4 : LAYER_IP6, 0))
		return false;
	mix(d, folded(&p->src) + folded(&p->dst));
	return true;
}
