/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "../lib/convo.h"
#include "../lib/pcapout.h"
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

static struct frame f;

/* The segment's checksum with its pseudo header sums to zero. */
static bool
holds(const uint8_t *addrs, size_t addrs_len, uint8_t proto, const uint8_t *l4, size_t len)
{
	uint8_t bytes[4096] = { 0 };

	memcpy(bytes, addrs, addrs_len);
	bytes[addrs_len + 2] = (uint8_t)(len >> 8);
	bytes[addrs_len + 3] = (uint8_t)len;
	bytes[addrs_len + 7] = proto;
	memcpy(bytes + addrs_len + 8, l4, len);
	return frame_checksum(bytes, addrs_len + 8 + len) == 0;
}

TEST(checksum_is_that_of_rfc_1071)
{
	static const uint8_t bytes[] = { 0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7 };

	CHECK_EQ(frame_checksum(bytes, sizeof(bytes)), 0xffff & ~0xddf2);
	CHECK_EQ(frame_checksum("\x01", 1), 0xfeff);
}

TEST(an_ipv4_tcp_frame_is_these_bytes)
{
	/* The checksums were computed apart, by hand. */
	static const uint8_t want[] = {
		0x02, 0,    0,    0,    0,    0x02, 0x02, 0,    0, 0,    0,   0x01,
		0x81, 0x00, 0x00, 0x07, 0x08, 0x00, 0x45, 0,    0, 0x2a, 0,   0,
		0x40, 0,    64,   6,    0x26, 0xcc, 10,   0,    0, 1,    10,  0,
		0,    2,    0x9c, 0x40, 0,    0x50, 0,    0,    0, 1,    0,   0,
		0,    2,    0x50, 0x18, 0xfa, 0xf0, 0x9b, 0xda, 0, 0,    'h', 'i',
	};

	frame_init(&f, "hi", 2);
	frame_tcp(&f, &(struct frame_tcp){ .sport = 40000,
					   .dport = 80,
					   .seq = 1,
					   .ack = 2,
					   .flags = FRAME_PSH | FRAME_ACK });
	frame_ipv4(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"));
	frame_vlan(&f, 0x8100, 7);
	frame_ether(&f, NULL, NULL);
	CHECK_EQ(f.len, sizeof(want));
	CHECK_MEM(f.data, want, sizeof(want));
}

TEST(a_udp_checksum_is_never_zero)
{
	bool met = false;

	for (unsigned i = 0; i < 65536 && !met; i++) {
		const uint8_t payload[2] = { (uint8_t)(i >> 8), (uint8_t)i };

		frame_init(&f, payload, 2);
		frame_udp(&f, 1, 2);
		frame_ipv4(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"));
		CHECK(f.data[26] || f.data[27]);
		CHECK(holds(f.data + 12, 8, 17, f.data + 20, 10));
		met = f.data[26] == 0xff && f.data[27] == 0xff;
	}
	CHECK(met);
}

TEST(ipv6_checksums_reach_through_extension_headers)
{
	frame_init(&f, "12345", 5);
	frame_udp(&f, 5, 6);
	frame_extension(&f, 60, NULL, 0);
	frame_extension(&f, 0, "\x05\x02\x00\x00\x01\x00\x01\x00\x00", 9);
	frame_ipv6(&f, frame_addr("fd00::1"), frame_addr("fd00::2"));
	CHECK_EQ(f.len, 40 + 16 + 8 + 13);
	CHECK_EQ(f.data[6], 0);   /* hop-by-hop */
	CHECK_EQ(f.data[40], 60); /* then destination options */
	CHECK_EQ(f.data[41], 1);  /* of 16 bytes */
	CHECK_EQ(f.data[56], 17); /* then UDP */
	CHECK_EQ(f.data[57], 0);  /* of 8 bytes */
	CHECK_EQ(f.data[4] << 8 | f.data[5], 37);
	CHECK(holds(f.data + 8, 32, 17, f.data + 64, 13));
}

TEST(tags_and_labels_announce_what_follows)
{
	frame_init(&f, NULL, 0);
	frame_ipv4(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"));
	frame_mpls(&f, 17);
	frame_mpls(&f, 16);
	frame_vlan(&f, 0x8100, 7);
	frame_vlan(&f, 0x88a8, 100);
	frame_ether(&f, NULL, NULL);
	CHECK_MEM(f.data + 12, "\x88\xa8\x00\x64\x81\x00\x00\x07\x88\x47", 10);
	CHECK_MEM(f.data + 22, "\x00\x01\x00\x40\x00\x01\x11\x40\x45", 9);
}

static unsigned sent;
static uint32_t next_seq[2];
static uint64_t last_ns;

/* Each side's sequence numbers go on without a gap; each ACK is of all that was sent. */
static void
follow(void *ctx, uint64_t time_ns, const struct frame *frame)
{
	const uint8_t *p = frame->data + 34;
	int side = p[0] == 0 && p[1] == 80;
	uint32_t seq = (uint32_t)p[4] << 24 | (uint32_t)p[5] << 16 | (uint32_t)p[6] << 8 | p[7];
	uint32_t ack =
		(uint32_t)p[8] << 24 | (uint32_t)p[9] << 16 | (uint32_t)p[10] << 8 | p[11];

	(void)ctx;
	if (p[13] & FRAME_SYN)
		next_seq[side] = seq;
	CHECK_EQ(seq, next_seq[side]);
	if (p[13] & FRAME_ACK)
		CHECK_EQ(ack, next_seq[!side]);
	next_seq[side] += (uint32_t)(frame->len - 34 - (size_t)(p[12] >> 4) * 4);
	next_seq[side] += (p[13] & (FRAME_SYN | FRAME_FIN)) != 0;
	CHECK(time_ns > last_ns);
	last_ns = time_ns;
	sent++;
}

TEST(a_conversation_keeps_its_numbers)
{
	static const uint8_t big[5000];
	struct frame_end client = { frame_addr("10.0.0.1"), 40000 };
	struct frame_end server = { frame_addr("10.0.0.2"), 80 };
	struct convo c;

	sent = 0;
	last_ns = 0;
	convo_init(&c, 6, client, server, follow, NULL);
	c.now_ns = 5;
	c.seq[CONVO_CLIENT] = 0xfffffffe; /* wraps */
	convo_open(&c);
	convo_send(&c, CONVO_CLIENT, "GET", 3);
	convo_send(&c, CONVO_SERVER, big, sizeof(big)); /* 4 segments, 2 ACKs */
	convo_send(&c, CONVO_CLIENT, "", 0);
	convo_close(&c, CONVO_SERVER);
	CHECK_EQ(sent, 3 + 1 + 4 + 2 + 0 + 3);
}

TEST(a_capture_is_these_bytes)
{
	static const uint8_t want[] = {
		0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0,   0,   0,   0, 0,
		0,    0,    0,    4,    0, 1, 0, 0, 0, 1, 0,   0,   0,   2, 0,
		0,    0,    3,    0,    0, 0, 4, 0, 0, 0, 'a', 'b', 'c',
	};
	char path[] = "frame-XXXXXX";
	uint8_t got[sizeof(want) + 1];
	int fd = mkstemp(path);
	struct pcapout *out = pcapout_open(path, PCAPOUT_ETHERNET, PCAPOUT_MICRO);
	ssize_t n;

	CHECK(out != NULL);
	pcapout_write(out, 1000002000, "abc", 3, 4);
	CHECK_EQ(pcapout_close(out), 0);
	n = read(fd, got, sizeof(got));
	close(fd);
	unlink(path);
	CHECK_EQ(n, sizeof(want));
	CHECK_MEM(got, want, sizeof(want));
}

TEST(a_full_disk_is_told)
{
	struct pcapout *out = pcapout_open("/dev/full", PCAPOUT_ETHERNET, PCAPOUT_NANO);

	CHECK(out != NULL);
	pcapout_write(out, 0, "abc", 3, 3);
	CHECK_EQ(pcapout_close(out), -1);
	CHECK(pcapout_open("/nowhere/at/all", PCAPOUT_ETHERNET, PCAPOUT_NANO) == NULL);
}
