/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_feed.h"
#include "inspect_out.h"

/* Services: multicast DNS, SRV records, and service bindings. */

extern const struct inspector inspect_dns;

enum { A = 1, SRV = 33, HTTPS = 65 };

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

static struct feed f;
static struct out o;

static void
start(void)
{
	feed_init(&f, &inspect_dns, INSPECT_UDP);
	o.len = 0;
}

static enum inspect_answer
datagram(enum inspect_dir dir)
{
	feed_datagram(&f, dir, o.b, o.len);
	o.len = 0;
	return f.answer;
}

/* RFC 6762: two questions and a known answer; then an answer without a question. */
TEST(multicast_dns_asks_twice_and_answers_without_a_question)
{
	for (unsigned multicast = 0; multicast < 2; multicast++) {
		start();
		f.port[0] = f.port[1] = multicast ? 5353 : 5354;
		put_header(&o, 0, 0, 2, 1, 0);
		for (unsigned i = 0; i < 2; i++) {
			put_name(&o, i ? "b.local." : "a.local.");
			put(&o, A, 2);
			put(&o, 0x8001, 2);
		}
		put_name(&o, "a.local.");
		put_record(&o, A, 120, 4);
		put(&o, 0xc0000201, 4);
		CHECK_EQ(datagram(INSPECT_CLIENT), multicast ? INSPECT_NAMED : INSPECT_NO);
		feed_fini(&f);
	}
	start();
	f.port[0] = f.port[1] = 5353;
	put_header(&o, 0, 0x8400, 0, 1, 0);
	put_name(&o, "a.local.");
	put(&o, A, 2);
	put(&o, 0x8001, 2);
	put(&o, 120, 4);
	put(&o, 4, 2);
	put(&o, 0xc0000201, 4);
	CHECK_EQ(datagram(INSPECT_CLIENT), INSPECT_NAMED);
	CHECK(strstr(f.log, "a.local") != NULL);
	feed_fini(&f);
}

static void
ask_and_begin_answer(uint16_t type, const char *name, uint16_t additionals)
{
	start();
	put_query(&o, name, type);
	datagram(INSPECT_CLIENT);
	put_header(&o, 0x1234, 0x8180, 1, 1, additionals);
	put_name(&o, name);
	put(&o, type, 2);
	put(&o, 1, 2);
	put_name(&o, name);
}

/* RFC 9460: priority 1, the owner's own name, alpn, and hints for both versions. */
TEST(hints_of_a_service_binding_are_learned)
{
	ask_and_begin_answer(HTTPS, "www.example.com.", 0);
	put_record(&o, HTTPS, 60, 2 + 1 + 7 + 12 + 20);
	put(&o, 1, 2);
	put(&o, 0, 1);
	put(&o, 1, 2);
	put(&o, 3, 2);
	put(&o, 0x026833, 3);
	put(&o, 4, 2);
	put(&o, 8, 2);
	put(&o, 0xc0000201, 4);
	put(&o, 0xc0000202, 4);
	put(&o, 6, 2);
	put(&o, 16, 2);
	put(&o, 0x20010db8, 4);
	put(&o, 0, 4);
	put(&o, 0, 4);
	put(&o, 9, 4);
	CHECK_EQ(datagram(INSPECT_SERVER), INSPECT_NAMED);
	CHECK_STR(f.log, "name=www.example.com\ntype=HTTPS\nrcode=NOERROR\n"
			 "name=c0000201 www.example.com 60\n"
			 "name=c0000202 www.example.com 60\n"
			 "name=20010db8000000000000000000000009 www.example.com 60\n");
	feed_fini(&f);
}

TEST(the_address_of_a_service_has_the_name_that_was_asked_for)
{
	ask_and_begin_answer(SRV, "_sip._udp.example.com.", 2);
	put_record(&o, SRV, 60, 6 + 10);
	put(&o, 0, 4);
	put(&o, 5060, 2);
	put_name(&o, "host.net.");
	put_name(&o, "host.net.");
	put_record(&o, A, 30, 4);
	put(&o, 0xc0000203, 4);
	put_name(&o, "other.net.");
	put_record(&o, A, 30, 4);
	put(&o, 0xc0000204, 4);
	CHECK_EQ(datagram(INSPECT_SERVER), INSPECT_NAMED);
	CHECK_STR(f.log, "name=_sip._udp.example.com\ntype=SRV\nrcode=NOERROR\n"
			 "name=c0000203 _sip._udp.example.com 30\n");
	feed_fini(&f);
}
