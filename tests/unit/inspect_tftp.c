/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_tftp;

static struct feed f;

static void
ask(const char *bytes, size_t len)
{
	feed_init(&f, &inspect_tftp, INSPECT_UDP);
	feed_datagram(&f, INSPECT_CLIENT, bytes, len);
	feed_fini(&f);
}

TEST(a_request_announces_the_flow_to_the_client)
{
	ask("\0\1boot.img\0octet\0blksize\0"
	    "1428\0",
	    30);
	CHECK_STR(f.log, "filename=boot.img\nmode=octet\nannounce=tftp\n");
	CHECK_EQ(f.last.port, 40000);
	CHECK_EQ(f.last.ip_version, 0);
	CHECK_EQ(f.last.host, INSPECT_CLIENT);
	CHECK_EQ(f.last.transport, INSPECT_UDP);
	CHECK(!f.last.many);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	ask("\0\2log\0NetASCII\0", 15);
	CHECK_STR(f.log, "filename=log\nmode=NetASCII\nannounce=tftp\n");
}

TEST(other_datagrams_are_not_requests)
{
	static const struct {
		const char *bytes;
		size_t len;
	} others[] = { { "\0\3\0\1data", 8 },           { "\0\1boot.img\0ebcdic\0", 18 },
		       { "\0\1\0octet\0", 9 },          { "\0\1boot.img\0octet", 16 },
		       { "\1\1boot.img\0octet\0", 17 }, { "\0\1bo\nt.img\0octet\0", 17 } };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		ask(others[i].bytes, others[i].len);
		CHECK_EQ(f.answer, INSPECT_NO);
		CHECK_STR(f.log, "");
	}
}

TEST(each_request_of_a_flow_announces)
{
	feed_init(&f, &inspect_tftp, INSPECT_UDP);
	for (unsigned i = 0; i < 2; i++) {
		feed_datagram(&f, INSPECT_CLIENT, "\0\1a\0octet\0", 10);
		feed_datagram(&f, INSPECT_SERVER, "\0\5\0\1no\0", 7);
	}
	CHECK_STR(f.log, "filename=a\nmode=octet\nannounce=tftp\n"
			 "filename=a\nmode=octet\nannounce=tftp\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(noise_is_not_ours)
{
	uint64_t seed = 69;
	uint8_t noise[64];

	for (unsigned i = 0; i < 1000000; i++) {
		feed_noise(&seed, noise, sizeof(noise));
		noise[0] = 0;
		noise[1] = (uint8_t)(1 + i % 2);
		ask((const char *)noise, sizeof(noise));
		CHECK_EQ(f.answer, INSPECT_NO);
	}
}
