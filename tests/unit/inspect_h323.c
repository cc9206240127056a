/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_h323;

static struct feed f;
static struct out o;

/*
 * Messages of PER bit by bit: bits() adds some, align() ends the byte. put() and put_text() of
 * inspect_out.h add octets, at a whole byte.
 */
static unsigned free_bits;

static void
bits(unsigned value, unsigned count)
{
	while (count-- > 0) {
		if (free_bits == 0) {
			o.b[o.len++] = 0;
			free_bits = 8;
		}
		free_bits--;
		o.b[o.len - 1] |= (uint8_t)((value >> count & 1) << free_bits);
	}
}

static void
align(void)
{
	free_bits = 0;
}

static void
put_object(uint32_t family)
{
	align();
	put(&o, 6, 1);
	put(&o, 0, 1);
	put(&o, 0x08, 1);
	put(&o, family, 2);
	put(&o, 0x0004, 2);
}

/* H.225.0's TransportAddress, of IPv4. */
static void
put_address(uint32_t ip, uint16_t port)
{
	bits(0, 4);
	align();
	put(&o, ip, 4);
	put(&o, port, 2);
}

/* H.245's. */
static void
put_h245_address(uint32_t ip, uint16_t port)
{
	bits(0, 7);
	align();
	put(&o, ip, 4);
	put(&o, port, 2);
}

static size_t
open_tpkt(void)
{
	align();
	put(&o, 0x0300, 2);
	return open_length(&o, 2);
}

static void
close_tpkt(size_t start)
{
	size_t len = o.len - start + 4;

	align();
	o.b[start - 2] = (uint8_t)(len >> 8);
	o.b[start - 1] = (uint8_t)len;
}

/* Q.931's head and the user's element up to its ASN.1; returns where its length begins. */
static size_t
open_q931(uint8_t type)
{
	put(&o, 0x08020001, 4);
	put(&o, type, 1);
	put(&o, 0x04038890, 4);
	put(&o, 0xa5, 1);
	put(&o, 0x7e, 1);
	size_t start = open_length(&o, 2);

	put(&o, 5, 1);
	return start;
}

static void
start(enum inspect_transport transport)
{
	feed_init(&f, &inspect_h323, transport);
	o.len = 0;
	align();
}

static enum inspect_answer
send(void)
{
	align();
	if (f.transport == INSPECT_UDP)
		feed_datagram(&f, INSPECT_CLIENT, o.b, o.len);
	else
		feed_stream(&f, INSPECT_CLIENT, o.b, o.len);
	o.len = 0;
	return f.answer;
}

/* A set-up with the address of H.245. */
static void
put_setup(void)
{
	size_t tpkt = open_tpkt(), user = open_q931(5);

	bits(0, 4); /* two sequences */
	bits(0, 4); /* setup */
	bits(0, 1);
	bits(0x40, 7); /* h245Address */
	put_object(0x914a);
	put_address(0xc0000201, 30000);
	align();
	put(&o, 0x22c00901, 4);
	close_length(&o, user, 2);
	close_tpkt(tpkt);
}

TEST(a_set_up_announces_h245)
{
	start(INSPECT_TCP);
	put_setup();
	CHECK_EQ(send(), INSPECT_NAMED);
	CHECK_STR(f.log, "announce=h323\nchannel=q931\n");
	CHECK_STR(f.announced, "h323 tcp 192.0.2.1:30000 300 s many\n");
	feed_fini(&f);
}

/* EndpointType with a vendor, a product, a version, and a terminal. */
static void
put_endpoint(void)
{
	bits(0, 1);
	bits(0x11, 6); /* vendor, terminal */
	bits(3, 3);    /* product and version */
	bits(0, 1);    /* the maker's */
	align();
	put(&o, 0xb5000012, 4);
	put(&o, 3, 1);
	put_text(&o, "Prod");
	put(&o, 1, 1);
	put_text(&o, "v1");
	bits(0, 2); /* terminal */
	bits(0, 2); /* mc, undefinedNode */
}

TEST(call_proceeding_and_alerting_tell_it_behind_the_end_point)
{
	for (unsigned choice = 1; choice <= 3; choice += 2) {
		start(INSPECT_TCP);
		size_t tpkt = open_tpkt(), user = open_q931(choice == 1 ? 2 : 1);

		bits(0, 5);
		bits(choice, 3);
		bits(1, 2);
		put_object(0x914a);
		put_endpoint();
		put_address(0xc0000202, 31000);
		align();
		close_length(&o, user, 2);
		close_tpkt(tpkt);
		CHECK_EQ(send(), INSPECT_NAMED);
		CHECK_STR(f.announced, "h323 tcp 192.0.2.2:31000 300 s many\n");
		feed_fini(&f);
	}
}

TEST(a_facility_tells_it_among_its_extensions)
{
	start(INSPECT_TCP);
	size_t tpkt = open_tpkt(), user = open_q931(0x62), address;

	bits(0, 5);
	bits(6, 3);
	bits(8, 4); /* extended */
	put_object(0x914a);
	bits(1, 1); /* a later reason: startH245 */
	bits(1, 7);
	align();
	put(&o, 0x0100, 2);
	bits(0, 1);
	bits(6, 6); /* seven extensions */
	bits(1, 7); /* the last */
	align();
	address = open_length(&o, 1);
	put_address(0xc0000203, 32000);
	align();
	close_length(&o, address, 1);
	close_length(&o, user, 2);
	close_tpkt(tpkt);
	CHECK_EQ(send(), INSPECT_NAMED);
	CHECK_STR(f.announced, "h323 tcp 192.0.2.3:32000 300 s many\n");
	feed_fini(&f);
}

/* H2250LogicalChannelParameters in the envelope that they have as the choice's extension. */
static void
put_channel(bool media, bool control)
{
	size_t envelope;

	align();
	put(&o, 0x80, 1);
	envelope = open_length(&o, 1);
	bits(0, 1);
	bits((media ? 0x80u : 0) | (control ? 0x20u : 0), 10);
	align();
	put(&o, 1, 1); /* session */
	if (media)
		put_h245_address(0xc0000207, 4000);
	if (control)
		put_h245_address(0xc0000207, 4001);
	align();
	close_length(&o, envelope, 1);
}

static void
put_capabilities(void)
{
	size_t tpkt = open_tpkt();

	put(&o, 0x0270, 2); /* a request, terminalCapabilitySet, all optional fields */
	put(&o, 1, 1);
	put_object(0x8175);
	put(&o, 0x8001, 2);
	close_tpkt(tpkt);
}

static void
put_open(bool media, bool control)
{
	size_t tpkt = open_tpkt();

	put(&o, 0x03000001, 4);
	put(&o, 0x0c6001, 3);
	put_channel(media, control);
	close_tpkt(tpkt);
}

static void
put_open_ack(void)
{
	size_t tpkt = open_tpkt(), open;

	bits(1, 3); /* a response */
	bits(5, 6); /* openLogicalChannelAck */
	bits(2, 2); /* extended, no reverse */
	align();
	put(&o, 0, 2);
	bits(1, 7); /* two extensions */
	bits(1, 2); /* the second */
	align();
	open = open_length(&o, 1);
	bits(0, 2);
	bits(0x0e, 5); /* session, media, control */
	bits(0, 8);    /* the session, 1 */
	put_h245_address(0xc0000208, 5000);
	put_h245_address(0xc0000208, 5001);
	align();
	close_length(&o, open, 1);
	close_tpkt(tpkt);
}

TEST(logical_channels_announce_media)
{
	start(INSPECT_TCP);
	put_capabilities();
	CHECK_EQ(send(), INSPECT_NAMED);
	CHECK_STR(f.log, "channel=h245\n");
	put_open(true, true);
	send();
	CHECK_STR(f.announced,
		  "rtcp udp 192.0.2.7:4001 300 s many\nrtp udp 192.0.2.7:4000 300 s many\n");
	put_open_ack();
	send();
	CHECK_STR(f.announced,
		  "rtcp udp 192.0.2.7:4001 300 s many\nrtp udp 192.0.2.7:4000 300 s many\n"
		  "rtcp udp 192.0.2.8:5001 300 s many\nrtp udp 192.0.2.8:5000 300 s many\n");
	feed_fini(&f);
}

TEST(the_port_that_is_not_told_is_beside_the_other)
{
	for (unsigned media = 0; media < 2; media++) {
		start(INSPECT_TCP);
		put_capabilities();
		put_open(media, !media);
		send();
		CHECK(strstr(f.announced, "rtp udp 192.0.2.7:4000 300 s many\n"));
		CHECK(strstr(f.announced, "rtcp udp 192.0.2.7:4001 300 s many\n"));
		feed_fini(&f);
	}
}

TEST(fast_start_announces_media_at_once)
{
	start(INSPECT_TCP);
	size_t tpkt = open_tpkt(), user = open_q931(5);

	bits(0, 8);
	bits(0, 8);
	put_object(0x914a);
	put_text(&o, "whatever stands between");
	put_channel(true, true);
	align();
	close_length(&o, user, 2);
	close_tpkt(tpkt);
	send();
	CHECK_STR(f.announced,
		  "rtcp udp 192.0.2.7:4001 300 s many\nrtp udp 192.0.2.7:4000 300 s many\n");
	feed_fini(&f);
}

TEST(channels_are_found_inside_call_signalling)
{
	size_t tpkt, user, inner;

	start(INSPECT_TCP);
	tpkt = open_tpkt();
	user = open_q931(0x62);
	bits(0, 8);
	bits(0, 8);
	put_object(0x914a);
	put_text(&o, "what stands between");
	inner = o.len;
	put_open_ack();
	memmove(o.b + inner, o.b + inner + 4, o.len - inner - 4); /* bare, without its frame */
	o.len -= 4;
	align();
	close_length(&o, user, 2);
	close_tpkt(tpkt);
	send();
	CHECK_STR(f.announced,
		  "rtcp udp 192.0.2.8:5001 300 s many\nrtp udp 192.0.2.8:5000 300 s many\n");
	feed_fini(&f);
}

TEST(ras_announces_where_calls_are_signalled)
{
	start(INSPECT_UDP);
	f.port[1] = 1719;
	bits(0, 1);
	bits(3, 5); /* registrationRequest */
	bits(0, 4);
	align();
	put(&o, 7, 2);
	put_object(0x914a);
	bits(1, 1);
	align();
	put(&o, 1, 1);
	put_address(0xc0000209, 1720);
	align();
	put(&o, 0, 4);
	CHECK_EQ(send(), INSPECT_NAMED);
	CHECK_STR(f.log, "announce=h323\nchannel=ras\n");
	CHECK_STR(f.announced, "h323 tcp 192.0.2.9:1720 3600 s many\n");
	bits(0, 1);
	bits(10, 5); /* admissionConfirm */
	bits(0, 3);
	align();
	put(&o, 8, 2);
	bits(1, 2); /* two octets of band width */
	align();
	put(&o, 1280, 2);
	bits(0, 2);
	put_address(0xc000020a, 1722);
	send();
	CHECK(strstr(f.announced, "h323 tcp 192.0.2.10:1722 300 s many\n"));
	feed_fini(&f);
}

TEST(ras_without_its_identifier_is_likely_on_its_port_only)
{
	for (unsigned port = 1718; port <= 1720; port++) {
		start(INSPECT_UDP);
		f.port[1] = (uint16_t)port;
		put(&o, 0x24000007, 4);
		CHECK_EQ(send(), port < 1720 ? INSPECT_LIKELY : INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(streams_are_read_however_they_are_cut)
{
	struct feed_step step = { INSPECT_CLIENT, o.b, 0 };

	o.len = 0;
	align();
	put(&o, 0x03000004, 4); /* keeps the connection */
	put_setup();
	put_setup();
	step.len = o.len;
	feed_splits(&inspect_h323, &step, 1, INSPECT_NAMED,
		    "announce=h323\nchannel=q931\nannounce=h323\n");
	o.len = 0;
	put_capabilities();
	put_open(true, true);
	put_open_ack();
	step.len = o.len;
	feed_splits(&inspect_h323, &step, 1, INSPECT_NAMED,
		    "channel=h245\nannounce=rtcp\nannounce=rtp\nannounce=rtcp\nannounce=rtp\n");
}

TEST(other_protocols_in_the_same_frames_are_none)
{
	static const uint8_t rdp[] = { 3, 0, 0, 11, 6, 0xe0, 0, 0, 0, 0, 0 };
	static const uint8_t s7[] = { 3, 0, 0, 12, 2, 0xf0, 0x80, 0x32, 1, 0, 0, 0 };

	start(INSPECT_TCP);
	memcpy(o.b, rdp, sizeof(rdp));
	o.len = sizeof(rdp);
	CHECK_EQ(send(), INSPECT_NO);
	feed_fini(&f);
	start(INSPECT_TCP);
	memcpy(o.b, s7, sizeof(s7));
	o.len = sizeof(s7);
	CHECK_EQ(send(), INSPECT_NO);
	feed_fini(&f);
}

TEST(noise_is_never_h323)
{
	uint64_t seed = 17;
	uint8_t noise[80];

	for (unsigned i = 0; i < 1000000; i++) {
		feed_noise(&seed, noise, sizeof(noise));
		if (i & 1)
			memcpy(noise, "\x03\x00\x00\x40", 4);
		if ((i & 3) == 3)
			memcpy(noise + 4, "\x08\x02\x00\x01\x05\x7e\x00\x30\x05", 9);
		start(i & 1 ? INSPECT_TCP : INSPECT_UDP);
		f.port[1] = 1719;
		memcpy(o.b, noise, sizeof(noise));
		o.len = sizeof(noise);
		CHECK(send() < INSPECT_SURE);
		feed_fini(&f);
	}
}
