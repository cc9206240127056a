/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Frames through one decoder, so that fragments meet. The input, again and again:
 * | LINKTYPE_ | bytes cut off by the capture | length | frame |, numbers of 2 bytes in
 * network order; a length past the end is cut. The time goes on by a second each.
 */
#include "../unit/wire_sane.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
demand_sane(const struct packet *packet)
{
	const char *complaint = wire_insane(packet);

	if (!complaint)
		return;
	fprintf(stderr, "%s\n", complaint);
	abort();
}

/* In memory of exactly its length, so that a read past its end is seen. */
static void
decode(struct wire *wire, struct bytes frame, uint16_t linktype, uint32_t cut, uint64_t serial)
{
	size_t len = bytes_left(&frame);
	uint8_t *exact = malloc(len + 1);
	struct packet packet;

	if (!exact)
		abort();
	memcpy(exact + 1, frame.p, len);
	memset(&packet, 0xee, sizeof(packet));
	packet.frame = bytes_of(exact + 1, len);
	packet.wire_len = (uint32_t)len + cut;
	packet.linktype = linktype;
	packet.serial = serial;
	packet.time_ns = serial * UINT64_C(1000000000);
	wire_decode(wire, &packet);
	demand_sane(&packet);
	free(exact);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire_options options = { .fragment_datagrams = 4, .fragment_bytes = 1 };
	struct bytes input = bytes_of(data, size);
	uint64_t serial = 0;
	struct wire *wire;

	if (wire_new(&options, &wire) != BARN_OK)
		return 0;
	while (bytes_left(&input) > 6) {
		uint16_t linktype = bytes_be16(&input), cut = bytes_be16(&input);
		size_t len = bytes_be16(&input);

		if (len > bytes_left(&input))
			len = bytes_left(&input);
		decode(wire, bytes_take(&input, len), linktype, cut, ++serial);
	}
	if (wire_stats(wire)->frames != serial)
		abort();
	wire_free(wire);
	return 0;
}
