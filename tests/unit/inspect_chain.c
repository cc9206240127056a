/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/chain.h"
#include "inspect_split.h"

extern const struct inspector inspect_modbus, inspect_dnp3, inspect_iec104, inspect_mqtt,
	inspect_amqp, inspect_s7comm, inspect_opcua, inspect_enip, inspect_bacnet,
	inspect_diameter, inspect_gtpc, inspect_ssh;

static struct feed f;

/* A protocol to try the chain on: a length that counts itself, a kind, and anything. */
enum { LIKELY = 'l', SURE = 's', NEUTRAL = 'n', LAST = 'z' };

struct toy {
	struct chain chain;
};

static const struct inspect_field toy_fields[] = { { "kind", INSPECT_TEXT } };

static enum inspect_answer
toy_length(struct bytes b, size_t *length)
{
	*length = bytes_u8(&b);
	return b.bad ? INSPECT_MORE : *length < 2 ? INSPECT_NO : INSPECT_SURE;
}

static enum inspect_answer
toy_message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct toy *s = state;
	struct bytes b = m->b;
	uint8_t kind = (bytes_skip(&b, 1), *b.p);

	b.end = b.p + 1;
	sink->field(sink->self, 0, b);
	if (kind == LAST)
		chain_stop(&s->chain);
	return kind == LIKELY                 ? INSPECT_LIKELY
	       : kind == NEUTRAL              ? INSPECT_MORE
	       : kind == SURE || kind == LAST ? INSPECT_SURE
					      : INSPECT_NO;
}

static const struct chain_protocol toy_protocol = {
	.want = 4,
	.enough = 2,
	.most = 6,
	.length = toy_length,
	.message = toy_message,
};

static enum inspect_answer
toy_feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return chain_feed(&toy_protocol, state, view, sink);
}

static const struct inspector toy = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "toy",
	.state_size = sizeof(struct toy),
	.transports = INSPECT_TCP | INSPECT_UDP,
	.fields = toy_fields,
	.field_count = 1,
	.feed = toy_feed,
};

static void
expect_toy(const char *bytes, enum inspect_answer answer, const char *log)
{
	feed_init(&f, &toy, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, bytes);
	CHECK_EQ(f.answer, answer);
	CHECK_STR(f.log, log);
	feed_fini(&f);
}

TEST(likely_messages_in_a_row_are_sure)
{
	expect_toy("\2l", INSPECT_LIKELY, "kind=l\n");
	expect_toy("\2l\3lx", INSPECT_NAMED, "kind=l\nkind=l\n");
	expect_toy("\2s", INSPECT_NAMED, "kind=s\n");
}

TEST(a_message_that_says_nothing_neither_proves_nor_refutes)
{
	expect_toy("\2n\2n\2n", INSPECT_MORE, "kind=n\nkind=n\nkind=n\n");
	expect_toy("\2l\2n\2l", INSPECT_NAMED, "kind=l\nkind=n\nkind=l\n");
}

TEST(likely_messages_of_both_sides_are_not_in_a_row)
{
	feed_init(&f, &toy, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "\2l");
	feed_text(&f, INSPECT_SERVER, "\2l");
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);
}

TEST(another_protocol_is_refused_before_it_is_sure_and_passed_over_after)
{
	expect_toy("\1l", INSPECT_NO, "");
	expect_toy("\2x", INSPECT_NO, "kind=x\n");
	expect_toy("\2l\1l", INSPECT_NO, "kind=l\n");
	feed_init(&f, &toy, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "\2s\1garbage");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_text(&f, INSPECT_CLIENT, "\2s");
	CHECK_STR(f.log, "kind=s\nkind=s\n");
	feed_fini(&f);
}

TEST(of_a_long_message_only_the_beginning_is_waited_for)
{
	feed_init(&f, &toy, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "\12sxx");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_text(&f, INSPECT_CLIENT, "yyyyyy\2l");
	CHECK_STR(f.log, "kind=s\nkind=l\n");
	feed_fini(&f);
}

TEST(behind_a_gap_what_was_to_be_skipped_is_forgotten)
{
	feed_init(&f, &toy, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "\12sxx");
	feed_gap(&f, INSPECT_CLIENT);
	feed_text(&f, INSPECT_CLIENT, "\2l");
	CHECK_STR(f.log, "kind=s\nkind=l\n");
	feed_fini(&f);
}

TEST(a_row_is_broken_by_a_gap)
{
	feed_init(&f, &toy, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "\2l");
	feed_gap(&f, INSPECT_CLIENT);
	feed_text(&f, INSPECT_CLIENT, "\2l");
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);
}

TEST(it_ends_after_the_last_message_and_after_the_most)
{
	expect_toy("\2z\2s", INSPECT_DONE, "kind=z\n");
	feed_init(&f, &toy, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "\2s\2l\2l\2l\2l");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_text(&f, INSPECT_CLIENT, "\2l");
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

TEST(a_datagram_is_filled_exactly)
{
	static const struct {
		const char *bytes;
		enum inspect_answer answer;
	} cases[] = { { "\2s\3lx", INSPECT_NAMED },
		      { "\2s\4lx", INSPECT_NO },
		      { "\2l\4lx", INSPECT_NO },
		      { "\3l", INSPECT_NO } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		feed_init(&f, &toy, INSPECT_UDP);
		feed_datagram(&f, INSPECT_CLIENT, cases[i].bytes, strlen(cases[i].bytes));
		CHECK_EQ(f.answer, cases[i].answer);
		feed_fini(&f);
	}
}

TEST(numbers_are_new_once)
{
	struct chain_set set = { { 0 } };

	for (unsigned i = 0; i < 256; i++) {
		CHECK(chain_new(&set, (uint8_t)i));
		CHECK(!chain_new(&set, (uint8_t)i));
	}
}

#define STEP(dir, text)                         \
	{                                       \
		(dir), (text), sizeof(text) - 1 \
	}

TEST(modbus_says_the_same_however_it_is_cut)
{
	static const struct feed_step steps[] = {
		STEP(INSPECT_CLIENT, "\0\1\0\0\0\6\1\3\0\0\0\1"),
		STEP(INSPECT_SERVER, "\0\1\0\0\0\5\1\3\2\0\x2a"),
		STEP(INSPECT_CLIENT, "\0\2\0\0\0\6\1\4\0\0\0\1\0\3\0\0\0\6\1\4\0\0\0\1"),
		STEP(INSPECT_SERVER, "\0\2\0\0\0\3\1\x84\2"),
	};

	feed_splits(&inspect_modbus, steps, 4, INSPECT_NAMED,
		    "function=3\nunit=1\nfunction=4\nexception=2\n");
}

TEST(iec104_says_the_same_however_it_is_cut)
{
	static const struct feed_step steps[] = {
		STEP(INSPECT_CLIENT,
		     "\x68\4\7\0\0\0\x68\x0e\0\0\0\0\x64\1\6\0\x0a\0\0\0\0\x14"),
		STEP(INSPECT_SERVER, "\x68\4\x0b\0\0\0\x68\4\1\0\2\0"),
	};

	feed_splits(&inspect_iec104, steps, 2, INSPECT_NAMED,
		    "type=100\ncause=6\naddress=10\n");
}

TEST(mqtt_says_the_same_however_it_is_cut)
{
	static const struct feed_step steps[] = {
		STEP(INSPECT_CLIENT, "\x10\x0e\0\4MQTT\4\2\0\x3c\0\2id\x30\5\0\3a/b"),
		STEP(INSPECT_SERVER, "\x20\2\0\0"),
		STEP(INSPECT_CLIENT, "\x82\6\0\1\0\1#\0\xc0\0\xe0\0"),
	};

	feed_splits(&inspect_mqtt, steps, 3, INSPECT_NAMED,
		    "version=4\nclient-id=id\ntopic=a/b\ntopic=#\n");
}

TEST(amqp_says_the_same_however_it_is_cut)
{
	static const struct feed_step steps[] = {
		STEP(INSPECT_CLIENT, "AMQP\0\0\x09\1"),
		STEP(INSPECT_SERVER,
		     "\1\0\0\0\0\0\x20\0\x0a\0\x0a\0\x09\0\0\0\x0e\7productS\0\0\0\1R"
		     "\0\0\0\0\0\0\0\0\xce"),
		STEP(INSPECT_CLIENT, "\1\0\0\0\0\0\x09\0\x0a\0\x28\2/v\0\0\xce"),
	};

	feed_splits(&inspect_amqp, steps, 3, INSPECT_NAMED,
		    "version=0-9-1\nproduct=R\nvhost=/v\n");
}

TEST(amqp_over_tls_hands_over_when_both_sides_have_said_so)
{
	feed_init(&f, &inspect_amqp, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, "AMQP\2\1\0\0", 8);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_stream(&f, INSPECT_SERVER, "AMQP\2\1\0\0", 8);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "version=1.0\ninner=ssl\n");
	feed_fini(&f);
}

TEST(s7_leaves_the_tsap_of_others_alone)
{
	static const char s7[] = "\3\0\0\x16\x11\xe0\0\0\0\1\0\xc1\2\1\0\xc2\2\1\2\xc0\1\x0a";
	static const char mms[] = "\3\0\0\x16\x11\xe0\0\0\0\1\0\xc1\2\0\1\xc2\2\0\1\xc0\1\x0a";

	feed_init(&f, &inspect_s7comm, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, s7, sizeof(s7) - 1);
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);
	feed_init(&f, &inspect_s7comm, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, mms, sizeof(mms) - 1);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(zeros_and_noise_are_nobodys)
{
	static const struct inspector *const all[] = {
		&inspect_modbus, &inspect_dnp3,     &inspect_iec104, &inspect_mqtt,
		&inspect_amqp,   &inspect_s7comm,   &inspect_opcua,  &inspect_enip,
		&inspect_bacnet, &inspect_diameter, &inspect_gtpc,   &inspect_ssh,
	};
	uint8_t bytes[256] = { 0 };
	uint64_t seed = 7;

	for (unsigned round = 0; round < 2000; round++) {
		for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
			bool tcp = all[i]->transports & INSPECT_TCP;

			feed_init(&f, all[i], tcp ? INSPECT_TCP : INSPECT_UDP);
			if (tcp)
				feed_stream(&f, INSPECT_CLIENT, bytes, sizeof(bytes));
			else
				feed_datagram(&f, INSPECT_CLIENT, bytes, sizeof(bytes));
			CHECK(f.answer < INSPECT_SURE);
			feed_fini(&f);
		}
		feed_noise(&seed, bytes, sizeof(bytes));
	}
}
