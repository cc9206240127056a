/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * A capture file, read and decoded: the file formats, compression, and all of wire.
 * The seeds are captures/.
 */
#include "io/pcapfile.h"
#include "wire/wire.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint8_t sum;

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

/* A window lies within the frame or, of a datagram that was joined, is all readable. */
static void
touch(const struct bytes *window)
{
	demand(!window->bad && window->p <= window->end);
	for (const uint8_t *p = window->p; p < window->end; p++)
		sum = (uint8_t)(sum + *p);
}

static void
decode(struct wire *wire, const struct io_frame *frame, uint64_t serial)
{
	size_t len = bytes_left(&frame->data);
	uint8_t *exact = malloc(len + 1);

	demand(exact != NULL);
	memcpy(exact + 1, frame->data.p, len);
	struct packet packet = { .frame = bytes_of(exact + 1, len),
				 .wire_len = frame->length,
				 .time_ns = frame->time_ns,
				 .serial = serial,
				 .linktype = frame->linktype };

	wire_decode(wire, &packet);
	demand(packet.fault < PACKET_FAULTS && packet.path_len <= PACKET_PATH_MAX);
	demand(packet.ip_version == 0 || packet.ip_version == 4 || packet.ip_version == 6);
	touch(&packet.network);
	touch(&packet.payload);
	demand(bytes_left(&packet.payload) <= packet.payload_len);
	for (unsigned i = 0; i < packet.path_len; i++)
		demand(packet_layer_name(packet.path[i].layer) != NULL);
	free(exact);
}

static void
read_all(const char *path)
{
	const struct wire_options options = { .fragment_datagrams = 8,
					      .fragment_bytes = 1 << 18 };
	struct source_fault fault;
	struct pcapfile *file;
	struct io_frame frame;
	struct wire *wire;
	uint64_t serial = 0;

	if (pcapfile_open(path, &file, &fault) != BARN_OK)
		return;
	demand(wire_new(&options, &wire) == BARN_OK);
	while (pcapfile_next(file, &frame) == BARN_OK)
		decode(wire, &frame, ++serial);
	demand(wire_stats(wire)->frames == serial);
	wire_free(wire);
	pcapfile_close(file);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[32];
	int fd = memfd_create("capture", 0);

	demand(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	read_all(path);
	close(fd);
	return 0;
}
