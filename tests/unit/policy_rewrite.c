/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Marks and refusals, against the frame builder's checksum and a decoder of their own results.
 */
#include "../lib/frame.h"
#include "policy/reject.h"
#include "policy/rewrite.h"
#include "unit.h"
#include "wire/wire.h"

static struct wire *wire;

static void
decode(struct packet *packet, const uint8_t *data, size_t len)
{
	static uint64_t serial;

	if (!wire)
		CHECK_EQ(wire_new(NULL, &wire), BARN_OK);
	serial++;
	*packet = (struct packet){ .frame = bytes_of(data, len),
				   .wire_len = (uint32_t)len,
				   .time_ns = 1,
				   .serial = serial,
				   .linktype = 1 };
	wire_decode(wire, packet);
}

static void
build(struct frame *f, bool six, uint8_t tos, uint8_t flags, const char *payload)
{
	frame_init(f, payload, strlen(payload));
	frame_tcp(
		f,
		&(struct frame_tcp){
			.sport = 40000, .dport = 80, .seq = 1000, .ack = 777, .flags = flags });
	frame_ip(f, frame_addr(six ? "fd00::1" : "10.0.0.1"),
		 frame_addr(six ? "fd00::2" : "10.0.0.2"), &(struct frame_ip){ .tos = tos });
}

TEST(every_mark_on_every_ds_byte_keeps_ecn_and_the_checksum)
{
	static struct frame f;

	for (unsigned tos = 0; tos < 256; tos++)
		for (unsigned mark = 0; mark < 64; mark += 3) {
			const struct policy_verdict v = { .tos = (uint8_t)(mark << 2),
							  .tos_mask = 0xfc };
			struct packet packet;
			struct header_place place;

			build(&f, false, (uint8_t)tos, FRAME_ACK, "data");
			frame_ether(&f, NULL, NULL);
			decode(&packet, f.data, f.len);
			place = header_find(&packet);
			CHECK_EQ(place.ip, 14);
			CHECK_EQ(rewrite_frame(f.data, f.len, &place, &v), tos >> 2 != mark);
			CHECK_EQ(f.data[15], mark << 2 | (tos & 3));
			CHECK_EQ(frame_checksum(f.data + 14, 20), 0);
		}
}

TEST(the_traffic_class_of_ipv6_lies_across_two_bytes)
{
	static struct frame f;
	struct packet packet;
	struct header_place place;

	build(&f, true, 0x03, FRAME_ACK, "data");
	frame_ether(&f, NULL, NULL);
	decode(&packet, f.data, f.len);
	place = header_find(&packet);
	CHECK(rewrite_frame(f.data, f.len, &place,
			    &(struct policy_verdict){ .tos = 46 << 2, .tos_mask = 0xfc }));
	decode(&packet, f.data, f.len);
	CHECK_EQ(packet.tos, 46 << 2 | 3);
	CHECK_EQ(packet.ip_version, 6);
	/* A precedence leaves the rest of the DSCP. */
	CHECK(rewrite_frame(f.data, f.len, &place,
			    &(struct policy_verdict){ .tos = 0x20, .tos_mask = 0xe0 }));
	decode(&packet, f.data, f.len);
	CHECK_EQ(packet.tos, 0x20 | (46 << 2 & 0x1f) | 3);
}

TEST(the_outermost_header_and_tag_are_marked_and_nothing_else)
{
	static struct frame f, before;
	const uint8_t gre[4] = { 0, 0, 0x08, 0x00 };
	const struct policy_verdict v = {
		.has = POLICY_HAS_COS, .cos = 5, .tos = 10 << 2, .tos_mask = 0xfc
	};
	struct packet packet;
	struct header_place place;
	unsigned differ = 0;

	build(&f, false, 0, FRAME_ACK, "data");
	frame_push(&f, gre, sizeof(gre));
	f.ip_proto = 47;
	frame_ipv4(&f, frame_addr("192.0.2.1"), frame_addr("192.0.2.2"));
	frame_vlan(&f, 0x8100, 7);
	frame_vlan(&f, 0x88a8, 100);
	frame_ether(&f, NULL, NULL);
	before = f;
	decode(&packet, f.data, f.len);
	place = header_find(&packet);
	CHECK_EQ(place.tag, 14);
	CHECK_EQ(place.ip, 22);
	CHECK(rewrite_frame(f.data, f.len, &place, &v));
	for (size_t i = 0; i < f.len; i++)
		differ += f.data[i] != before.room[(size_t)(f.data - f.room) + i];
	CHECK_EQ(f.data[14] >> 5, 5);
	CHECK_EQ(f.data[23], 10 << 2);
	CHECK_EQ(frame_checksum(f.data + 22, 20), 0);
	CHECK(differ >= 3 && differ <= 4); /* tag, DS byte, and what of the checksum changes */
}

/* The sum over a transport segment and its pseudo-header, by the builder's own function. */
static uint16_t
transport_sum(const uint8_t *ip, unsigned version, size_t head, size_t len)
{
	static uint8_t bytes[2048];
	size_t at = version == 6 ? 32 : 8;

	memset(bytes, 0, sizeof(bytes));
	memcpy(bytes, ip + (version == 6 ? 8 : 12), at);
	bytes[at + 1] = ip[version == 6 ? 6 : 9];
	bytes[at + 2] = (uint8_t)(len >> 8);
	bytes[at + 3] = (uint8_t)len;
	memcpy(bytes + at + 4, ip + head, len);
	return frame_checksum(bytes, at + 4 + len);
}

static void
check_reset(bool six, uint8_t flags, const char *payload, bool onward, uint32_t seq,
	    uint32_t ack, uint8_t want)
{
	static struct frame f;
	static uint8_t out[REJECT_ROOM];
	struct packet packet, reset;
	size_t len, head = six ? 40 : 20;

	build(&f, six, 0, flags, payload);
	frame_vlan(&f, 0x8100, 7);
	frame_ether(&f, NULL, NULL);
	decode(&packet, f.data, f.len);
	len = onward ? reject_reset_onward(&packet, out) : reject_reset(&packet, out);
	CHECK_EQ(len, 18 + head + 20);
	decode(&reset, out, len);
	CHECK_EQ(reset.fault, PACKET_WHOLE);
	CHECK_EQ(reset.ip_proto, 6);
	CHECK_EQ(reset.tcp_flags, want);
	CHECK_EQ(reset.tcp_seq, seq);
	CHECK_EQ(reset.tcp_ack, ack);
	CHECK_EQ(reset.src_port, onward ? 40000 : 80);
	CHECK_EQ(reset.dst_port, onward ? 80 : 40000);
	CHECK_MEM(out + 12, f.data + 12, 4);
	CHECK_MEM(out, f.data + (onward ? 0 : 6), 6);
	if (!six)
		CHECK_EQ(frame_checksum(out + 18, 20), 0);
	CHECK_EQ(transport_sum(out + 18, six ? 6 : 4, head, 20), 0);
}

TEST(a_reset_has_the_numbers_of_rfc_9293)
{
	for (unsigned six = 0; six < 2; six++) {
		check_reset(six, FRAME_SYN, "", false, 0, 1001, FRAME_RST | FRAME_ACK);
		check_reset(six, FRAME_ACK, "12345", false, 777, 0, FRAME_RST);
		check_reset(six, 0, "12345", false, 0, 1005, FRAME_RST | FRAME_ACK);
		check_reset(six, FRAME_FIN, "12345", false, 0, 1006, FRAME_RST | FRAME_ACK);
		check_reset(six, FRAME_ACK, "12345", true, 1000, 777, FRAME_RST | FRAME_ACK);
	}
}

TEST(no_reset_answers_a_reset)
{
	static struct frame f;
	static uint8_t out[REJECT_ROOM];
	struct packet packet;

	build(&f, false, 0, FRAME_RST | FRAME_ACK, "");
	frame_ether(&f, NULL, NULL);
	decode(&packet, f.data, f.len);
	CHECK_EQ(reject_reset(&packet, out), 0);
	CHECK_EQ(reject_reset_onward(&packet, out), 0);
}

static size_t
prohibit(const char *src, const char *dst, size_t payload, uint8_t *out)
{
	static struct frame f;
	static const uint8_t to[6] = { 2, 0, 0, 0, 0, 2 };
	static uint8_t zeros[4096];
	struct packet packet;

	frame_init(&f, zeros, payload);
	frame_udp(&f, 1000, 2000);
	frame_ip(&f, frame_addr(src), frame_addr(dst), &(struct frame_ip){ .tos = 0 });
	frame_ether(&f, NULL, to);
	decode(&packet, f.data, f.len);
	return reject_prohibited(&packet, out);
}

TEST(icmp_quotes_as_much_as_the_rfcs_allow)
{
	static uint8_t out[REJECT_ROOM];
	struct packet packet;

	CHECK_EQ(prohibit("10.0.0.1", "10.0.0.2", 10, out), 14 + 20 + 8 + 38);
	CHECK_EQ(prohibit("10.0.0.1", "10.0.0.2", 1400, out), 14 + 576);
	decode(&packet, out, 14 + 576);
	CHECK_EQ(packet.ip_proto, 1);
	CHECK_EQ(packet.src_port, 3 << 8 | 13);
	CHECK_EQ(frame_checksum(out + 14, 20), 0);
	CHECK_EQ(frame_checksum(out + 34, 556), 0);
	CHECK_EQ(prohibit("fd00::1", "fd00::2", 1400, out), 14 + 1280);
	decode(&packet, out, 14 + 1280);
	CHECK_EQ(packet.ip_proto, 58);
	CHECK_EQ(packet.src_port, 1 << 8 | 1);
	CHECK_EQ(transport_sum(out + 14, 6, 40, 1240), 0);
}

TEST(icmp_answers_only_one_host_and_never_an_error)
{
	static struct frame f;
	static uint8_t out[REJECT_ROOM];
	const uint8_t unreachable[] = { 3, 1, 0, 0, 0, 0, 0, 0 }, echo[] = { 8, 0, 0, 0, 0, 1 };
	struct packet packet;

	CHECK_EQ(prohibit("10.0.0.1", "224.0.0.5", 10, out), 0);
	CHECK_EQ(prohibit("10.0.0.1", "255.255.255.255", 10, out), 0);
	CHECK_EQ(prohibit("0.0.0.0", "10.0.0.2", 10, out), 0);
	CHECK_EQ(prohibit("fd00::1", "ff02::1", 10, out), 0);
	CHECK_EQ(prohibit("::", "fd00::2", 10, out), 0);
	for (unsigned i = 0; i < 2; i++) {
		frame_init(&f, i ? echo : unreachable, i ? sizeof(echo) : sizeof(unreachable));
		f.ip_proto = 1;
		frame_ipv4(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"));
		frame_ether(&f, NULL, (const uint8_t[]){ 2, 0, 0, 0, 0, 2 });
		decode(&packet, f.data, f.len);
		CHECK_EQ(reject_prohibited(&packet, out) > 0, i);
	}
}
