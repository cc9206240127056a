/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/hosts.h"

#include <pthread.h>
#include <stdlib.h>

#include "unit.h"

enum { NAMES = 500 };

static void
add(struct hosts *hosts, uint16_t protocol, const char *name, uint64_t bytes)
{
	CHECK_EQ(hosts_add(hosts, protocol, name, strlen(name), bytes), BARN_OK);
}

TEST(names_are_counted_by_protocol_most_bytes_first)
{
	struct barn_stats_host list[4];
	struct hosts *hosts;

	CHECK_EQ(hosts_new(&hosts), BARN_OK);
	add(hosts, 7, "a.example", 10);
	add(hosts, 7, "b.example", 30);
	add(hosts, 7, "a.example", 15);
	add(hosts, 900, "a.example", 99);
	add(hosts, 7, "", 1000);
	CHECK_EQ(hosts_list(hosts, 7, list, 4), 2);
	CHECK_STR(list[0].name, "b.example");
	CHECK_STR(list[1].name, "a.example");
	CHECK_EQ(list[1].bytes, 25);
	CHECK_EQ(list[1].flows, 2);
	CHECK_EQ(list[1].over, 0);
	CHECK_EQ(list[1].protocol, 7);
	CHECK_EQ(hosts_list(hosts, 900, list, 4), 1);
	CHECK_EQ(hosts_list(hosts, 8, list, 4), 0);
	CHECK_EQ(hosts_list(hosts, UINT16_MAX, list, 4), 0);
	hosts_clear(hosts);
	CHECK_EQ(hosts_list(hosts, 7, list, 4), 0);
	hosts_free(hosts);
}

/* Against what they really had: 500 names in a random order, some much heavier. */
TEST(the_heavy_are_found_and_each_is_within_its_error)
{
	uint64_t truth[NAMES] = { 0 }, total = 0, kept = 0;
	struct barn_stats_host list[HOSTS_KEPT];
	struct hosts *hosts;
	uint32_t random = 12345;
	char name[32];
	unsigned count;

	CHECK_EQ(hosts_new(&hosts), BARN_OK);
	for (unsigned i = 0; i < 50000; i++) {
		unsigned n, bytes;

		random = random * 1664525 + 1013904223;
		n = random >> 16 & 1 ? (random >> 17) % 8 : (random >> 17) % NAMES;
		bytes = 40 + (random >> 8) % 1400;
		snprintf(name, sizeof(name), "host%u.example", n);
		add(hosts, 1, name, bytes);
		truth[n] += bytes;
		total += bytes;
	}
	count = hosts_list(hosts, 1, list, HOSTS_KEPT);
	CHECK_EQ(count, HOSTS_KEPT);
	for (unsigned i = 0; i < count; i++) {
		unsigned n = (unsigned)strtoul(list[i].name + 4, NULL, 10);

		CHECK(list[i].bytes >= truth[n]);
		CHECK(list[i].bytes - list[i].over <= truth[n]);
		CHECK(i == 0 || list[i - 1].bytes >= list[i].bytes);
		kept += list[i].bytes;
		truth[n] = 0;
	}
	CHECK_EQ(kept, total); /* the algorithm's invariant */
	for (unsigned n = 0; n < NAMES; n++)
		CHECK(truth[n] <= total / HOSTS_KEPT);
	hosts_free(hosts);
}

TEST(long_names_keep_their_end_and_no_name_moves_a_cursor)
{
	struct barn_stats_host list[2];
	char name[400];
	struct hosts *hosts;

	memset(name, 'x', sizeof(name));
	memcpy(name + sizeof(name) - 9, ".example", 9);
	CHECK_EQ(hosts_new(&hosts), BARN_OK);
	add(hosts, 1, name, 5);
	add(hosts, 1, "\033[2J\xff", 4);
	CHECK_EQ(hosts_list(hosts, 1, list, 2), 2);
	CHECK_EQ(strlen(list[0].name), HOSTS_NAME - 1);
	CHECK_STR(list[0].name + HOSTS_NAME - 9, ".example");
	CHECK_STR(list[1].name, "?[2J?");
	hosts_free(hosts);
}

TEST(a_full_ring_loses_and_counts)
{
	struct barn_stats_host list[1];
	struct hosts_ring *ring;
	struct hosts *hosts;

	CHECK_EQ(hosts_ring_new(3, &ring), BARN_ERR_ARGUMENT);
	CHECK_EQ(hosts_ring_new(4, &ring), BARN_OK);
	CHECK_EQ(hosts_new(&hosts), BARN_OK);
	for (unsigned i = 0; i < 6; i++)
		hosts_ring_put(ring, 1, "a", 1, 10);
	CHECK_EQ(hosts_ring_lost(ring), 2);
	CHECK_EQ(hosts_ring_take(ring, hosts), BARN_OK);
	hosts_ring_put(ring, 1, "a", 1, 10);
	CHECK_EQ(hosts_ring_take(ring, hosts), BARN_OK);
	CHECK_EQ(hosts_list(hosts, 1, list, 1), 1);
	CHECK_EQ(list[0].bytes, 50);
	hosts_free(hosts);
	hosts_ring_free(ring);
}

enum { PUTS = 100000 };

static void *
put_all(void *self)
{
	for (unsigned i = 0; i < PUTS; i++)
		hosts_ring_put(self, (uint16_t)(i % 3), "name.example", 4 + i % 9, 1);
	return NULL;
}

TEST(what_a_thread_puts_in_another_takes_out)
{
	struct barn_stats_host list[HOSTS_KEPT];
	struct hosts_ring *ring;
	struct hosts *hosts;
	pthread_t thread;
	uint64_t bytes = 0;

	CHECK_EQ(hosts_ring_new(64, &ring), BARN_OK);
	CHECK_EQ(hosts_new(&hosts), BARN_OK);
	CHECK_EQ(pthread_create(&thread, NULL, put_all, ring), 0);
	for (unsigned i = 0; i < 1000; i++)
		CHECK_EQ(hosts_ring_take(ring, hosts), BARN_OK);
	(void)pthread_join(thread, NULL);
	CHECK_EQ(hosts_ring_take(ring, hosts), BARN_OK);
	for (uint16_t p = 0; p < 3; p++)
		for (unsigned i = hosts_list(hosts, p, list, HOSTS_KEPT); i-- > 0;) {
			CHECK(strncmp(list[i].name, "name.example", strlen(list[i].name)) == 0);
			bytes += list[i].bytes;
		}
	CHECK_EQ(bytes + hosts_ring_lost(ring), PUTS);
	hosts_free(hosts);
	hosts_ring_free(ring);
}
