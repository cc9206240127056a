/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_WIRE_BUILD_H
#define BARN_TESTS_WIRE_BUILD_H

/*
 * Frames from a text. A text names the headers as they stand on
 * the wire, outermost first; what it ends with is put behind the last:
 *
 *	"eth vlan:7 ip4 tcp"
 *	"eth ip4 udp:4789 x:0800000000002a00 eth ip6 tcp"
 *
 *	eth, vlan:N, svlan:N, mpls:N	from tests/lib/frame.h
 *	ip4, ip6	the innermost is of 10.0.0.1 and .2 or fd00::1 and ::2, those around
 *			it of 192.0.2.1 and .2 or 2001:db8::1 and ::2
 *	ext:N		an IPv6 extension header of 8 bytes
 *	udp:PORT	to PORT, from 50000
 *	tcp		from 40000 to 80, with "hello" as payload
 *	x:HEX		these bytes
 *	len		two bytes: the length of what follows
 *	802.3		the length of what follows takes the place of the ethertype in front
 *	proto:N, type:HEX	what the header in front announces
 */

#include "../lib/frame.h"
#include "unit.h"

#include <stdlib.h>

static inline void
rig_push_hex(struct frame *f, const char *hex)
{
	uint8_t bytes[256];
	size_t n = 0;

	for (; hex[0] && hex[1]; hex += 2) {
		char two[3] = { hex[0], hex[1], 0 };

		bytes[n++] = (uint8_t)strtoul(two, NULL, 16);
	}
	frame_push(f, bytes, n);
}

static inline void
rig_push_ip(struct frame *f, bool v4, bool inner)
{
	if (v4)
		frame_ipv4(f, frame_addr(inner ? "10.0.0.1" : "192.0.2.1"),
			   frame_addr(inner ? "10.0.0.2" : "192.0.2.2"));
	else
		frame_ipv6(f, frame_addr(inner ? "fd00::1" : "2001:db8::1"),
			   frame_addr(inner ? "fd00::2" : "2001:db8::2"));
}

static inline bool
rig_word(const char *word, const char *name, const char **argument)
{
	size_t n = strlen(name);

	*argument = word + n;
	return strncmp(word, name, n) == 0 && (name[n - 1] == ':' || word[n] == '\0');
}

static inline void
rig_push(struct frame *f, const char *word, bool *inner)
{
	const char *a;

	if (rig_word(word, "eth", &a)) {
		frame_ether(f, NULL, NULL);
	} else if (rig_word(word, "vlan:", &a)) {
		frame_vlan(f, 0x8100, (uint16_t)atoi(a));
	} else if (rig_word(word, "svlan:", &a)) {
		frame_vlan(f, 0x88a8, (uint16_t)atoi(a));
	} else if (rig_word(word, "mpls:", &a)) {
		frame_mpls(f, (uint32_t)atoi(a));
	} else if (rig_word(word, "ip4", &a) || rig_word(word, "ip6", &a)) {
		rig_push_ip(f, word[2] == '4', *inner);
		*inner = false;
	} else if (rig_word(word, "ext:", &a)) {
		frame_extension(f, (uint8_t)atoi(a), NULL, 0);
	} else if (rig_word(word, "udp:", &a)) {
		frame_udp(f, 50000, (uint16_t)atoi(a));
	} else if (rig_word(word, "tcp", &a)) {
		frame_tcp(f, &(struct frame_tcp){ .sport = 40000,
						  .dport = 80,
						  .seq = 1000,
						  .ack = 2000,
						  .flags = FRAME_PSH | FRAME_ACK });
	} else if (rig_word(word, "x:", &a)) {
		rig_push_hex(f, a);
	} else if (rig_word(word, "len", &a)) {
		frame_push(f, (uint8_t[]){ (uint8_t)(f->len >> 8), (uint8_t)f->len }, 2);
	} else if (rig_word(word, "802.3", &a)) {
		f->ethertype = (uint16_t)f->len;
	} else if (rig_word(word, "proto:", &a)) {
		f->ip_proto = (uint8_t)atoi(a);
	} else if (rig_word(word, "type:", &a)) {
		f->ethertype = (uint16_t)strtoul(a, NULL, 16);
	} else {
		CHECK_STR(word, "a word");
	}
}

/* Builds the frame of a text around a payload. */
static inline void
rig_build(struct frame *f, const char *text, const void *payload, size_t len)
{
	char words[32][256];
	int n = 0, used;
	bool inner = true;

	frame_init(f, payload, len);
	while (n < 32 && sscanf(text, "%255s%n", words[n], &used) == 1) {
		text += used;
		n++;
	}
	while (n > 0)
		rig_push(f, words[--n], &inner);
}

static inline struct frame *
rig_text(const char *text)
{
	static struct frame f;

	rig_build(&f, text, "hello", 5);
	return &f;
}

#endif
