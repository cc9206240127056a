/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * RTCP (RFC 3550 section 6) without RTP on its port: compound packets, each a
 * report first and then its sender's name. Some senders leave the name out, but tell the
 * date: the header's 26 bits and a time of today make 41. RTP that shares the port (RFC 5761)
 * owns the flow.
 */
#include "inspect/rtp.h"

enum {
	SENDER_REPORT = 200,
	RECEIVER_REPORT = 201,
	DESCRIPTION = 202,
	TYPE_LAST = 213, /* IANA's registry of RTCP packet types */
	/*
	 * Encrypted, all behind the first header and source is noise, and an index and a tag
	 * stand at the end (RFC 3711 section 3.4).
	 */
	ENCRYPTED_MIN = 8,
	DAY = 86400,
	SAME_SURE = 3, /* in a row of one source, where it is not named */
	/* Of two that share a port a report may come first; of three or four hardly. */
	PROVEN_SURE = 3,
};

#define EPOCH_1900 2208988800u /* seconds from 1900 to 1970 */

struct rtcp {
	uint32_t source[2];
	uint8_t same[2]; /* valid packets of that source in a row */
	uint8_t proven;  /* packets of both directions that leave no doubt */
	uint8_t answer;  /* enum inspect_answer, the strongest so far */
};

/* Whether a report's blocks fit: 24 bytes each, behind 20 of the sender's in an SR. */
static bool
report_fits(uint8_t type, uint8_t count, size_t len)
{
	size_t least = (type == SENDER_REPORT ? 28u : 8u) + 24u * count;

	return type > RECEIVER_REPORT || len >= least;
}

/* The items of a source description (section 6.5), each chunk's CNAME first in practice. */
static bool
names_sender(struct bytes b)
{
	bytes_skip(&b, 4);
	uint8_t item = bytes_u8(&b);
	struct bytes name = bytes_take(&b, bytes_u8(&b));

	return item == 1 && !name.bad && bytes_left(&name) > 0;
}

/* A sender's report tells the time of day (section 6.4.1), in seconds since 1900 (section 4).
 */
static bool
dated(struct bytes report, uint64_t time_ns)
{
	uint64_t now = time_ns / 1000000000 + EPOCH_1900, then;

	bytes_skip(&report, 4);
	then = bytes_be32(&report);
	return !report.bad && then + DAY > now && then < now + DAY;
}

enum inspect_answer
rtcp_packet_check(struct bytes data, bool snapped, uint64_t time_ns, uint32_t *source)
{
	struct bytes b = data;
	bool named = false, report_is_dated = false;

	if (bytes_left(&b) == 0)
		return INSPECT_NO;
	for (unsigned i = 0; bytes_left(&b) > 0; i++) {
		size_t left = bytes_left(&b);
		uint8_t first = bytes_u8(&b), type = bytes_u8(&b);
		size_t len = 4u * bytes_be16(&b);
		struct bytes body = bytes_take(&b, len);
		bool report = type == SENDER_REPORT || type == RECEIVER_REPORT;

		/* Section 6.4.1, A.2: a report comes first, and only the last one is padded. */
		if (first >> 6 != 2 || (i == 0 && (!report || (first & 0x20))) || type < 192 ||
		    type > TYPE_LAST || !report_fits(type, first & 31, 4 + len))
			return i == 1 && left >= ENCRYPTED_MIN ? INSPECT_LIKELY : INSPECT_NO;
		if (i == 0) {
			report_is_dated = type == SENDER_REPORT && dated(body, time_ns);
			*source = bytes_be32(&body);
			if (body.bad && !(b.bad && snapped))
				return INSPECT_NO;
		}
		if (b.bad)
			return snapped ? INSPECT_LIKELY : INSPECT_NO;
		if (type == DESCRIPTION)
			named |= names_sender(body);
	}
	return named || report_is_dated ? INSPECT_SURE : INSPECT_LIKELY;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct rtcp *rtcp = state;
	uint8_t dir = view->dir;
	uint32_t source = 0;
	enum inspect_answer found =
		rtcp_packet_check(view->data, view->snapped, view->time_ns, &source);

	(void)sink;
	if (found == INSPECT_NO) {
		struct rtp_packet packet;
		enum rtp_kind kind = rtp_packet_read(view->data, view->snapped, &packet);

		if (rtcp->answer >= INSPECT_SURE)
			return (enum inspect_answer)rtcp->answer;
		if (kind != RTP_KIND_BESIDE)
			return INSPECT_NO;
		return rtcp->answer ? (enum inspect_answer)rtcp->answer : INSPECT_MORE;
	}
	if (rtcp->same[dir] == 0 || rtcp->source[dir] != source)
		rtcp->same[dir] = 0;
	rtcp->source[dir] = source;
	if (rtcp->same[dir] < UINT8_MAX)
		rtcp->same[dir]++;
	if (found == INSPECT_SURE && rtcp->proven < UINT8_MAX)
		rtcp->proven++;
	found = rtcp->proven >= PROVEN_SURE || rtcp->same[dir] >= SAME_SURE ? INSPECT_NAMED
									    : INSPECT_LIKELY;
	if (rtcp->answer < found)
		rtcp->answer = (uint8_t)found;
	return (enum inspect_answer)rtcp->answer;
}

/* A report, or what may come beside it. */
static const struct inspect_start starts[] = {
	{ .count = 2, .bytes = { { 0x80, 0x9f }, { SENDER_REPORT, RECEIVER_REPORT } } },
	{ .most = 4 },
	{ .least = 20,
	  .count = 8,
	  .bytes = { { 0, 3 },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS(0x21),
		     INSPECT_IS(0x12),
		     INSPECT_IS(0xa4),
		     INSPECT_IS(0x42) } },
	{ .count = 8,
	  .bytes = { { 0x10, 0x13 },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS('Z'),
		     INSPECT_IS('R'),
		     INSPECT_IS('T'),
		     INSPECT_IS('P') } },
	{ .count = 3, .bytes = { { 0x14, 0x1a }, INSPECT_ANY, { 0xfc, 0xfd } } },
	{ .count = 3, .bytes = { { 0x14, 0x1a }, INSPECT_IS(1), INSPECT_IS(0) } },
	{ .count = 2, .bytes = { { 0x14, 0x1a }, INSPECT_IS(0xfe) } },
	{ .count = 1, .bytes = { { 0x40, 0x4f } } },
};

const struct inspector inspect_rtcp = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "rtcp",
	.state_size = sizeof(struct rtcp),
	.transports = INSPECT_UDP,
	.fields = NULL,
	.field_count = 0,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
