/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_http2;

static struct feed f;
static struct out client, server, block;

enum { DATA, HEADERS, PRIORITY, RST, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION };
enum { END_HEADERS = 4, PADDED = 8, WITH_PRIORITY = 0x20 };

static void
fresh(void)
{
	client.len = server.len = block.len = 0;
}

static void
frame(struct out *o, uint8_t type, uint8_t flags, uint32_t stream, const void *data, size_t len)
{
	put(o, (uint32_t)len, 3);
	put(o, type, 1);
	put(o, flags, 1);
	put(o, stream, 4);
	if (len > 0)
		memcpy(o->b + o->len, data, len);
	o->len += len;
}

static void
preface(void)
{
	put_text(&client, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
	frame(&client, SETTINGS, 0, 0, "\0\3\0\0\0\x64\0\4\0\0\xff\xff", 12);
}

/* A literal that goes into the table. */
static void
literal(const char *name, const char *value)
{
	put(&block, 0x40, 1);
	put(&block, (uint32_t)strlen(name), 1);
	put_text(&block, name);
	put(&block, (uint32_t)strlen(value), 1);
	put_text(&block, value);
}

static void
request(const char *host, const char *path)
{
	block.len = 0;
	literal(":method", "POST");
	literal(":path", path);
	literal(":authority", host);
	literal("user-agent", "test/1");
}

#define STEPS                                                \
	{                                                    \
		{ INSPECT_CLIENT, client.b, client.len },    \
		{                                            \
			INSPECT_SERVER, server.b, server.len \
		}                                            \
	}

TEST(requests_and_responses_are_read_however_they_are_cut)
{
	fresh();
	preface();
	request("a.example:8080", "/x");
	frame(&client, HEADERS, END_HEADERS, 1, block.b, block.len);
	frame(&client, DATA, 1, 1, "0123456789", 10);
	block.len = 0;
	put(&block, 0xc1c0bfbe, 4); /* all four from the table */
	frame(&client, HEADERS, END_HEADERS, 3, block.b, block.len);
	frame(&server, SETTINGS, 0, 0, NULL, 0);
	frame(&server, SETTINGS, 1, 0, NULL, 0);
	block.len = 0;
	put(&block, 0x88, 1);
	literal("content-type", "text/html; charset=utf-8");
	frame(&server, HEADERS, END_HEADERS, 1, block.b, block.len);

	const struct feed_step steps[] = STEPS;

	feed_splits(&inspect_http2, steps, 2, INSPECT_NAMED,
		    "method=POST\nurl=/x\nhost=a.example\nuser-agent=test/1\n"
		    "method=POST\nurl=/x\nhost=a.example\nuser-agent=test/1\n"
		    "status=200\nmime=text/html\n");
}

TEST(a_block_in_several_frames_is_put_together)
{
	fresh();
	preface();
	request("a.example", "/x");
	uint8_t first[64] = { 3, 0, 0, 0, 0, 16 }; /* padding, priority */

	memcpy(first + 6, block.b, 20);
	frame(&client, HEADERS, PADDED | WITH_PRIORITY, 1, first, 6 + 20 + 3);
	frame(&client, CONTINUATION, 0, 1, block.b + 20, 10);
	frame(&client, CONTINUATION, END_HEADERS, 1, block.b + 30, block.len - 30);

	const struct feed_step steps[] = STEPS;

	feed_splits(&inspect_http2, steps, 1, INSPECT_NAMED,
		    "method=POST\nurl=/x\nhost=a.example\nuser-agent=test/1\n");
}

TEST(media_types_tell_what_is_carried)
{
	static const struct {
		const char *type, *path, *log;
	} all[] = {
		{ "application/grpc", "/p.S/M",
		  "application=grpc\ncontent-type=application/grpc" },
		{ "application/grpc+proto", "/p.S/M",
		  "application=grpc\ncontent-type=application/grpc+proto" },
		{ "application/dns-message", "/q",
		  "application=doh\ncontent-type=application/dns-message" },
		{ "text/plain", "/q", "content-type=text/plain" },
	};
	char log[300];

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		fresh();
		preface();
		request("a.example", all[i].path);
		literal("content-type", all[i].type);
		frame(&client, HEADERS, END_HEADERS, 1, block.b, block.len);
		feed_init(&f, &inspect_http2, INSPECT_TCP);
		feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
		snprintf(log, sizeof(log),
			 "method=POST\nurl=%s\nhost=a.example\nuser-agent=test/1\n%s\n",
			 all[i].path, all[i].log);
		CHECK_STR(f.log, log);
		feed_fini(&f);
	}
}

TEST(dns_is_told_by_its_path_too)
{
	fresh();
	preface();
	request("a.example", "/dns-query?dns=AAAB");
	frame(&client, HEADERS, END_HEADERS, 1, block.b, block.len);
	feed_init(&f, &inspect_http2, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
	CHECK(strstr(f.log, "application=doh\n"));
	feed_fini(&f);
}

TEST(a_server_alone_needs_three_frames)
{
	fresh();
	frame(&server, SETTINGS, 0, 0, "\0\3\0\0\0\x80", 6);
	feed_init(&f, &inspect_http2, INSPECT_TCP);
	feed_stream(&f, INSPECT_SERVER, server.b, server.len);
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	server.len = 0;
	frame(&server, WINDOW, 0, 0, "\0\1\0\0", 4);
	feed_stream(&f, INSPECT_SERVER, server.b, server.len);
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	server.len = 0;
	put(&block, 0x88, 1);
	frame(&server, HEADERS, END_HEADERS, 1, block.b, block.len);
	feed_stream(&f, INSPECT_SERVER, server.b, server.len);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log, "status=200\n");
	feed_fini(&f);
}

TEST(what_is_no_frame_after_settings_ends_a_server_alone)
{
	fresh();
	frame(&server, SETTINGS, 0, 0, "\0\3\0\0\0\x80", 6);
	frame(&server, DATA, 0, 0, "data of no stream", 17);
	feed_init(&f, &inspect_http2, INSPECT_TCP);
	feed_stream(&f, INSPECT_SERVER, server.b, server.len);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(behind_a_gap_nothing_more_is_told)
{
	fresh();
	preface();
	request("a.example", "/x");
	frame(&client, HEADERS, END_HEADERS, 1, block.b, block.len);
	feed_init(&f, &inspect_http2, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
	size_t told = f.log_len;

	feed_gap(&f, INSPECT_CLIENT);
	feed_stream(&f, INSPECT_CLIENT, client.b + 45, client.len - 45);
	CHECK_EQ(f.log_len, told);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(a_block_that_is_too_long_is_passed_over)
{
	static uint8_t large[12000];

	fresh();
	preface();
	frame(&client, HEADERS, END_HEADERS, 1, large, sizeof(large));
	frame(&client, PING, 0, 0, large, 8);
	feed_init(&f, &inspect_http2, INSPECT_TCP);
	for (size_t at = 0; at < client.len; at += 1000)
		feed_stream(&f, INSPECT_CLIENT, client.b + at,
			    client.len - at < 1000 ? client.len - at : 1000);
	CHECK_EQ(f.answer, INSPECT_SURE);
	CHECK_EQ(f.len[INSPECT_CLIENT], 0);
	feed_fini(&f);
}

TEST(the_preface_cut_or_changed_is_no_proof)
{
	for (size_t i = 0; i < 24; i++) {
		fresh();
		preface();
		client.b[i] ^= 1;
		feed_init(&f, &inspect_http2, INSPECT_TCP);
		feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(frames_spoilt_anywhere_do_no_harm)
{
	uint64_t seed = 37;

	for (int i = 0; i < 20000; i++) {
		fresh();
		preface();
		request("a.example", "/x");
		frame(&client, HEADERS, END_HEADERS, 1, block.b, block.len);
		for (int n = 0; n < 3; n++)
			client.b[24 + feed_random(&seed) % (client.len - 24)] =
				(uint8_t)feed_random(&seed);
		feed_init(&f, &inspect_http2, INSPECT_TCP);
		feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
		CHECK(f.answer >= INSPECT_SURE);
		feed_fini(&f);
	}
}

TEST(noise_is_never_http2)
{
	uint8_t noise[64];
	uint64_t seed = 41;

	for (int i = 0; i < 2000000; i++) {
		feed_init(&f, &inspect_http2, INSPECT_TCP);
		feed_noise(&seed, noise, sizeof(noise));
		if (i & 1)
			memcpy(noise, "\0\0\6\4\0\0\0\0\0\0\3", 11); /* make it look alike */
		feed_stream(&f, i & 2 ? INSPECT_SERVER : INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_SURE);
		feed_fini(&f);
	}
}
