/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_REJECT_H
#define POLICY_REJECT_H

/*
 * The packets by which an end is told that its packet was refused: a TCP reset, or ICMP's
 * "communication administratively prohibited". Pure functions from a packet to a frame: the
 * link header is the packet's own, with the addresses exchanged towards the sender. How many
 * may be sent a second is the caller's (RFC 1812 section 4.3.2.8, RFC 4443 section 2.4 f): a
 * policer by packets does it.
 */

#include "classify/registry.h"

enum {
	REJECT_ROOM = 64 + 1280, /* enough for each of them */
	REJECT_ICMP4 = 576,      /* bytes of IP at most, RFC 1812 section 4.3.2.3 */
	REJECT_ICMP6 = 1280,     /* RFC 4443 section 2.4 c */
};

/*
 * The length; 0: none is to be sent, or the packet lies in a tunnel, whose end barn is not.
 * `out` has REJECT_ROOM bytes.
 *
 * RFC 9293 section 3.10.7.1: to a segment with ACK the reset's number is the acknowledged one,
 * to one without it the reset acknowledges the segment. No reset answers a reset.
 */
size_t reject_reset(const struct packet *packet, uint8_t *out);
/* For the other end, which does not get the packet: as if the sender had reset. */
size_t reject_reset_onward(const struct packet *packet, uint8_t *out);

/*
 * From the address that the sender wanted, as a bridge has none. None for what RFC 1812 section
 * 4.3.2.7 and RFC 4443 section 2.4 e forbid: ICMP errors, later fragments, to or from what is
 * not one host.
 */
size_t reject_prohibited(const struct packet *packet, uint8_t *out);

#endif
