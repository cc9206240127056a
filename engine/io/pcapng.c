/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/pcapng.h"
#include <stdlib.h>

enum block {
	BLOCK_INTERFACE = 1,
	BLOCK_PACKET = 2, /* obsolete, still found */
	BLOCK_SIMPLE = 3,
	BLOCK_ENHANCED = 6,
	BLOCK_SECTION = 0x0a0d0d0a,
};

enum option { OPTION_END = 0, OPTION_TSRESOL = 9, OPTION_TSOFFSET = 14 };

enum {
	BODY_MAX = 1 << 24, /* far more than a frame; a length above it is damage */
	INTERFACES_MAX = 1 << 16,
};

struct iface {
	uint16_t linktype;
	uint32_t snaplen;
	uint8_t resolution; /* ticks a second: 10^-n, or with the top bit 2^-n */
	int64_t offset_s;
};

struct pcapng {
	struct source *source;
	struct source_fault *fault;
	bool big; /* byte order of the section */
	uint8_t *body;
	size_t room;
	struct iface *ifaces;
	uint32_t iface_count, iface_room;
	uint64_t last_ns; /* what a simple packet, which has no time, gets */
};

enum barn_err
pcapng_new(struct source *source, struct pcapng **pcapng)
{
	*pcapng = calloc(1, sizeof(**pcapng));
	if (!*pcapng)
		return BARN_ERR_MEMORY;
	(*pcapng)->source = source;
	return BARN_OK;
}

void
pcapng_free(struct pcapng *p)
{
	if (!p)
		return;
	free(p->body);
	free(p->ifaces);
	free(p);
}

static uint16_t
u16(const struct pcapng *p, struct bytes *b)
{
	return p->big ? bytes_be16(b) : bytes_le16(b);
}

static uint32_t
u32(const struct pcapng *p, struct bytes *b)
{
	return p->big ? bytes_be32(b) : bytes_le32(b);
}

static enum barn_err
corrupt(struct pcapng *p, const char *what)
{
	return source_fault_set(p->fault, BARN_ERR_FORMAT, "corrupt: %s", what);
}

static enum barn_err
truncated(struct pcapng *p)
{
	source_fault_set(p->fault, BARN_ERR_FORMAT, "truncated");
	return BARN_ERR_FORMAT;
}

/* All n bytes, or BARN_ERR_END if the file ends before the first, or a fault. */
static enum barn_err
read_all(struct pcapng *p, uint8_t *to, size_t n)
{
	size_t got = 0;
	ssize_t r = 1;

	while (got < n && (r = source_read(p->source, to + got, n - got)) > 0)
		got += (size_t)r;
	if (r < 0) {
		const struct source_fault *why = source_fault(p->source);

		return source_fault_set(p->fault, why->err, "%s", why->text);
	}
	if (got == n)
		return BARN_OK;
	return got == 0 ? BARN_ERR_END : truncated(p);
}

static bool
grow(struct pcapng *p, size_t n)
{
	uint8_t *body;

	if (n <= p->room)
		return true;
	n += n / 2;
	body = realloc(p->body, n);
	if (!body)
		return false;
	p->body = body;
	p->room = n;
	return true;
}

/*
 * A block without its type and lengths. The section header's first word, which says in which
 * byte order its length stands, is read with the block's head.
 */
static enum barn_err
read_block(struct pcapng *p, uint32_t *type, struct bytes *body)
{
	uint8_t head[12];
	struct bytes b = bytes_of(head, 8), magic = bytes_of(head + 8, 4), tail;
	size_t extra = 0;
	uint32_t total;
	enum barn_err err = read_all(p, head, 8);

	if (err)
		return err;
	*type = u32(p, &b);
	if (*type == BLOCK_SECTION) { /* a palindrome */
		err = read_all(p, head + 8, extra = 4);
		if (err)
			goto cut;
		p->big = bytes_be32(&magic) == 0x1a2b3c4d;
		magic = bytes_of(head + 8, 4);
		if (!p->big && bytes_le32(&magic) != 0x1a2b3c4d)
			return corrupt(p, "a section without its magic number");
		p->iface_count = 0;
	}
	total = u32(p, &b);
	if (total < 12 + extra || total > BODY_MAX)
		return corrupt(p, "impossible length of a block");
	total = (total + 3) & ~UINT32_C(3); /* some writers forget the padding */
	if (!grow(p, total))
		return source_fault_set(p->fault, BARN_ERR_MEMORY, "out of memory");
	err = read_all(p, p->body, total - 8 - extra);
	if (err)
		goto cut;
	*body = bytes_of(p->body, total - 12 - extra);
	tail = bytes_of(body->end, 4);
	if (((u32(p, &tail) + 3) & ~UINT32_C(3)) != total)
		return corrupt(p, "the two lengths of a block differ");
	return BARN_OK;
cut:
	return err == BARN_ERR_END ? truncated(p) : err;
}

static enum barn_err
add_interface(struct pcapng *p, struct bytes b)
{
	struct iface iface = { .resolution = 6 };

	if (p->iface_count == INTERFACES_MAX)
		return corrupt(p, "too many interfaces");
	if (p->iface_count == p->iface_room) {
		uint32_t room = p->iface_room ? 2 * p->iface_room : 8;
		struct iface *ifaces = realloc(p->ifaces, room * sizeof(*ifaces));

		if (!ifaces)
			return source_fault_set(p->fault, BARN_ERR_MEMORY, "out of memory");
		p->ifaces = ifaces;
		p->iface_room = room;
	}
	iface.linktype = u16(p, &b);
	bytes_skip(&b, 2);
	iface.snaplen = u32(p, &b);
	if (b.bad)
		return corrupt(p, "an interface's description is too short");
	while (bytes_left(&b) >= 4) {
		uint16_t code = u16(p, &b), len = u16(p, &b);
		struct bytes value = bytes_take(&b, len);

		bytes_skip(&b, -(unsigned)len & 3);
		if (code == OPTION_END || value.bad)
			break;
		if (code == OPTION_TSRESOL)
			iface.resolution = bytes_u8(&value);
		else if (code == OPTION_TSOFFSET)
			iface.offset_s =
				(int64_t)(p->big ? bytes_be64(&value) : bytes_le64(&value));
	}
	p->ifaces[p->iface_count++] = iface;
	return BARN_OK;
}

static uint64_t
to_ns(const struct iface *iface, uint64_t ticks)
{
	unsigned n = iface->resolution & 0x7f;
	uint64_t ns, unit = 1;

	if (iface->resolution & 0x80) {
		uint64_t whole = n < 64 ? ticks >> n : 0;
		uint64_t part = n < 64 ? ticks & ((UINT64_C(1) << n) - 1) : ticks;

		/* Of the fraction 30 bits are enough for a nanosecond. */
		if (n > 30)
			part = n - 30 < 64 ? part >> (n - 30) : 0;
		ns = whole * 1000000000 + (part * 1000000000 >> (n < 30 ? n : 30));
	} else {
		for (unsigned i = n < 9 ? n : 9; i != (n < 9 ? 9 : n); i++)
			unit = unit > UINT64_MAX / 10 ? UINT64_MAX : unit * 10;
		ns = n < 9 ? ticks * unit : ticks / unit;
	}
	return ns + (uint64_t)iface->offset_s * 1000000000;
}

static enum barn_err
take_packet(struct pcapng *p, uint32_t type, struct bytes b, struct io_frame *frame)
{
	uint32_t number = 0, captured;
	uint64_t ticks = 0;
	const struct iface *iface;

	if (type == BLOCK_ENHANCED)
		number = u32(p, &b);
	else if (type == BLOCK_PACKET)
		number = u16(p, &b), bytes_skip(&b, 2);
	if (number >= p->iface_count)
		return corrupt(p, "a packet of an interface that was not described");
	iface = &p->ifaces[number];
	if (type != BLOCK_SIMPLE) {
		ticks = (uint64_t)u32(p, &b) << 32;
		ticks |= u32(p, &b);
		p->last_ns = to_ns(iface, ticks);
		captured = u32(p, &b);
		frame->length = u32(p, &b);
	} else {
		frame->length = captured = u32(p, &b);
		if (iface->snaplen && captured > iface->snaplen)
			captured = iface->snaplen;
	}
	frame->data = bytes_take(&b, captured);
	if (b.bad)
		return corrupt(p, "a packet is longer than its block");
	if (frame->length < captured)
		frame->length = captured;
	frame->time_ns = p->last_ns;
	frame->linktype = iface->linktype;
	return BARN_OK;
}

enum barn_err
pcapng_next(struct pcapng *p, struct io_frame *frame, struct source_fault *fault)
{
	uint32_t type;
	struct bytes body;
	enum barn_err err;

	p->fault = fault;
	while (!(err = read_block(p, &type, &body))) {
		switch (type) {
		case BLOCK_INTERFACE:
			err = add_interface(p, body);
			if (err)
				return err;
			break;
		case BLOCK_PACKET:
		case BLOCK_SIMPLE:
		case BLOCK_ENHANCED: return take_packet(p, type, body, frame);
		default: break;
		}
	}
	return err;
}
