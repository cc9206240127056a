/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_CLASH_H
#define PDL_CLASH_H

/* Terms of one rule that cannot hold together. */

#include "pdl/tree.h"

/*
 * Whether two terms that must both hold want different bytes at one place; whether one wants
 * more bytes than the length that it compares with allows, over UDP. What is not found may
 * still clash.
 */
bool clash_of_bytes(const struct pdl_node *rule, uint8_t transports);
bool clash_with_length(const struct pdl_node *rule);

#endif
