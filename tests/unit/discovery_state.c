/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/state.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "unit.h"

/* Names of one run; another has them elsewhere, and lacks some. */
struct run {
	const char *interfaces[2];
	const char *protocols[4];
	uint64_t since_ns[2];
};

static const struct run first = { { "eth0", "eth1" },
				  { "unknown", "ftp", "dns", "ssh" },
				  { 111, 222 } };
static const struct run second = { { "eth1", "eth7" },
				   { "unknown", "dns", "http", "ftp" },
				   { 0, 0 } };

static const char *
interface_name(void *self, uint16_t number)
{
	return ((struct run *)self)->interfaces[number];
}

static const char *
protocol_name(void *self, uint16_t number)
{
	return number < 4 ? ((struct run *)self)->protocols[number] : NULL;
}

static uint16_t
find(const char *const *names, uint16_t count, const char *name)
{
	for (uint16_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return i;
	return UINT16_MAX;
}

static uint16_t
find_interface(void *self, const char *name)
{
	return find(((struct run *)self)->interfaces, 2, name);
}

static uint16_t
find_protocol(void *self, const char *name)
{
	return find(((struct run *)self)->protocols, 4, name);
}

static uint64_t
since(void *self, uint16_t iface)
{
	return ((struct run *)self)->since_ns[iface];
}

static void
set_since(void *self, uint16_t iface, uint64_t since_ns)
{
	((struct run *)self)->since_ns[iface] = since_ns;
}

static struct state_names
names_of(struct run *run)
{
	return (struct state_names){ run,           interface_name,
				     protocol_name, find_interface,
				     find_protocol, since,
				     set_since };
}

/* Numbers that are told apart: 1000 * protocol + which. */
static void
print(char **text, size_t *length)
{
	struct run run = first;
	struct state_names names = names_of(&run);
	struct ledger *ledger;

	CHECK_EQ(ledger_new(2, 4, &ledger), BARN_OK);
	for (uint16_t p = 1; p < 4; p++) {
		uint64_t n = 1000u * p;
		struct discovery_cell cell = { n + 1, n + 2, n + 3, n + 4, n + 5,
					       n + 6, n + 7, n + 8, n + 9 };

		CHECK_EQ(ledger_restore(ledger, 1, PACKET_OUT, p, &cell, n + 10), BARN_OK);
	}
	CHECK_EQ(ledger_restore(ledger, 1, PACKET_OUT, UINT16_MAX,
				&(struct discovery_cell){ .packets = 7000, .bytes = 8000 },
				9000),
		 BARN_OK);
	CHECK_EQ(ledger_update(ledger, NULL, 0, 1), BARN_OK);
	CHECK_EQ(state_print(ledger, 2, &names, text, length), BARN_OK);
	ledger_free(ledger);
}

TEST(counters_come_back_by_name_and_what_has_none_is_unknown)
{
	struct run run = second;
	struct state_names names = names_of(&run);
	struct barn_stats_row row;
	struct ledger *ledger;
	unsigned line;
	size_t length;
	char *text;

	print(&text, &length);
	CHECK_EQ(ledger_new(2, 2, &ledger), BARN_OK);
	CHECK_EQ(state_parse(ledger, &names, text, length, &line), BARN_OK);
	CHECK_EQ(ledger_update(ledger, NULL, 0, 1), BARN_OK);
	CHECK_EQ(run.since_ns[0], 222);
	CHECK_EQ(run.since_ns[1], 0);
	ledger_row(ledger, 0, 1, &row); /* dns was 2 */
	CHECK_EQ(row.packets[1], 2001);
	CHECK_EQ(row.bytes[1], 2002);
	CHECK_EQ(row.guessed_packets[1], 2003);
	CHECK_EQ(row.guessed_bytes[1], 2004);
	CHECK_EQ(row.ip4_packets[1], 2005);
	CHECK_EQ(row.ip4_bytes[1], 2006);
	CHECK_EQ(row.ip6_packets[1], 2007);
	CHECK_EQ(row.ip6_bytes[1], 2008);
	CHECK_EQ(row.flows[1], 2009);
	CHECK_EQ(row.max_bps[1], 2010);
	CHECK_EQ(row.packets[0], 0);
	ledger_row(ledger, 0, 3, &row); /* ftp was 1, and there was no room for it */
	CHECK_EQ(row.packets[1], 1001);
	ledger_row(ledger, 0, 0, &row); /* ssh is not there any more */
	CHECK_EQ(row.packets[1], 3001);
	ledger_row(ledger, 0, UINT16_MAX, &row);
	CHECK_EQ(row.packets[1], 7000);
	CHECK_EQ(row.bytes[1], 8000);
	CHECK_EQ(row.max_bps[1], 9000);
	ledger_row(ledger, 1, UINT16_MAX, &row);
	CHECK_EQ(row.packets[1], 0);
	ledger_free(ledger);
	free(text);
}

TEST(a_text_that_was_cut_or_changed_anywhere_restores_nothing)
{
	struct run run = second;
	struct state_names names = names_of(&run);
	struct barn_stats_row row;
	struct ledger *ledger;
	unsigned line;
	size_t length;
	char *text;

	print(&text, &length);
	CHECK_EQ(ledger_new(2, 4, &ledger), BARN_OK);
	for (size_t i = 0; i < length; i++) {
		CHECK_EQ(state_parse(ledger, &names, text, i, &line), BARN_ERR_TEXT);
		text[i] ^= 1;
		CHECK_EQ(state_parse(ledger, &names, text, length, &line), BARN_ERR_TEXT);
		text[i] ^= 1;
	}
	CHECK_EQ(ledger_update(ledger, NULL, 0, 1), BARN_OK);
	ledger_row(ledger, 0, UINT16_MAX, &row);
	CHECK_EQ(row.packets[1], 0);
	CHECK_EQ(run.since_ns[0], 0);
	ledger_free(ledger);
	free(text);
}

TEST(a_file_is_replaced_as_a_whole_or_stays)
{
	char folder[] = "/tmp/barn-state.XXXXXX", path[64], big[8192] = { 0 };
	struct rlimit before, small;
	void (*handler)(int);
	enum barn_err err;
	size_t length;
	char *text, *again;
	int why, fd;

	CHECK(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/state", folder);
	CHECK_EQ(state_load(AT_FDCWD, path, &text, &length), BARN_ERR_MISSING);
	CHECK_EQ(state_load(AT_FDCWD, folder, &text, &length), BARN_ERR_FORMAT);
	CHECK_EQ(state_save(AT_FDCWD, path, "one", 3), BARN_OK);
	CHECK_EQ(state_save(AT_FDCWD, path, "two!", 4), BARN_OK);
	CHECK_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = (struct rlimit){ 4096, before.rlim_max };
	handler = signal(SIGXFSZ, SIG_IGN);
	CHECK_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
	err = state_save(AT_FDCWD, path, big, sizeof(big));
	why = errno;
	CHECK_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, handler);
	CHECK_EQ(err, BARN_ERR_SYSTEM);
	CHECK_EQ(why, EFBIG);
	CHECK_EQ(state_load(AT_FDCWD, path, &text, &length), BARN_OK);
	CHECK_EQ(length, 4);
	CHECK_STR(text, "two!");
	free(text);
	fd = open(folder, O_RDONLY | O_DIRECTORY);
	CHECK_EQ(state_save(fd, "state", "three", 5), BARN_OK);
	CHECK_EQ(state_load(fd, "state", &again, &length), BARN_OK);
	CHECK_STR(again, "three");
	free(again);
	(void)close(fd);
	(void)unlink(path);
	CHECK_EQ(rmdir(folder), 0); /* nothing was left behind */
	CHECK_EQ(state_save(AT_FDCWD, path, "x", 1), BARN_ERR_SYSTEM);
}
