/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "../bench/emix/elastic.h"
#include "unit.h"

#include <stdlib.h>

#define TEXT(literal)                          \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}

static struct messages list;

/* A message in the list, to be changed. */
static struct message *
say(enum convo_from from, const char *bytes, size_t len)
{
	char copy[4096];
	struct message m = { .from = from, .len = len, .bytes = (uint8_t *)copy };

	memcpy(copy, bytes, len);
	message_clear(&list);
	message_add(&list, &m);
	return &list.at[0];
}

static const struct app page = {
	.elastic = { { .prefix = { CONVO_SERVER, TEXT("HTTP/"), 0 },
		       .behind = TEXT("\r\n\r\n"),
		       .least = 2,
		       .number = TEXT("Content-Length: ") } },
};

static const struct app block = {
	.elastic = { { .prefix = { CONVO_CLIENT, TEXT("\x46"), 2 },
		       .keep = 3,
		       .suffix = TEXT("!"),
		       .least = 2,
		       .most = 6,
		       .lengths = { { 0, 2, true } } },
		     { .prefix = { CONVO_CLIENT, TEXT("\x47"), 2 },
		       .keep = 3,
		       .least = 1,
		       .filler = TEXT("-=") } },
};

/* The body is as long as its number says. */
static bool
body_fits(const struct message *m)
{
	size_t number = message_find(m, 0, ": ", 2) + 2;
	size_t body = message_find(m, 0, "\r\n\r\n", 4) + 4;

	return m->len - body == (size_t)atoi((const char *)m->bytes + number);
}

TEST(a_page_keeps_its_length_true)
{
	static const char text[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde";

	for (long change = -5; change < 1100; change++) {
		struct message *m = say(CONVO_SERVER, text, sizeof(text) - 1);
		struct elastic_part part = elastic_find(&page, m);
		long did = elastic_resize(m, &part, change);

		CHECK(part.rule != NULL);
		CHECK_EQ((long)m->len - (long)(sizeof(text) - 1), did);
		CHECK(body_fits(m));
		if (change < -3)
			CHECK_EQ(did, -3); /* least is 2 */
		else
			CHECK(did == change || (change > 0 && did == change - 1));
	}
}

TEST(a_page_is_missed_only_where_a_digit_comes)
{
	static const char text[] = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde";
	struct message *m = say(CONVO_SERVER, text, sizeof(text) - 1);
	struct elastic_part part = elastic_find(&page, m);

	/* 9 bytes of body, 1 digit: 4 more; 10 bytes, 2 digits: 6 more; 5 more cannot be. */
	CHECK_EQ(elastic_resize(m, &part, 5), 4);
	CHECK_EQ(elastic_resize(m, &part, 1), 0);
	CHECK_EQ(elastic_resize(m, &part, 2), 2);
	CHECK(body_fits(m));
	CHECK_MEM(m->bytes + m->len - 10, "abcdeabcde", 10);
}

TEST(lengths_follow_and_bounds_hold)
{
	struct message *m = say(CONVO_CLIENT, "\x08\x00\x46xyz!", 7);
	struct elastic_part part = elastic_find(&block, m);

	CHECK_EQ(part.at, 3);
	CHECK_EQ(part.len, 3);
	CHECK_EQ(elastic_resize(m, &part, 100), 3);
	CHECK_MEM(m->bytes, "\x0b\x00\x46xyzxyz!", 10);
	CHECK_EQ(elastic_resize(m, &part, -100), -4);
	CHECK_MEM(m->bytes, "\x07\x00\x46xy!", 6);
}

TEST(a_filler_grows_and_never_shrinks)
{
	struct message *m = say(CONVO_CLIENT, "\x08\x00\x47xyz", 6);
	struct elastic_part part = elastic_find(&block, m);

	CHECK_EQ(elastic_resize(m, &part, -1), 0);
	CHECK_EQ(elastic_resize(m, &part, 3), 3);
	CHECK_MEM(m->bytes + 3, "xyz-=-", 6);
	CHECK_EQ(elastic_resize(m, &part, -5), -3);
	CHECK_EQ(m->len, 6);
}

TEST(other_messages_are_left_alone)
{
	CHECK(!elastic_find(&block, say(CONVO_SERVER, "\x08\x00\x46xyz!", 7)).rule);
	CHECK(!elastic_find(&block, say(CONVO_CLIENT, "\x08\x00\x48xyz!", 7)).rule);
	CHECK(!elastic_find(&block, say(CONVO_CLIENT, "\x08\x00\x46xyz?", 7)).rule);
	CHECK(!elastic_find(&block, say(CONVO_CLIENT, "\x08\x00\x46x!", 5)).rule);
	CHECK(!elastic_find(&block, say(CONVO_CLIENT, "\x08\x00", 2)).rule);
	CHECK(!elastic_find(&page, say(CONVO_SERVER, "HTTP/1.1 304 No\r\n", 17)).rule);
}

TEST(integers_are_read_as_they_were_set)
{
	for (unsigned width = 1; width <= 4; width++)
		for (int little = 0; little < 2; little++) {
			const struct length length = { 1, width, little };
			uint8_t bytes[6] = { 0xaa, 0, 0, 0, 0, 0xbb };
			uint32_t value = 0x81828384u & (0xffffffffu >> (32 - 8 * width));

			message_set_integer(bytes, &length, value);
			CHECK_EQ(message_integer(bytes, &length), value);
			CHECK_EQ(bytes[little ? 1 : width], 0x84);
			CHECK_EQ(bytes[0], 0xaa);
			CHECK_EQ(bytes[5], 0xbb);
		}
}

TEST(a_stream_is_cut_by_its_lengths)
{
	static const struct length length = { 1, 2, false };
	struct dialogue d = { .proto = 6 };
	struct message m = { .from = CONVO_CLIENT,
			     .len = 5,
			     .bytes = (uint8_t *)"x\x00\x01"
						 "ay" };

	message_add(&d.messages, &m);
	m.len = 6;
	m.bytes = (uint8_t *)"\x00\x02"
			     "bcx\x00";
	message_add(&d.messages, &m);
	/* The last one's length is cut off: nothing changes. */
	CHECK(!dialogue_frame(&d, &length, 3));
	CHECK_EQ(d.messages.n, 2);
	d.messages.at[1].len = 4;
	CHECK(dialogue_frame(&d, &length, 3));
	CHECK_EQ(d.messages.n, 2);
	CHECK_EQ(d.messages.at[0].len, 4);
	CHECK_EQ(d.messages.at[1].len, 5);
	CHECK_MEM(d.messages.at[1].bytes,
		  "y\x00\x02"
		  "bc",
		  5);
	dialogue_free(&d);
	message_clear(&list);
}

TEST(the_table_is_table_1)
{
	unsigned packets = 0, bytes = 0;

	for (size_t i = 0; i < app_count; i++) {
		const struct app *app = &app_table[i];

		packets += app->packets;
		bytes += app->packets * app->average;
		for (size_t k = 0; k < i; k++)
			CHECK(strcmp(app->name, app_table[k].name) != 0);
		CHECK(strncmp(app->truth, app->name, 3) == 0);
		CHECK(app->elastic[0].least > 0);
	}
	CHECK_EQ(packets, 2374);
	CHECK_EQ(bytes, 607367);
}
