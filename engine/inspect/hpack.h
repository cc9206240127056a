/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_HPACK_H
#define INSPECT_HPACK_H

/*
 * Headers as HTTP/2 packs them (RFC 7541), read by somebody who has not agreed to a table's
 * size. A reference counts back from the newest entry, so the sizes that both sides keep to
 * need not be followed: of the entries that were added the newest are kept, as far as there is
 * room, and what a reference to an older one means is not known. A direction
 * has one of its own.
 */

#include "base/bytes.h"

enum { HPACK_ROOM = 2048, HPACK_ENTRIES = 64 };

struct hpack_entry {
	uint32_t at;          /* of its name in the ring, counted from the connection's start */
	uint16_t name, value; /* lengths */
};

struct hpack {
	struct hpack_entry entries[HPACK_ENTRIES]; /* a ring */
	uint32_t added;                            /* entries, since the start */
	uint32_t end;                              /* of what was written to the ring */
	uint8_t ring[HPACK_ROOM];
};

struct hpack_field {
	struct bytes name, value; /* empty where it is not known; a long value is cut */
};

/* As at a connection's start. */
void hpack_init(struct hpack *hpack);

/* Told of each field in turn; what it is given is valid during the call. */
typedef void hpack_told(void *self, const struct hpack_field *field);

/* Reads a whole header block. False: it is none, and the table is not to be trusted any more.
 */
bool hpack_read(struct hpack *hpack, struct bytes block, hpack_told *told, void *self);

/* hpack_static.c: entry 1 to 61 (RFC 7541 appendix A). False: there is none. */
bool hpack_static(uint32_t index, struct hpack_field *field);

/*
 * hpack_huffman.c: decodes a string (RFC 7541 section 5.2), as far as there is room. False: it
 * is none.
 */
bool hpack_huffman(struct bytes in, uint8_t *out, size_t room, size_t *len);

#endif
