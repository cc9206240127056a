/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_VALUE_H
#define CLI_VALUE_H

/*
 * Bytes from the wire as text that a terminal, a CSV reader and a JSON reader can take, and
 * from which the bytes can be had back: what is no UTF-8 stands as \xHH, and so does a
 * backslash that an x follows. All else stands as it was.
 */

#include "base/bytes.h"
#include "base/text.h"

enum value_style {
	VALUE_JSON,  /* control characters stay: JSON has its own way to write them */
	VALUE_PLAIN, /* control characters stand as \xHH too */
};

void value_add(struct text *text, struct bytes value, enum value_style style);

/* 2026-01-31T23:59:59.123456789Z */
void value_time(struct text *text, uint64_t time_ns);

/* 192.0.2.1, 2001:db8::1; nothing if version is neither 4 nor 6. */
void value_address(struct text *text, uint8_t version, const uint8_t *address);

#endif
