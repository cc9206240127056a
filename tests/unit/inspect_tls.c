/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_tls;

/* A certificate that openssl made: CN=www.example.com, DNS:example.com, DNS:www.example.com. */
static const char certificate_hex[] = "308201c43082016ba003020102020101300a06082a86"
				      "48ce3d0403023029310d300b060355040a0c04426172"
				      "6e3118301606035504030c0f7777772e6578616d706c"
				      "652e636f6d301e170d3236313133303138333733335a"
				      "170d3336313132373138333733335a3029310d300b06"
				      "0355040a0c044261726e3118301606035504030c0f77"
				      "77772e6578616d706c652e636f6d3059301306072a86"
				      "48ce3d020106082a8648ce3d03010703420004ed50d5"
				      "12bda1a191bd212cd56bc86c1f553275f3bb79c565d8"
				      "d7cf94bfc462016122098d03be0f8d412b27152ae9e4"
				      "3f40414a3efd4991948e8c98ae9979a2eba381833081"
				      "80301d0603551d0e041604144a7695281c1b0da088a7"
				      "e7b4a7d9dd87cde67eb2301f0603551d230418301680"
				      "144a7695281c1b0da088a7e7b4a7d9dd87cde67eb230"
				      "0f0603551d130101ff040530030101ff302d0603551d"
				      "110426302487040a000001820b6578616d706c652e63"
				      "6f6d820f7777772e6578616d706c652e636f6d300a06"
				      "082a8648ce3d040302034700304402205c43d470f340"
				      "fa2b1954fa02cdebe2f551b061175baf1e415adf05f3"
				      "44e701da02203ad85750f08e2b6625a426e9b927e354"
				      "6f135d9411c979beea114a3df1a399bb";

static void
put_certificate(struct out *o)
{
	for (const char *at = certificate_hex; *at; at += 2) {
		unsigned byte;

		sscanf(at, "%2x", &byte);
		put(o, byte, 1);
	}
}

/* A handshake message, without a record. */
static void
put_client_hello(struct out *o, const char *server_name, const char *alpn)
{
	put(o, 1, 1);
	size_t message = open_length(o, 3), extensions, one, list;

	put(o, 0x0303, 2);
	for (int i = 0; i < 32; i++)
		put(o, (uint32_t)(i * 7), 1);
	put(o, 4, 1); /* session identifier */
	put(o, 0x01020304, 4);
	put(o, 4, 2);
	put(o, 0x1301c02b, 4);
	put(o, 0x0100, 2);
	extensions = open_length(o, 2);
	put(o, 0x0a0a0000, 4); /* GREASE, empty */
	if (server_name) {
		put(o, 0, 2);
		one = open_length(o, 2);
		list = open_length(o, 2);
		put(o, 0, 1);
		put(o, (uint32_t)strlen(server_name), 2);
		put_text(o, server_name);
		close_length(o, list, 2);
		close_length(o, one, 2);
	}
	if (alpn) {
		put(o, 16, 2);
		one = open_length(o, 2);
		list = open_length(o, 2);
		put(o, 0x020a0a, 3); /* GREASE */
		put_text(o, alpn);
		close_length(o, list, 2);
		close_length(o, one, 2);
	}
	close_length(o, extensions, 2);
	close_length(o, message, 3);
}

static void
put_server_hello(struct out *o, uint16_t version, const char *alpn)
{
	put(o, 2, 1);
	size_t message = open_length(o, 3), extensions;

	put(o, version > 0x0303 ? 0x0303 : version, 2);
	for (int i = 0; i < 32; i++)
		put(o, (uint32_t)(i * 5), 1);
	put(o, 0, 1);
	put(o, version > 0x0303 ? 0x1301 : 0xc02b, 2);
	put(o, 0, 1);
	extensions = open_length(o, 2);
	if (version > 0x0303) {
		put(o, 43, 2);
		put(o, 2, 2);
		put(o, version, 2);
	}
	if (alpn) {
		put(o, 16, 2);
		put(o, (uint32_t)strlen(alpn) + 2, 2);
		put(o, (uint32_t)strlen(alpn), 2);
		put_text(o, alpn);
	}
	close_length(o, extensions, 2);
	close_length(o, message, 3);
}

static void
put_certificate_message(struct out *o)
{
	put(o, 11, 1);
	size_t message = open_length(o, 3), list = open_length(o, 3), one = open_length(o, 3);

	put_certificate(o);
	close_length(o, one, 3);
	one = open_length(o, 3);
	put_text(o, "an issuer's certificate");
	close_length(o, one, 3);
	close_length(o, list, 3);
	close_length(o, message, 3);
}

/* Wraps what stands in `messages` into records of at most `size` bytes. */
static void
put_records(struct out *o, const struct out *messages, size_t size)
{
	for (size_t at = 0; at < messages->len;) {
		size_t n = messages->len - at < size ? messages->len - at : size;

		put(o, 22, 1);
		put(o, 0x0301, 2);
		put(o, (uint32_t)n, 2);
		memcpy(o->b + o->len, messages->b + at, n);
		o->len += n;
		at += n;
	}
}

static void
put_record(struct out *o, uint8_t type, size_t len)
{
	put(o, type, 1);
	put(o, 0x0303, 2);
	put(o, (uint32_t)len, 2);
	memset(o->b + o->len, 0xe5, len);
	o->len += len;
}

static struct out client, server, messages;

static void
fresh(void)
{
	client.len = server.len = messages.len = 0;
}

static void
client_hello(const char *server_name, const char *alpn, size_t record)
{
	messages.len = 0;
	put_client_hello(&messages, server_name, alpn);
	put_records(&client, &messages, record);
}

static void
both_splits(enum inspect_answer answer, const char *log)
{
	const struct feed_step steps[] = { { INSPECT_CLIENT, client.b, client.len },
					   { INSPECT_SERVER, server.b, server.len } };

	feed_splits(&inspect_tls, steps, 2, answer, log);
}

TEST(tls_1_3_is_named_by_the_client_and_done_with_the_servers_hello)
{
	fresh();
	client_hello("www.example.com", "\x02h2\x08http/1.1", 16384);
	both_splits(INSPECT_NAMED, "server-name=www.example.com\nalpn=h2,http/1.1\n");
	put_server_hello(&messages, 0x0304, NULL);
	messages.len = 0;
	put_server_hello(&messages, 0x0304, NULL);
	put_records(&server, &messages, 16384);
	put_record(&server, 20, 1);
	put_record(&server, 23, 100);
	both_splits(INSPECT_DONE, "server-name=www.example.com\nalpn=h2,http/1.1\n"
				  "version=1.3\ncipher=0x1301\n");
}

TEST(a_hello_may_be_split_over_records_at_any_byte)
{
	for (size_t size = 1; size < 160; size += size < 12 ? 1 : 13) {
		fresh();
		client_hello("a.example", "\x02h2", size);
		both_splits(INSPECT_NAMED, "server-name=a.example\nalpn=h2\n");
	}
}

TEST(before_1_3_the_certificate_names_a_server_that_the_client_did_not)
{
	for (size_t size = 7; size < 5000; size = size * 3 + 50) {
		fresh();
		client_hello(NULL, NULL, 16384);
		messages.len = 0;
		put_server_hello(&messages, 0x0303, "\x08http/1.1");
		put_certificate_message(&messages);
		put_records(&server, &messages, size); /* several messages in a record */
		both_splits(INSPECT_NAMED, "version=1.2\ncipher=0xc02b\nalpn-chosen=http/1.1\n"
					   "certificate-name=www.example.com\n"
					   "certificate-name=example.com\n");
		put_record(&server, 20, 1);
		both_splits(INSPECT_DONE, "version=1.2\ncipher=0xc02b\nalpn-chosen=http/1.1\n"
					  "certificate-name=www.example.com\n"
					  "certificate-name=example.com\n");
	}
}

TEST(the_certificate_is_not_asked_where_the_client_named_the_server)
{
	fresh();
	client_hello("sni.example", NULL, 16384);
	messages.len = 0;
	put_server_hello(&messages, 0x0302, NULL);
	put_certificate_message(&messages);
	put_records(&server, &messages, 16384);
	both_splits(INSPECT_NAMED, "server-name=sni.example\nversion=1.1\ncipher=0xc02b\n");
}

TEST(a_resumed_session_shows_no_certificate)
{
	fresh();
	client_hello(NULL, NULL, 16384);
	messages.len = 0;
	put_server_hello(&messages, 0x0300, NULL);
	put_records(&server, &messages, 16384);
	both_splits(INSPECT_SURE, "version=SSL 3.0\ncipher=0xc02b\n");
	put_record(&server, 20, 1);
	put_record(&server, 22, 40);
	both_splits(INSPECT_DONE, "version=SSL 3.0\ncipher=0xc02b\n");
}

TEST(the_server_alone_is_sure)
{
	fresh();
	messages.len = 0;
	put_server_hello(&messages, 0x0303, NULL);
	put_certificate_message(&messages);
	put_records(&server, &messages, 16384);
	both_splits(INSPECT_NAMED,
		    "version=1.2\ncipher=0xc02b\n"
		    "certificate-name=www.example.com\ncertificate-name=example.com\n");
	for (int i = 0; i < 10; i++)
		put_record(&server, 23, 50);
	both_splits(INSPECT_DONE,
		    "version=1.2\ncipher=0xc02b\n"
		    "certificate-name=www.example.com\ncertificate-name=example.com\n");
}

TEST(early_drafts_of_1_3_have_no_session_and_no_compression)
{
	static const struct {
		uint16_t version;
		bool short_form;
	} drafts[] = {
		{ 0x7f0e, true }, { 0x7f12, true }, { 0x7f15, true }, { 0x7f16, false }
	};

	for (size_t i = 0; i < sizeof(drafts) / sizeof(drafts[0]); i++) {
		fresh();
		messages.len = 0;
		put(&messages, 2, 1);
		size_t message = open_length(&messages, 3), extensions;

		put(&messages, drafts[i].short_form ? drafts[i].version : 0x0303, 2);
		for (uint32_t j = 0; j < 32; j++)
			put(&messages, j * 5, 1);
		if (!drafts[i].short_form)
			put(&messages, 0, 1);
		put(&messages, 0x1302, 2);
		if (!drafts[i].short_form)
			put(&messages, 0, 1);
		extensions = open_length(&messages, 2);
		if (!drafts[i].short_form) {
			put(&messages, 0x002b0002, 4);
			put(&messages, drafts[i].version, 2);
		}
		put(&messages, 16, 2);
		put(&messages, 0x00050003, 4);
		put_text(&messages, "\x02h2");
		close_length(&messages, extensions, 2);
		close_length(&messages, message, 3);
		put_records(&server, &messages, 16384);
		both_splits(INSPECT_NAMED, "version=1.3\ncipher=0x1302\nalpn-chosen=h2\n");
	}
}

TEST(early_data_of_the_client_does_not_hide_the_servers_hello)
{
	fresh();
	client_hello("a.example", NULL, 16384);
	put_record(&client, 20, 1);
	put_record(&client, 23, 300);
	messages.len = 0;
	put_server_hello(&messages, 0x0304, NULL);
	put_records(&server, &messages, 16384);
	both_splits(INSPECT_DONE, "server-name=a.example\nversion=1.3\ncipher=0x1301\n");
}

TEST(a_hello_of_ssl_2_that_introduces_tls_is_sure)
{
	fresh();
	put(&client, 0x8000 + 9 + 6 + 16, 2);
	put(&client, 1, 1);
	put(&client, 0x0301, 2);
	put(&client, 6, 2);
	put(&client, 0, 2);
	put(&client, 16, 2);
	put_text(&client, "cipherchallengechall");
	put_text(&client, "en");
	both_splits(INSPECT_SURE, "");
	messages.len = 0;
	put_server_hello(&messages, 0x0301, NULL);
	put_certificate_message(&messages);
	put_records(&server, &messages, 16384);
	both_splits(INSPECT_NAMED,
		    "version=1.0\ncipher=0xc02b\n"
		    "certificate-name=www.example.com\ncertificate-name=example.com\n");
	client.b[6]++; /* the lengths do not add up */
	server.len = 0;
	both_splits(INSPECT_NO, "");
}

TEST(ssl_2_itself_is_known_by_both_hellos)
{
	fresh();
	put(&server, 0x8000 + 11 + 3 + 16 + (uint32_t)strlen(certificate_hex) / 2, 2);
	put(&server, 0x040001, 3);
	put(&server, 0x0002, 2);
	put(&server, (uint32_t)strlen(certificate_hex) / 2, 2);
	put(&server, 3, 2);
	put(&server, 16, 2);
	put_certificate(&server);
	put_text(&server, "cipconnectionidenti");
	both_splits(INSPECT_DONE, "version=SSL 2.0\ncertificate-name=www.example.com\n"
				  "certificate-name=example.com\n");
}

TEST(a_chain_of_records_without_a_hello_is_likely_not_sure)
{
	fresh();
	put_record(&server, 23, 15); /* too short to be believed where it ends with a segment */
	put_record(&server, 23, 10);
	both_splits(INSPECT_MORE, "");
	put_record(&server, 23, 2);
	both_splits(INSPECT_LIKELY, "");
	for (int i = 0; i < 20; i++)
		put_record(&server, 23, 40);
	both_splits(INSPECT_LIKELY, "");
	put(&server, 0x474554, 3);
	both_splits(INSPECT_NO, "");
}

TEST(a_record_that_ends_with_its_segment_is_likely)
{
	static const struct {
		uint8_t type;
		size_t len;
		enum inspect_answer answer;
	} cases[] = { { 23, 400, INSPECT_LIKELY }, { 23, 15, INSPECT_MORE },
		      { 21, 26, INSPECT_LIKELY },  { 20, 1, INSPECT_MORE },
		      { 25, 26, INSPECT_NO },      { 22, 30, INSPECT_NO } };
	static struct feed f;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		fresh();
		put_record(&server, cases[i].type, cases[i].len);
		feed_init(&f, &inspect_tls, INSPECT_TCP);
		feed_stream(&f, INSPECT_SERVER, server.b, server.len);
		CHECK_EQ(f.answer, cases[i].answer);
		feed_fini(&f);
	}
}

TEST(eight_bytes_are_enough_where_message_and_record_agree)
{
	static struct feed f;

	fresh();
	client_hello("a.example", NULL, 16384);
	feed_init(&f, &inspect_tls, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, client.b, 7);
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_stream(&f, INSPECT_CLIENT, client.b + 7, 1);
	CHECK_EQ(f.answer, INSPECT_SURE);
	feed_fini(&f);
	client.b[7] = 1; /* the message is longer: it goes on in the next record */
	feed_init(&f, &inspect_tls, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, client.b, 10);
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_fini(&f);
}

TEST(behind_a_gap_records_are_found_again)
{
	static struct feed f;

	fresh();
	put_record(&server, 23, 500);
	put_record(&server, 23, 500);
	put_record(&server, 23, 500);
	feed_init(&f, &inspect_tls, INSPECT_TCP);
	feed_gap(&f, INSPECT_SERVER);
	feed_stream(&f, INSPECT_SERVER, server.b + 200, 305);
	CHECK_EQ(f.answer, INSPECT_MORE);
	feed_stream(&f, INSPECT_SERVER, server.b + 505, server.len - 505);
	feed_stream(&f, INSPECT_SERVER, server.b, 600);
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);

	fresh();
	client_hello("a.example", NULL, 16384);
	feed_init(&f, &inspect_tls, INSPECT_TCP);
	feed_gap(&f, INSPECT_CLIENT);
	feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
	CHECK_STR(f.log, "server-name=a.example\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(a_gap_in_the_certificate_does_not_stop_the_rest)
{
	static struct feed f;

	fresh();
	client_hello(NULL, NULL, 16384);
	messages.len = 0;
	put_server_hello(&messages, 0x0303, NULL);
	put_certificate_message(&messages);
	put_records(&server, &messages, 16384);
	feed_init(&f, &inspect_tls, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
	feed_stream(&f, INSPECT_SERVER, server.b, server.len - 300);
	feed_gap(&f, INSPECT_SERVER);
	server.len = 0;
	put_record(&server, 20, 1);
	put_record(&server, 22, 40);
	feed_stream(&f, INSPECT_SERVER, server.b, server.len);
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

TEST(a_hello_beyond_the_window_still_gives_its_name)
{
	static struct feed f;
	static char big[20000];

	memset(big, 'x', sizeof(big) - 1);
	fresh();
	put_client_hello(&messages, "first.example", NULL);
	/* An extension of 18,000 bytes behind the name: lengths are mended by hand. */
	size_t at = messages.len;

	put(&messages, 0x1234, 2);
	put(&messages, 18000, 2);
	put_text(&messages, big + sizeof(big) - 1 - 18000);
	uint32_t more = (uint32_t)(messages.len - at), len = (uint32_t)messages.len - 4;

	messages.b[1] = 0;
	messages.b[2] = (uint8_t)(len >> 8);
	messages.b[3] = (uint8_t)len;
	uint16_t old = (uint16_t)(messages.b[51] << 8 | messages.b[52]);

	messages.b[51] = (uint8_t)((old + more) >> 8);
	messages.b[52] = (uint8_t)(old + more);
	put_records(&client, &messages, 16000);
	feed_init(&f, &inspect_tls, INSPECT_TCP);
	for (at = 0; at < client.len; at += 1000)
		feed_stream(&f, INSPECT_CLIENT, client.b + at,
			    client.len - at < 1000 ? client.len - at : 1000);
	CHECK_STR(f.log, "server-name=first.example\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_EQ(f.len[INSPECT_CLIENT], 0);
	feed_fini(&f);
}

TEST(what_is_almost_a_hello_is_no_tls)
{
	static const size_t places[] = { 0, 1, 2, 5, 6, 9, 10 };
	static struct feed f;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		fresh();
		client_hello("a.example", NULL, 16384);
		client.b[places[i]] = 0x7e;
		feed_init(&f, &inspect_tls, INSPECT_TCP);
		feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(wrong_lengths_inside_a_hello_do_no_harm)
{
	static struct feed f;

	for (size_t at = 11; at < 160; at++) {
		for (unsigned value = 0; value < 256; value += 51) {
			fresh();
			client_hello("a.example", "\x02h2", 16384);
			if (at >= client.len)
				continue;
			client.b[at] = (uint8_t)value;
			feed_init(&f, &inspect_tls, INSPECT_TCP);
			feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
			CHECK(f.answer >= INSPECT_SURE);
			feed_fini(&f);
		}
	}
}

TEST(a_certificate_cut_or_spoilt_anywhere_does_no_harm)
{
	static struct feed f;
	uint64_t seed = 3;

	for (size_t at = 0; at < 4 * strlen(certificate_hex); at++) {
		fresh();
		messages.len = 0;
		put_server_hello(&messages, 0x0303, NULL);
		put_certificate_message(&messages);
		for (int i = 0; i < 3; i++)
			messages.b[50 + feed_random(&seed) % (messages.len - 50)] =
				(uint8_t)feed_random(&seed);
		put_records(&server, &messages, 16384);
		feed_init(&f, &inspect_tls, INSPECT_TCP);
		feed_stream(&f, INSPECT_SERVER, server.b, server.len);
		CHECK(f.answer >= INSPECT_SURE);
		feed_fini(&f);
	}
}

TEST(alpn_tells_dns_over_tls)
{
	static struct feed f;

	fresh();
	client_hello("a.example",
		     "\x03"
		     "dot",
		     16384);
	feed_init(&f, &inspect_tls, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, client.b, client.len);
	CHECK_STR(f.log, "server-name=a.example\nalpn=dot\napplication=dot\n");
	feed_fini(&f);
}

TEST(noise_is_never_tls)
{
	static struct feed f;
	uint64_t seed = 11;
	uint8_t noise[64];
	unsigned counts[INSPECT_DONE + 1] = { 0 };

	for (int i = 0; i < 300000; i++) {
		feed_init(&f, &inspect_tls, INSPECT_TCP);
		feed_noise(&seed, noise, sizeof(noise));
		feed_stream(&f, i & 1, noise, feed_random(&seed) % sizeof(noise));
		counts[f.answer]++;
		feed_fini(&f);
	}
	for (int answer = INSPECT_LIKELY; answer <= INSPECT_DONE; answer++)
		CHECK_EQ(counts[answer], 0);
}
