/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/bittorrent.h"

/*
 * A message of the DHT is a dictionary: y is its kind, t its transaction, and each question
 * (a) or answer (r) has the sender's identity of 20 bytes in it. With y, t and id, and
 * bencoding right to the last byte, that is over 2^-150.
 */

enum { IDENTITY = 20, TRANSACTION_MAX = 64 };

/* What stands in a question's arguments or an answer. */
static bool
read_body(struct bytes b, struct bittorrent_dht *m)
{
	struct bytes key, id = { 0 };
	int64_t number;

	bytes_skip(&b, 1);
	while (bytes_left(&b) > 1) {
		bool good;

		if (!bittorrent_string(&b, &key))
			return false;
		struct bytes value = b;

		if (bytes_is(&key, "id")) {
			good = bittorrent_string(&b, &id) && bytes_left(&id) == IDENTITY;
		} else if (bytes_is(&key, "info_hash")) {
			good = bittorrent_string(&b, &m->info_hash) &&
			       bytes_left(&m->info_hash) == IDENTITY;
		} else if (bytes_is(&key, "port")) {
			good = bittorrent_number(&b, &m->port);
		} else if (bytes_is(&key, "implied_port")) {
			good = bittorrent_number(&b, &number);
			m->implied = good && number != 0;
		} else {
			good = bittorrent_value(&b);
			if (good && bytes_is(&key, "values") && bytes_starts(&value, "l"))
				m->values = (struct bytes){ .p = value.p + 1, .end = b.p - 1 };
		}
		if (!good)
			return false;
	}
	return bytes_left(&id) == IDENTITY;
}

/* An error is a list: a number, a text. */
static bool
read_error(struct bytes b)
{
	struct bytes text;
	int64_t code;

	bytes_skip(&b, 1);
	return bittorrent_number(&b, &code) && bittorrent_string(&b, &text);
}

struct parts {
	struct bytes question, answer, error, transaction, kind;
};

static bool
read_parts(struct bytes *b, struct parts *parts, struct bittorrent_dht *m)
{
	struct bytes key;

	if (bytes_u8(b) != 'd')
		return false;
	while (!b->bad && !bytes_starts(b, "e")) {
		struct bytes value, string = { 0 };

		if (!bittorrent_string(b, &key))
			return false;
		value = *b;
		if (!bittorrent_value(b))
			return false;
		value.end = b->p;
		struct bytes copy = value;

		if (!bittorrent_string(&copy, &string))
			string = bytes_of(NULL, 0);
		if (bytes_is(&key, "a") && bytes_starts(&value, "d"))
			parts->question = value;
		else if (bytes_is(&key, "r") && bytes_starts(&value, "d"))
			parts->answer = value;
		else if (bytes_is(&key, "e") && bytes_starts(&value, "l"))
			parts->error = value;
		else if (bytes_is(&key, "t"))
			parts->transaction = string;
		else if (bytes_is(&key, "y"))
			parts->kind = string;
		else if (bytes_is(&key, "q"))
			m->query = string;
	}
	bytes_skip(b, 1);
	return !b->bad && bytes_left(b) == 0;
}

/* Words of letters, digits and '_': ping, find_node, get_peers, vote, sample_infohashes. */
static bool
is_word(struct bytes b)
{
	if (bytes_left(&b) == 0 || bytes_left(&b) > 32)
		return false;
	while (bytes_left(&b) > 0) {
		uint8_t byte = bytes_u8(&b);

		if (!(byte >= 'a' && byte <= 'z') && !(byte >= '0' && byte <= '9') &&
		    byte != '_')
			return false;
	}
	return true;
}

bool
bittorrent_dht_read(struct bytes data, struct bittorrent_dht *m)
{
	struct bytes none = bytes_of(NULL, 0);
	struct parts parts = { none, none, none, none, none };

	*m = (struct bittorrent_dht){ .query = none, .info_hash = none, .values = none };
	if (!read_parts(&data, &parts, m) || bytes_left(&parts.kind) != 1 ||
	    bytes_left(&parts.transaction) == 0 ||
	    bytes_left(&parts.transaction) > TRANSACTION_MAX)
		return false;
	m->kind = bytes_u8(&parts.kind);
	switch (m->kind) {
	case 'q': return is_word(m->query) && read_body(parts.question, m);
	case 'r': return read_body(parts.answer, m);
	case 'e': return read_error(parts.error);
	default: return false;
	}
}
