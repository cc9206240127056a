/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_STREAM_RIG_H
#define BARN_TESTS_STREAM_RIG_H

/*
 * A stream under test, and segments for it, each of which is gone with its packet; included
 * once in a test program. begin() makes the store, finish() sees that all memory came back.
 */

#include "flow/stream.h"
#include "unit.h"

#include <stdlib.h>

static struct stream_store *store;
static struct stream stream;
static bool skip_gaps;

__attribute__((unused)) static void
begin_with(struct stream_store_options options)
{
	memset(&stream, 0, sizeof(stream));
	skip_gaps = false;
	CHECK_EQ(stream_store_new(&options, &store), BARN_OK);
}

__attribute__((unused)) static void
begin(void)
{
	begin_with((struct stream_store_options){ .bytes = 1 << 20 });
}

__attribute__((unused)) static void
finish(void)
{
	stream_clear(&stream, store);
	CHECK_EQ(stream_store_stats(store)->used, 0);
	stream_store_free(store);
}

/* A segment, from a buffer that is gone after the packet's end. */
__attribute__((unused)) static uint32_t
add_raw(uint32_t seq, bool syn, bool fin, const void *bytes, uint32_t n, uint32_t wire)
{
	uint8_t *packet = malloc(n ? n : 1);
	uint32_t grew;

	memcpy(packet, bytes, n);
	grew = stream_add(&stream, store, seq, syn, fin, bytes_of(packet, n), wire, skip_gaps);
	if (stream.len)
		CHECK(stream.data[0] + stream.data[stream.len - 1] >= 0);
	stream_keep(&stream, store);
	free(packet);
	return grew;
}

__attribute__((unused)) static uint32_t
add(uint32_t seq, const char *text)
{
	uint32_t n = (uint32_t)strlen(text);

	return add_raw(seq, false, false, text, n, n);
}

__attribute__((unused)) static void
syn(uint32_t seq)
{
	CHECK_EQ(add_raw(seq, true, false, "", 0, 0), 0);
}

__attribute__((unused)) static void
check_data(const char *text)
{
	CHECK_EQ(stream.len, strlen(text));
	CHECK_MEM(stream.data, text, stream.len);
}

#endif
