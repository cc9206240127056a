/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/bittorrent.h"

/*
 * BEP 15. Requests: a connection's number (to connect: a magic one), the action, the
 * transaction. Answers: the action and the transaction. An announcement has 98 bytes and then
 * options (BEP 41); what it counts, events from 0 to 3, how many peers are wanted. Much of it
 * is small numbers, which others have as well (a question of DNS, padded with zeros, has the
 * action), so that it is sure only with what came before or comes after.
 */

#define CONNECT_MAGIC UINT64_C(0x41727101980)

enum { ANNOUNCE_LEN = 98, HASH = 20, WANTED_MAX = 10000, INTERVAL_MAX = 7 * 86400 };

/* BEP 41: 0 ends them, 1 is nothing, others have a length. */
static bool
read_options(struct bytes b)
{
	while (!b.bad && bytes_left(&b) > 0) {
		uint8_t option = bytes_u8(&b);

		if (option == 0)
			return bytes_left(&b) == 0;
		if (option > 1)
			bytes_skip(&b, bytes_u8(&b));
	}
	return !b.bad;
}

static enum inspect_answer
read_announce(struct bytes b, struct bittorrent_tracker *t)
{
	struct bytes hash = bytes_take(&b, HASH);
	uint32_t event, wanted;
	uint64_t down, left, up;

	bytes_skip(&b, HASH); /* the peer's identity */
	down = bytes_be64(&b);
	left = bytes_be64(&b);
	up = bytes_be64(&b);
	event = bytes_be32(&b);
	bytes_skip(&b, 8); /* address, key */
	wanted = bytes_be32(&b);
	t->port = bytes_be16(&b);
	t->info_hash = hash;
	if (b.bad || t->port == 0 || !read_options(b) || event > 3 ||
	    (wanted > WANTED_MAX && wanted != UINT32_MAX) || down >> 56 || up >> 56 ||
	    (left >> 56 && left != UINT64_MAX && left >> 63 == 0))
		return INSPECT_NO;
	return INSPECT_LIKELY;
}

enum inspect_answer
bittorrent_tracker_request(struct bytes data, struct bittorrent_tracker *t)
{
	size_t len = bytes_left(&data);
	uint64_t connection = bytes_be64(&data);
	uint32_t action = bytes_be32(&data);

	*t = (struct bittorrent_tracker){ .transaction = bytes_be32(&data),
					  .info_hash = bytes_of(NULL, 0) };
	t->action = action < BITTORRENT_NOTHING ? (uint8_t)action : BITTORRENT_NOTHING;
	if (data.bad)
		return INSPECT_NO;
	if (t->action == BITTORRENT_CONNECT)
		return connection == CONNECT_MAGIC && len == 16 ? INSPECT_SURE : INSPECT_NO;
	if (t->action == BITTORRENT_ANNOUNCE && connection != 0 && len >= ANNOUNCE_LEN)
		return read_announce(data, t);
	if (t->action == BITTORRENT_SCRAPE && len > 16 && (len - 16) % HASH == 0)
		return INSPECT_MORE;
	return INSPECT_NO;
}

bool
bittorrent_tracker_answer(struct bytes data, uint8_t asked, uint32_t transaction,
			  struct bytes *peers)
{
	size_t len = bytes_left(&data);
	uint32_t action = bytes_be32(&data);
	bool same = bytes_be32(&data) == transaction;

	*peers = bytes_of(NULL, 0);
	if (data.bad || !same || (action != asked && action != BITTORRENT_ERROR))
		return false;
	switch (action) {
	case BITTORRENT_CONNECT: return len == 16;
	case BITTORRENT_SCRAPE: return len > 8 && (len - 8) % 12 == 0;
	case BITTORRENT_ERROR: return len < 1024;
	default:
		if (bytes_be32(&data) > INTERVAL_MAX)
			return false;
		bytes_skip(&data, 8); /* leechers, seeders */
		*peers = data;
		return !data.bad && (len - 20) % 6 == 0;
	}
}
