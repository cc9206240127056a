/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* tap: frames of interfaces, in and out, as they pass; none is held up. */
#include "io/rings.h"

enum { LINKTYPE_ETHERNET = 1 };

static enum barn_err
open_tap(const struct way_options *options, struct way **way, struct source_fault *fault)
{
	struct ring_options how = { .blocks = true,
				    .snap = options->snap,
				    .wait_ms = options->wait_ms };
	struct rings *rings;
	enum barn_err err = rings_open(&way_tap, options, &how, &rings, fault);

	*way = rings ? &rings->way : NULL;
	return err;
}

static bool
take(struct rings *rings, unsigned i, struct way_frame *out)
{
	struct ring_frame in;

	if (!ring_block_next(&rings->ring[i], &in))
		return false;
	(void)ring_untake_tag(&in, NULL);
	*out = (struct way_frame){
		.data = bytes_of(in.data, in.captured),
		.length = in.length,
		.time_ns = in.time_ns,
		.linktype = LINKTYPE_ETHERNET,
		.interface = (uint16_t)i,
		.towards = WAY_NONE,
		.outgoing = in.from->sll_pkttype == PACKET_OUTGOING,
		.checksum_later = in.status & TP_STATUS_CSUMNOTREADY,
	};
	rings->stats[i].received++;
	rings->stats[i].received_bytes += in.length;
	return true;
}

/* What has a verdict, or never will have one. */
static void
settle(struct rings *rings)
{
	for (unsigned i = 0; i < rings->count; i++)
		ring_block_free(&rings->ring[i]);
	rings->pending = 0;
}

static unsigned
receive(struct way *way, struct way_frame *frames)
{
	struct rings *rings = (struct rings *)way;
	unsigned n = 0;

	settle(rings);
	for (unsigned k = 0; k < rings->count && n < WAY_BATCH; k++) {
		unsigned i = rings->turn + k;

		if (i >= rings->count)
			i -= rings->count;
		while (n < WAY_BATCH && take(rings, i, &frames[n]))
			rings->source[n++] = (uint16_t)i;
	}
	rings->turn = rings->turn + 1 < rings->count ? rings->turn + 1 : 0;
	rings->pending = n;
	if (n == 0)
		rings_idle(rings);
	return n;
}

static void
verdict(struct way *way, const struct way_verdict *verdicts, unsigned count)
{
	struct rings *rings = (struct rings *)way;

	for (unsigned k = 0; k < count && k < rings->pending; k++) {
		struct way_stats *stats = &rings->stats[rings->source[k]];

		if (verdicts[k].action == WAY_DROP)
			stats->dropped++;
		else
			stats->forwarded++;
	}
	settle(rings);
}

const struct way_kind way_tap = {
	.name = "tap",
	.passive = true,
	.probe = rings_probe,
	.open = open_tap,
	.close = rings_close,
	.limit = way_no_limit,
	.fd = rings_fd,
	.receive = receive,
	.verdict = verdict,
	.inject = rings_inject,
	.event = rings_event,
	.stats = rings_stats,
};
