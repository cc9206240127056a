/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/reject.h"

#include "policy/header.h"

enum { TTL = 64, IP4 = 20, IP6 = 40, TCP = 20, ICMP = 8, LINK_MOST = 64 };

static void
put16(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

static void
put32(uint8_t *at, uint32_t value)
{
	put16(at, value >> 16);
	put16(at + 2, value);
}

static uint32_t
add(uint32_t sum, const uint8_t *data, size_t len)
{
	for (size_t i = 0; i + 1 < len; i += 2)
		sum += (uint32_t)data[i] << 8 | data[i + 1];
	if (len & 1)
		sum += (uint32_t)data[len - 1] << 8;
	return sum;
}

static uint16_t
fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

/* The link header; 0 bytes of it are fine (raw IP), SIZE_MAX: the packet cannot be answered. */
static size_t
put_link(const struct packet *packet, uint8_t *out, bool back)
{
	struct header_place place = header_find(packet);
	const uint8_t *frame = packet->frame.p;

	if (!place.ip_version || place.ip > LINK_MOST || !packet->network.p ||
	    (!packet->reassembled && packet->network.p != frame + place.ip))
		return SIZE_MAX;
	if (packet->reassembled && packet->path_len)
		return SIZE_MAX;
	memcpy(out, frame, place.ip);
	if (back && packet->linktype == 1 && place.ip >= 12) {
		memcpy(out, frame + 6, 6);
		memcpy(out + 6, frame, 6);
	}
	return place.ip;
}

/* From dst to src where `back`. The header's end; length is of what follows. */
static size_t
put_ip(const struct packet *packet, uint8_t *ip, bool back, uint8_t proto, size_t length)
{
	const union packet_addr *src = back ? &packet->dst : &packet->src;
	const union packet_addr *dst = back ? &packet->src : &packet->dst;
	/* Internetwork control, RFC 1812 section 4.3.2.5. */
	uint8_t tos = proto == 1 || proto == 58 ? 0xc0 : 0;

	if (packet->ip_version == 6) {
		memset(ip, 0, IP6);
		put16(ip, 0x6000u | (uint32_t)tos << 4);
		put16(ip + 4, (uint32_t)length);
		ip[6] = proto;
		ip[7] = TTL;
		memcpy(ip + 8, src->b, 16);
		memcpy(ip + 24, dst->b, 16);
		return IP6;
	}
	memset(ip, 0, IP4);
	ip[0] = 0x45;
	ip[1] = tos;
	put16(ip + 2, (uint32_t)(IP4 + length));
	put16(ip + 6, 0x4000); /* an atomic datagram, RFC 6864: its identification is free */
	ip[8] = TTL;
	ip[9] = proto;
	memcpy(ip + 12, src->b, 4);
	memcpy(ip + 16, dst->b, 4);
	put16(ip + 10, fold(add(0, ip, IP4)));
	return IP4;
}

/* The pseudo-header's part of a sum. */
static uint32_t
pseudo(const uint8_t *ip, unsigned version, uint8_t proto, size_t length)
{
	uint32_t sum = proto + (uint32_t)length;

	return version == 6 ? add(sum, ip + 8, 32) : add(sum, ip + 12, 8);
}

static size_t
put_reset(const struct packet *packet, uint8_t *out, bool back, uint32_t seq, uint32_t ack,
	  uint8_t flags)
{
	size_t link = put_link(packet, out, back), head;
	uint8_t *tcp;

	if (link == SIZE_MAX)
		return 0;
	head = link + put_ip(packet, out + link, back, 6, TCP);
	tcp = out + head;
	memset(tcp, 0, TCP);
	put16(tcp, back ? packet->dst_port : packet->src_port);
	put16(tcp + 2, back ? packet->src_port : packet->dst_port);
	put32(tcp + 4, seq);
	put32(tcp + 8, ack);
	tcp[12] = TCP / 4 << 4;
	tcp[13] = flags;
	put16(tcp + 16, fold(add(pseudo(out + link, packet->ip_version, 6, TCP), tcp, TCP)));
	return head + TCP;
}

static bool
is_segment(const struct packet *packet)
{
	return packet->ip_version && packet->ip_proto == 6 && packet->fault == PACKET_WHOLE &&
	       !(packet->tcp_flags & TCP_RST) && (!packet->fragment || packet->reassembled);
}

size_t
reject_reset(const struct packet *packet, uint8_t *out)
{
	uint32_t length = packet->payload_len + !!(packet->tcp_flags & TCP_SYN) +
			  !!(packet->tcp_flags & TCP_FIN);

	if (!is_segment(packet))
		return 0;
	if (packet->tcp_flags & TCP_ACK)
		return put_reset(packet, out, true, packet->tcp_ack, 0, TCP_RST);
	return put_reset(packet, out, true, 0, packet->tcp_seq + length, TCP_RST | TCP_ACK);
}

size_t
reject_reset_onward(const struct packet *packet, uint8_t *out)
{
	if (!is_segment(packet) || packet->tcp_flags & TCP_SYN)
		return 0; /* of a first segment the other end knows nothing */
	if (packet->tcp_flags & TCP_ACK)
		return put_reset(packet, out, false, packet->tcp_seq, packet->tcp_ack,
				 TCP_RST | TCP_ACK);
	return put_reset(packet, out, false, packet->tcp_seq, 0, TCP_RST);
}

/* One host, as far as an address tells: not all of a net, nor many hosts, nor nobody. */
static bool
is_host(const union packet_addr *addr, uint8_t version)
{
	static const union packet_addr nobody;

	if (memcmp(addr, &nobody, version == 6 ? 16 : 4) == 0)
		return false;
	if (version == 6)
		return addr->b[0] != 0xff;
	return addr->b[0] != 0 && addr->b[0] < 224 && addr->b[0] != 127;
}

/* Error messages, and what asks a router to send elsewhere. An unknown type may be one. */
static bool
is_icmp_error(const struct packet *packet)
{
	unsigned type = packet->src_port >> 8;

	if (packet->ip_version == 6)
		return packet->ip_proto == 58 && (type < 128 || type == 137);
	if (packet->ip_proto != 1)
		return false;
	return !(type == 0 || type == 8 || (type >= 13 && type <= 18) || type == 9 ||
		 type == 10);
}

static bool
may_answer(const struct packet *packet)
{
	const struct bytes *frame = &packet->frame;

	if (!packet->ip_version || is_icmp_error(packet) ||
	    (packet->fragment && !packet->reassembled && bytes_left(&packet->payload) == 0))
		return false;
	if (packet->linktype == 1 && bytes_left(frame) > 0 && frame->p[0] & 1)
		return false; /* link broadcast or multicast */
	return is_host(&packet->src, packet->ip_version) &&
	       is_host(&packet->dst, packet->ip_version);
}

size_t
reject_prohibited(const struct packet *packet, uint8_t *out)
{
	bool six = packet->ip_version == 6;
	size_t most = six ? REJECT_ICMP6 - IP6 - ICMP : REJECT_ICMP4 - IP4 - ICMP;
	size_t quoted = bytes_left(&packet->network), link, head;
	uint8_t *icmp;
	uint32_t sum;

	if (!may_answer(packet))
		return 0;
	link = put_link(packet, out, true);
	if (link == SIZE_MAX)
		return 0;
	quoted = quoted < most ? quoted : most;
	head = link + put_ip(packet, out + link, true, six ? 58 : 1, ICMP + quoted);
	icmp = out + head;
	memset(icmp, 0, ICMP);
	icmp[0] = six ? 1 : 3;
	icmp[1] = six ? 1 : 13;
	if (quoted)
		memcpy(icmp + ICMP, packet->network.p, quoted);
	sum = six ? pseudo(out + link, 6, 58, ICMP + quoted) : 0;
	put16(icmp + 2, fold(add(sum, icmp, ICMP + quoted)));
	return head + ICMP + quoted;
}
