/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Captures for the tests of io, byte by byte, and a file to put them in, in the folder where
 * the test runs.
 */
#ifndef BARN_TESTS_IO_RIG_H
#define BARN_TESTS_IO_RIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rig {
	uint8_t b[1 << 16];
	size_t len;
	bool big; /* byte order of what is put */
};

__attribute__((unused)) static void
rig_u8(struct rig *r, unsigned value)
{
	r->b[r->len++] = (uint8_t)value;
}

__attribute__((unused)) static void
rig_u16(struct rig *r, unsigned value)
{
	rig_u8(r, r->big ? value >> 8 : value);
	rig_u8(r, r->big ? value : value >> 8);
}

__attribute__((unused)) static void
rig_u32(struct rig *r, uint32_t value)
{
	rig_u16(r, r->big ? value >> 16 : value & 0xffff);
	rig_u16(r, r->big ? value & 0xffff : value >> 16);
}

__attribute__((unused)) static void
rig_u64(struct rig *r, uint64_t value)
{
	rig_u32(r, (uint32_t)(r->big ? value >> 32 : value));
	rig_u32(r, (uint32_t)(r->big ? value : value >> 32));
}

/* n bytes that count up from `first`. */
__attribute__((unused)) static void
rig_bytes(struct rig *r, unsigned first, size_t n)
{
	for (size_t i = 0; i < n; i++)
		rig_u8(r, first + (unsigned)i);
}

/* The head of a pcap file. */
__attribute__((unused)) static void
rig_pcap(struct rig *r, uint32_t magic, uint32_t linktype)
{
	rig_u32(r, magic);
	rig_u16(r, 2);
	rig_u16(r, 4);
	rig_u64(r, 0);
	rig_u32(r, 262144);
	rig_u32(r, linktype);
}

__attribute__((unused)) static void
rig_pcap_frame(struct rig *r, uint32_t seconds, uint32_t fraction, uint32_t captured,
	       uint32_t length)
{
	rig_u32(r, seconds);
	rig_u32(r, fraction);
	rig_u32(r, captured);
	rig_u32(r, length);
	rig_bytes(r, 1, captured);
}

/* A pcapng block around a body that `end` fills up and closes. */
__attribute__((unused)) static size_t
rig_block(struct rig *r, uint32_t type)
{
	size_t start = r->len;

	rig_u32(r, type);
	rig_u32(r, 0);
	return start;
}

__attribute__((unused)) static void
rig_end(struct rig *r, size_t start)
{
	struct rig length = { .big = r->big };

	while (r->len % 4)
		rig_u8(r, 0);
	rig_u32(&length, (uint32_t)(r->len - start + 4));
	memcpy(r->b + start + 4, length.b, 4);
	memcpy(r->b + r->len, length.b, 4);
	r->len += 4;
}

__attribute__((unused)) static void
rig_section(struct rig *r)
{
	size_t start = rig_block(r, 0x0a0d0d0a);

	rig_u32(r, 0x1a2b3c4d);
	rig_u16(r, 1);
	rig_u16(r, 0);
	rig_u64(r, UINT64_MAX);
	rig_end(r, start);
}

/* resolution as in if_tsresol; offset as in if_tsoffset, 0: without it. */
__attribute__((unused)) static void
rig_interface(struct rig *r, unsigned linktype, unsigned resolution, uint64_t offset)
{
	size_t start = rig_block(r, 1);

	rig_u16(r, linktype);
	rig_u16(r, 0);
	rig_u32(r, 100);
	rig_u16(r, 9);
	rig_u16(r, 1);
	rig_u8(r, resolution);
	rig_bytes(r, 0, 3);
	if (offset) {
		rig_u16(r, 14);
		rig_u16(r, 8);
		rig_u64(r, offset);
	}
	rig_u32(r, 0);
	rig_end(r, start);
}

__attribute__((unused)) static void
rig_packet(struct rig *r, uint32_t interface, uint64_t ticks, uint32_t captured,
	   uint32_t length)
{
	size_t start = rig_block(r, 6);

	rig_u32(r, interface);
	rig_u32(r, (uint32_t)(ticks >> 32));
	rig_u32(r, (uint32_t)ticks);
	rig_u32(r, captured);
	rig_u32(r, length);
	rig_bytes(r, 1, captured);
	rig_end(r, start);
}

/* Writes the first n bytes into the file and returns its name. */
__attribute__((unused)) static const char *
rig_file(const struct rig *r, size_t n, const char *name)
{
	static char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s.%ld.tmp", name, (long)getpid());
	f = fopen(path, "wb");
	if (!f || fwrite(r->b, 1, n, f) != n || fclose(f) != 0)
		abort();
	return path;
}

#endif
