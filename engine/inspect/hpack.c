/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/hpack.h"

enum {
	STATIC = 61,
	NAME_MAX = 128,
	VALUE_MAX = 2048,
	FIELDS_MAX = 256, /* of one block */
};

/* Where a string that was decoded stands until its field was told. */
struct room {
	uint8_t name[NAME_MAX], value[VALUE_MAX];
};

/* A number with a prefix of some bits (RFC 7541 section 5.1); bad where it is too large. */
static uint32_t
number(struct bytes *b, uint8_t first, unsigned prefix)
{
	uint32_t most = (1u << prefix) - 1, value = first & most;

	if (value < most)
		return value;
	for (unsigned shift = 0; shift <= 21; shift += 7) {
		uint8_t more = bytes_u8(b);

		value += (uint32_t)(more & 0x7f) << shift;
		if (!(more & 0x80))
			return value;
	}
	b->bad = true;
	return 0;
}

/* A string (section 5.2), cut to the room where it must be decoded. */
static struct bytes
string(struct bytes *b, uint8_t *room, size_t size)
{
	uint8_t first = bytes_u8(b);
	struct bytes raw = bytes_take(b, number(b, first, 7));
	size_t len;

	if (b->bad || !(first & 0x80))
		return raw;
	if (!hpack_huffman(raw, room, size, &len))
		b->bad = true;
	return bytes_of(room, len);
}

/*
 * An entry of the table. It is there unless the ring has gone over it since; one that did not
 * fit has no lengths.
 */
static bool
look_up(const struct hpack *h, uint32_t index, struct hpack_field *field)
{
	if (index <= STATIC)
		return hpack_static(index, field);
	uint32_t back = index - STATIC; /* 1: the newest */

	*field = (struct hpack_field){ bytes_of(NULL, 0), bytes_of(NULL, 0) };
	if (back > h->added || back > HPACK_ENTRIES)
		return true; /* not known: perhaps from before, perhaps too old */
	const struct hpack_entry *e = &h->entries[(h->added - back) % HPACK_ENTRIES];
	size_t place = e->at % HPACK_ROOM;

	if (h->end - e->at > HPACK_ROOM)
		return true;
	field->name = bytes_of(h->ring + place, e->name);
	field->value = bytes_of(h->ring + place + e->name, e->value);
	return true;
}

/* The newest entry. Strings stand whole: what is left at the ring's end is passed over. */
static void
add(struct hpack *h, const struct hpack_field *field)
{
	size_t name = bytes_left(&field->name), value = bytes_left(&field->value);
	struct hpack_entry e = { .at = h->end };

	if (name + value <= HPACK_ROOM) {
		size_t place = h->end % HPACK_ROOM;

		if (place + name + value > HPACK_ROOM) {
			h->end += (uint32_t)(HPACK_ROOM - place);
			place = 0;
		}
		memcpy(h->ring + place, field->name.p, name);
		memcpy(h->ring + place + name, field->value.p, value);
		e = (struct hpack_entry){ h->end, (uint16_t)name, (uint16_t)value };
		h->end += (uint32_t)(name + value);
	}
	h->entries[h->added++ % HPACK_ENTRIES] = e;
}

/* A field that is written out (section 6.2), its name perhaps a reference. */
static bool
literal(struct hpack *h, struct bytes *b, uint32_t index, struct room *room,
	struct hpack_field *field)
{
	if (index > 0) {
		if (!look_up(h, index, field))
			return false;
		/* It must not stand in the ring, where the new entry is written. */
		size_t n = bytes_left(&field->name);

		n = n < NAME_MAX ? n : NAME_MAX;
		memcpy(room->name, field->name.p, n);
		field->name = bytes_of(room->name, n);
	} else {
		field->name = string(b, room->name, NAME_MAX);
	}
	field->value = string(b, room->value, VALUE_MAX);
	return !b->bad;
}

/* The representation that begins with this byte (section 6). */
static bool
read_one(struct hpack *h, struct bytes *b, uint8_t first, hpack_told *told, void *self)
{
	struct hpack_field field;
	struct room room;

	if (first & 0x80) {
		uint32_t index = number(b, first, 7);

		if (b->bad || index == 0 || !look_up(h, index, &field))
			return false;
		told(self, &field);
		return true;
	}
	if ((first & 0xe0) == 0x20) {
		number(b, first, 5); /* a table's new size */
		return !b->bad;
	}
	bool kept = first & 0x40;

	if (!literal(h, b, number(b, first, kept ? 6 : 4), &room, &field))
		return false;
	told(self, &field);
	if (kept)
		add(h, &field);
	return true;
}

/* What is in the ring and the entries does not matter while nothing was added. */
void
hpack_init(struct hpack *hpack)
{
	hpack->added = hpack->end = 0;
}

bool
hpack_read(struct hpack *hpack, struct bytes block, hpack_told *told, void *self)
{
	for (unsigned i = 0; bytes_left(&block) > 0; i++) {
		uint8_t first = bytes_u8(&block);

		if (i == FIELDS_MAX || !read_one(hpack, &block, first, told, self))
			return false;
	}
	return true;
}
