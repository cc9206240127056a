/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/*
 * Encapsulating security payload that encrypts nothing (RFC 2410): what it carries stands in
 * clear, but nothing says so. It is looked into only if its end and what is in it agree:
 *
 *	SPI | sequence | packet | 1 2 3 ... | padding length | next header | check value
 */

enum {
	HEADER = 8,
	TRAILER = 2,
	TYPE_IP4 = 0x0800,
	TYPE_IP6 = 0x86dd,
	PROTO_IP4 = 4,
	PROTO_TCP = 6,
	PROTO_UDP = 17,
	PROTO_IP6 = 41,
};

struct esp {
	uint8_t proto;
	uint32_t start, len; /* of the packet, from the header on */
};

static uint32_t
sum_words(const uint8_t *p, size_t len, uint32_t sum)
{
	for (; len > 1; p += 2, len -= 2)
		sum += decode_be16(p);
	return len ? sum + (uint32_t)p[0] * 256 : sum;
}

/* RFC 9293 section 3.1: the sum over addresses, length and segment is 0xffff. */
static bool
tcp_sum_is_right(const struct packet *p, const uint8_t *segment, uint32_t len)
{
	size_t address = p->ip_version == 4 ? 4 : 16;
	uint32_t sum = PROTO_TCP + len;

	sum = sum_words(p->src.b, address, sum);
	sum = sum_words(p->dst.b, address, sum);
	sum = sum_words(segment, len, sum);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum == 0xffff;
}

/* Whether what is carried ends where the padding begins. */
static bool
fits(const struct packet *packet, const uint8_t *p, const struct esp *esp)
{
	switch (esp->proto) {
	case PROTO_IP4:
		return esp->len >= 20 && p[0] >> 4 == 4 && (p[0] & 0x0f) >= 5 &&
		       decode_be16(p + 2) == esp->len;
	case PROTO_IP6:
		return esp->len >= 40 && p[0] >> 4 == 6 && decode_be16(p + 4) + 40u == esp->len;
	case PROTO_UDP: return esp->len >= 8 && decode_be16(p + 4) == esp->len;
	case PROTO_TCP: return esp->len >= 20 && tcp_sum_is_right(packet, p, esp->len);
	default: return false;
	}
}

/* RFC 4303 section 2.4: padding counts from 1. */
static bool
read(const struct packet *packet, struct bytes at, uint32_t iv, uint32_t check, struct esp *esp)
{
	uint32_t len = (uint32_t)bytes_left(&at), end, padding;

	esp->start = HEADER + iv;
	if (len < esp->start + TRAILER + check)
		return false;
	end = len - check - TRAILER;
	padding = at.p[end];
	esp->proto = at.p[end + 1];
	if (padding > end - esp->start)
		return false;
	esp->len = end - esp->start - padding;
	for (uint32_t i = 0; i < padding; i++)
		if (at.p[end - padding + i] != i + 1)
			return false;
	return fits(packet, at.p + esp->start, esp);
}

/* Sizes of initialisation vector and check value: RFC 2404, 4868, 4543, or none. */
static bool
find(const struct packet *packet, struct bytes at, struct esp *esp)
{
	static const uint8_t SIZES[][2] = { { 0, 12 }, { 0, 16 }, { 0, 24 },
					    { 0, 32 }, { 8, 16 }, { 0, 0 } };

	for (size_t i = 0; i < sizeof(SIZES) / sizeof(SIZES[0]); i++)
		if (read(packet, at, SIZES[i][0], SIZES[i][1], esp))
			return true;
	return false;
}

/* In transport mode the packet at hand goes on; in tunnel mode there is another in it. */
static struct next
enter(struct decode *d, const struct esp *esp, uint32_t spi)
{
	struct packet *p = d->packet;
	bool tunnel = esp->proto == PROTO_IP4 || esp->proto == PROTO_IP6;

	if (tunnel ? !tunnel_enter(d) : p->fragment && !p->reassembled)
		return NEXT_NONE;
	if (!path_push(d, LAYER_ESP, spi))
		return NEXT_NONE;
	decode_header(d, esp->start);
	decode_limit(d, esp->len);
	if (tunnel)
		return link_ethertype(d, esp->proto == PROTO_IP4 ? TYPE_IP4 : TYPE_IP6);
	decode_set_path(d);
	return l4_follow(d, esp->proto);
}

/* Over UDP (RFC 3948 section 2) an SPI of 0 marks IKE, and a single byte keeps the port open.
 */
struct next
tunnel_esp(struct decode *d)
{
	struct bytes b = d->at;
	uint32_t spi = bytes_be32(&b);
	struct esp esp;

	tunnel_keep(d);
	if (b.bad || spi == 0 || d->missing || !find(d->packet, d->at, &esp))
		return NEXT_NONE;
	return enter(d, &esp, spi);
}
