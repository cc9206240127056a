/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_dns;

enum { A = 1, NS = 2, CNAME = 5, TXT = 16, AAAA = 28, SRV = 33, OPT = 41, HTTPS = 65 };

/* A name as text, with a dot at the end of each label; "" is the root. */
static void
put_name(struct out *o, const char *name)
{
	while (*name) {
		size_t n = strcspn(name, ".");

		put(o, (uint32_t)n, 1);
		memcpy(o->b + o->len, name, n);
		o->len += n;
		name += n + (name[n] == '.');
	}
	put(o, 0, 1);
}

static void
put_header(struct out *o, uint16_t id, uint16_t flags, uint16_t questions, uint16_t answers,
	   uint16_t additionals)
{
	put(o, id, 2);
	put(o, flags, 2);
	put(o, questions, 2);
	put(o, answers, 2);
	put(o, 0, 2);
	put(o, additionals, 2);
}

static void
put_query(struct out *o, const char *name, uint16_t type)
{
	put_header(o, 0x1234, 0x0100, 1, 0, 0);
	put_name(o, name);
	put(o, type, 2);
	put(o, 1, 2);
}

/* The fixed part of a record whose owner was written; rdata follows. */
static void
put_record(struct out *o, uint16_t type, uint32_t ttl, size_t len)
{
	put(o, type, 2);
	put(o, 1, 2);
	put(o, ttl, 4);
	put(o, (uint32_t)len, 2);
}

static void
put_opt(struct out *o)
{
	put(o, 0, 1);
	put(o, OPT, 2);
	put(o, 1232, 2);
	put(o, 0, 4);
	put(o, 0, 2);
}

static struct feed f;
static struct out o, stream;

static void
start(enum inspect_transport transport)
{
	feed_init(&f, &inspect_dns, transport);
	o.len = stream.len = 0;
}

static enum inspect_answer
datagram(enum inspect_dir dir)
{
	feed_datagram(&f, dir, o.b, o.len);
	o.len = 0;
	return f.answer;
}

static void
put_message(void)
{
	put(&stream, (uint32_t)o.len, 2);
	memcpy(stream.b + stream.len, o.b, o.len);
	stream.len += o.len;
	o.len = 0;
}

TEST(a_query_is_proven_by_itself_on_any_port)
{
	start(INSPECT_UDP);
	put_query(&o, "www.example.com", AAAA);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NAMED);
	CHECK_STR(f.log, "name=www.example.com\ntype=AAAA\n");
	feed_fini(&f);
}

TEST(a_query_with_edns_and_one_for_the_root_are_proven)
{
	start(INSPECT_UDP);
	put_header(&o, 1, 0x0120, 1, 0, 1);
	put_name(&o, "");
	put(&o, NS, 2);
	put(&o, 1, 2);
	put_opt(&o);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NAMED);
	CHECK_STR(f.log, "name=.\ntype=NS\n");
	feed_fini(&f);
}

TEST(addresses_are_learned_through_aliases_in_any_order)
{
	start(INSPECT_UDP);
	put_query(&o, "WWW.example.com", A);
	datagram(INSPECT_CLIENT);
	put_header(&o, 0x1234, 0x8180, 1, 5, 1);
	put_name(&o, "www.Example.com");
	put(&o, A, 2);
	put(&o, 1, 2);
	put(&o, 0xc000 + 12 + 4, 2); /* example.com: not asked for */
	put_record(&o, A, 10, 4);
	put(&o, 0x01010101, 4);
	put_name(&o, "b.example.net");
	put_record(&o, CNAME, 20, 7);
	put_name(&o, "a|cde");
	put(&o, 0xc00c, 2); /* the question's name */
	put_record(&o, CNAME, 300, 15);
	put_name(&o, "b.example.net");
	put_name(&o, "a|cde");
	put_record(&o, A, 60, 4);
	put(&o, 0x0a000001, 4);
	put_name(&o, "A|cde");
	put_record(&o, AAAA, 15, 16);
	for (int i = 0; i < 16; i++)
		put(&o, (uint32_t)i, 1);
	put_opt(&o);
	CHECK_EQ(datagram(INSPECT_SERVER), INSPECT_NAMED);
	CHECK_STR(f.log, "name=WWW.example.com\ntype=A\nrcode=NOERROR\n"
			 "name=0a000001 www.Example.com 20\n"
			 "name=000102030405060708090a0b0c0d0e0f www.Example.com 15\n");
	feed_fini(&f);
}

TEST(only_a_server_is_learned_from)
{
	start(INSPECT_UDP);
	put_header(&o, 7, 0x8180, 1, 1, 0);
	put_name(&o, "x.example");
	put(&o, A, 2);
	put(&o, 1, 2);
	put(&o, 0xc00c, 2);
	put_record(&o, A, 60, 4);
	put(&o, 0x0a000001, 4);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NAMED);
	CHECK_STR(f.log, "name=x.example\ntype=A\nrcode=NOERROR\n");
	feed_fini(&f);
}

TEST(an_alias_of_itself_ends)
{
	start(INSPECT_UDP);
	put_header(&o, 7, 0x8180, 1, 2, 0);
	put_name(&o, "x.example");
	put(&o, A, 2);
	put(&o, 1, 2);
	put(&o, 0xc00c, 2);
	put_record(&o, CNAME, 60, 2);
	put(&o, 0xc00c, 2);
	put(&o, 0xc00c, 2);
	put_record(&o, A, 60, 4);
	put(&o, 0x0a000001, 4);
	CHECK_EQ(datagram(INSPECT_SERVER), INSPECT_NAMED);
	CHECK_STR(f.log, "name=x.example\ntype=A\nrcode=NOERROR\nname=0a000001 x.example 60\n");
	feed_fini(&f);
}

TEST(names_are_escaped)
{
	start(INSPECT_UDP);
	put_query(&o, "a", TXT);
	o.len = 12;
	put(&o, 0x05612e62, 4); /* a.b\ and a blank */
	put(&o, 0x5c20, 2);
	put(&o, 0x02ff00, 3);
	put(&o, 0, 1);
	put(&o, 0x00ff0001, 4);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NAMED);
	CHECK_STR(f.log, "name=a\\046b\\092\\032.\\255\\000\ntype=ANY\n");
	feed_fini(&f);
}

TEST(a_name_of_255_bytes_is_read_and_one_of_256_is_not)
{
	char name[300] = "";

	for (int i = 0; i < 3; i++)
		strcat(name,
		       "0123456789012345678901234567890123456789012345678901234567890ab.");
	start(INSPECT_UDP);
	strcat(name, "0123456789012345678901234567890123456789012345678901234567890");
	put_query(&o, name, A);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NAMED);
	CHECK_EQ(f.log_len, strlen(name) + strlen("name=\ntype=A\n"));
	feed_fini(&f);
	start(INSPECT_UDP);
	strcat(name, "x");
	put_query(&o, name, A);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NO);
	feed_fini(&f);
}

TEST(pointers_lead_back_or_nowhere)
{
	static const uint16_t bad[] = {
		0xc00c, 0xc00e, 0xc01d, 0xffff, 0xc000, 0x8000, 0x4000
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		start(INSPECT_UDP);
		put_header(&o, 7, 0x0100, 1, 0, 0);
		put(&o, bad[i], 2);
		put(&o, A, 2);
		put(&o, 1, 2);
		put_text(&o, "xxxxxxxxx");
		CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(every_cut_of_a_message_is_no_message)
{
	for (size_t cut = 0; cut < 100; cut++) {
		start(INSPECT_UDP);
		put_query(&o, "www.example.com", A);
		if (cut >= o.len) {
			feed_fini(&f);
			break;
		}
		o.len = cut;
		CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NO);
		feed_fini(&f);
		/* Unless the capture cut it, and some of the name is there. */
		start(INSPECT_UDP);
		put_query(&o, "www.example.com", A);
		o.len = cut;
		f.snapped = true;
		CHECK_EQ(datagram(INSPECT_CLIENT), cut > 12 ? INSPECT_LIKELY : INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(a_message_that_ends_behind_its_first_record_is_likely)
{
	size_t whole;

	start(INSPECT_UDP);
	put_header(&o, 7, 0x8180, 1, 2, 0);
	put_name(&o, "x.example");
	put(&o, A, 2);
	put(&o, 1, 2);
	put(&o, 0xc00c, 2);
	put_record(&o, A, 60, 4);
	put(&o, 0x0a000001, 4);
	whole = o.len;
	put(&o, 0xc00c, 2);
	CHECK_EQ(datagram(INSPECT_SERVER), INSPECT_LIKELY);
	feed_fini(&f);
	feed_init(&f, &inspect_dns, INSPECT_UDP);
	o.len = whole - 1;
	CHECK_EQ(datagram(INSPECT_SERVER), INSPECT_NO);
	feed_fini(&f);
}

TEST(bytes_behind_the_end_make_it_likely_only)
{
	start(INSPECT_UDP);
	put_query(&o, "www.example.com", A);
	put(&o, 0, 1);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_LIKELY);
	feed_fini(&f);
}

TEST(unusual_types_and_classes_are_likely_only)
{
	start(INSPECT_UDP);
	put_query(&o, "t.example", 4711);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_LIKELY);
	CHECK_STR(f.log, "name=t.example\ntype=TYPE4711\n");
	feed_fini(&f);
	start(INSPECT_UDP);
	put_query(&o, "t.example", A);
	o.b[o.len - 2] = 0x80; /* mDNS's "unicast response wanted" */
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_LIKELY);
	feed_fini(&f);
}

TEST(an_operation_that_nobody_asks_for_is_likely_only)
{
	static const uint8_t opcodes[] = { 1, 2, 3, 6, 9, 15 };

	for (size_t i = 0; i < sizeof(opcodes); i++) {
		start(INSPECT_UDP);
		put_query(&o, "t.example", A);
		o.b[2] = (uint8_t)(opcodes[i] << 3);
		CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_LIKELY);
		feed_fini(&f);
	}
}

TEST(rdata_that_does_not_fit_its_type_is_likely_only)
{
	start(INSPECT_UDP);
	put_header(&o, 7, 0x8180, 1, 1, 0);
	put_name(&o, "x.example");
	put(&o, A, 2);
	put(&o, 1, 2);
	put(&o, 0xc00c, 2);
	put_record(&o, A, 60, 5);
	put(&o, 0x0a000001, 4);
	put(&o, 1, 1);
	CHECK_EQ(datagram(INSPECT_SERVER), INSPECT_LIKELY);
	CHECK(!strstr(f.log, "name=0a"));
	feed_fini(&f);
}

TEST(errors_tell_their_code)
{
	start(INSPECT_UDP);
	put_query(&o, "no.example", A);
	datagram(INSPECT_CLIENT);
	put_query(&o, "no.example", A);
	o.b[2] = 0x81;
	o.b[3] = 0x83;
	CHECK_EQ(datagram(INSPECT_SERVER), INSPECT_NAMED);
	CHECK_STR(f.log, "name=no.example\ntype=A\nrcode=NXDOMAIN\n");
	feed_fini(&f);
}

TEST(an_error_may_lack_its_question_but_then_it_is_all)
{
	static const struct {
		uint16_t flags;
		unsigned more;
		enum inspect_answer answer;
	} cases[] = { { 0x8181, 0, INSPECT_LIKELY },
		      { 0x8181, 4, INSPECT_NO },
		      { 0x8180, 0, INSPECT_NO },
		      { 0x9181, 0, INSPECT_NO } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(INSPECT_UDP);
		put_header(&o, 7, cases[i].flags, 0, 0, 0);
		put(&o, 0, cases[i].more);
		CHECK_EQ(datagram(INSPECT_SERVER), cases[i].answer);
		feed_fini(&f);
	}
}

TEST(headers_that_nobody_sends_are_no_dns)
{
	static const struct {
		unsigned at, value;
	} wrong[] = {
		{ 2, 0x03 }, { 3, 0x40 }, { 3, 0x01 }, { 4, 1 },  { 5, 2 },
		{ 5, 0 },    { 7, 1 },    { 8, 1 },    { 10, 1 }, { 11, 9 },
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		start(INSPECT_UDP);
		put_query(&o, "www.example.com", A);
		o.b[wrong[i].at] = (uint8_t)wrong[i].value;
		CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(the_name_service_of_netbios_is_left_to_its_module)
{
	for (size_t i = 0; i < 2; i++) {
		start(INSPECT_UDP);
		f.port[i] = 137;
		put_query(&o, "x.local", A);
		CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(a_query_to_port_53_may_come_from_any_port)
{
	start(INSPECT_UDP);
	f.port[0] = 5353;
	f.port[1] = 53;
	put_query(&o, "x.example", A);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NAMED);
	feed_fini(&f);
}

TEST(a_netbios_name_is_none_of_dns)
{
	start(INSPECT_UDP);
	put_query(&o, "CKAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", 33);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NO);
	feed_fini(&f);
}

TEST(over_tcp_messages_follow_their_lengths_however_cut)
{
	static struct out answer;
	struct feed_step steps[2];

	o.len = stream.len = 0;
	put_query(&o, "a.example", A);
	put_message();
	put_query(&o, "b.example", TXT);
	o.b[1] = 0x35;
	put_message();
	answer = stream;
	stream.len = 0;
	put_header(&o, 0x1235, 0x8180, 1, 1, 0);
	put_name(&o, "b.example");
	put(&o, TXT, 2);
	put(&o, 1, 2);
	put(&o, 0xc00c, 2);
	put_record(&o, TXT, 60, 4);
	put(&o, 0x03616263, 4);
	put_message();
	steps[0] = (struct feed_step){ INSPECT_CLIENT, answer.b, answer.len };
	steps[1] = (struct feed_step){ INSPECT_SERVER, stream.b, stream.len };
	feed_splits(&inspect_dns, steps, 2, INSPECT_NAMED,
		    "name=a.example\ntype=A\nname=b.example\ntype=TXT\nrcode=NOERROR\n");
	stream.b[1]++; /* one byte more than the message fills */
	put(&stream, 0, 1);
	steps[1].len++;
	feed_splits(&inspect_dns, &steps[1], 1, INSPECT_LIKELY,
		    "name=b.example\ntype=TXT\nrcode=NOERROR\n");
}

TEST(a_message_longer_than_the_window_is_likely_and_passed_over)
{
	start(INSPECT_TCP);
	put_header(&o, 1, 0x8580, 1, 1, 0);
	put_name(&o, "big.example");
	put(&o, TXT, 2);
	put(&o, 1, 2);
	put(&o, 0xc00c, 2);
	put_record(&o, TXT, 60, 40000);
	o.len += 40000;
	put_message();
	put_query(&o, "next.example", A);
	o.b[2] |= 0x80;
	put_message();
	for (size_t at = 0; at < stream.len; at += 1000)
		feed_stream(&f, INSPECT_SERVER, stream.b + at,
			    stream.len - at < 1000 ? stream.len - at : 1000);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log, "name=big.example\ntype=TXT\nrcode=NOERROR\n"
			 "name=next.example\ntype=A\nrcode=NOERROR\n");
	feed_fini(&f);
}

TEST(a_stream_that_is_none_is_refused_by_its_first_bytes)
{
	start(INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03xyzxyz",
		    17);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
	start(INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, "\0\5", 2);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(behind_a_gap_a_message_is_found_where_one_begins)
{
	start(INSPECT_TCP);
	put_query(&o, "a.example", A);
	put_message();
	feed_stream(&f, INSPECT_CLIENT, stream.b, 9);
	feed_gap(&f, INSPECT_CLIENT);
	feed_text(&f, INSPECT_CLIENT, "\xff\xffnot a message");
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_stream(&f, INSPECT_CLIENT, stream.b, stream.len);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(noise_is_never_dns)
{
	uint64_t seed = 5;
	uint8_t noise[512];
	unsigned counts[INSPECT_DONE + 1] = { 0 };

	for (int i = 0; i < 300000; i++) {
		feed_init(&f, &inspect_dns, i & 1 ? INSPECT_TCP : INSPECT_UDP);
		feed_noise(&seed, noise, i % 16 == 0 ? sizeof(noise) : 40);
		if (i & 1)
			feed_stream(&f, INSPECT_CLIENT, noise, i % 16 ? 40 : sizeof(noise));
		else
			feed_datagram(&f, INSPECT_SERVER, noise, i % 16 ? 40 : sizeof(noise));
		counts[f.answer]++;
		feed_fini(&f);
	}
	for (int answer = INSPECT_LIKELY; answer <= INSPECT_DONE; answer++)
		CHECK_EQ(counts[answer], 0);
}

TEST(a_spoilt_message_does_no_harm)
{
	uint64_t seed = 9;

	for (int i = 0; i < 100000; i++) {
		start(INSPECT_UDP);
		put_header(&o, 7, 0x8180, 1, 2, 1);
		put_name(&o, "x.example");
		put(&o, A, 2);
		put(&o, 1, 2);
		put(&o, 0xc00c, 2);
		put_record(&o, CNAME, 60, 4);
		put(&o, 0x0162c00e, 4);
		put(&o, 0xc01b + 12, 2);
		put_record(&o, A, 60, 4);
		put(&o, 0x0a000001, 4);
		put_opt(&o);
		for (int n = 0; n < 3; n++)
			o.b[12 + feed_random(&seed) % (o.len - 12)] =
				(uint8_t)feed_random(&seed);
		datagram(INSPECT_SERVER);
		feed_fini(&f);
	}
}
