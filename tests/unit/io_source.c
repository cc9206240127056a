/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/source.h"
#include "io_rig.h"
#include "unit.h"
#include <zlib.h>
#include <zstd.h>

enum { PLAIN = 3000 };

/* What no compressor makes much shorter, so that there are many places to cut it. */
static void
fill_plain(uint8_t *plain)
{
	uint32_t x = 1;

	for (size_t i = 0; i < PLAIN; i++)
		plain[i] = (uint8_t)((x = x * 1664525 + 1013904223) >> 24);
}

static void
add_gzip(struct rig *r, const uint8_t *data, size_t n)
{
	z_stream z = { 0 };

	deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	z.next_in = (uint8_t *)(uintptr_t)data;
	z.avail_in = (uInt)n;
	z.next_out = r->b + r->len;
	z.avail_out = (uInt)(sizeof(r->b) - r->len);
	CHECK_EQ(deflate(&z, Z_FINISH), Z_STREAM_END);
	r->len += z.total_out;
	deflateEnd(&z);
}

static void
add_zstd(struct rig *r, const uint8_t *data, size_t n)
{
	size_t made = ZSTD_compress(r->b + r->len, sizeof(r->b) - r->len, data, n, 3);

	CHECK(!ZSTD_isError(made));
	r->len += made;
}

/* How many bytes come, equal to plain's; the fault is copied. */
static size_t
read_rig(const struct rig *r, size_t n, size_t step, struct source_fault *fault)
{
	static uint8_t plain[PLAIN], got[PLAIN];
	const char *path = rig_file(r, n, "io_source");
	struct source *source;
	size_t at = 0;
	ssize_t more = 1;

	*fault = (struct source_fault){ 0 };
	fill_plain(plain);
	if (source_open(path, &source, fault)) {
		unlink(path);
		return 0;
	}
	while (at < PLAIN && (more = source_read(source, got + at,
						 step < PLAIN - at ? step : PLAIN - at)) > 0)
		at += (size_t)more;
	if (at == PLAIN)
		more = source_read(source, &(uint8_t){ 0 }, 1);
	CHECK(more <= 0);
	CHECK_MEM(got, plain, at);
	*fault = *source_fault(source);
	CHECK_EQ(more == 0, fault->err == BARN_OK);
	source_close(source);
	unlink(path);
	return at;
}

TEST(plain_files_are_read_in_any_steps)
{
	static struct rig r;
	struct source_fault fault;

	r = (struct rig){ .len = PLAIN };
	fill_plain(r.b);
	for (size_t step = 1; step < 20; step++)
		CHECK_EQ(read_rig(&r, PLAIN, step, &fault), PLAIN);
	CHECK_EQ(read_rig(&r, 3, 10, &fault), 3);
	CHECK_EQ(fault.err, BARN_OK);
}

TEST(members_of_gzip_and_frames_of_zstd_are_joined)
{
	static struct rig r;
	static uint8_t plain[PLAIN];
	struct source_fault fault;

	fill_plain(plain);
	for (int zstd = 0; zstd < 2; zstd++) {
		void (*add)(struct rig *, const uint8_t *, size_t) = zstd ? add_zstd : add_gzip;

		r = (struct rig){ 0 };
		add(&r, plain, 5);
		add(&r, plain, 0);
		add(&r, plain + 5, PLAIN - 5);
		for (size_t step = 1; step < PLAIN; step += 997)
			CHECK_EQ(read_rig(&r, r.len, step, &fault), PLAIN);
	}
}

TEST(zeros_behind_gzip_are_padding)
{
	static struct rig r;
	static uint8_t plain[PLAIN];
	struct source_fault fault;

	fill_plain(plain);
	r = (struct rig){ 0 };
	add_gzip(&r, plain, PLAIN);
	r.len += 512;
	CHECK_EQ(read_rig(&r, r.len, 100, &fault), PLAIN);
	CHECK_EQ(fault.err, BARN_OK);
}

TEST(compressed_data_cut_anywhere_is_truncated)
{
	static struct rig r;
	static uint8_t plain[PLAIN];
	struct source_fault fault;

	fill_plain(plain);
	for (int zstd = 0; zstd < 2; zstd++) {
		r = (struct rig){ 0 };
		(zstd ? add_zstd : add_gzip)(&r, plain, PLAIN);
		for (size_t n = 4; n < r.len; n += 7) {
			CHECK(read_rig(&r, n, PLAIN, &fault) <= PLAIN);
			CHECK_EQ(fault.err, BARN_ERR_FORMAT);
			CHECK_STR(fault.text,
				  zstd ? "truncated zstd data" : "truncated gzip data");
		}
	}
}

TEST(spoiled_compressed_data_is_a_fault_and_no_crash)
{
	static struct rig r;
	static uint8_t plain[PLAIN];
	struct source_fault fault;
	unsigned faults = 0;

	memset(plain, 'x', sizeof(plain));
	for (int zstd = 0; zstd < 2; zstd++) {
		r = (struct rig){ 0 };
		(zstd ? add_zstd : add_gzip)(&r, plain, PLAIN);
		r.b[r.len / 2] ^= 0xff;
		const char *path = rig_file(&r, r.len, "io_source");
		struct source *source;
		if (source_open(path, &source, &fault)) {
			faults++;
		} else {
			while (source_read(source, plain, PLAIN) > 0)
				;
			faults += source_fault(source)->err == BARN_ERR_FORMAT;
			source_close(source);
		}
		memset(plain, 'x', sizeof(plain));
		unlink(path);
	}
	CHECK_EQ(faults, 2);
}

TEST(the_head_is_seen_and_read)
{
	static struct rig r;
	struct source *source;
	const uint8_t *head;
	uint8_t got[SOURCE_HEAD + 1] = { 0 };
	const char *path;
	size_t n = 0;

	r = (struct rig){ 0 };
	rig_bytes(&r, 1, SOURCE_HEAD + 1);
	path = rig_file(&r, r.len, "io_source");
	CHECK_EQ(source_open(path, &source, NULL), BARN_OK);
	CHECK_EQ(source_head(source, &head), SOURCE_HEAD);
	CHECK_MEM(head, r.b, SOURCE_HEAD);
	while (n < sizeof(got))
		n += (size_t)source_read(source, got + n, sizeof(got) - n);
	CHECK_MEM(got, r.b, sizeof(got));
	CHECK_EQ(source_read(source, got, 1), 0);
	source_close(source);
	unlink(path);
}
