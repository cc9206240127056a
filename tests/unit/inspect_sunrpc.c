/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/sunrpc.h"

#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_sunrpc;

static struct feed f;
static struct out o;

enum { PORTMAP = 100000, NFS = 100003, NOBODY = 0x20000001, TCP_PROTO = 6, UDP_PROTO = 17 };

/* A call with no credential; its arguments follow. */
static void
put_call(uint32_t xid, uint32_t program, uint32_t version, uint32_t procedure)
{
	const uint32_t words[] = { xid, 0, 2, program, version, procedure, 0, 0, 0, 0 };

	for (unsigned i = 0; i < 10; i++)
		put(&o, words[i], 4);
}

static void
put_reply(uint32_t xid)
{
	const uint32_t words[] = { xid, 1, 0, 0, 0, 0 };

	for (unsigned i = 0; i < 6; i++)
		put(&o, words[i], 4);
}

static void
put_xdr(const char *text)
{
	size_t len = strlen(text);

	put(&o, (uint32_t)len, 4);
	put_text(&o, text);
	while (len++ % 4)
		put(&o, 0, 1);
}

static void
send_datagram(enum inspect_dir dir)
{
	feed_datagram(&f, dir, o.b, o.len);
	o.len = 0;
}

static void
start_udp(void)
{
	o.len = 0;
	feed_init(&f, &inspect_sunrpc, INSPECT_UDP);
}

static void
ask(uint32_t version, uint32_t procedure, uint32_t program)
{
	start_udp();
	put_call(7, PORTMAP, version, procedure);
	put(&o, program, 4);
	put(&o, 3, 4);
}

/* GETPORT of version 2, and its answer. */
static void
ask_port(uint32_t program, uint32_t ip_proto, uint32_t port)
{
	ask(2, 3, program);
	put(&o, ip_proto, 4);
	put(&o, 0, 4);
	send_datagram(INSPECT_CLIENT);
	CHECK_STR(f.log, "program=100000\nversion=2\nprocedure=3\nauth=none\n");
	f.log_len = 0;
	f.log[0] = 0;
	put_reply(7);
	put(&o, port, 4);
	send_datagram(INSPECT_SERVER);
}

TEST(a_port_that_is_answered_announces_the_program)
{
	ask_port(NFS, TCP_PROTO, 2049);
	CHECK_STR(f.log, "announce=nfs\n");
	CHECK_EQ(f.last.port, 2049);
	CHECK_EQ(f.last.transport, INSPECT_TCP);
	CHECK_EQ(f.last.ip_version, 0);
	CHECK_EQ(f.last.host, INSPECT_SERVER);
	CHECK(f.last.many && f.last.life_s >= 3600);
	CHECK_STR(f.last.carrier, "sunrpc");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
	ask_port(NFS, UDP_PROTO, 2049);
	CHECK_EQ(f.last.transport, INSPECT_UDP);
	feed_fini(&f);
}

TEST(a_program_without_a_module_is_announced_as_sunrpc)
{
	ask_port(NOBODY, UDP_PROTO, 800);
	CHECK_STR(f.log, "announce=sunrpc\n");
	CHECK(!f.last.carrier);
	feed_fini(&f);
}

TEST(no_port_and_no_transport_announce_nothing)
{
	static const uint32_t wrong[][2] = { { TCP_PROTO, 0 },
					     { TCP_PROTO, 65536 },
					     { 132, 2049 } };

	for (unsigned i = 0; i < 3; i++) {
		ask_port(NFS, wrong[i][0], wrong[i][1]);
		CHECK_STR(f.log, "");
		feed_fini(&f);
	}
}

TEST(an_answer_to_another_call_announces_nothing)
{
	ask(2, 3, NFS);
	put(&o, TCP_PROTO, 4);
	put(&o, 0, 4);
	send_datagram(INSPECT_CLIENT);
	f.log_len = 0;
	f.log[0] = 0;
	put_reply(8);
	put(&o, 2049, 4);
	send_datagram(INSPECT_SERVER);
	CHECK_STR(f.log, "");
	put_reply(7);
	put(&o, 2049, 4);
	send_datagram(INSPECT_SERVER);
	put_reply(7);
	put(&o, 2050, 4);
	send_datagram(INSPECT_SERVER);
	CHECK_STR(f.log, "announce=nfs\n"); /* once: a call has one reply */
	feed_fini(&f);
}

static void
ask_address(uint32_t version, uint32_t procedure, const char *netid)
{
	ask(version, procedure, NFS);
	put_xdr(netid);
	put_xdr("");
	put_xdr("");
	send_datagram(INSPECT_CLIENT);
	f.log_len = 0;
	f.log[0] = 0;
	put_reply(7);
}

TEST(a_universal_address_is_read)
{
	ask_address(4, 9, "tcp6");
	put_xdr("2001:db8::5.8.1");
	send_datagram(INSPECT_SERVER);
	CHECK_STR(f.log, "announce=nfs\n");
	CHECK_EQ(f.last.ip_version, 6);
	CHECK_EQ(f.last.address[0], 0x20);
	CHECK_EQ(f.last.address[15], 5);
	CHECK_EQ(f.last.port, 2049);
	CHECK_EQ(f.last.transport, INSPECT_TCP);
	feed_fini(&f);
	ask_address(3, 3, "udp");
	put_xdr("0.0.0.0.8.1");
	send_datagram(INSPECT_SERVER);
	CHECK_EQ(f.last.ip_version, 0);
	CHECK_EQ(f.last.port, 2049);
	CHECK_EQ(f.last.transport, INSPECT_UDP);
	feed_fini(&f);
}

TEST(texts_that_are_no_address_are_refused)
{
	static const char *const texts[] = { "",
					     "1",
					     "1.2",
					     "1.2.3.4.5",
					     "1.2.3.4.5.",
					     "1.2.3.4.256.1",
					     "1.2.3.4.a.1",
					     "host.8.1",
					     "1.2.3.4.8.1 ",
					     "::g.8.1",
					     "1.2.3.4..1",
					     "1.2.3.4.8.1111" };
	struct sunrpc_address a;

	for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		CHECK(!sunrpc_address_read(bytes_of(texts[i], strlen(texts[i])), &a));
	CHECK(sunrpc_address_read(bytes_of("192.0.2.1.8.1", 13), &a));
	CHECK_EQ(a.port, 2049);
	CHECK_EQ(a.address[0], 192);
}

TEST(a_list_of_addresses_of_one_program_is_read)
{
	static const char *const ends[] = { "192.0.2.1.8.1", "192.0.2.1.8.2" };
	static const char *const netids[] = { "tcp", "udp" };

	ask_address(4, 11, "tcp");
	for (unsigned i = 0; i < 2; i++) {
		put(&o, 1, 4);
		put_xdr(ends[i]);
		put_xdr(netids[i]);
		put(&o, 3, 4);
		put_xdr("inet");
		put_xdr(netids[i]);
	}
	put(&o, 0, 4);
	send_datagram(INSPECT_SERVER);
	CHECK_STR(f.log, "announce=nfs\nannounce=nfs\n");
	CHECK_EQ(f.last.port, 2050);
	CHECK_EQ(f.last.transport, INSPECT_UDP);
	feed_fini(&f);
}

TEST(both_lists_of_all_programs_are_read)
{
	for (uint32_t version = 2; version <= 4; version++) {
		start_udp();
		put_call(7, PORTMAP, version, 4);
		send_datagram(INSPECT_CLIENT);
		f.log_len = 0;
		put_reply(7);
		for (uint32_t program = 100003; program <= 100005; program++) {
			put(&o, 1, 4);
			put(&o, program, 4);
			put(&o, 3, 4);
			if (version == 2) {
				put(&o, TCP_PROTO, 4);
				put(&o, 2049, 4);
			} else {
				put_xdr("tcp");
				put_xdr("0.0.0.0.8.1");
				put_xdr("superuser");
			}
		}
		put(&o, 0, 4);
		send_datagram(INSPECT_SERVER);
		CHECK_STR(f.log, "announce=nfs\nannounce=nis\nannounce=mount\n");
		feed_fini(&f);
	}
}

TEST(a_program_that_is_called_through_the_port_mapper_is_announced)
{
	ask(2, 5, 100011);
	put(&o, 1, 4);
	put(&o, 0, 4);
	send_datagram(INSPECT_CLIENT);
	f.log_len = 0;
	put_reply(7);
	put(&o, 875, 4);
	put(&o, 0, 4);
	send_datagram(INSPECT_SERVER);
	CHECK_STR(f.log, "announce=rquota\n");
	CHECK_EQ(f.last.transport, INSPECT_UDP);
	feed_fini(&f);
}

static void
mark(size_t at, bool last)
{
	size_t len = o.len - at - 4;

	o.b[at] = (uint8_t)((last ? 0x80 : 0) | (len >> 24 & 0x7f));
	o.b[at + 1] = (uint8_t)(len >> 16);
	o.b[at + 2] = (uint8_t)(len >> 8);
	o.b[at + 3] = (uint8_t)len;
}

TEST(no_cut_changes_what_is_told)
{
	static uint8_t call[200], reply[200];
	struct feed_step steps[] = { { INSPECT_CLIENT, call, 0 },
				     { INSPECT_SERVER, reply, 0 },
				     { INSPECT_CLIENT, call, 0 } };

	o.len = 0;
	put(&o, 0, 4);
	put_call(7, PORTMAP, 2, 3);
	put(&o, NFS, 4);
	put(&o, 3, 4);
	put(&o, TCP_PROTO, 4);
	put(&o, 0, 4);
	mark(0, true);
	memcpy(call, o.b, o.len);
	steps[0].len = steps[2].len = o.len;
	o.len = 0;
	put(&o, 0, 4);
	put_reply(7);
	put(&o, 2049, 4);
	mark(0, true);
	memcpy(reply, o.b, o.len);
	steps[1].len = o.len;
	feed_splits(&inspect_sunrpc, steps, 3, INSPECT_NAMED,
		    "program=100000\nversion=2\nprocedure=3\nauth=none\nannounce=nfs\n");
}

TEST(the_pieces_of_a_record_are_not_taken_for_messages)
{
	o.len = 0;
	put(&o, 0, 4);
	put_call(7, PORTMAP, 2, 0);
	mark(0, false);
	size_t at = o.len;

	put(&o, 0, 4);
	put_text(&o, "any bytes");
	mark(at, true);
	at = o.len;
	put(&o, 0, 4);
	put_call(8, PORTMAP, 2, 4);
	mark(at, true);
	feed_init(&f, &inspect_sunrpc, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, o.b, o.len);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	o.len = 0;
	put(&o, 0, 4);
	put_reply(8);
	put(&o, 1, 4);
	put(&o, NFS, 4);
	put(&o, 4, 4);
	put(&o, TCP_PROTO, 4);
	put(&o, 2049, 4);
	put(&o, 0, 4);
	mark(0, true);
	feed_stream(&f, INSPECT_SERVER, o.b, o.len);
	CHECK(strstr(f.log, "announce=nfs\n") != NULL);
	feed_fini(&f);
}

TEST(the_program_names_the_application)
{
	static const struct {
		uint32_t program;
		const char *log;
	} cases[] = {
		{ NFS, "program=100003\nversion=4\nprocedure=1\nauth=none\napplication=nfs\n" },
		{ 100021,
		  "program=100021\nversion=4\nprocedure=1\nauth=none\napplication=nlm\n" },
		{ NOBODY, "program=536870913\nversion=4\nprocedure=1\nauth=none\n" },
	};

	for (unsigned i = 0; i < 3; i++) {
		start_udp();
		put_call(9, cases[i].program, 4, 1);
		send_datagram(INSPECT_CLIENT);
		CHECK_STR(f.log, cases[i].log);
		CHECK_EQ(f.answer, INSPECT_DONE);
		feed_fini(&f);
	}
}

TEST(kerberos_does_not_hide_the_program)
{
	static const uint32_t words[] = { 1, 0, 2, NFS, 4, 1, 6, 20, 1, 0, 1, 3, 4, 9, 6, 0 };

	start_udp();
	for (unsigned i = 0; i < 16; i++)
		put(&o, words[i], 4);
	send_datagram(INSPECT_CLIENT);
	CHECK_STR(f.log, "program=100003\nversion=4\nprocedure=1\nauth=gss\napplication=nfs\n");
	feed_fini(&f);
}

TEST(a_reply_alone_is_likely)
{
	start_udp();
	put_reply(7);
	send_datagram(INSPECT_SERVER);
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	CHECK_STR(f.log, "");
	put_call(8, NFS, 3, 1);
	send_datagram(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

TEST(tls_follows_its_credential_and_its_answer)
{
	static const uint32_t call[] = { 1, 0, 2, NFS, 4, 0, 7, 0, 0, 0 };

	o.len = 0;
	put(&o, 0, 4);
	for (unsigned i = 0; i < 10; i++)
		put(&o, call[i], 4);
	mark(0, true);
	feed_init(&f, &inspect_sunrpc, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, o.b, o.len);
	CHECK_EQ(f.answer, INSPECT_SURE);
	o.len = 0;
	put(&o, 0, 4);
	put(&o, 1, 4);
	put(&o, 1, 4);
	put(&o, 0, 4);
	put(&o, 0, 4);
	put_xdr("STARTTLS");
	put(&o, 0, 4);
	mark(0, true);
	feed_stream(&f, INSPECT_SERVER, o.b, o.len);
	CHECK(strstr(f.log, "application=nfs\ninner=ssl\n") != NULL);
	CHECK_EQ(f.len[INSPECT_SERVER], 0);
	feed_fini(&f);
}

TEST(calls_are_found_behind_a_gap)
{
	o.len = 0;
	put(&o, 0, 4);
	put_call(7, NFS, 3, 6);
	mark(0, true);
	feed_init(&f, &inspect_sunrpc, INSPECT_TCP);
	f.lost = true;
	feed_text(&f, INSPECT_CLIENT, "the rest of some record");
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_stream(&f, INSPECT_CLIENT, o.b, o.len);
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

/* A word of the header that is wrong, one at a time. */
TEST(a_call_is_strict)
{
	static const uint32_t wrong[][2] = { { 1, 2 },          { 2, 3 },      { 3, 99999 },
					     { 3, 0x60000000 }, { 4, 0x1000 }, { 5, 0x100 },
					     { 6, 8 },          { 7, 401 } };
	uint32_t words[] = { 1, 0, 2, NFS, 3, 1, 0, 0, 0, 0 };

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint32_t right = words[wrong[i][0]];

		words[wrong[i][0]] = wrong[i][1];
		start_udp();
		for (unsigned w = 0; w < 10; w++)
			put(&o, words[w], 4);
		send_datagram(INSPECT_CLIENT);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
		words[wrong[i][0]] = right;
	}
}

TEST(noise_is_never_sure)
{
	uint64_t seed = 111;
	uint8_t noise[64];

	for (unsigned i = 0; i < 2000000; i++) {
		feed_init(&f, &inspect_sunrpc, i & 1 ? INSPECT_TCP : INSPECT_UDP);
		feed_noise(&seed, noise, sizeof(noise));
		if (i & 1)
			feed_stream(&f, INSPECT_CLIENT, noise, sizeof(noise));
		else
			feed_datagram(&f, INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_LIKELY);
		feed_fini(&f);
	}
}
