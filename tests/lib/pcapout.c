/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pcapout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pcapout {
	FILE *file;
	uint32_t ns_per_unit;
	int error; /* errno of the first failure */
};

static void
le32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (8 * i));
}

static void
put(struct pcapout *out, const void *bytes, size_t len)
{
	if (len && fwrite(bytes, 1, len, out->file) != len && !out->error)
		out->error = errno;
}

struct pcapout *
pcapout_open(const char *path, uint32_t link_type, int unit)
{
	struct pcapout *out = calloc(1, sizeof(*out));
	uint8_t header[24] = { 0 };

	if (!out)
		return NULL;
	out->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
	if (!out->file) {
		free(out);
		return NULL;
	}
	out->ns_per_unit = unit == PCAPOUT_NANO ? 1 : 1000;
	le32(header, unit == PCAPOUT_NANO ? 0xa1b23c4d : 0xa1b2c3d4);
	header[4] = 2; /* version 2.4 */
	header[6] = 4;
	le32(header + 16, 262144);
	le32(header + 20, link_type);
	put(out, header, sizeof(header));
	return out;
}

void
pcapout_write(struct pcapout *out, uint64_t time_ns, const void *bytes, size_t len,
	      size_t wire_len)
{
	uint8_t header[16];

	le32(header, (uint32_t)(time_ns / 1000000000));
	le32(header + 4, (uint32_t)(time_ns % 1000000000 / out->ns_per_unit));
	le32(header + 8, (uint32_t)len);
	le32(header + 12, (uint32_t)wire_len);
	put(out, header, sizeof(header));
	put(out, bytes, len);
}

void
pcapout_sink(void *ctx, uint64_t time_ns, const struct frame *frame)
{
	pcapout_write(ctx, time_ns, frame->data, frame->len, frame->len);
}

int
pcapout_close(struct pcapout *out)
{
	int error = out->error;

	if (out->file == stdout ? fflush(stdout) : fclose(out->file))
		error = error ? error : errno;
	free(out);
	if (!error)
		return 0;
	errno = error;
	return -1;
}
