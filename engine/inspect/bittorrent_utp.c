/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/bittorrent.h"

/*
 * BEP 29. A header has 20 bytes: type and version, the first extension, the connection, the
 * sender's clock and what it measured (microseconds), the window, a sequence number and the
 * other's that is acknowledged.
 *
 * One header has 13 bits that chance must hit, and small numbers are common; so what counts
 * is what changes and agrees nevertheless. A side's clock went as the capture's did: 11 bits
 * each time. What one side receives at is what the other sends with, but for one (15 bits),
 * and it acknowledges what the other has sent (5 bits).
 */

enum { DATA, FIN, STATE, RESET, SYN, TYPES };

enum { VERSION = 1, EXTENSIONS = 3, CHAIN_MAX = 4, SLACK_US = 1000000, BEHIND_MAX = 2048 };

struct header {
	uint8_t type;
	uint16_t id, seq, ack;
	uint32_t time_us;
};

/* Extensions: the next one's number, a length, its bytes. */
static bool
read_chain(struct bytes *b, uint8_t extension)
{
	for (unsigned i = 0; extension != 0; i++) {
		uint8_t next = bytes_u8(b), len = bytes_u8(b);

		if (b->bad || i == CHAIN_MAX || extension > EXTENSIONS || len == 0 || len % 4)
			return false;
		bytes_skip(b, len);
		extension = next;
	}
	return !b->bad;
}

static bool
read_header(struct bytes b, struct header *h)
{
	uint8_t first = bytes_u8(&b), extension = bytes_u8(&b);

	h->type = first >> 4;
	h->id = bytes_be16(&b);
	h->time_us = bytes_be32(&b);
	bytes_skip(&b, 8);
	h->seq = bytes_be16(&b);
	h->ack = bytes_be16(&b);
	if (b.bad || (first & 0x0f) != VERSION || h->type >= TYPES ||
	    !read_chain(&b, extension))
		return false;
	return (h->type == DATA) == (bytes_left(&b) > 0);
}

/* Whether this side's clock went as the capture's since its last datagram. */
static bool
clock_agrees(const struct bittorrent_utp *utp, const struct inspect_view *view,
	     const struct header *h)
{
	uint64_t went_us = view->time_ns / 1000 - utp->side[view->dir].clock_us;
	uint32_t told_us = h->time_us - utp->side[view->dir].time_us;
	int64_t apart = (int64_t)told_us - (int64_t)went_us;

	/* One that stands still, or an hour of silence, tells nothing. */
	return told_us != 0 && went_us < UINT32_MAX / 2 && apart < SLACK_US &&
	       apart > -SLACK_US;
}

static bool
other_agrees(const struct bittorrent_utp *utp, unsigned dir, const struct header *h)
{
	uint16_t apart = (uint16_t)(h->id - utp->side[!dir].id);
	uint16_t behind = (uint16_t)(utp->side[!dir].seq - h->ack);
	uint16_t ahead = (uint16_t)(h->ack - utp->side[!dir].seq);
	bool ids = apart == 1 || apart == UINT16_MAX || (apart == 0 && h->type != DATA);

	return utp->side[!dir].seen && ids && (behind < BEHIND_MAX || ahead < BEHIND_MAX);
}

enum inspect_answer
bittorrent_utp_add(struct bittorrent_utp *utp, const struct inspect_view *view)
{
	unsigned dir = view->dir;
	struct header h;

	if (!read_header(view->data, &h))
		return INSPECT_NO;
	if (utp->side[dir].seen && utp->side[dir].id == h.id && utp->clocks < UINT8_MAX &&
	    clock_agrees(utp, view, &h))
		utp->clocks++;
	if (other_agrees(utp, dir, &h) && utp->pairs < UINT8_MAX)
		utp->pairs++;
	utp->side[dir].seen = true;
	utp->side[dir].id = h.id;
	utp->side[dir].seq = h.seq;
	utp->side[dir].ack = h.ack;
	utp->side[dir].time_us = h.time_us;
	utp->side[dir].clock_us = view->time_ns / 1000;
	if (utp->pairs >= 2 && utp->clocks >= 2)
		return INSPECT_SURE;
	return utp->pairs + utp->clocks >= 3 ? INSPECT_LIKELY : INSPECT_MORE;
}
