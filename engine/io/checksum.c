/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/checksum.h"
#include "base/bytes.h"
#include <netinet/in.h>

enum { TCP_PLACE = 16, UDP_PLACE = 6, FRAGMENT_BITS = 0x3fff };

/* Ones' complement sum of 16-bit words, RFC 1071; not folded. */
static uint64_t
sum(struct bytes b)
{
	uint64_t total = 0;

	while (bytes_left(&b) > 1)
		total += bytes_be16(&b);
	if (bytes_left(&b) == 1)
		total += (uint64_t)bytes_u8(&b) << 8;
	return total;
}

/* The transport of a packet: what is over it, and the sum of its addresses. */
struct transport {
	struct bytes data;
	uint8_t protocol;
	uint64_t addresses;
};

static bool
find4(struct bytes packet, struct transport *t)
{
	struct bytes b = packet;
	size_t header = (size_t)(bytes_u8(&b) & 15) * 4;
	uint16_t total;

	bytes_skip(&b, 1);
	total = bytes_be16(&b);
	bytes_skip(&b, 2);
	if (bytes_be16(&b) & FRAGMENT_BITS)
		return false;
	bytes_skip(&b, 1);
	t->protocol = bytes_u8(&b);
	bytes_skip(&b, 2);
	t->addresses = sum(bytes_take(&b, 8));
	if (b.bad || total < header || header < 20)
		return false;
	bytes_skip(&packet, header);
	t->data = bytes_take(&packet, total - header);
	return !packet.bad;
}

static bool
find6(struct bytes b, struct transport *t)
{
	uint16_t length;

	bytes_skip(&b, 4);
	length = bytes_be16(&b);
	t->protocol = bytes_u8(&b);
	bytes_skip(&b, 1);
	t->addresses = sum(bytes_take(&b, 32));
	b = bytes_take(&b, length);
	while (t->protocol == IPPROTO_HOPOPTS || t->protocol == IPPROTO_ROUTING ||
	       t->protocol == IPPROTO_DSTOPTS) {
		t->protocol = bytes_u8(&b);
		bytes_skip(&b, (size_t)bytes_u8(&b) * 8 + 6);
		if (b.bad)
			return false;
	}
	t->data = b;
	return !b.bad;
}

bool
checksum_finish(uint8_t *packet, size_t size)
{
	struct bytes b = bytes_of(packet, size), version = b;
	struct transport t;
	uint64_t total;
	size_t place, length;
	uint8_t *at;
	bool found;

	switch (bytes_u8(&version) >> 4) {
	case 4: found = find4(b, &t); break;
	case 6: found = find6(b, &t); break;
	default: return false;
	}
	if (!found || (t.protocol != IPPROTO_TCP && t.protocol != IPPROTO_UDP))
		return false;
	place = t.protocol == IPPROTO_TCP ? TCP_PLACE : UDP_PLACE;
	length = bytes_left(&t.data);
	if (length < place + 2)
		return false;
	at = packet + (t.data.p - packet) + place;
	at[0] = at[1] = 0;
	/* Lengths over 65,535 are summed as two words, RFC 2675. */
	total = t.addresses + t.protocol + (length >> 16) + (length & 0xffff) + sum(t.data);
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	total = ~total & 0xffff;
	if (total == 0 && t.protocol == IPPROTO_UDP)
		total = 0xffff; /* RFC 768: 0 says that there is none */
	at[0] = (uint8_t)(total >> 8);
	at[1] = (uint8_t)total;
	return true;
}
