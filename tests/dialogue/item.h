/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The items of a message, as bytes. help.c describes them. */
#ifndef BARN_TESTS_DIALOGUE_ITEM_H
#define BARN_TESTS_DIALOGUE_ITEM_H

#include "lex.h"

enum { ITEM_MESSAGE_MAX = 1 << 20 };

struct item_bytes {
	size_t len;
	uint8_t data[ITEM_MESSAGE_MAX];
};

/* Appends all items up to the end of the line. At least one. */
void item_read_line(struct lex *l, struct item_bytes *out);

#endif
