/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "floods.h"

#include <stdio.h>
#include <string.h>

enum { FLOOD_NET = 0x60000000, VICTIM = 0x0b0000fe, MORE_FRAGMENTS = 0x2000 };
enum { HALF_OPEN = 4096, SEGMENT = 1000, LINES = 24 };

#define LIMIT(name) (1u << LIMIT_##name)

/* A source that nobody has seen before, most likely. */
static uint32_t
stranger(struct floods *f)
{
	return FLOOD_NET | ((uint32_t)floods_random(f) & 0x0fffffff);
}

static void
syn(struct floods *f, unsigned i)
{
	floods_send(f, &(struct floods_packet){ .from = stranger(f),
						.to = VICTIM,
						.sport = (uint16_t)(1024 + i % 60000),
						.dport = 80,
						.flags = FRAME_SYN,
						.seq = (uint32_t)floods_random(f) });
}

/* First fragments of datagrams that are never whole. */
static void
fragment(struct floods *f, unsigned i)
{
	uint8_t bytes[1400] = { 0x30, 0x39, 0x30, 0x39, 0x0f, 0xa0, 0, 0 };

	floods_send(f, &(struct floods_packet){ .from = stranger(f),
						.to = VICTIM,
						.udp = true,
						.fragment = MORE_FRAGMENTS,
						.id = (uint16_t)i,
						.bytes = bytes,
						.len = sizeof(bytes) });
}

/* Later fragments of datagrams whose first never comes. */
static void
tail(struct floods *f, unsigned i)
{
	uint8_t bytes[64] = { 0 };

	floods_send(f, &(struct floods_packet){ .from = stranger(f),
						.to = VICTIM,
						.udp = true,
						.fragment = 100,
						.id = (uint16_t)i,
						.bytes = bytes,
						.len = sizeof(bytes) });
}

/* Connections whose first byte is missing, and behind it as much as a window takes. */
static void
gap(struct floods *f, unsigned i)
{
	uint8_t bytes[SEGMENT] = { 0 };
	uint32_t round = i / HALF_OPEN, from = FLOOD_NET + i % HALF_OPEN;
	struct floods_packet packet = {
		.from = from, .to = VICTIM, .sport = 40000, .dport = 80, .flags = FRAME_SYN
	};

	if (round > 0) {
		packet.flags = FRAME_ACK;
		packet.seq = 2 + (round - 1) * SEGMENT;
		packet.bytes = bytes;
		packet.len = sizeof(bytes);
	}
	floods_send(f, &packet);
}

/* One control connection that announces without an end. */
static void
ftp(struct floods *f, unsigned i)
{
	static uint32_t seq;
	static char text[LINES * 64];
	size_t used = 0;

	if (i == 0) {
		floods_send(f, &(struct floods_packet){ .from = VICTIM + 2,
							.to = VICTIM,
							.sport = 40000,
							.dport = 21,
							.flags = FRAME_SYN });
		seq = 1;
		used = (size_t)snprintf(text, sizeof(text), "220 ProFTPD FTP server ready\r\n");
	}
	for (unsigned n = 0; n < LINES && i > 0; n++) {
		uint32_t a = (uint32_t)floods_random(f);

		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "227 Entering Passive Mode "
					 "(%u,%u,%u,%u,%u,%u)\r\n",
					 96 + (a >> 28), a >> 16 & 255, a >> 8 & 255, a & 255,
					 4 + i % 250, n);
	}
	floods_send(f, &(struct floods_packet){ .from = VICTIM,
						.to = VICTIM + 2,
						.sport = 21,
						.dport = 40000,
						.flags = FRAME_ACK,
						.seq = seq,
						.ack = 1,
						.bytes = text,
						.len = used });
	seq += (uint32_t)used;
}

/* Answers that nobody asked for: www.example.com has yet another address. */
static void
dns(struct floods *f, unsigned i)
{
	uint8_t answer[] = "\0\0\x81\x80\0\1\0\1\0\0\0\0\3www\7netflix\3com\0\0\1\0\1"
			   "\xc0\x0c\0\1\0\1\0\0\x0e\x10\0\4";
	uint8_t bytes[sizeof(answer) - 1 + 4];
	uint32_t address = stranger(f);

	memcpy(bytes, answer, sizeof(answer) - 1);
	bytes[0] = (uint8_t)(i >> 8);
	bytes[1] = (uint8_t)i;
	memcpy(bytes + sizeof(answer) - 1, &address, sizeof(address));
	floods_send(f, &(struct floods_packet){ .from = VICTIM,
						.to = VICTIM + 3 + i % 64,
						.udp = true,
						.sport = 53,
						.dport = (uint16_t)(1024 + i % 50000),
						.bytes = bytes,
						.len = sizeof(bytes) });
}

static void
udp(struct floods *f, unsigned i)
{
	uint64_t bytes[8];

	for (unsigned n = 0; n < 8; n++)
		bytes[n] = floods_random(f);
	floods_send(f, &(struct floods_packet){ .from = stranger(f),
						.to = VICTIM,
						.udp = true,
						.sport = (uint16_t)(1024 + i % 60000),
						.dport = (uint16_t)(floods_random(f) | 1024),
						.bytes = bytes,
						.len = sizeof(bytes) });
}

/* Requests with headers that never end, over connections that stay. */
static void
headers(struct floods *f, unsigned i)
{
	static char text[1400];
	struct floods_packet packet = { .from = FLOOD_NET + i / 4,
					.to = VICTIM,
					.sport = 40000,
					.dport = 80,
					.flags = FRAME_SYN };
	size_t used = 0;

	if (i % 4 > 0) {
		if (i % 4 == 1)
			used = (size_t)snprintf(text, sizeof(text),
						"GET /%u HTTP/1.1\r\nHost: h%u.example.com\r\n"
						"User-Agent: ",
						i, i);
		memset(text + used, 'a' + (char)(i % 26), sizeof(text) - used);
		memcpy(text + sizeof(text) - 12, "\r\nReferer: x", 12);
		packet.flags = FRAME_ACK;
		packet.seq = 1 + (i % 4 - 1) * (uint32_t)sizeof(text);
		packet.bytes = text;
		packet.len = sizeof(text);
	}
	floods_send(f, &packet);
}

const struct flood flood_table[] = {
	{ "SYN", 60000, syn, LIMIT(FLOWS), LIMIT(INSPECTIONS) | LIMIT(STREAM) },
	{ "fragments", 40000, fragment, LIMIT(DATAGRAMS) | LIMIT(FLOWS), LIMIT(STREAM) },
	{ "later fragments", 40000, tail, LIMIT(DATAGRAMS), LIMIT(INSPECTIONS) },
	{ "gaps", 17 * HALF_OPEN, gap, LIMIT(INSPECTIONS), LIMIT(FLOWS) | LIMIT(STREAM) },
	{ "announcements", 4200, ftp, LIMIT(ANNOUNCEMENTS), LIMIT(INSPECTIONS) },
	{ "DNS answers", 40000, dns, 0, 0 },
	{ "UDP", 40000, udp, LIMIT(FLOWS) | LIMIT(INSPECTIONS), 0 },
	{ "headers", 80000, headers, LIMIT(FLOWS) | LIMIT(VALUES), LIMIT(STREAM) },
};

const unsigned flood_count = sizeof(flood_table) / sizeof(flood_table[0]);
