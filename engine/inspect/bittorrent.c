/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/bittorrent.h"

/*
 * BitTorrent over UDP. Over TCP the module's rules are enough.
 *
 * Peers that a tracker or the DHT tells of are announced, so that flows to them have their name
 * even where they are encrypted (MSE), which leaves nothing else to know them by. Lists are
 * long and anybody may add himself: from each answer a few are taken, in all PEERS_MAX a flow,
 * and none at a port below 1024.
 */

enum bittorrent_field { BITTORRENT_QUERY, BITTORRENT_INFO_HASH, BITTORRENT_FIELDS };

static const struct inspect_field fields[BITTORRENT_FIELDS] = {
	[BITTORRENT_QUERY] = { "query", INSPECT_TEXT },
	[BITTORRENT_INFO_HASH] = { "info-hash", INSPECT_TEXT },
};

enum {
	PEERS_EACH = 16, /* of one answer */
	PEERS_MAX = 64,
	PORT_LEAST = 1024,
	LIFE_S = 900, /* half of what trackers ask to wait between two questions */
	HASH = 20
};

struct bittorrent {
	uint8_t answer; /* enum inspect_answer */
	bool told_hash;
	uint8_t peers;
	uint16_t own_port[2]; /* announced */
	bool asked;           /* a tracker, this: */
	uint8_t action;
	uint16_t port; /* that the client announces itself with; 0: none */
	uint32_t transaction;
	struct bittorrent_utp utp;
};

static void
tell_hash(struct bittorrent *s, struct bytes hash, const struct inspect_sink *sink)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * HASH];

	if (s->told_hash || bytes_left(&hash) != HASH)
		return;
	s->told_hash = true;
	for (size_t i = 0; i < sizeof(text); i += 2) {
		uint8_t byte = bytes_u8(&hash);

		text[i] = digits[byte >> 4];
		text[i + 1] = digits[byte & 15];
	}
	sink->field(sink->self, BITTORRENT_INFO_HASH, bytes_of(text, sizeof(text)));
}

static void
announce(struct inspect_announcement *a, const struct inspect_sink *sink)
{
	a->protocol = "bittorrent";
	a->many = true;
	a->life_s = LIFE_S;
	a->transport = INSPECT_TCP;
	sink->announce(sink->self, a);
	a->transport = INSPECT_UDP;
	sink->announce(sink->self, a);
}

/* The sender waits for peers at this port. */
static void
announce_own(struct bittorrent *s, unsigned dir, int64_t port, const struct inspect_sink *sink)
{
	struct inspect_announcement a = { .host = (uint8_t)dir, .port = (uint16_t)port };

	if (port < PORT_LEAST || port > UINT16_MAX || s->own_port[dir] == port)
		return;
	s->own_port[dir] = (uint16_t)port;
	announce(&a, sink);
}

/* A compact peer: an address, 4 or 16 bytes, and a port. */
static void
announce_peer(struct bittorrent *s, struct bytes peer, const struct inspect_sink *sink)
{
	struct inspect_announcement a = { .ip_version = bytes_left(&peer) == 6 ? 4 : 6 };
	uint8_t first;

	for (size_t i = 0; bytes_left(&peer) > 2; i++)
		a.address[i] = bytes_u8(&peer);
	a.port = bytes_be16(&peer);
	first = a.address[0];
	/* 0.0.0.0/8, loopback, multicast; outside of 2000::/3 and of fc00::/7. */
	if (a.port < PORT_LEAST || s->peers == PEERS_MAX ||
	    (a.ip_version == 4 ? first == 0 || first == 127 || first >= 224
			       : first >> 5 != 1 && first >> 1 != 0x7e))
		return;
	s->peers++;
	announce(&a, sink);
}

/*
 * A tracker's peers have 18 bytes each over IPv6, which only they tell: all of them then
 * begin as addresses do that are routed, or are somebody's own.
 */
static size_t
peer_length(struct bytes peers)
{
	if (bytes_left(&peers) % 18)
		return 6;
	while (bytes_left(&peers) > 0) {
		uint8_t first = bytes_u8(&peers);

		if (first >> 5 != 1 && first >> 1 != 0x7e)
			return 6;
		bytes_skip(&peers, 17);
	}
	return 18;
}

static void
take_peers(struct bittorrent *s, struct bytes peers, const struct inspect_sink *sink)
{
	size_t len = peer_length(peers);

	for (unsigned i = 0; i < PEERS_EACH && bytes_left(&peers) >= len; i++)
		announce_peer(s, bytes_take(&peers, len), sink);
}

static void
take_values(struct bittorrent *s, struct bytes values, const struct inspect_sink *sink)
{
	struct bytes peer;

	for (unsigned i = 0; i < PEERS_EACH && bittorrent_string(&values, &peer); i++)
		if (bytes_left(&peer) == 6 || bytes_left(&peer) == 18)
			announce_peer(s, peer, sink);
}

static enum inspect_answer
feed_dht(struct bittorrent *s, const struct inspect_view *view, const struct inspect_sink *sink)
{
	struct bittorrent_dht m;

	if (!bytes_starts(&view->data, "d"))
		return INSPECT_NO;
	if (!bittorrent_dht_read(view->data, &m))
		return INSPECT_NO;
	if (m.kind == 'q')
		sink->field(sink->self, BITTORRENT_QUERY, m.query);
	tell_hash(s, m.info_hash, sink);
	if (m.kind == 'q' && bytes_is(&m.query, "announce_peer"))
		announce_own(s, view->dir, m.implied ? view->port[view->dir] : m.port, sink);
	if (m.kind == 'r')
		take_values(s, m.values, sink);
	return INSPECT_NAMED;
}

static enum inspect_answer
feed_tracker(struct bittorrent *s, const struct inspect_view *view,
	     const struct inspect_sink *sink)
{
	struct bittorrent_tracker t;
	enum inspect_answer answer;
	struct bytes peers;

	if (view->dir == INSPECT_SERVER) {
		if (!s->asked ||
		    !bittorrent_tracker_answer(view->data, s->action, s->transaction, &peers))
			return INSPECT_NO;
		announce_own(s, INSPECT_CLIENT, s->port, sink);
		take_peers(s, peers, sink);
		return INSPECT_NAMED;
	}
	answer = bittorrent_tracker_request(view->data, &t);
	if (answer == INSPECT_NO)
		return answer;
	s->asked = true;
	s->action = t.action;
	s->transaction = t.transaction;
	s->port = t.port;
	if (s->answer >= INSPECT_SURE)
		tell_hash(s, t.info_hash, sink);
	return answer == INSPECT_SURE ? INSPECT_NAMED : answer;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct bittorrent *s = state;
	enum inspect_answer answer = feed_dht(s, view, sink);

	if (answer == INSPECT_NO)
		answer = feed_tracker(s, view, sink);
	if (answer == INSPECT_NO)
		answer = bittorrent_utp_add(&s->utp, view);
	if (answer == INSPECT_NO && s->answer < INSPECT_SURE)
		return INSPECT_NO;
	if (answer == INSPECT_SURE)
		answer = INSPECT_NAMED;
	if (answer > s->answer)
		s->answer = (uint8_t)answer;
	return s->answer ? (enum inspect_answer)s->answer : INSPECT_MORE;
}

const struct inspector inspect_bittorrent = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "bittorrent",
	.state_size = sizeof(struct bittorrent),
	.transports = INSPECT_UDP,
	.fields = fields,
	.field_count = BITTORRENT_FIELDS,
	.feed = feed,
};
