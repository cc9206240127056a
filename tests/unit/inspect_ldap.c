/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/ldap.h"

#include "inspect_split.h"

extern const struct inspector inspect_ldap;

static struct feed f;

#define STARTTLS                         \
	"\x30\x1d\2\1\1\x77\x18\x80\x16" \
	"1.3.6.1.4.1.1466.20037"
#define STARTED "\x30\x0c\2\1\1\x78\7\x0a\1\0\4\0\4\0"
#define BIND_ALICE                           \
	"\x30\x16\2\1\1\x60\x11\2\1\3\4\x08" \
	"cn=alice"                           \
	"\x80\2"                             \
	"pw"
#define BOUND "\x30\x0c\2\1\1\x61\7\x0a\1\0\4\0\4\0"
#define SEARCH                                       \
	"\x30\x2b\2\1\2\x63\x26\4\6"                 \
	"dc=org"                                     \
	"\x0a\1\2\x0a\1\0\2\1\0\2\1\0\1\1\0\x87\x0b" \
	"objectclass"                                \
	"\x30\0"

#define LEN(text) (sizeof(text) - 1)

TEST(a_bind_and_a_search_tell_their_names)
{
	static const struct feed_step steps[] = {
		{ INSPECT_CLIENT, BIND_ALICE, LEN(BIND_ALICE) },
		{ INSPECT_SERVER, BOUND, LEN(BOUND) },
		{ INSPECT_CLIENT, SEARCH, LEN(SEARCH) },
	};

	feed_splits(&inspect_ldap, steps, 3, INSPECT_NAMED, "bind=cn=alice\nbase=dc=org\n");
}

TEST(starttls_hands_over_behind_the_answer)
{
	static const struct feed_step steps[] = {
		{ INSPECT_CLIENT, STARTTLS, LEN(STARTTLS) },
		{ INSPECT_SERVER, STARTED, LEN(STARTED) },
	};

	feed_splits(&inspect_ldap, steps, 2, INSPECT_DONE, "inner=ssl\n");
	feed_init(&f, &inspect_ldap, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, STARTTLS, LEN(STARTTLS));
	feed_stream(&f, INSPECT_SERVER, STARTED "\26\3\3", LEN(STARTED) + 3);
	CHECK_EQ(f.len[INSPECT_SERVER], 3);
	feed_fini(&f);
}

TEST(a_refusal_or_another_answer_is_not_the_start_of_tls)
{
	static const char *const answers[] = { "\x30\x0c\2\1\1\x78\7\x0a\1\2\4\0\4\0",
					       "\x30\x0c\2\1\2\x78\7\x0a\1\0\4\0\4\0",
					       "\x30\x0c\2\1\1\x61\7\x0a\1\0\4\0\4\0" };

	for (unsigned i = 0; i < 3; i++) {
		feed_init(&f, &inspect_ldap, INSPECT_TCP);
		feed_stream(&f, INSPECT_CLIENT, STARTTLS, LEN(STARTTLS));
		feed_stream(&f, INSPECT_SERVER, answers[i], LEN(STARTED));
		CHECK_STR(f.log, "");
		CHECK_EQ(f.answer, INSPECT_NAMED);
		feed_fini(&f);
	}
}

TEST(lengths_of_windows_are_read)
{
	feed_init(&f, &inspect_ldap, INSPECT_UDP);
	feed_datagram(&f, INSPECT_SERVER,
		      "\x30\x84\0\0\0\x10\2\1\1\x65\x84\0\0\0\7\x0a\1\0\4\0\4\0", 22);
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

TEST(a_goodbye_alone_is_sure)
{
	feed_init(&f, &inspect_ldap, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, "\x30\5\2\1\3\x42\0", 7);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(what_sasl_wraps_is_not_read)
{
	feed_init(&f, &inspect_ldap, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, BIND_ALICE, LEN(BIND_ALICE));
	feed_stream(&f, INSPECT_CLIENT, "\0\0\0\x40\5\4\6\xff", 8);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log, "bind=cn=alice\n");
	CHECK_EQ(f.len[INSPECT_CLIENT], 0);
	feed_fini(&f);
}

TEST(messages_are_found_behind_a_gap)
{
	feed_init(&f, &inspect_ldap, INSPECT_TCP);
	f.lost = true;
	feed_text(&f, INSPECT_CLIENT, "the rest of an entry");
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_stream(&f, INSPECT_CLIENT, SEARCH, LEN(SEARCH));
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(other_users_of_ber_are_not_ours)
{
	static const struct {
		const char *bytes;
		size_t len;
	} others[] = {
		{ "\x30\x26\2\1\0\4\6public\xa0\x19", 15 },       /* SNMP */
		{ "\x30\x0c\3\1\1\x61\7\x0a\1\0\4\0\4\0", 14 },   /* no number */
		{ "\x30\x0c\2\5\1\x61\7\x0a\1\0\4\0\4\0", 14 },   /* too long a number */
		{ "\x30\x0c\2\1\1\x62\7\x0a\1\0\4\0\4\0", 14 },   /* no operation */
		{ "\x30\x0c\2\1\1\x61\x20\x0a\1\0\4\0\4\0", 14 }, /* longer than all */
		{ "\x30\x80\2\1\1\x61\7\x0a\1\0\4\0\4\0", 14 },   /* no length */
		{ "\x30\2\2\0", 4 },
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		feed_init(&f, &inspect_ldap, INSPECT_TCP);
		feed_stream(&f, INSPECT_CLIENT, others[i].bytes, others[i].len);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(what_is_inside_decides)
{
	feed_init(&f, &inspect_ldap, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT,
		    "\x30\x16\2\1\1\x60\x11\2\1\4\4\x08"
		    "cn=alice\x80\2pw",
		    24);
	CHECK_EQ(f.answer, INSPECT_LIKELY); /* version 4 */
	feed_fini(&f);
}

TEST(noise_is_never_sure)
{
	uint64_t seed = 389;
	uint8_t noise[64];

	for (unsigned i = 0; i < 2000000; i++) {
		feed_init(&f, &inspect_ldap, i & 1 ? INSPECT_TCP : INSPECT_UDP);
		feed_noise(&seed, noise, sizeof(noise));
		noise[0] = 0x30;
		noise[1] = 62;
		if (i & 1)
			feed_stream(&f, INSPECT_CLIENT, noise, sizeof(noise));
		else
			feed_datagram(&f, INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_SURE);
		feed_fini(&f);
	}
}
