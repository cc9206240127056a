/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/smb.h"

#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_smb;

static struct feed f;
static struct out o;

static void
put_little(uint32_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		o.b[o.len++] = (uint8_t)(value >> (8 * i));
}

static void
put_zeros(unsigned bytes)
{
	while (bytes-- > 0)
		put(&o, 0, 1);
}

static void
put_wide(const char *text)
{
	for (; *text; text++)
		put_little((uint8_t)*text, 2);
}

static void
send_frame(enum inspect_dir dir)
{
	feed_stream(&f, dir, o.b, o.len);
	o.len = 0;
}

/* Message of version 2 or 3; its place in its frame is 4. */
static void
open_second(unsigned command, bool response)
{
	o.len = 0;
	open_length(&o, 4);
	put(&o, 0xfe, 1);
	put_text(&o, "SMB");
	put_little(64, 2);
	put_zeros(6);
	put_little(command, 2);
	put_zeros(2);
	put_little(response, 4);
	put_zeros(44);
}

static void
put_negotiated(uint16_t dialect)
{
	open_second(0, true);
	put_little(65, 2);
	put_little(1, 2);
	put_little(dialect, 2);
	put_zeros(58);
	close_length(&o, 4, 4);
}

static void
put_tree(const char *path)
{
	open_second(3, false);
	put_little(9, 2);
	put_zeros(2);
	put_little(72, 2);
	put_little((uint32_t)(2 * strlen(path)), 2);
	put_wide(path);
	close_length(&o, 4, 4);
}

static void
put_create(const char *name)
{
	open_second(5, false);
	put_little(57, 2);
	put_zeros(42);
	put_little(120, 2);
	put_little((uint32_t)(2 * strlen(name)), 2);
	put_zeros(8);
	put_wide(name);
	close_length(&o, 4, 4);
}

static void
put_login(const char *user, const char *domain)
{
	uint32_t at = 64;

	put_text(&o, "NTLMSSP");
	put(&o, 0, 1);
	put_little(3, 4);
	put_zeros(16);
	put_little((uint32_t)(2 * strlen(domain)), 2);
	put_zeros(2);
	put_little(at, 4);
	put_little((uint32_t)(2 * strlen(user)), 2);
	put_zeros(2);
	put_little(at + (uint32_t)(2 * strlen(domain)), 4);
	put_zeros(16);
	put_little(1, 4);
	put_wide(domain);
	put_wide(user);
}

static void
start(void)
{
	feed_init(&f, &inspect_smb, INSPECT_TCP);
}

TEST(the_dialect_is_the_servers_choice)
{
	static const struct {
		uint16_t number;
		const char *log;
	} dialects[] = { { 0x0202, "dialect=2.0.2\n" },
			 { 0x0300, "dialect=3.0.0\n" },
			 { 0x0311, "dialect=3.1.1\n" },
			 { 0x02ff, "" } };

	for (size_t i = 0; i < 4; i++) {
		start();
		put_negotiated(dialects[i].number);
		send_frame(INSPECT_SERVER);
		CHECK_STR(f.log, dialects[i].log);
		CHECK_EQ(f.answer, INSPECT_NAMED);
		feed_fini(&f);
	}
}

TEST(shares_are_told_up_to_the_first_that_has_files)
{
	start();
	put_tree("\\\\server\\IPC$");
	send_frame(INSPECT_CLIENT);
	put_tree("\\\\server\\public");
	send_frame(INSPECT_CLIENT);
	put_tree("\\\\server\\private");
	send_frame(INSPECT_CLIENT);
	CHECK_STR(f.log, "share=IPC$\nshare=public\n");
	feed_fini(&f);
}

TEST(only_names_on_the_share_of_pipes_are_pipes)
{
	start();
	put_tree("\\\\server\\public");
	send_frame(INSPECT_CLIENT);
	put_create("minutes.txt");
	send_frame(INSPECT_CLIENT);
	put_tree("\\\\server\\IPC$");
	send_frame(INSPECT_CLIENT);
	put_create("srvsvc");
	send_frame(INSPECT_CLIENT);
	CHECK_STR(f.log, "share=public\npipe=srvsvc\n");
	feed_fini(&f);
}

TEST(who_logs_in_by_ntlm_is_told)
{
	start();
	open_second(1, false);
	put_little(25, 2);
	put_zeros(22);
	put_text(&o, "wrapped ");
	put_login("alice", "EXAMPLE");
	close_length(&o, 4, 4);
	send_frame(INSPECT_CLIENT);
	CHECK_STR(f.log, "user=alice\ndomain=EXAMPLE\n");
	feed_fini(&f);
}

TEST(a_login_that_points_outside_tells_nothing)
{
	start();
	open_second(1, false);
	put_little(25, 2);
	put_zeros(22);
	put_login("alice", "EXAMPLE");
	o.len -= 24; /* both names */
	close_length(&o, 4, 4);
	send_frame(INSPECT_CLIENT);
	CHECK_STR(f.log, "");
	feed_fini(&f);
}

TEST(messages_in_one_frame_are_all_read)
{
	static uint8_t second[200];

	put_create("lsarpc");
	size_t len = o.len - 4;

	memcpy(second, o.b + 4, len);
	put_tree("\\\\s\\IPC$");
	while (o.len % 8 != 4)
		put(&o, 0, 1);
	size_t next = o.len - 4;

	memcpy(o.b + o.len, second, len);
	o.len = 24;
	put_little((uint32_t)next, 4);
	o.len = 4 + next + len;
	close_length(&o, 4, 4);
	start();
	send_frame(INSPECT_CLIENT);
	CHECK_STR(f.log, "share=IPC$\npipe=lsarpc\n");
	feed_fini(&f);
}

/* Message of version 1. */
static void
open_first(unsigned command, unsigned flags)
{
	o.len = 0;
	open_length(&o, 4);
	put(&o, 0xff, 1);
	put_text(&o, "SMB");
	put(&o, command, 1);
	put_zeros(4);
	put(&o, flags, 1);
	put_little(0x8000, 2);
	put_zeros(20);
}

TEST(version_1_tells_dialect_and_share)
{
	start();
	open_first(0x72, 0);
	put(&o, 0, 1);
	put_little(24 + 12, 2);
	put_text(&o, "\2PC NETWORK PROGRAM 1.0");
	put(&o, 0, 1);
	put_text(&o, "\2NT LM 0.12");
	put(&o, 0, 1);
	close_length(&o, 4, 4);
	send_frame(INSPECT_CLIENT);
	open_first(0x72, 0x80);
	put(&o, 1, 1);
	put_little(1, 2);
	put_little(0, 2);
	close_length(&o, 4, 4);
	send_frame(INSPECT_SERVER);
	open_first(0x75, 0);
	put(&o, 4, 1);
	put_little(0xff, 2);
	put_little(0, 2);
	put_little(0, 2);
	put_little(1, 2);
	put_little(2 + 28, 2);
	put_zeros(1); /* a password of one byte */
	put_wide("\\\\server\\SHARE");
	close_length(&o, 4, 4);
	send_frame(INSPECT_CLIENT);
	CHECK_STR(f.log, "dialect=NT LM 0.12\nshare=SHARE\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(a_session_of_netbios_comes_before)
{
	start();
	feed_stream(&f, INSPECT_CLIENT, "\x81\0\0\4abcd", 8);
	feed_stream(&f, INSPECT_SERVER, "\x82\0\0\0", 4);
	CHECK_EQ(f.answer, INSPECT_MORE);
	put_negotiated(0x0210);
	send_frame(INSPECT_SERVER);
	CHECK_STR(f.log, "dialect=2.1.0\n");
	feed_fini(&f);
}

TEST(what_is_encrypted_is_the_end)
{
	start();
	put_tree("\\\\server\\public");
	o.b[4] = 0xfd;
	send_frame(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "");
	feed_fini(&f);
}

TEST(no_cut_changes_what_is_told)
{
	static uint8_t first[300], second[300];
	struct feed_step steps[] = { { INSPECT_SERVER, first, 0 },
				     { INSPECT_CLIENT, second, 0 },
				     { INSPECT_CLIENT, second, 0 } };

	put_negotiated(0x0302);
	memcpy(first, o.b, o.len);
	steps[0].len = o.len;
	put_tree("\\\\server\\public");
	memcpy(second, o.b, o.len);
	steps[1].len = steps[2].len = o.len;
	feed_splits(&inspect_smb, steps, 3, INSPECT_NAMED, "dialect=3.0.2\nshare=public\n");
}

TEST(letters_beyond_ascii_are_utf_8)
{
	char text[SMB_TEXT];

	CHECK_EQ(smb_text_wide(bytes_of("\xe9\0\x20\x20\0\0", 6), text), 5);
	CHECK_MEM(text, "\xc3\xa9\xe2\x80\xa0", 5);
	CHECK_EQ(smb_text_wide(bytes_of("\1\0", 2), text), 0);
	static uint8_t wide[1000];

	memset(wide, 'a', sizeof(wide));
	CHECK(smb_text_wide(bytes_of(wide, sizeof(wide)), text) < SMB_TEXT);
}

TEST(other_frames_are_not_ours)
{
	static const char *const others[] = { "\0\0\0\x40\xffSMC", "\0\0\0\x40\xfbSMB",
					      "\0\0\0\x10\xffSMB", "\x80\0\0\x40\xffSMB",
					      "\x81\0\1\0a\0\0\0" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		start();
		feed_stream(&f, INSPECT_CLIENT, others[i], 8);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(noise_is_never_sure)
{
	uint64_t seed = 445;
	uint8_t noise[64];

	for (unsigned i = 0; i < 1000000; i++) {
		start();
		feed_noise(&seed, noise, sizeof(noise));
		memcpy(noise, "\0\0\0", 3);
		feed_stream(&f, INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_LIKELY);
		feed_fini(&f);
	}
}
