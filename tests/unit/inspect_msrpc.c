/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/msrpc.h"

#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_msrpc;

static struct feed f;
static struct out o;

#define NDR       "8a885d04-1ceb-11c9-9fe8-08002b104860"
#define EPM       "e1af8308-5d1f-11c9-91a4-08002b14a0fa"
#define EMSMDB    "a4f1db00-ca47-1067-b31f-00dd010662da"
#define SAMR      "12345778-1234-abcd-ef00-0123456789ac"
#define ACTIVATOR "000001a0-0000-0000-c000-000000000046"

static bool little = true;

static void
put_number(uint32_t value, unsigned bytes)
{
	for (unsigned i = 0; little && i < bytes; i++)
		o.b[o.len++] = (uint8_t)(value >> (8 * i));
	if (!little)
		put(&o, value, bytes);
}

static void
put_uuid(const char *text)
{
	unsigned a, b, c, d, e, g;

	CHECK_EQ(sscanf(text, "%8x-%4x-%4x-%4x-%4x%8x", &a, &b, &c, &d, &e, &g), 6);
	put_number(a, 4);
	put_number(b, 2);
	put_number(c, 2);
	put(&o, d, 2);
	put(&o, e, 2);
	put(&o, g, 4);
}

static size_t
open_packet(unsigned kind)
{
	size_t at = o.len;

	put(&o, 0x0500, 2);
	put(&o, kind, 1);
	put(&o, 3, 1);
	put(&o, little ? 0x10000000 : 0, 4);
	put_number(0, 2);
	put_number(0, 2);
	put_number(1, 4);
	return at;
}

static void
close_packet(size_t at)
{
	size_t end = o.len;

	o.len = at + 8;
	put_number((uint32_t)(end - at), 2);
	o.len = end;
}

static void
put_bind(unsigned kind, uint16_t context, const char *uuid)
{
	size_t at = open_packet(kind);

	put_number(4280, 2);
	put_number(4280, 2);
	put_number(0, 4);
	put_number(1, 1);
	put(&o, 0, 3);
	put_number(context, 2);
	put(&o, 0x0100, 2);
	put_uuid(uuid);
	put_number(3, 4);
	put_uuid(NDR);
	put_number(2, 4);
	close_packet(at);
}

/* Floors have their least significant byte first, whatever the packet's order. */
static void
put_tower(const char *uuid, unsigned transport, uint16_t port, uint32_t address)
{
	bool order = little;

	little = true;
	put_number(5, 2);
	for (unsigned i = 0; i < 2; i++) {
		put_number(19, 2);
		put(&o, 0x0d, 1);
		put_uuid(i == 0 ? uuid : NDR);
		put_number(2, 2);
		put_number(2, 2);
		put_number(0, 2);
	}
	const unsigned floors[3][3] = { { transport == 7 ? 0x0b : 0x0a, 2, 0 },
					{ transport, 2, port },
					{ 9, 4, address } };

	for (unsigned i = 0; i < 3; i++) {
		put_number(1, 2);
		put(&o, floors[i][0], 1);
		put_number(floors[i][1], 2);
		put(&o, floors[i][2], floors[i][1]);
	}
	little = order;
}

static size_t
open_response(uint16_t context)
{
	size_t at = open_packet(2);

	put_number(100, 4);
	put_number(context, 2);
	put(&o, 0, 2);
	return at;
}

static void
send_stream(enum inspect_dir dir)
{
	feed_stream(&f, dir, o.b, o.len);
	o.len = 0;
}

static void
start(const char *uuid)
{
	o.len = 0;
	feed_init(&f, &inspect_msrpc, INSPECT_TCP);
	put_bind(11, 0, uuid);
	send_stream(INSPECT_CLIENT);
}

TEST(interfaces_are_found_by_their_uuids)
{
	CHECK_STR(msrpc_interface_find(EPM)->name, "epm");
	CHECK_EQ(msrpc_interface_find(EPM)->kind, MSRPC_MAPPER);
	CHECK_STR(msrpc_interface_find(EMSMDB)->application, "exchange");
	CHECK_EQ(msrpc_interface_find(ACTIVATOR)->kind, MSRPC_OBJECTS);
	CHECK(!msrpc_interface_find(NDR));
}

TEST(a_bind_tells_the_interface_in_both_orders_of_bytes)
{
	for (unsigned i = 0; i < 2; i++) {
		little = i == 0;
		start(EMSMDB);
		CHECK_STR(f.log, "interface=emsmdb\napplication=exchange\n");
		CHECK_EQ(f.answer, INSPECT_DONE);
		feed_fini(&f);
	}
	little = true;
}

TEST(an_interface_that_is_not_known_is_told_by_its_uuid)
{
	start("11111111-2222-3333-4444-555566667777");
	CHECK_STR(f.log, "interface=11111111-2222-3333-4444-555566667777\n");
	feed_fini(&f);
}

TEST(the_mapper_announces_where_an_interface_is)
{
	start(EPM);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	size_t at = open_response(0);

	put_text(&o, "handle and pointers");
	put_tower(EMSMDB, 7, 49664, 0xc0000201);
	close_packet(at);
	send_stream(INSPECT_SERVER);
	CHECK_STR(f.log, "interface=epm\nannounce=exchange\n");
	CHECK_EQ(f.last.port, 49664);
	CHECK_EQ(f.last.ip_version, 4);
	CHECK_EQ(f.last.address[0], 192);
	CHECK_EQ(f.last.address[3], 1);
	CHECK_EQ(f.last.transport, INSPECT_TCP);
	CHECK_STR(f.last.carrier, "msrpc");
	CHECK(f.last.many);
	feed_fini(&f);
}

TEST(an_application_at_a_shared_port_is_announced_last)
{
	start(EPM);
	size_t at = open_response(0);

	put_tower(EMSMDB, 7, 49664, 0);
	put_tower(SAMR, 7, 49664, 0);
	put_tower(SAMR, 8, 49665, 0);
	close_packet(at);
	send_stream(INSPECT_SERVER);
	CHECK_STR(f.log, "interface=epm\nannounce=msrpc\nannounce=msrpc\nannounce=exchange\n");
	CHECK_EQ(f.last.ip_version, 0);
	CHECK_EQ(f.last.host, INSPECT_SERVER);
	feed_fini(&f);
}

TEST(towers_of_pipes_and_of_no_port_announce_nothing)
{
	start(EPM);
	size_t at = open_response(0);

	put_tower(EMSMDB, 0x0f, 49664, 0);
	put_tower(EMSMDB, 7, 0, 0);
	put_tower(EMSMDB, 7, 135, 0);
	close_packet(at);
	send_stream(INSPECT_SERVER);
	CHECK_STR(f.log, "interface=epm\n");
	feed_fini(&f);
}

TEST(only_answers_of_the_mapper_announce)
{
	start(EPM);
	put_bind(14, 1, SAMR);
	send_stream(INSPECT_CLIENT);
	size_t at = open_response(1);

	put_tower(EMSMDB, 7, 49664, 0);
	close_packet(at);
	send_stream(INSPECT_SERVER);
	CHECK_STR(f.log, "interface=epm\ninterface=samr\n");
	feed_fini(&f);
}

static void
put_wide(const char *text)
{
	for (size_t i = 0; i <= strlen(text); i++)
		put_number((uint8_t)text[i], 2);
}

TEST(a_string_binding_of_dcom_is_announced)
{
	start(ACTIVATOR);
	size_t at = open_response(0);

	put_text(&o, "odd");
	put_number(7, 2);
	put_wide("SERVER[49670]");
	put_number(7, 2);
	put_wide("192.0.2.1[49671]");
	put_number(7, 2);
	put_wide("192.0.2.1");
	put_number(7, 2);
	put_wide("192.0.2.1[99999]");
	put_number(10, 2);
	put_wide("192.0.2.1[49672]");
	close_packet(at);
	send_stream(INSPECT_SERVER);
	CHECK_STR(f.log, "interface=ISystemActivator\nannounce=msrpc\nannounce=msrpc\n");
	CHECK_EQ(f.last.port, 49671);
	CHECK_EQ(f.last.address[0], 192);
	feed_fini(&f);
}

TEST(no_cut_changes_what_is_told)
{
	static uint8_t bind[200], answer[300];
	struct feed_step steps[] = { { INSPECT_CLIENT, bind, 0 },
				     { INSPECT_SERVER, answer, 0 },
				     { INSPECT_SERVER, answer, 0 } };

	o.len = 0;
	put_bind(11, 0, EPM);
	memcpy(bind, o.b, o.len);
	steps[0].len = o.len;
	o.len = 0;
	size_t at = open_response(0);

	put_tower(EMSMDB, 7, 49664, 0);
	close_packet(at);
	memcpy(answer, o.b, o.len);
	steps[1].len = steps[2].len = o.len;
	feed_splits(&inspect_msrpc, steps, 3, INSPECT_NAMED,
		    "interface=epm\nannounce=exchange\nannounce=exchange\n");
}

TEST(a_greeting_of_http_comes_before)
{
	o.len = 0;
	feed_init(&f, &inspect_msrpc, INSPECT_TCP);
	feed_text(&f, INSPECT_SERVER, "ncacn_http");
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_text(&f, INSPECT_SERVER, "/1.0");
	CHECK_EQ(f.answer, INSPECT_SURE);
	put_bind(11, 0, SAMR);
	send_stream(INSPECT_CLIENT);
	CHECK_STR(f.log, "transport=ncacn_http\ninterface=samr\n");
	feed_fini(&f);
}

static void
put_datagram(unsigned kind, const char *uuid, const char *body)
{
	o.len = 0;
	put(&o, 4, 1);
	put(&o, kind, 1);
	put(&o, 0, 2);
	put(&o, little ? 0x100000 : 0, 3);
	put(&o, 0, 1);
	put_uuid(NDR);
	put_uuid(uuid);
	put_uuid(NDR);
	for (unsigned i = 0; i < 3; i++)
		put_number(1, 4);
	for (unsigned i = 0; i < 3; i++)
		put_number(1, 2);
	put_number((uint32_t)strlen(body), 2);
	put_number(0, 2);
	put(&o, 0, 2);
	put_text(&o, body);
}

TEST(datagrams_are_read_in_both_orders_of_bytes)
{
	for (unsigned i = 0; i < 2; i++) {
		little = i == 0;
		feed_init(&f, &inspect_msrpc, INSPECT_UDP);
		put_datagram(0, SAMR, "stub");
		CHECK_EQ(o.len, 84);
		feed_datagram(&f, INSPECT_CLIENT, o.b, o.len);
		CHECK_STR(f.log, "interface=samr\n");
		CHECK_EQ(f.answer, INSPECT_DONE);
		feed_fini(&f);
		feed_init(&f, &inspect_msrpc, INSPECT_UDP);
		feed_datagram(&f, INSPECT_CLIENT, o.b, o.len - 1);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
	little = true;
}

TEST(the_mapper_announces_by_datagram_too)
{
	feed_init(&f, &inspect_msrpc, INSPECT_UDP);
	put_datagram(2, EPM, "");
	put_tower(SAMR, 8, 1027, 0);
	size_t end = o.len;

	o.len = 74;
	put_number((uint32_t)(end - 80), 2);
	feed_datagram(&f, INSPECT_SERVER, o.b, end);
	CHECK_STR(f.log, "interface=epm\nannounce=msrpc\n");
	CHECK_EQ(f.last.transport, INSPECT_UDP);
	CHECK_EQ(f.last.port, 1027);
	feed_fini(&f);
}

TEST(a_header_is_strict)
{
	static const struct {
		unsigned at;
		uint8_t value;
	} wrong[] = { { 0, 4 }, { 1, 2 }, { 2, 20 }, { 4, 0x20 }, { 5, 4 },
		      { 6, 1 }, { 7, 1 }, { 8, 15 }, { 10, 57 } };

	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		o.len = 0;
		put_bind(11, 0, EPM);
		o.b[9] = 0;
		o.b[wrong[i].at] = wrong[i].value;
		feed_init(&f, &inspect_msrpc, INSPECT_TCP);
		send_stream(INSPECT_CLIENT);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(a_connection_is_found_behind_a_gap)
{
	feed_init(&f, &inspect_msrpc, INSPECT_TCP);
	f.lost = true;
	feed_text(&f, INSPECT_SERVER, "the rest of an answer");
	CHECK_EQ(f.answer, INSPECT_MORE);
	o.len = 0;
	size_t at = open_response(0);

	put_tower(EMSMDB, 7, 49664, 0);
	close_packet(at);
	send_stream(INSPECT_SERVER);
	CHECK_STR(f.log, "announce=exchange\n");
	CHECK_EQ(f.answer, INSPECT_SURE);
	feed_fini(&f);
}

TEST(noise_is_never_sure)
{
	uint64_t seed = 135;
	uint8_t noise[96];

	for (unsigned i = 0; i < 2000000; i++) {
		feed_init(&f, &inspect_msrpc, i & 1 ? INSPECT_TCP : INSPECT_UDP);
		feed_noise(&seed, noise, sizeof(noise));
		noise[0] = i & 1 ? 5 : 4;
		if (i & 1)
			feed_stream(&f, INSPECT_CLIENT, noise, sizeof(noise));
		else
			feed_datagram(&f, INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_LIKELY);
		feed_fini(&f);
	}
}
