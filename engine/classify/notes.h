/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_NOTES_H
#define CLASSIFY_NOTES_H

/*
 * The values of fields that were found in a flow, in the order in which they were found, and
 * its encapsulation. Memory is a store of fixed size that a worker's flows share; a value is
 * cut at NOTE_MAX bytes, a flow keeps NOTES_BYTES of them, and what finds no room in the store
 * is counted.
 */

#include "base/bytes.h"
#include "wire/packet.h"
#include <barn/err.h>

enum { NOTE_MAX = 2048, NOTES_BYTES = 8192 };

/* Notes that are not values of fields; their numbers lie above every field's. */
enum {
	NOTE_OUTER =
		0xfff0, /* a protocol that hands over to an inner one: its number, 2 bytes */
	NOTE_PATH = 0xfff1, /* the encapsulation: an array of struct packet_hop */
};

struct notes;
struct notes_store;

enum barn_err notes_store_new(uint32_t bytes, struct notes_store **store); /* 0: 64 MiB */
void notes_store_free(struct notes_store *store);
uint64_t notes_store_refused(const struct notes_store *store);

/* Adds to *notes, which is NULL at first. An equal value of the same field is not added twice
 * in a row. */
void notes_add(struct notes **notes, struct notes_store *store, uint16_t field,
	       struct bytes value);
void notes_free(struct notes **notes, struct notes_store *store);

/* Walks over them: start with *at = 0; false at the end. */
bool notes_next(const struct notes *notes, uint32_t *at, uint16_t *field, struct bytes *value);

#endif
