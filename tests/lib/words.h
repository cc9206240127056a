/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_WORDS_H
#define BARN_TESTS_WORDS_H

/*
 * Headers as words. A text names them as they stand on the wire, outermost first:
 *
 *	"eth vlan:7 ip4 tcp"
 *	"eth ip4 udp:4789 x:0800000000002a00 eth ip6 tcp"
 *
 *	eth, vlan:N, svlan:N, mpls:N	from frame.h
 *	ip4, ip6	by enum words_ip
 *	ext:N		an IPv6 extension header of 8 bytes
 *	udp:PORT	to PORT, from 50000
 *	tcp		from 40000 to 80
 *	x:HEX		these bytes
 *	len		two bytes: the length of what follows
 *	etype, ppp	two bytes: the ethertype, or the PPP number, of what follows
 *	ppp8		the PPP number in one byte
 *	esp:SPI		ESP that encrypts nothing around an IP packet, with its trailer
 *	macsec		a MACsec tag, with the check value behind
 *	amsdu		the first of two MSDUs in a frame of 802.11
 *	802.3		the length of what follows takes the place of the ethertype in front
 *	proto:N, type:HEX	what the header in front announces
 */

#include "frame.h"

enum words_ip {
	WORDS_INNER, /* from 10.0.0.1 to .2, or fd00::1 to ::2 */
	WORDS_OUTER, /* from 192.0.2.1 to .2, or 2001:db8::1 to ::2 */
	WORDS_BACK,  /* the other way */
};

/* Puts one word in front. False: there is no such word. */
bool words_push(struct frame *f, const char *word, enum words_ip ip);

/*
 * Puts a whole text in front, from its last word to its first. `innermost`: its last IP header
 * is WORDS_INNER, the others are as `ip` says.
 */
bool words_text(struct frame *f, const char *text, enum words_ip ip, bool innermost);

#endif
