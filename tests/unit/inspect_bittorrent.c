/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_bittorrent;

static struct feed f;

#define ID "abcdefghij0123456789"

static void
begin(void)
{
	feed_init(&f, &inspect_bittorrent, INSPECT_UDP);
}

static void
say(enum inspect_dir dir, const char *text)
{
	feed_datagram(&f, dir, text, strlen(text));
}

static void
put32(uint8_t *at, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> (24 - 8 * i));
}

TEST(a_question_and_its_hash_are_told)
{
	begin();
	say(INSPECT_CLIENT,
	    "d1:ad2:id20:" ID "9:info_hash20:ABCDEFGHIJABCDEFGHIJe1:q9:get_peers"
	    "1:t2:aa1:v4:UT\x01\x02"
	    "1:y1:qe");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log,
		  "query=get_peers\ninfo-hash=4142434445464748494a4142434445464748494a\n");
	CHECK_STR(f.announced, "");
	feed_fini(&f);
}

TEST(an_answers_peers_are_announced_but_for_odd_addresses_and_low_ports)
{
	begin();
	say(INSPECT_SERVER, "d1:rd2:id20:" ID "5:token2:tt6:valuesl"
			    "6:\xc0\x01\x02\x03\x1a\xe1"
			    "6:\xc0\x01\x02\x03\x01\xbb"
			    "6:\x7f\x01\x02\x03\x1a\xe1"
			    "6:\xef\x01\x02\x03\x1a\xe1"
			    "ee1:t2:aa1:y1:re");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.announced, "bittorrent tcp 192.1.2.3:6881 900 s many\n"
			       "bittorrent udp 192.1.2.3:6881 900 s many\n");
	feed_fini(&f);
}

TEST(a_peer_announces_its_own_port_once)
{
	const char *with = "d1:ad2:id20:" ID "12:implied_porti0e9:info_hash20:" ID
			   "4:porti6882e5:token2:tte1:q13:announce_peer1:t2:aa1:y1:qe";
	const char *implied = "d1:ad2:id20:" ID "12:implied_porti1e9:info_hash20:" ID
			      "4:porti6882e5:token2:tte1:q13:announce_peer1:t2:aa1:y1:qe";

	begin();
	say(INSPECT_CLIENT, with);
	say(INSPECT_CLIENT, with);
	CHECK_STR(f.announced, "bittorrent tcp client:6882 900 s many\n"
			       "bittorrent udp client:6882 900 s many\n");
	feed_fini(&f);
	begin();
	say(INSPECT_SERVER, implied);
	CHECK_STR(f.announced, "bittorrent tcp server:40001 900 s many\n"
			       "bittorrent udp server:40001 900 s many\n");
	feed_fini(&f);
}

TEST(a_message_is_sure_only_to_its_last_byte)
{
	static const char *const messages[] = {
		"d1:ad2:id20:" ID "e1:q4:ping1:t2:aa1:y1:qe",
		"d2:ip6:\x01\x02\x03\x04\x05\x06"
		"1:rd2:id20:" ID "e1:t2:aa1:y1:re",
		"d1:eli201e5:Errore1:t2:aa1:y1:ee",
	};

	for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++) {
		size_t len = strlen(messages[i]);

		for (size_t cut = 0; cut < len; cut++) {
			begin();
			feed_datagram(&f, INSPECT_CLIENT, messages[i], cut);
			CHECK(f.answer < INSPECT_LIKELY);
			feed_fini(&f);
		}
		begin();
		feed_datagram(&f, INSPECT_CLIENT, messages[i], len);
		CHECK_EQ(f.answer, INSPECT_NAMED);
		feed_fini(&f);
	}
}

TEST(other_dictionaries_are_not_ours)
{
	static const char *const others[] = {
		"d1:ai1e1:bi2ee",
		"d1:ad2:id19:abcdefghij012345678e1:q4:ping1:t2:aa1:y1:qe",
		"d1:ad2:id20:" ID "e1:q4:ping1:y1:qe",
		"d1:ad2:id20:" ID "e1:q4:ping1:t2:aa1:y1:xe",
		"d1:ad2:id20:" ID "e1:q4:p ng1:t2:aa1:y1:qe",
		"d1:ad2:id20:" ID "e1:q4:ping1:t2:aa1:y1:qe ",
		"dllllllllllllllllllllllllllllllll",
		"d99999999999999999999:",
		"d1:ai99999999999999999999999999999999e1:y1:qe",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		begin();
		say(INSPECT_CLIENT, others[i]);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

enum { CONNECT_LEN = 16, ANNOUNCE_LEN = 98 };

static void
make_announce(uint8_t b[ANNOUNCE_LEN], uint32_t transaction)
{
	memset(b, 0, ANNOUNCE_LEN);
	put32(b, 0x12345678);
	put32(b + 8, 1);
	put32(b + 12, transaction);
	memset(b + 16, 0xaa, 40);
	b[84 + 4] = 7; /* of the key */
	put32(b + 92, UINT32_MAX);
	b[96] = 0x1a;
	b[97] = 0xe2;
}

TEST(a_tracker_is_read_and_its_peers_announced)
{
	uint8_t announce[ANNOUNCE_LEN], answer[20 + 12] = { 0 };
	uint8_t connect[CONNECT_LEN] = { 0, 0, 4, 0x17, 0x27, 0x10, 0x19, 0x80 };

	begin();
	feed_datagram(&f, INSPECT_CLIENT, connect, sizeof(connect));
	CHECK_EQ(f.answer, INSPECT_NAMED);
	make_announce(announce, 99);
	feed_datagram(&f, INSPECT_CLIENT, announce, sizeof(announce));
	CHECK_STR(f.log, "info-hash=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n");
	put32(answer, 1);
	put32(answer + 4, 99);
	put32(answer + 8, 1800);
	memcpy(answer + 20, "\xc0\x00\x02\x09\x1a\xe1\x0a\x00\x00\x07\xc8\x00", 12);
	feed_datagram(&f, INSPECT_SERVER, answer, sizeof(answer));
	CHECK_STR(f.announced, "bittorrent tcp client:6882 900 s many\n"
			       "bittorrent udp client:6882 900 s many\n"
			       "bittorrent tcp 192.0.2.9:6881 900 s many\n"
			       "bittorrent udp 192.0.2.9:6881 900 s many\n"
			       "bittorrent tcp 10.0.0.7:51200 900 s many\n"
			       "bittorrent udp 10.0.0.7:51200 900 s many\n");
	feed_fini(&f);
}

TEST(a_tracker_joined_late_is_likely_until_it_answers)
{
	uint8_t announce[ANNOUNCE_LEN], answer[20] = { 0 };

	begin();
	make_announce(announce, 99);
	feed_datagram(&f, INSPECT_CLIENT, announce, sizeof(announce));
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	CHECK_STR(f.announced, "");
	put32(answer, 1);
	put32(answer + 4, 99);
	feed_datagram(&f, INSPECT_SERVER, answer, sizeof(answer));
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

/* One additional record (EDNS) where a tracker has the action to announce, then padding. */
TEST(a_padded_question_of_dns_is_not_ours)
{
	uint8_t question[128] = {
		0x20, 0xc6, 1, 0x20, 0, 1, 0, 0, 0, 0, 0, 1, 3, 'w', 'w', 'w'
	};

	begin();
	feed_datagram(&f, INSPECT_CLIENT, question, sizeof(question));
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(another_transactions_answer_announces_nothing)
{
	uint8_t announce[ANNOUNCE_LEN], answer[20 + 6] = { 0 };

	begin();
	make_announce(announce, 99);
	feed_datagram(&f, INSPECT_CLIENT, announce, sizeof(announce));
	put32(answer, 1);
	put32(answer + 4, 98);
	memcpy(answer + 20, "\xc0\x00\x02\x09\x1a\xe1", 6);
	feed_datagram(&f, INSPECT_SERVER, answer, sizeof(answer));
	CHECK_STR(f.announced, "");
	feed_fini(&f);
}

TEST(peers_are_bounded_by_answer_and_by_flow)
{
	uint8_t announce[ANNOUNCE_LEN], answer[20 + 6 * 200] = { 0 };
	unsigned lines = 0;

	begin();
	for (uint32_t round = 0; round < 10; round++) {
		make_announce(announce, round);
		feed_datagram(&f, INSPECT_CLIENT, announce, sizeof(announce));
		put32(answer, 1);
		put32(answer + 4, round);
		for (uint32_t i = 0; i < 200; i++) {
			put32(answer + 20 + 6 * i, 0x0a000000 + round * 256 + i);
			answer[20 + 6 * i + 4] = 0x1a;
		}
		feed_datagram(&f, INSPECT_SERVER, answer, sizeof(answer));
	}
	for (size_t i = 0; i < f.announced_len; i++)
		lines += f.announced[i] == '\n';
	CHECK_EQ(lines, 2 * (64 + 1));
	feed_fini(&f);
}

/* A datagram of uTP, sent at time_us of a clock that both sides' clocks are derived from. */
static void
utp(enum inspect_dir dir, uint8_t type, uint16_t id, uint32_t time_us, uint16_t seq,
    uint16_t ack)
{
	uint8_t b[24] = { (uint8_t)(type << 4 | 1) };

	b[2] = (uint8_t)(id >> 8);
	b[3] = (uint8_t)id;
	put32(b + 4, time_us + (dir ? 0x80001234 : 0x77));
	put32(b + 8, 3111);
	put32(b + 12, 1048576);
	b[16] = (uint8_t)(seq >> 8);
	b[17] = (uint8_t)seq;
	b[18] = (uint8_t)(ack >> 8);
	b[19] = (uint8_t)ack;
	f.time_ns = UINT64_C(1700000000000000000) + UINT64_C(1000) * time_us + 900;
	feed_datagram(&f, dir, b, type == 0 ? 24 : 20);
}

TEST(a_connection_joined_late_is_known_by_both_sides)
{
	begin();
	utp(INSPECT_CLIENT, 0, 0x5d3d, 1000, 100, 7000);
	CHECK_EQ(f.answer, INSPECT_MORE);
	utp(INSPECT_SERVER, 2, 0x5d3c, 31000, 7001, 100);
	utp(INSPECT_CLIENT, 0, 0x5d3d, 61000, 101, 7000);
	CHECK(f.answer < INSPECT_SURE);
	utp(INSPECT_SERVER, 2, 0x5d3c, 91000, 7001, 101);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(one_side_alone_is_likely)
{
	begin();
	for (uint16_t i = 0; i < 8; i++)
		utp(INSPECT_CLIENT, 0, 0x5d3d, 1000 + i * 20000u, (uint16_t)(100 + i), 7000);
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);
}

TEST(clocks_that_stand_or_jump_and_strange_ids_are_no_evidence)
{
	begin();
	for (uint16_t i = 0; i < 8; i++) {
		utp(INSPECT_CLIENT, 0, 0x5d3d, 1000, 100, 7000);
		utp(INSPECT_SERVER, 2, 0x5d39, 1000, 7001, 100);
	}
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_fini(&f);
}

TEST(an_extension_that_does_not_fit_is_not_ours)
{
	uint8_t selective[26] = { 0x21, 1, 0x5d, 0x3d };

	selective[21] = 4;
	begin();
	feed_datagram(&f, INSPECT_CLIENT, selective, sizeof(selective));
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_fini(&f);
	selective[21] = 5;
	begin();
	feed_datagram(&f, INSPECT_CLIENT, selective, sizeof(selective));
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
	begin();
	feed_datagram(&f, INSPECT_CLIENT, selective, 19);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

/* Twelve datagrams a flow, all of which look like headers of uTP as far as one can. */
TEST(noise_is_nothing)
{
	uint64_t seed = 1;
	uint8_t noise[64];
	unsigned likely = 0, sure = 0;

	for (unsigned i = 0; i < 200000; i++) {
		begin();
		for (unsigned n = 0; n < 12 && !feed_over(&f); n++) {
			feed_noise(&seed, noise, sizeof(noise));
			if (i % 2) {
				noise[0] = 1;
				noise[1] = 0;
			}
			f.time_ns += UINT64_C(10000000);
			feed_datagram(&f, n % 2 ? INSPECT_SERVER : INSPECT_CLIENT, noise,
				      sizeof(noise) - i % 40);
		}
		likely += f.answer == INSPECT_LIKELY;
		sure += f.answer >= INSPECT_SURE;
		feed_fini(&f);
	}
	CHECK_EQ(sure, 0);
	CHECK_EQ(likely, 0);
}
