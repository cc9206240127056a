/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_skype;

static struct feed f;

enum { MESSAGE_LEN = 31 };

/* A message: what chance would make of it, but for its number and its sum. */
static void
say(enum inspect_dir dir, uint16_t id, uint8_t what, uint32_t sum, size_t len)
{
	static uint64_t seed = 7;
	uint8_t b[MESSAGE_LEN];

	feed_noise(&seed, b, sizeof(b));
	b[0] = (uint8_t)(id >> 8);
	b[1] = (uint8_t)id;
	b[2] = what;
	b[7] = (uint8_t)(sum >> 24);
	b[8] = (uint8_t)(sum >> 16);
	b[9] = (uint8_t)(sum >> 8);
	b[10] = (uint8_t)sum;
	feed_datagram(&f, dir, b, len);
}

static void
begin(void)
{
	feed_init(&f, &inspect_skype, INSPECT_UDP);
}

TEST(a_message_that_is_refused_and_sent_again_is_sure)
{
	begin();
	say(INSPECT_CLIENT, 0x1697, 2, 1, MESSAGE_LEN);
	CHECK_EQ(f.answer, INSPECT_MORE);
	say(INSPECT_SERVER, 0x1697, 0x77, 2, 11);
	CHECK_EQ(f.answer, INSPECT_MORE);
	say(INSPECT_CLIENT, 0x1697, 3, 3, MESSAGE_LEN);
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

TEST(a_refusal_of_what_was_not_sent_is_not_ours)
{
	begin();
	say(INSPECT_CLIENT, 0x1697, 2, 1, MESSAGE_LEN);
	say(INSPECT_SERVER, 0x1698, 0x77, 2, 11);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
	begin();
	say(INSPECT_CLIENT, 0x1697, 2, 1, MESSAGE_LEN);
	say(INSPECT_SERVER, 0x1697, 0x77, 2, 12);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(a_repeated_message_is_likely_and_with_another_sure)
{
	begin();
	say(INSPECT_CLIENT, 0x1697, 2, 0x792e012b, MESSAGE_LEN);
	say(INSPECT_CLIENT, 0x1697, 2, 0x792e012b, MESSAGE_LEN);
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	say(INSPECT_CLIENT, 0xb06b, 2, 0x6fefb9db, 18);
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

/* As a protocol would with a magic number, a counter and a session. */
TEST(a_counter_is_not_taken_for_a_repeated_message)
{
	uint8_t b[MESSAGE_LEN] = { 0x16, 0x97, 2, 0, 0, 0, 0, 0x79, 0x2e, 1, 0x2b };

	begin();
	for (unsigned i = 0; i < 8; i++) {
		b[6] = (uint8_t)i;
		for (unsigned at = 11; at < sizeof(b); at++)
			b[at] = (uint8_t)(b[at] + 37 * at);
		feed_datagram(&f, INSPECT_CLIENT, b, sizeof(b));
	}
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_fini(&f);
}

TEST(noise_is_nothing)
{
	uint64_t seed = 1;
	uint8_t noise[MESSAGE_LEN];

	for (unsigned i = 0; i < 300000; i++) {
		begin();
		for (unsigned n = 0; n < 8 && !feed_over(&f); n++) {
			feed_noise(&seed, noise, sizeof(noise));
			if (i % 2)
				noise[2] = (uint8_t[]){ 2, 0x77, 3, 2 }[n % 4];
			feed_datagram(&f, n % 2 ? INSPECT_SERVER : INSPECT_CLIENT, noise,
				      n % 4 == 1 ? 11 : 18 + i % 12);
		}
		CHECK(f.answer <= INSPECT_MORE);
		feed_fini(&f);
	}
}
