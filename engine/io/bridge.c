/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * bridge: two interfaces joined in user space. What comes in by one leaves by the other, from
 * the place where the kernel put it: nothing is copied here. Trains (GSO, GRO) and unfinished
 * checksums pass with the kernel's own note of them, so the card, or the kernel, finishes them.
 *
 * The machine's own stack sees what comes in too: give the interfaces no addresses, and IPv6
 * none of them (net.ipv6.conf.X.disable_ipv6).
 */
#include "io/rings.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

enum { LINKTYPE_ETHERNET = 1, SIDES = 2, SEND_WAIT_MS = 1 };

static enum barn_err
open_bridge(const struct way_options *options, struct way **way, struct source_fault *fault)
{
	struct ring_options how = { .offload = true, .ignore_outgoing = true };
	struct rings *rings = NULL;
	enum barn_err err;

	*way = NULL;
	if (options->interface_count != SIDES)
		return source_fault_set(fault, BARN_ERR_ARGUMENT,
					"a bridge has two interfaces, not %u",
					options->interface_count);
	err = rings_open(&way_bridge, options, &how, &rings, fault);
	*way = rings ? &rings->way : NULL;
	return err;
}

static void
take(struct ring_frame *in, uint16_t side, struct way_frame *out)
{
	struct virtio_net_hdr offload;

	memcpy(&offload, in->data - sizeof offload, sizeof offload);
	if (ring_untake_tag(in, &offload))
		memcpy(in->data - sizeof offload, &offload, sizeof offload);
	*out = (struct way_frame){
		.data = bytes_of(in->data, in->captured),
		.change = in->data,
		.length = in->length,
		.time_ns = in->time_ns,
		.linktype = LINKTYPE_ETHERNET,
		.interface = side,
		.towards = !side,
		.segment = offload.gso_type == VIRTIO_NET_HDR_GSO_NONE ? 0 : offload.gso_size,
		.checksum_later = offload.flags & VIRTIO_NET_HDR_F_NEEDS_CSUM,
	};
}

/* What goes out in one call. */
struct batch {
	struct mmsghdr message[WAY_BATCH];
	struct iovec part[WAY_BATCH];
	unsigned count;
};

static void
batch_add(struct batch *batch, uint8_t *data, size_t size)
{
	unsigned n = batch->count++;

	batch->part[n] =
		(struct iovec){ .iov_base = data - RING_VNET, .iov_len = size + RING_VNET };
	batch->message[n] =
		(struct mmsghdr){ .msg_hdr = { .msg_iov = &batch->part[n], .msg_iovlen = 1 } };
}

/* What the kernel does not take is waited for once, then lost: who waits longer delays all. */
static unsigned
batch_send(struct batch *batch, int fd)
{
	unsigned sent = 0, at = 0;
	bool waited = false;

	while (at < batch->count) {
		int n = sendmmsg(fd, &batch->message[at], batch->count - at, MSG_DONTWAIT);

		if (n > 0) {
			at += (unsigned)n;
			sent += (unsigned)n;
		} else if (errno == EAGAIN && !waited) {
			struct pollfd room = { .fd = fd, .events = POLLOUT };

			waited = true;
			(void)poll(&room, 1, SEND_WAIT_MS);
		} else if (errno != EINTR) {
			at++;
		}
	}
	return sent;
}

static void
settle(struct rings *rings, const struct way_verdict *verdicts)
{
	unsigned side = rings->source[0];
	struct way_stats *stats = &rings->stats[side];
	struct batch batch = { .count = 0 };
	unsigned sent;

	for (unsigned k = 0; k < rings->pending; k++) {
		bool drop = verdicts ? verdicts[k].action == WAY_DROP : rings->fail_closed;

		if (drop)
			stats->dropped++;
		else if (rings->size[k] == 0)
			stats->truncated++;
		else
			batch_add(&batch, rings->data[k], rings->size[k]);
	}
	sent = batch_send(&batch, rings->ring[!side].fd);
	stats->forwarded += sent;
	stats->send_failures += batch.count - sent;
	ring_slots_free(&rings->ring[side], rings->pending);
	rings->pending = 0;
}

static unsigned
receive_side(struct rings *rings, uint16_t side, struct way_frame *frames)
{
	struct way_stats *stats = &rings->stats[side];
	struct ring_frame in;
	unsigned n = 0;

	while (n < WAY_BATCH && ring_slot(&rings->ring[side], n, &in)) {
		take(&in, side, &frames[n]);
		stats->received++;
		stats->received_bytes += in.length;
		rings->source[n] = side;
		rings->data[n] = in.data;
		rings->size[n] = in.captured < in.length ? 0 : in.captured;
		n++;
	}
	return n;
}

static unsigned
receive(struct way *way, struct way_frame *frames)
{
	struct rings *rings = (struct rings *)way;
	unsigned n = 0;

	if (rings->pending)
		settle(rings, NULL);
	for (unsigned k = 0; k < SIDES && n == 0; k++) {
		rings->turn = !rings->turn;
		n = receive_side(rings, (uint16_t)rings->turn, frames);
	}
	rings->pending = n;
	if (n == 0)
		rings_idle(rings);
	return n;
}

static void
verdict(struct way *way, const struct way_verdict *verdicts, unsigned count)
{
	struct rings *rings = (struct rings *)way;

	if (count == rings->pending && count > 0)
		settle(rings, verdicts);
}

const struct way_kind way_bridge = {
	.name = "bridge",
	.probe = rings_probe,
	.open = open_bridge,
	.close = rings_close,
	.limit = way_no_limit,
	.fd = rings_fd,
	.receive = receive,
	.verdict = verdict,
	.inject = rings_inject,
	.event = rings_event,
	.stats = rings_stats,
};
