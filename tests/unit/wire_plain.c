/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What is seen as a whole is what the headers say one by one. */
#include "wire/headers.h"

#include "wire_rig.h"

static const char *const PLAIN[] = {
	"eth ip4 tcp",
	"eth ip4 udp:53 x:00000000000000000000000000000000",
	"eth ip4 udp:52 x:00000000000000000000000000000000",
};

static void
check_same(const struct packet *a, const struct packet *b)
{
	CHECK_EQ(a->fault, b->fault);
	CHECK_EQ(a->ip_version, b->ip_version);
	CHECK_EQ(a->ip_proto, b->ip_proto);
	CHECK_EQ(a->ethertype, b->ethertype);
	CHECK_EQ(a->tos, b->tos);
	CHECK_EQ(a->ttl, b->ttl);
	CHECK_EQ(a->fragment, b->fragment);
	CHECK_EQ(a->reassembled, b->reassembled);
	CHECK_MEM(a->src.b, b->src.b, 16);
	CHECK_MEM(a->dst.b, b->dst.b, 16);
	CHECK_EQ(a->src_port, b->src_port);
	CHECK_EQ(a->dst_port, b->dst_port);
	CHECK_EQ(a->tcp_flags, b->tcp_flags);
	CHECK_EQ(a->tcp_seq, b->tcp_seq);
	CHECK_EQ(a->tcp_ack, b->tcp_ack);
	CHECK(a->network.p == b->network.p && a->network.end == b->network.end);
	CHECK(a->payload.p == b->payload.p && a->payload.end == b->payload.end);
	CHECK_EQ(a->payload_len, b->payload_len);
	CHECK_EQ(a->path_len, b->path_len);
	CHECK_EQ(a->path_key, b->path_key);
}

/* The IP packet alone, as a raw frame, goes header by header. */
static void
check_frame(const uint8_t *data, size_t len, size_t wire_len)
{
	struct packet frame, raw;

	if (len < 15 || data[12] != 0x08 || data[13] != 0x00 || data[14] >> 4 != 4)
		return;
	frame = rig_decode(rig_wire(), ETHERNET, data, len, wire_len);
	raw = rig_decode(rig_wire(), RAW, data + 14, len - 14, wire_len - 14);
	check_same(&frame, &raw);
}

static bool
is_plain(const char *text)
{
	const struct frame *f = rig_text(text);
	struct packet p = { .frame = bytes_of(f->data, f->len),
			    .wire_len = (uint32_t)f->len,
			    .linktype = ETHERNET };

	return plain_decode(rig_wire(), &p);
}

TEST(plain_frames_are_seen_as_a_whole)
{
	for (size_t i = 0; i < sizeof(PLAIN) / sizeof(PLAIN[0]); i++)
		CHECK(is_plain(PLAIN[i]));
	CHECK(!is_plain("eth ip6 tcp"));
	CHECK(!is_plain("eth vlan:7 ip4 tcp"));
	CHECK(!is_plain("eth ip4 udp:4789 x:0800000000002a00 eth ip4 tcp"));
	CHECK(!is_plain("eth ip4 ip4 tcp"));
}

TEST(plain_frame_cut_anywhere_is_the_same)
{
	for (size_t i = 0; i < sizeof(PLAIN) / sizeof(PLAIN[0]); i++) {
		const struct frame *f = rig_text(PLAIN[i]);

		for (size_t len = 0; len <= f->len; len++) {
			check_frame(f->data, len, f->len);
			check_frame(f->data, len, len < 14 ? 14 : len);
		}
	}
}

TEST(plain_frame_with_any_byte_spoiled_is_the_same)
{
	for (size_t i = 0; i < sizeof(PLAIN) / sizeof(PLAIN[0]); i++) {
		struct frame *f = rig_text(PLAIN[i]);

		for (size_t at = 14; at < 14 + 20 + 20; at++)
			for (unsigned value = 0; value < 256; value++) {
				uint8_t was = f->data[at];

				f->data[at] = (uint8_t)value;
				check_frame(f->data, f->len, f->len);
				f->data[at] = was;
			}
	}
}

TEST(plain_frame_with_padding_is_the_same)
{
	for (size_t i = 0; i < sizeof(PLAIN) / sizeof(PLAIN[0]); i++) {
		const struct frame *f = rig_text(PLAIN[i]);
		uint8_t padded[256] = { 0 };

		memcpy(padded, f->data, f->len);
		for (size_t n = 0; n < 20; n++)
			check_frame(padded, f->len + n, f->len + n);
	}
}

TEST(frame_of_nothing_is_short)
{
	struct packet p = { .linktype = ETHERNET };

	wire_decode(rig_wire(), &p);
	CHECK_EQ(p.fault, PACKET_SHORT_LINK);
}
