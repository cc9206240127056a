/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_NUMBERS_H
#define POLICY_NUMBERS_H

/* A set of numbers as NBAR writes it: "0, 1, 4-0x10, 10001b - 10010b, 64". Immutable. */

#include "base/bytes.h"
#include <barn/err.h>

struct numbers;

/* BARN_ERR_TEXT: it is not such a list. */
enum barn_err numbers_new(const char *text, struct numbers **numbers);
void numbers_free(struct numbers *numbers); /* of NULL: nothing */

/* Whether the value, a number in decimal, is one of them. */
bool numbers_hold(const struct numbers *numbers, struct bytes value);

#endif
