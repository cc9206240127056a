/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * A stand-in for barnd: publishes a segment and answers the control socket, as lines of
 * standard input say. Each is answered by a line, "ok", once it is published.
 *
 *	standin SEGMENT CONTROL
 *
 *	interface NUMBER NAME IFINDEX ENABLED     ENABLED since this moment
 *	protocol NUMBER NAME INDEX LOADED
 *	row INTERFACE PROTOCOL IN-PACKETS OUT-PACKETS IN-BYTES OUT-BYTES IN-BPS OUT-BPS
 *	many INTERFACES PROTOCOLS                 with names i1... and p1..., each with counts
 *	host NUMBER PROTOCOL NAME BYTES           PROTOCOL is a record
 *	refuse YES                                0: commands are obeyed
 *	told                                      answers with the last command, or -
 *
 * A row's further columns follow from these, so that tests can tell them: flows are packets
 * plus 1, guessed a tenth, IPv6 a fourth and IPv4 the rest, the highest rate twice the rate.
 */
#include "ctl/server.h"
#include "discovery/segment.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { INTERFACES = 64, PROTOCOLS = 1100, BEAT_MS = 200 };

static struct segment *segment;
static struct barn_stats_interface interfaces[INTERFACES];
static uint32_t counts[BARN_STATS_TABLES];
static bool refuse;
static char told[256] = "-";

static uint64_t
now_ns(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void
must(enum barn_err err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "standin: %s: %s\n", what, barn_strerror(err));
	exit(1);
}

static void
write_record(enum barn_stats_table table, uint32_t number, const void *record, size_t size)
{
	must(segment_write(segment, table, number, record, size), "a record");
	if (counts[table] > number)
		return;
	counts[table] = number + 1;
	segment_count(segment, table, counts[table], true);
}

static void
write_interface(uint32_t number, const char *name, uint32_t ifindex, uint32_t enabled)
{
	struct barn_stats_interface *i = &interfaces[number];

	if (name != i->name)
		snprintf(i->name, sizeof(i->name), "%s", name);
	i->ifindex = ifindex;
	i->load_interval_s = 300;
	if (enabled && !i->enabled)
		i->enabled_ns = i->cleared_ns = now_ns(CLOCK_REALTIME);
	i->enabled = enabled;
	i->speed_bps = 1000000000;
	i->up = 1;
	write_record(BARN_STATS_INTERFACES, number, i, sizeof(*i));
	segment_count(segment, BARN_STATS_INTERFACES, counts[BARN_STATS_INTERFACES], true);
}

static void
write_protocol(uint32_t number, const char *name, uint32_t index, uint32_t loaded)
{
	struct barn_stats_protocol p = { .index = index, .loaded = loaded };

	snprintf(p.name, sizeof(p.name), "%s", name);
	snprintf(p.title, sizeof(p.title), "Title of %s", name);
	write_record(BARN_STATS_PROTOCOLS, number, &p, sizeof(p));
	segment_count(segment, BARN_STATS_PROTOCOLS, counts[BARN_STATS_PROTOCOLS], true);
}

static void
write_row(uint32_t interface, uint32_t protocol, const uint64_t n[6])
{
	struct barn_stats_row row = { .bps = { n[4], n[5] } };

	for (unsigned d = 0; d < 2; d++) {
		row.packets[d] = n[d];
		row.bytes[d] = n[2 + d];
		row.guessed_packets[d] = n[d] / 10;
		row.guessed_bytes[d] = n[2 + d] / 10;
		row.ip6_packets[d] = n[d] / 4;
		row.ip6_bytes[d] = n[2 + d] / 4;
		row.ip4_packets[d] = n[d] - n[d] / 4;
		row.ip4_bytes[d] = n[2 + d] - n[2 + d] / 4;
		row.flows[d] = n[d] + 1;
		row.max_bps[d] = 2 * n[4 + d];
	}
	segment_begin(segment, interface);
	must(segment_write_row(segment, interface, protocol, &row), "a row");
	segment_end(segment, interface);
}

static void
write_many(uint32_t interface_count, uint32_t protocol_count)
{
	char name[32];

	for (uint32_t p = 1; p <= protocol_count; p++) {
		snprintf(name, sizeof(name), "p%" PRIu32, p);
		write_protocol(p, name, p, 1);
	}
	for (uint32_t i = 0; i < interface_count; i++) {
		snprintf(name, sizeof(name), "i%" PRIu32, i + 1);
		write_interface(i, name, i + 1, 1);
		for (uint32_t p = 1; p <= protocol_count; p++)
			write_row(i, p, (const uint64_t[]){ p, i, p * 100, i * 100, 0, 0 });
	}
}

static void
write_host(uint32_t number, uint32_t protocol, const char *name, uint64_t bytes)
{
	struct barn_stats_host host = {
		.protocol = protocol, .flows = 1, .bytes = bytes, .over = 2
	};

	snprintf(host.name, sizeof(host.name), "%s", name);
	write_record(BARN_STATS_HOSTS, number, &host, sizeof(host));
}

/* Records of the other tables. */
static void
write_others(void)
{
	const struct barn_stats_pack pack = {
		.name = "core", .version = "1", .publisher = "us", .modules = 3, .trusted = 1
	};
	const struct barn_stats_worker worker = { .packets = 5, .flows = 7, .capacity = 8 };
	const struct barn_stats_module module = { .name = "http",
						  .calls = 9,
						  .decided_at = { 1, 2, 3, 4 } };

	write_record(BARN_STATS_PACKS, 0, &pack, sizeof(pack));
	write_record(BARN_STATS_WORKERS, 0, &worker, sizeof(worker));
	write_record(BARN_STATS_WORKERS, 1, &worker, sizeof(worker));
	write_record(BARN_STATS_MODULES, 0, &module, sizeof(module));
}

static bool
obey(const char *line)
{
	char name[64];
	uint32_t a, b, c;
	uint64_t n[6];

	if (sscanf(line, "interface %" SCNu32 " %63s %" SCNu32 " %" SCNu32, &a, name, &b, &c) ==
	    4)
		write_interface(a, name, b, c);
	else if (sscanf(line, "protocol %" SCNu32 " %63s %" SCNu32 " %" SCNu32, &a, name, &b,
			&c) == 4)
		write_protocol(a, name, b, c);
	else if (sscanf(line,
			"row %" SCNu32 " %" SCNu32 " %" SCNu64 " %" SCNu64 " %" SCNu64
			" %" SCNu64 " %" SCNu64 " %" SCNu64,
			&a, &b, &n[0], &n[1], &n[2], &n[3], &n[4], &n[5]) == 8)
		write_row(a, b, n);
	else if (sscanf(line, "host %" SCNu32 " %" SCNu32 " %63s %" SCNu64, &a, &b, name,
			&n[0]) == 4)
		write_host(a, b, name, n[0]);
	else if (sscanf(line, "many %" SCNu32 " %" SCNu32, &a, &b) == 2)
		write_many(a, b);
	else if (sscanf(line, "refuse %" SCNu32, &a) == 1)
		refuse = a;
	else
		return false;
	return true;
}

/* set protocol-discovery INTERFACE on|off */
static enum command_after
set_discovery(void *self, struct command_call *call, struct reply *reply)
{
	(void)self;
	if (call->count != 2 || refuse) {
		reply_fail(reply, BARN_ERR_ARGUMENT, "refused");
		return COMMAND_DONE;
	}
	snprintf(told, sizeof(told), "%s %s", call->words[0], call->words[1]);
	for (uint32_t i = 0; i < counts[BARN_STATS_INTERFACES]; i++)
		if (strcmp(interfaces[i].name, call->words[0]) == 0)
			write_interface(i, interfaces[i].name, interfaces[i].ifindex,
					strcmp(call->words[1], "on") == 0);
	segment_publish(segment);
	return COMMAND_DONE;
}

static const struct command commands[] = {
	{ .name = "set protocol-discovery", .help = "", .changes = true, .run = set_discovery },
};

static void
begin(const char *path, const char *control, struct server **server)
{
	struct segment_room room = { { 0 } };
	struct server_options options = { .commands = commands,
					  .command_count = 1,
					  .version = "0",
					  .change_gid = (gid_t)-1 };
	struct barn_stats_engine engine = { .version = "9.8.7",
					    .started_ns = now_ns(CLOCK_REALTIME),
					    .packets = 1000,
					    .dropped = 5,
					    .undecodable = 7,
					    .unindexed = 3 };
	int fd;

	for (unsigned t = 0; t < BARN_STATS_TABLES; t++)
		room.records[t] = 16;
	room.records[BARN_STATS_INTERFACES] = INTERFACES;
	room.records[BARN_STATS_PROTOCOLS] = PROTOCOLS;
	must(segment_make(AT_FDCWD, path, 0644, &room, &fd), path);
	must(segment_open(fd, &segment), path);
	(void)close(fd);
	write_record(BARN_STATS_ENGINE, 0, &engine, sizeof(engine));
	write_protocol(0, "unknown", 0, 1);
	write_others();
	segment_publish(segment);
	must(server_listen(control, 0600, (gid_t)-1, &options.listen_fd), control);
	must(server_new(&options, server), control);
}

int
main(int argc, char **argv)
{
	struct server *server;
	char line[512];

	if (argc != 3)
		return 2;
	begin(argv[1], argv[2], &server);
	setvbuf(stdin, NULL, _IONBF, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (;;) {
		struct pollfd ready[] = { { STDIN_FILENO, POLLIN, 0 },
					  { server_fd(server), POLLIN, 0 } };

		(void)poll(ready, 2, BEAT_MS);
		server_step(server, now_ns(CLOCK_MONOTONIC) / 1000000);
		if (ready[0].revents) {
			if (!fgets(line, sizeof(line), stdin))
				return 0;
			if (strncmp(line, "told", 4) == 0)
				puts(told);
			else {
				bool known = obey(line);

				segment_publish(segment);
				puts(known ? "ok" : "what?");
			}
		}
		segment_publish(segment);
	}
}
