/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/pcapfile.h"
#include "io_rig.h"
#include "unit.h"

#define NAME "io_pcapfile"

/* What came of a file. */
struct outcome {
	enum barn_err open, end;
	unsigned frames;
	struct source_fault fault;
	struct io_frame frame[8]; /* without their data */
	uint8_t first[8];         /* of their bytes */
	size_t captured[8];
};

static struct outcome
read_all(const char *path)
{
	struct outcome o = { .end = BARN_ERR_END };
	struct pcapfile *file;
	struct io_frame frame;

	o.open = pcapfile_open(path, &file, &o.fault);
	if (o.open)
		return o;
	while ((o.end = pcapfile_next(file, &frame)) == BARN_OK) {
		unsigned i = o.frames++;

		if (i >= 8)
			continue;
		o.frame[i] = frame;
		o.captured[i] = bytes_left(&frame.data);
		o.first[i] = bytes_left(&frame.data) ? *frame.data.p : 0;
	}
	o.fault = *pcapfile_fault(file);
	CHECK_EQ(pcapfile_frames(file), o.frames);
	pcapfile_close(file);
	return o;
}

static struct outcome
read_rig(const struct rig *r, size_t n)
{
	const char *path = rig_file(r, n, NAME);
	struct outcome o = read_all(path);

	unlink(path);
	return o;
}

static void
fill_pcap(struct rig *r, uint32_t magic)
{
	rig_pcap(r, magic, 1);
	rig_pcap_frame(r, 5, 7, 20, 60);
	rig_pcap_frame(r, 6, 8, 3, 3);
}

TEST(both_byte_orders_and_both_precisions_are_read)
{
	static struct rig r;

	for (int big = 0; big < 2; big++)
		for (int nano = 0; nano < 2; nano++) {
			r = (struct rig){ .big = big };
			fill_pcap(&r, nano ? 0xa1b23c4d : 0xa1b2c3d4);
			struct outcome o = read_rig(&r, r.len);
			CHECK_EQ(o.open, BARN_OK);
			CHECK_EQ(o.end, BARN_ERR_END);
			CHECK_EQ(o.frames, 2);
			CHECK_EQ(o.frame[0].time_ns, 5000000000 + (nano ? 7 : 7000));
			CHECK_EQ(o.frame[0].length, 60);
			CHECK_EQ(o.captured[0], 20);
			CHECK_EQ(o.first[0], 1);
			CHECK_EQ(o.frame[1].linktype, 1);
		}
}

TEST(times_after_2038_are_read)
{
	static struct rig r;
	struct outcome o;

	rig_pcap(&r, 0xa1b23c4d, 1);
	rig_pcap_frame(&r, 0x80000000, 7, 1, 1);
	rig_pcap_frame(&r, 0xffffffff, 999999999, 1, 1);
	o = read_rig(&r, r.len);
	CHECK_EQ(o.frames, 2);
	CHECK_EQ(o.frame[0].time_ns, UINT64_C(0x80000000) * 1000000000 + 7);
	CHECK_EQ(o.frame[1].time_ns, UINT64_C(0xffffffff) * 1000000000 + 999999999);
}

TEST(raw_ip_has_one_number)
{
	static struct rig r;
	const uint32_t numbers[] = { 12, 14, 101 };

	for (size_t i = 0; i < 3; i++) {
		r = (struct rig){ 0 };
		rig_pcap(&r, 0xa1b2c3d4, numbers[i]);
		rig_pcap_frame(&r, 0, 0, 1, 1);
		CHECK_EQ(read_rig(&r, r.len).frame[0].linktype, 101);
	}
	CHECK_EQ(pcapfile_dlt(101), 12);
	CHECK_EQ(pcapfile_dlt(276), 276);
	CHECK_EQ(pcapfile_linktype(pcapfile_dlt(100)), 100);
}

/* A file that ends at a frame's end is whole; at any other place it is truncated. */
static void
check_every_cut(const struct rig *r, const size_t *ends, unsigned count, size_t least)
{
	for (size_t n = least; n <= r->len; n++) {
		struct outcome o = read_rig(r, n);
		unsigned good = 0;
		bool whole = false;

		for (unsigned i = 0; i < count; i++) {
			good += ends[i] <= n && i > 0;
			whole = whole || ends[i] == n;
		}
		if (o.open) {
			CHECK_EQ(o.open, BARN_ERR_FORMAT);
			CHECK(n < ends[0]);
			CHECK_STR(o.fault.text, n < 4 ? "not a capture file" : "truncated");
			continue;
		}
		CHECK_EQ(o.frames, good);
		CHECK_EQ(o.end, whole ? BARN_ERR_END : BARN_ERR_FORMAT);
		CHECK_STR(o.fault.text, whole ? "" : "truncated");
	}
}

TEST(a_pcap_cut_anywhere_gives_its_whole_frames)
{
	static struct rig r;
	size_t ends[3];

	r = (struct rig){ 0 };
	rig_pcap(&r, 0xa1b2c3d4, 1);
	ends[0] = r.len;
	rig_pcap_frame(&r, 5, 7, 20, 60);
	ends[1] = r.len;
	rig_pcap_frame(&r, 6, 8, 3, 3);
	ends[2] = r.len;
	check_every_cut(&r, ends, 3, 1);
}

TEST(a_frame_of_impossible_length_is_corrupt_not_truncated)
{
	static struct rig r;
	struct outcome o;

	r = (struct rig){ 0 };
	fill_pcap(&r, 0xa1b2c3d4);
	rig_pcap_frame(&r, 7, 0, 0, 0);
	r.b[r.len - 8] = 0xff; /* captured: 0x00ffffff */
	r.b[r.len - 7] = 0xff;
	r.b[r.len - 6] = 0xff;
	o = read_rig(&r, r.len);
	CHECK_EQ(o.frames, 2);
	CHECK_EQ(o.end, BARN_ERR_FORMAT);
	CHECK(strncmp(o.fault.text, "corrupt: ", 9) == 0);
}

TEST(what_is_no_capture_is_told_apart)
{
	static struct rig r;
	struct outcome o;

	r = (struct rig){ 0 };
	o = read_rig(&r, 0);
	CHECK_EQ(o.open, BARN_ERR_FORMAT);
	CHECK_STR(o.fault.text, "empty file");
	rig_bytes(&r, 'a', 100);
	o = read_rig(&r, 100);
	CHECK_STR(o.fault.text, "not a capture file");
	o = read_all(".");
	CHECK_EQ(o.open, BARN_ERR_SYSTEM);
	CHECK_STR(o.fault.text, "is a directory");
	o = read_all("there is no such file");
	CHECK_EQ(o.open, BARN_ERR_SYSTEM);
	CHECK_STR(o.fault.text, "No such file or directory");
}

TEST(a_frame_of_65535_bytes_is_read)
{
	static struct rig r;
	struct outcome o;

	r = (struct rig){ 0 };
	rig_pcap(&r, 0xa1b2c3d4, 1);
	rig_u64(&r, 0);
	rig_u32(&r, 65535 - 40);
	rig_u32(&r, 65535);
	rig_bytes(&r, 9, 65535 - 40);
	o = read_rig(&r, r.len);
	CHECK_EQ(o.frames, 1);
	CHECK_EQ(o.captured[0], 65495);
	CHECK_EQ(o.frame[0].length, 65535);
}

TEST(a_pcapng_has_interfaces_of_their_own_kind)
{
	static struct rig r;

	for (int big = 0; big < 2; big++) {
		r = (struct rig){ .big = big };
		rig_section(&r);
		rig_interface(&r, 1, 6, 0);           /* microseconds */
		rig_interface(&r, 101, 9, 100);       /* nanoseconds, 100 s later */
		rig_interface(&r, 113, 0x80 | 10, 0); /* 1/1024 s */
		rig_interface(&r, 12, 0, 0);          /* seconds */
		rig_packet(&r, 0, 5000007, 20, 60);
		rig_packet(&r, 1, 5000000007, 4, 4);
		rig_packet(&r, 2, 5 * 1024 + 512, 4, 4);
		rig_packet(&r, 3, 5, 4, 2);
		struct outcome o = read_rig(&r, r.len);
		CHECK_STR(o.fault.text, "");
		CHECK_EQ(o.frames, 4);
		CHECK_EQ(o.frame[0].time_ns, 5000007000);
		CHECK_EQ(o.frame[1].time_ns, 105000000007);
		CHECK_EQ(o.frame[2].time_ns, 5500000000);
		CHECK_EQ(o.frame[3].time_ns, 5000000000);
		CHECK_EQ(o.frame[0].linktype, 1);
		CHECK_EQ(o.frame[1].linktype, 101);
		CHECK_EQ(o.frame[2].linktype, 113);
		CHECK_EQ(o.frame[3].linktype, 101);
		CHECK_EQ(o.frame[0].length, 60);
		CHECK_EQ(o.frame[3].length, 4); /* never less than was captured */
	}
}

TEST(resolutions_finer_than_nanoseconds_lose_what_is_finer)
{
	static struct rig r;
	struct outcome o;

	r = (struct rig){ 0 };
	rig_section(&r);
	rig_interface(&r, 1, 12, 0);
	rig_interface(&r, 1, 0x80 | 32, 0);
	rig_packet(&r, 0, 5000000001999, 1, 1);
	rig_packet(&r, 1, (UINT64_C(5) << 32) + (UINT64_C(1) << 31), 1, 1);
	o = read_rig(&r, r.len);
	CHECK_EQ(o.frame[0].time_ns, 5000000001);
	CHECK_EQ(o.frame[1].time_ns, 5500000000);
}

TEST(a_new_section_forgets_the_interfaces)
{
	static struct rig r;
	struct outcome o;

	r = (struct rig){ 0 };
	rig_section(&r);
	rig_interface(&r, 1, 6, 0);
	rig_packet(&r, 0, 1, 4, 4);
	r.big = true;
	rig_section(&r);
	rig_interface(&r, 113, 6, 0);
	rig_packet(&r, 0, 2, 4, 4);
	rig_section(&r);
	rig_packet(&r, 0, 3, 4, 4);
	o = read_rig(&r, r.len);
	CHECK_EQ(o.frames, 2);
	CHECK_EQ(o.frame[1].linktype, 113);
	CHECK_STR(o.fault.text, "corrupt: a packet of an interface that was not described");
}

TEST(simple_and_obsolete_packets_are_read_and_other_blocks_skipped)
{
	static struct rig r;
	struct outcome o;
	size_t start;

	r = (struct rig){ 0 };
	rig_section(&r);
	rig_interface(&r, 1, 6, 0);
	start = rig_block(&r, 0x0bad);
	rig_bytes(&r, 0, 33);
	rig_end(&r, start);
	start = rig_block(&r, 2); /* interface, drops, time, captured, length */
	rig_u16(&r, 0);
	rig_u16(&r, 9);
	rig_u64(&r, UINT64_C(3) << 32);
	rig_u32(&r, 2);
	rig_u32(&r, 5);
	rig_bytes(&r, 1, 2);
	rig_end(&r, start);
	start = rig_block(&r, 3);
	rig_u32(&r, 150); /* on the wire; the snapshot length is 100 */
	rig_bytes(&r, 1, 100);
	rig_end(&r, start);
	o = read_rig(&r, r.len);
	CHECK_STR(o.fault.text, "");
	CHECK_EQ(o.frames, 2);
	CHECK_EQ(o.frame[0].time_ns, 3000);
	CHECK_EQ(o.frame[0].length, 5);
	CHECK_EQ(o.captured[1], 100);
	CHECK_EQ(o.frame[1].length, 150);
	CHECK_EQ(o.frame[1].time_ns, 3000); /* it has none: that of the one before */
}

TEST(a_pcapng_cut_anywhere_gives_its_whole_frames)
{
	static struct rig r;
	size_t ends[4];

	r = (struct rig){ 0 };
	rig_section(&r);
	ends[0] = r.len;
	rig_interface(&r, 1, 6, 0);
	rig_packet(&r, 0, 1, 5, 5);
	ends[1] = r.len;
	rig_packet(&r, 0, 2, 6, 6);
	ends[2] = r.len;
	for (size_t n = 4; n <= r.len; n++) {
		struct outcome o = read_rig(&r, n);

		CHECK_EQ(o.open, BARN_OK);
		CHECK_EQ(o.frames, (n >= ends[1]) + (n >= ends[2]));
		if (o.end != BARN_ERR_END)
			CHECK_STR(o.fault.text, "truncated");
	}
	CHECK_EQ(read_rig(&r, r.len).end, BARN_ERR_END);
}

TEST(any_one_spoiled_byte_is_survived)
{
	static struct rig r, spoiled;
	const uint8_t masks[] = { 0x01, 0x80, 0xff };

	r = (struct rig){ 0 };
	rig_section(&r);
	rig_interface(&r, 1, 6, 50);
	rig_packet(&r, 0, 1, 5, 5);
	rig_packet(&r, 0, 2, 60, 60);
	for (size_t i = 0; i < r.len; i++)
		for (size_t m = 0; m < sizeof(masks); m++) {
			spoiled = r;
			spoiled.b[i] ^= masks[m];
			CHECK(read_rig(&spoiled, r.len).frames <= 2);
		}
}

TEST(an_impossible_length_of_a_block_is_corrupt)
{
	static struct rig r;
	const uint32_t lengths[] = { 0, 11, 1 << 25, UINT32_MAX };

	for (size_t i = 0; i < 4; i++) {
		struct outcome o;

		r = (struct rig){ 0 };
		rig_section(&r);
		rig_interface(&r, 1, 6, 0);
		rig_u32(&r, 6);
		rig_u32(&r, lengths[i]);
		rig_bytes(&r, 0, 64);
		o = read_rig(&r, r.len);
		CHECK_STR(o.fault.text, "corrupt: impossible length of a block");
	}
}

TEST(progress_ends_at_the_size)
{
	static struct rig r;
	uint64_t read, size;
	struct pcapfile *file;
	struct io_frame frame;
	const char *path;

	r = (struct rig){ 0 };
	fill_pcap(&r, 0xa1b2c3d4);
	path = rig_file(&r, r.len, NAME);
	CHECK_EQ(pcapfile_open(path, &file, NULL), BARN_OK);
	while (pcapfile_next(file, &frame) == BARN_OK)
		;
	pcapfile_progress(file, &read, &size);
	CHECK_EQ(read, r.len);
	CHECK_EQ(size, r.len);
	pcapfile_close(file);
	unlink(path);
}
