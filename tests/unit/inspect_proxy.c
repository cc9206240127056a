/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_proxy;

static struct feed f;

#define STEP(dir, text)                                 \
	{                                               \
		INSPECT_##dir, (text), sizeof(text) - 1 \
	}
#define COUNT(steps) (sizeof(steps) / sizeof((steps)[0]))
#define SIGNATURE    "\r\n\r\n\0\r\nQUIT\n"

static void
run(const void *data, size_t len)
{
	feed_init(&f, &inspect_proxy, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, data, len);
}

TEST(a_line_hands_over_behind_its_end)
{
	static const struct feed_step four[] = {
		STEP(CLIENT, "PROXY TCP4 192.0.2.1 192.0.2.2 40000 443\r\n"),
	};
	static const struct feed_step six[] = {
		STEP(CLIENT, "PROXY TCP6 2001:db8::1 2001:db8::2 40000 443\r\n"),
	};

	feed_splits(&inspect_proxy, four, COUNT(four), INSPECT_DONE,
		    "version=1\nsource=192.0.2.1\ndestination=192.0.2.2\ninner=(afresh)\n");
	feed_splits(&inspect_proxy, six, COUNT(six), INSPECT_DONE,
		    "version=1\nsource=2001:db8::1\ndestination=2001:db8::2\ninner=(afresh)\n");
}

TEST(of_an_unknown_end_the_rest_is_ignored)
{
	static const char line[] = "PROXY UNKNOWN ffff::1 whatever\r\nGET /";

	run(line, sizeof(line) - 1);
	CHECK_STR(f.log, "version=1\ninner=(afresh)\n");
	CHECK_EQ(f.len[INSPECT_CLIENT], 5);
	CHECK_MEM(f.window[INSPECT_CLIENT], "GET /", 5);
	feed_fini(&f);
}

TEST(a_header_hands_over_behind_its_values)
{
	static const struct feed_step four[] = {
		STEP(CLIENT, SIGNATURE "\x21\x11\0\x17\300\0\2\1\300\0\2\2\x9c\x40\1\xbb"
				       "\2\0\5a.net\3\0\0"),
	};
	static const struct feed_step local[] = {
		STEP(CLIENT, SIGNATURE "\x20\0\0\0"),
	};

	feed_splits(&inspect_proxy, four, COUNT(four), INSPECT_DONE,
		    "version=2\ncommand=proxy\nsource=192.0.2.1\ndestination=192.0.2.2\n"
		    "authority=a.net\ninner=(afresh)\n");
	feed_splits(&inspect_proxy, local, COUNT(local), INSPECT_DONE,
		    "version=2\ncommand=local\ninner=(afresh)\n");
}

TEST(a_long_header_is_passed_over)
{
	static uint8_t header[16 + 60000 + 3];

	memcpy(header, SIGNATURE "\x21\x21\xea\x60", 16);
	memcpy(header + sizeof(header) - 3, "GET", 3);
	feed_init(&f, &inspect_proxy, INSPECT_TCP);
	for (size_t at = 0, n; at < sizeof(header); at += n) {
		n = sizeof(header) - at < 1400 ? sizeof(header) - at : 1400;
		feed_stream(&f, INSPECT_CLIENT, header + at, n);
	}
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log,
		  "version=2\ncommand=proxy\nsource=::\ndestination=::\ninner=(afresh)\n");
	CHECK_EQ(f.len[INSPECT_CLIENT], 3);
	feed_fini(&f);
}

TEST(a_server_that_speaks_meanwhile_changes_nothing)
{
	feed_init(&f, &inspect_proxy, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, SIGNATURE "\x21\x11\0\xc", 16);
	CHECK_EQ(f.answer, INSPECT_SURE);
	feed_text(&f, INSPECT_SERVER, "220 mail\r\n");
	CHECK_EQ(f.answer, INSPECT_SURE);
	CHECK_EQ(f.len[INSPECT_SERVER], 10);
	feed_stream(&f, INSPECT_CLIENT, "\300\0\2\1\300\0\2\2\x9c\x40\1\xbb", 12);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_EQ(f.len[INSPECT_SERVER], 10);
	feed_fini(&f);
}

TEST(what_does_not_fit_is_another_protocol)
{
	static const struct {
		const char *data;
		size_t len;
	} others[] = {
#define OTHER(text) { (text), sizeof(text) - 1 }
		OTHER("PROXY TCP4 192.0.2.1 192.0.2.2 40000\r\n"),
		OTHER("PROXY TCP4 192.0.2.1 192.0.2.2 40000 65536\r\n"),
		OTHER("PROXY TCP4 192.0.2.1 192.0.2.2 40000 44x\r\n"),
		OTHER("PROXY TCP4 192.0.2.1 192.0.2.2 40000 443 1\r\n"),
		OTHER("PROXY TCP4 2001:db8::1 192.0.2.2 40000 443\r\n"),
		OTHER("PROXY TCP6 192.0.2.1 192.0.2.2 40000 443\r\n"),
		OTHER("PROXY TCP4 192.0.2.1 192.0.2.2 40000 443\n"),
		OTHER("PROXY SCTP 192.0.2.1 192.0.2.2 40000 443\r\n"),
		OTHER("PROXYTCP4\r\n"),
		OTHER("\r\n\r\n\1"),
		OTHER(SIGNATURE "\x11\x11\0\0"),
		OTHER(SIGNATURE "\x22\x11\0\0"),
		OTHER(SIGNATURE "\x21\x41\0\0"),
		OTHER(SIGNATURE "\x21\x13\0\0"),
#undef OTHER
	};
	char endless[120] = "PROXY UNKNOWN ";

	for (size_t i = 0; i < COUNT(others); i++) {
		run(others[i].data, others[i].len);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
	memset(endless + 14, 'a', sizeof(endless) - 14);
	run(endless, sizeof(endless));
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}
