/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_REWRITE_H
#define POLICY_REWRITE_H

/*
 * Writes a verdict's marks into a frame: the outermost IP header's DSCP or precedence, ECN
 * stays, and the outermost tag's priority, where there is one. The outermost, since that is
 * what the next hops treat the packet by; what a tunnel carries is not this hop's to change,
 * and may be under a checksum or a signature that would break.
 */

#include "policy/header.h"
#include "policy/policy.h"

/* `place` is header_find's of this frame. Returns whether a byte has changed. */
bool rewrite_frame(uint8_t *frame, size_t length, const struct header_place *place,
		   const struct policy_verdict *verdict);

#endif
