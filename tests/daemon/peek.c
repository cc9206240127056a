/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * What another program sees of barnd, by the public headers alone.
 *
 *	peek count SEGMENT INTERFACE [PROTOCOL]	packets in, out, bytes in, out
 *	peek engine SEGMENT			packets, dropped, undecodable
 *	peek age SEGMENT			milliseconds since it was published
 *	peek ask SOCKET WORD...			a command's answer
 */
#include <barn/ctl.h>
#include <barn/stats.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ANSWER_MS = 10000 };

static int
fail(const char *what, enum barn_err err)
{
	fprintf(stderr, "peek: %s: %s\n", what, barn_strerror(err));
	return 1;
}

static enum barn_err
open_stats(const char *path, struct barn_stats **stats)
{
	enum barn_err err = barn_stats_open(path, stats);
	bool changed;

	return err ? err : barn_stats_refresh(*stats, &changed);
}

static enum barn_err
find_interface(const struct barn_stats *stats, const char *name, uint32_t *number)
{
	struct barn_stats_interface record;

	for (*number = 0; *number < barn_stats_count(stats, BARN_STATS_INTERFACES); ++*number)
		if (!barn_stats_interface(stats, *number, &record) &&
		    strcmp(record.name, name) == 0)
			return BARN_OK;
	return BARN_ERR_MISSING;
}

static enum barn_err
find_protocol(const struct barn_stats *stats, const char *name, uint32_t *number)
{
	struct barn_stats_protocol record;

	for (*number = 0; *number < barn_stats_count(stats, BARN_STATS_PROTOCOLS); ++*number)
		if (!barn_stats_protocol(stats, *number, &record) &&
		    strcmp(record.name, name) == 0)
			return BARN_OK;
	return BARN_ERR_MISSING;
}

static int
count(struct barn_stats *stats, char **words)
{
	uint32_t interface, protocol = BARN_STATS_TOTAL;
	struct barn_stats_row row;
	enum barn_err err = find_interface(stats, words[0], &interface);

	if (!err && words[1])
		err = find_protocol(stats, words[1], &protocol);
	if (!err)
		err = barn_stats_row(stats, interface, protocol, &row);
	if (err)
		return fail(words[1] ? words[1] : words[0], err);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", row.packets[0],
	       row.packets[1], row.bytes[0], row.bytes[1]);
	return 0;
}

static int
engine(struct barn_stats *stats)
{
	struct barn_stats_engine record;
	enum barn_err err =
		barn_stats_read(stats, BARN_STATS_ENGINE, 0, &record, sizeof(record));

	if (err)
		return fail("engine", err);
	printf("%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", record.packets, record.dropped,
	       record.undecodable);
	return 0;
}

static int
look(char **words)
{
	struct barn_stats *stats = NULL;
	enum barn_err err = open_stats(words[1], &stats);
	int status = 0;

	if (err)
		status = fail(words[1], err);
	else if (strcmp(words[0], "engine") == 0)
		status = engine(stats);
	else if (strcmp(words[0], "age") == 0)
		printf("%" PRIu64 "\n", barn_stats_age_ms(stats));
	else
		status = count(stats, &words[2]);
	barn_stats_close(stats);
	return status;
}

static void
print(void *self, uint32_t id, const void *data, size_t length)
{
	(void)self;
	(void)id;
	fwrite(data, 1, length, stdout);
}

static enum barn_err
ask(struct barn_ctl *ctl, char **words, unsigned number)
{
	uint32_t id;
	enum barn_err err = barn_ctl_send(ctl, (const char *const *)words, number, &id);

	return err ? err : barn_ctl_wait(ctl, id, ANSWER_MS);
}

static int
talk(char **words, unsigned number)
{
	struct barn_ctl_options options = { .size = sizeof(options),
					    .path = words[1],
					    .data = print };
	struct barn_ctl *ctl;
	enum barn_err err = barn_ctl_new(&options, &ctl);

	if (err)
		return fail(words[1], err);
	err = barn_ctl_connect(ctl);
	if (!err)
		err = ask(ctl, &words[2], number - 2);
	if (err)
		fprintf(stderr, "peek: %s: %s\n", barn_strerror(err), barn_ctl_text(ctl));
	barn_ctl_free(ctl);
	return err ? 1 : 0;
}

int
main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "ask") == 0)
		return talk(&argv[1], (unsigned)(argc - 1));
	if (strcmp(argv[1], "count") == 0 && argc < 4)
		return 2;
	return look(&argv[1]);
}
