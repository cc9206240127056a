/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/layout.h"
#include "discovery/segment.h"

#include <barn/stats.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

enum { INTERFACES = 3, PROTOCOLS = 5, PATH_LENGTH = 64 };

static char folder[PATH_LENGTH], path[2 * PATH_LENGTH];

static const struct segment_room room = { {
	[BARN_STATS_ENGINE] = 1,
	[BARN_STATS_INTERFACES] = INTERFACES,
	[BARN_STATS_PROTOCOLS] = PROTOCOLS,
	[BARN_STATS_OBJECTS] = 7,
	[BARN_STATS_HOSTS] = 9,
} };

static void
begin(struct barn_stats **stats)
{
	const char *base = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/barn-segment.XXXXXX", base ? base : "/tmp");
	CHECK(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/stats", folder);
	CHECK_EQ(barn_stats_open(path, stats), BARN_OK);
}

static struct segment *
make(const struct segment_room *wanted)
{
	struct segment *segment;
	int fd;

	CHECK_EQ(segment_make(AT_FDCWD, path, 0640, wanted, &fd), BARN_OK);
	CHECK_EQ(segment_open(fd, &segment), BARN_OK);
	(void)close(fd);
	return segment;
}

static void
end(struct barn_stats *stats, struct segment *segment)
{
	barn_stats_close(stats);
	segment_close(segment, false);
	(void)unlink(path);
	CHECK_EQ(rmdir(folder), 0); /* so nothing was left behind */
}

/* Each word of the row is n. */
static struct barn_stats_row
row_of(uint64_t n)
{
	struct barn_stats_row row = { .packets = { 0 } };

	for (size_t i = 0; i < sizeof(row) / sizeof(n); i++)
		memcpy((uint8_t *)&row + i * sizeof(n), &n, sizeof(n));
	return row;
}

static bool
is_whole(const struct barn_stats_row *row)
{
	struct barn_stats_row same = row_of(row->packets[0]);

	return memcmp(row, &same, sizeof(same)) == 0;
}

static void
count_all(struct segment *segment)
{
	segment_count(segment, BARN_STATS_INTERFACES, INTERFACES, false);
	segment_count(segment, BARN_STATS_PROTOCOLS, PROTOCOLS, false);
}

TEST(there_is_none_until_one_is_published)
{
	struct barn_stats *stats;
	struct segment *segment;
	bool changed = true;

	begin(&stats);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_ERR_MISSING);
	CHECK(!changed);
	CHECK_EQ(barn_stats_age_ms(stats), UINT64_MAX);
	segment = make(&room);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_ERR_MISSING);
	segment_publish(segment);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	CHECK(changed);
	CHECK(barn_stats_age_ms(stats) < 1000);
	CHECK_EQ(barn_stats_serial(stats), 1);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	CHECK(!changed);
	end(stats, segment);
}

TEST(each_row_is_read_as_it_was_written)
{
	struct barn_stats *stats;
	struct segment *segment;
	struct barn_stats_row row;
	bool changed;

	begin(&stats);
	segment = make(&room);
	count_all(segment);
	for (uint32_t i = 0; i < INTERFACES; i++)
		for (uint32_t p = 0; p <= PROTOCOLS; p++) {
			row = row_of(i * 100 + p);
			CHECK_EQ(segment_write_row(segment, i, p - 1, &row), BARN_OK);
		}
	segment_publish(segment);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	for (uint32_t i = 0; i < INTERFACES; i++)
		for (uint32_t p = 0; p <= PROTOCOLS; p++) {
			CHECK_EQ(barn_stats_row(stats, i, p - 1, &row), BARN_OK);
			CHECK_EQ(row.packets[0], i * 100 + p);
			CHECK(is_whole(&row));
		}
	CHECK_EQ(barn_stats_row(stats, 0, BARN_STATS_TOTAL, &row), BARN_OK);
	CHECK_EQ(barn_stats_row(stats, 0, PROTOCOLS, &row), BARN_ERR_MISSING);
	CHECK_EQ(barn_stats_row(stats, INTERFACES, 0, &row), BARN_ERR_MISSING);
	CHECK_EQ(segment_write_row(segment, 0, PROTOCOLS, &row), BARN_ERR_MISSING);
	CHECK_EQ(segment_write_row(segment, INTERFACES, 0, &row), BARN_ERR_MISSING);
	end(stats, segment);
}

TEST(records_behind_the_count_are_missing)
{
	struct barn_stats *stats;
	struct segment *segment;
	struct barn_stats_protocol protocol = { .name = "ftp", .index = 21 };
	uint64_t version;
	bool changed;

	begin(&stats);
	segment = make(&room);
	CHECK_EQ(segment_write(segment, BARN_STATS_PROTOCOLS, 1, &protocol, sizeof(protocol)),
		 BARN_OK);
	segment_count(segment, BARN_STATS_PROTOCOLS, 2, false);
	segment_publish(segment);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	version = barn_stats_version(stats, BARN_STATS_PROTOCOLS);
	protocol.index = 0;
	CHECK_EQ(barn_stats_protocol(stats, 1, &protocol), BARN_OK);
	CHECK_STR(protocol.name, "ftp");
	CHECK_EQ(protocol.index, 21);
	CHECK_EQ(barn_stats_protocol(stats, 2, &protocol), BARN_ERR_MISSING);
	CHECK_STR(protocol.name, "");
	segment_count(segment, BARN_STATS_PROTOCOLS, 2, false);
	CHECK_EQ(barn_stats_version(stats, BARN_STATS_PROTOCOLS), version);
	segment_count(segment, BARN_STATS_PROTOCOLS, 2, true);
	CHECK(barn_stats_version(stats, BARN_STATS_PROTOCOLS) != version);
	segment_count(segment, BARN_STATS_PROTOCOLS, UINT32_MAX, false);
	CHECK_EQ(barn_stats_count(stats, BARN_STATS_PROTOCOLS), PROTOCOLS);
	end(stats, segment);
}

TEST(a_reader_may_be_older_or_newer_than_the_writer)
{
	struct barn_stats *stats;
	struct segment *segment;
	struct {
		struct barn_stats_row row;
		uint64_t more[3];
	} newer;
	uint64_t older[4] = { 0 };
	struct barn_stats_row row = row_of(7);
	bool changed;

	begin(&stats);
	segment = make(&room);
	count_all(segment);
	CHECK_EQ(segment_write_row(segment, 1, 2, &row), BARN_OK);
	segment_publish(segment);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	CHECK_EQ(barn_stats_read_row(stats, 1, 2, older, 3 * sizeof(older[0])), BARN_OK);
	CHECK_EQ(older[2], 7);
	CHECK_EQ(older[3], 0);
	memset(&newer, 0xff, sizeof(newer));
	CHECK_EQ(barn_stats_read_row(stats, 1, 2, &newer, sizeof(newer)), BARN_OK);
	CHECK(is_whole(&newer.row));
	CHECK_EQ(newer.row.packets[0], 7);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQ(newer.more[i], 0);
	end(stats, segment);
}

TEST(a_writer_that_comes_again_is_found_and_the_old_is_kept_until_it_publishes)
{
	struct barn_stats *stats;
	struct segment *segment, *next;
	struct barn_stats_row row = row_of(1);
	bool changed;

	begin(&stats);
	segment = make(&room);
	count_all(segment);
	CHECK_EQ(segment_write_row(segment, 0, 0, &row), BARN_OK);
	segment_publish(segment);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	next = make(&room);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	CHECK(!changed);
	CHECK_EQ(barn_stats_row(stats, 0, 0, &row), BARN_OK);
	CHECK_EQ(row.packets[0], 1);
	segment_close(segment, true);
	row = row_of(2);
	count_all(next);
	CHECK_EQ(segment_write_row(next, 0, 0, &row), BARN_OK);
	segment_publish(next);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	CHECK(changed);
	CHECK_EQ(barn_stats_row(stats, 0, 0, &row), BARN_OK);
	CHECK_EQ(row.packets[0], 2);
	(void)unlink(path);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_ERR_MISSING);
	CHECK_EQ(barn_stats_row(stats, 0, 0, &row), BARN_OK);
	end(stats, next);
}

TEST(a_segment_that_finds_no_room_on_the_disk_is_an_error_and_leaves_nothing)
{
	struct barn_stats *stats;
	struct rlimit before, small = { 4096, 4096 };
	void (*handler)(int);
	enum barn_err err;
	int fd = -1;

	begin(&stats);
	CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
	small.rlim_max = before.rlim_max;
	handler = signal(SIGXFSZ, SIG_IGN);
	CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
	err = segment_make(AT_FDCWD, path, 0640, &room, &fd);
	CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, handler);
	CHECK_EQ(err, BARN_ERR_SYSTEM);
	CHECK_EQ(fd, -1);
	end(stats, NULL);
}

TEST(its_mode_is_the_one_that_was_asked_for)
{
	struct barn_stats *stats;
	struct segment *segment;
	struct stat st;
	mode_t mask = umask(0177);

	begin(&stats);
	segment = make(&room);
	(void)umask(mask);
	CHECK_EQ(stat(path, &st), 0);
	CHECK_EQ(st.st_mode & 07777, 0640);
	end(stats, segment);
}

struct racer {
	struct segment *segment;
	atomic_bool stop;
};

/* All rows of an interface hold one number, which changes as fast as it can. */
static void
write_round(struct segment *segment, uint64_t n)
{
	struct barn_stats_row row = row_of(n);

	segment_begin(segment, 0);
	for (uint32_t p = 0; p <= PROTOCOLS; p++)
		(void)segment_write_row(segment, 0, p - 1, &row);
	segment_end(segment, 0);
}

static void *
race(void *self)
{
	struct racer *r = self;

	for (uint64_t n = 1; !atomic_load(&r->stop); n++) {
		write_round(r->segment, n);
		if (n % 64 == 0)
			(void)usleep(1);
	}
	return NULL;
}

TEST(rows_are_whole_and_interfaces_of_one_moment_while_a_thread_writes)
{
	struct barn_stats *stats;
	struct barn_stats_interface iface;
	struct barn_stats_row rows[1 + PROTOCOLS];
	struct racer racer = { .stop = false };
	pthread_t thread;
	bool changed, whole, torn = false, mixed = false;
	unsigned wholes = 0;

	begin(&stats);
	racer.segment = make(&room);
	count_all(racer.segment);
	segment_publish(racer.segment);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	CHECK_EQ(pthread_create(&thread, NULL, race, &racer), 0);
	for (unsigned i = 0; i < 20000; i++) {
		torn |= barn_stats_row(stats, 0, i % PROTOCOLS, rows) == BARN_OK &&
			!is_whole(rows);
		(void)barn_stats_read_interface(stats, 0, &iface, sizeof(iface), rows,
						sizeof(rows[0]), 1 + PROTOCOLS, &whole);
		wholes += whole;
		for (unsigned p = 0; whole && p <= PROTOCOLS; p++)
			mixed |=
				rows[p].packets[0] != rows[0].packets[0] || !is_whole(&rows[p]);
	}
	atomic_store(&racer.stop, true);
	(void)pthread_join(thread, NULL);
	CHECK(!torn);
	CHECK(!mixed);
	CHECK(wholes > 0);
	end(stats, racer.segment);
}

static void *
hammer(void *self)
{
	struct racer *r = self;
	struct barn_stats_row row;

	for (uint64_t n = 1; !atomic_load(&r->stop); n++) {
		row = row_of(n);
		(void)segment_write_row(r->segment, 1, 1, &row);
	}
	return NULL;
}

TEST(a_row_that_is_written_without_a_pause_is_never_read_in_parts)
{
	struct barn_stats *stats;
	struct barn_stats_row row;
	struct racer racer = { .stop = false };
	pthread_t thread;
	bool changed, torn = false;
	unsigned reads = 0;

	begin(&stats);
	racer.segment = make(&room);
	count_all(racer.segment);
	segment_publish(racer.segment);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	CHECK_EQ(pthread_create(&thread, NULL, hammer, &racer), 0);
	for (unsigned i = 0; i < 200000; i++) {
		if (barn_stats_row(stats, 1, 1, &row))
			continue;
		reads++;
		torn |= !is_whole(&row);
	}
	atomic_store(&racer.stop, true);
	(void)pthread_join(thread, NULL);
	CHECK(!torn);
	CHECK(reads > 1000);
	end(stats, racer.segment);
}

static _Noreturn void
write_for_ever(struct segment *segment, uint64_t n)
{
	for (;;)
		write_round(segment, n++);
}

TEST(a_writer_that_is_killed_leaves_every_row_whole)
{
	struct barn_stats *stats;
	struct segment *segment;
	struct barn_stats_row row;
	bool changed;
	pid_t child;

	begin(&stats);
	segment = make(&room);
	count_all(segment);
	segment_publish(segment);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_OK);
	for (unsigned i = 0; i < 20; i++) {
		child = fork();
		CHECK(child >= 0);
		if (child == 0)
			write_for_ever(segment, i * 1000000 + 1);
		(void)usleep(3000 + i * 17);
		CHECK_EQ(kill(child, SIGKILL), 0);
		CHECK_EQ(waitpid(child, NULL, 0), child);
		for (uint32_t p = 0; p <= PROTOCOLS; p++) {
			CHECK_EQ(barn_stats_row(stats, 0, p - 1, &row), BARN_OK);
			CHECK(is_whole(&row));
		}
	}
	/* Its successor writes on. */
	write_round(segment, 5);
	CHECK_EQ(barn_stats_row(stats, 0, 3, &row), BARN_OK);
	CHECK_EQ(row.bps[1], 5);
	end(stats, segment);
}

/* Reads all that there is; what it says does not matter. */
static void
read_everything(const struct barn_stats *stats)
{
	uint64_t record[LAYOUT_RECORD_MAX / 8];
	uint8_t rows[8 * sizeof(struct barn_stats_row)];
	bool whole;

	for (unsigned t = 0; t < BARN_STATS_TABLES; t++) {
		uint32_t count = barn_stats_count(stats, t);

		for (uint32_t i = 0; i < count && i < 100; i++)
			(void)barn_stats_read(stats, t, i, record, sizeof(record));
		if (count)
			(void)barn_stats_read(stats, t, count - 1, record, sizeof(record));
	}
	for (uint32_t i = 0; i < 5; i++) {
		(void)barn_stats_read_row(stats, i, UINT32_MAX - 1, record, 8);
		(void)barn_stats_read_interface(stats, i, record, 64, rows,
						sizeof(struct barn_stats_row), 8, &whole);
	}
}

TEST(whatever_a_damaged_head_says_nothing_outside_of_the_file_is_read)
{
	static const uint64_t evil[] = { 0,
					 1,
					 7,
					 UINT64_MAX,
					 UINT64_C(0xffffffff00000001),
					 UINT64_C(0x00000001ffffffff),
					 UINT64_C(0x1000000010000000),
					 UINT64_C(1) << 63 };
	struct barn_stats *stats;
	struct segment *segment;
	unsigned refused = 0;
	bool changed;
	size_t words =
		(sizeof(struct layout_head) + BARN_STATS_TABLES * sizeof(struct layout_table)) /
		8;

	begin(&stats);
	barn_stats_close(stats);
	for (size_t at = 0; at < words * 8; at += 4)
		for (size_t e = 0; e < sizeof(evil) / sizeof(evil[0]); e++) {
			int fd;

			segment = make(&room);
			count_all(segment);
			segment_publish(segment);
			segment_close(segment, false);
			fd = open(path, O_WRONLY);
			CHECK(fd >= 0);
			CHECK_EQ(pwrite(fd, &evil[e], at % 8 ? 4 : 8, (off_t)at),
				 at % 8 ? 4 : 8);
			(void)close(fd);
			CHECK_EQ(barn_stats_open(path, &stats), BARN_OK);
			refused += barn_stats_refresh(stats, &changed) == BARN_ERR_FORMAT;
			read_everything(stats);
			barn_stats_close(stats);
		}
	CHECK(refused > words);
	CHECK_EQ(barn_stats_open(path, &stats), BARN_OK);
	end(stats, NULL);
}

TEST(what_is_no_segment_is_refused)
{
	struct barn_stats *stats;
	struct segment *segment;
	bool changed;
	int fd;

	begin(&stats);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_ERR_FORMAT);
	CHECK_EQ(segment_open(fd, &segment), BARN_ERR_FORMAT);
	CHECK_EQ(ftruncate(fd, 1 << 20), 0);
	CHECK_EQ(barn_stats_refresh(stats, &changed), BARN_ERR_FORMAT);
	CHECK_EQ(segment_open(fd, &segment), BARN_ERR_FORMAT);
	(void)close(fd);
	end(stats, NULL);
}

TEST(every_record_fits_the_layout)
{
	struct barn_stats *stats;
	struct segment_room all;
	struct segment *segment;

	begin(&stats);
	for (unsigned t = 0; t < BARN_STATS_TABLES; t++)
		all.records[t] = 2;
	segment = make(&all);
	for (unsigned t = 0; t < BARN_STATS_TABLES; t++)
		CHECK(segment_room(segment, t) >= 2);
	CHECK_EQ(sizeof(struct barn_stats_engine) % 8, 0);
	CHECK_EQ(sizeof(struct barn_stats_pack) % 8, 0);
	CHECK_EQ(sizeof(struct barn_stats_interface) % 8, 0);
	CHECK_EQ(sizeof(struct barn_stats_protocol) % 8, 0);
	CHECK_EQ(sizeof(struct barn_stats_row) % 8, 0);
	CHECK_EQ(sizeof(struct barn_stats_worker) % 8, 0);
	CHECK_EQ(sizeof(struct barn_stats_module) % 8, 0);
	CHECK_EQ(sizeof(struct barn_stats_policy) % 8, 0);
	CHECK_EQ(sizeof(struct barn_stats_object) % 8, 0);
	CHECK_EQ(sizeof(struct barn_stats_host) % 8, 0);
	end(stats, segment);
}
