/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * What barn's commands meet in place of barnd: daemon FOLDER makes FOLDER/stats with counters
 * that are known, and answers at FOLDER/control until its standard input ends. It writes what
 * it was asked to FOLDER/asked, a line each. With "once" its counters are left alone after the
 * first time, as by a daemon that is gone; with "grow" those of ssh on eth0 grow.
 */
#include "ctl/server.h"
#include "discovery/segment.h"

#include <barn/stats.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { INTERFACES = 2, PROTOCOLS = 5, CLEARED_S = 209, TURN_MS = 200 };

static FILE *asked;
static uint64_t grown; /* bytes and packets more */
static uint64_t growth;

static uint64_t
now_ns(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static const struct barn_stats_protocol protocols[PROTOCOLS] = {
	{ .name = "unknown", .loaded = 1 },
	{ .name = "dns",
	  .title = "Domain Name System",
	  .index = 12,
	  .id = 3 << 24 | 53,
	  .loaded = 1,
	  .attributes[BARN_STATS_CATEGORY] = "net-admin" },
	{ .name = "ssh",
	  .title = "Secure Shell",
	  .index = 30,
	  .id = 3 << 24 | 22,
	  .loaded = 1 },
	{ .name = "a-protocol-with-a-name-of-31-ch", .index = 40, .loaded = 1 },
	{ .name = "gone", .index = 41 },
};

/* By interface and protocol; the first is the total. */
static const struct barn_stats_row rows[INTERFACES][PROTOCOLS + 1] = {
	{
		{ .packets = { 95, 46 },
		  .bytes = { 11932, 9016 },
		  .bps = { 8000, 2000 },
		  .max_bps = { 9000, 3000 },
		  .flows = { 7, 1 } },
		{ .packets = { 10, 0 }, .bytes = { 1000, 0 } },
		{ .packets = { 30, 10 },
		  .bytes = { 3000, 900 },
		  .bps = { 2000, 0 },
		  .max_bps = { 2000, 1000 },
		  .guessed_packets = { 4, 0 },
		  .guessed_bytes = { 400, 0 } },
		{ .packets = { 55, 36 },
		  .bytes = { 7932, 8116 },
		  .bps = { 6000, 2000 },
		  .max_bps = { 7000, 2000 } },
	},
	{
		{ .packets = { 3, 4 }, .bytes = { 300, UINT64_C(9223372036854775807) } },
		[4] = { .packets = { 3, 4 }, .bytes = { 300, UINT64_C(9223372036854775807) } },
	},
};

static struct segment *
make_segment(const char *path)
{
	static const struct segment_room room = { {
		[BARN_STATS_ENGINE] = 1,
		[BARN_STATS_PACKS] = 1,
		[BARN_STATS_INTERFACES] = INTERFACES,
		[BARN_STATS_PROTOCOLS] = PROTOCOLS,
		[BARN_STATS_WORKERS] = 2,
		[BARN_STATS_HOSTS] = 1,
	} };
	struct segment *segment;
	int fd;

	if (segment_make(AT_FDCWD, path, 0600, &room, &fd) || segment_open(fd, &segment))
		return NULL;
	(void)close(fd);
	return segment;
}

static void
write_rows(struct segment *s)
{
	struct barn_stats_interface interface[INTERFACES] = {
		{ .name = "eth0",
		  .ifindex = 2,
		  .enabled = 1,
		  .load_interval_s = 300,
		  .speed_bps = 1000000000,
		  .kernel_dropped = 5,
		  .up = 1 },
		{ .name = "eth1", .ifindex = 3, .enabled = 1, .load_interval_s = 30 },
	};

	for (uint32_t i = 0; i < INTERFACES; i++) {
		interface[i].cleared_ns =
			now_ns(CLOCK_REALTIME) - UINT64_C(1000000000) * CLEARED_S;
		segment_begin(s, i);
		segment_write(s, BARN_STATS_INTERFACES, i, &interface[i], sizeof(interface[i]));
		segment_write_row(s, i, BARN_STATS_TOTAL, &rows[i][0]);
		for (uint32_t p = 0; p < PROTOCOLS; p++) {
			struct barn_stats_row row = rows[i][p + 1];

			row.bytes[0] += i == 0 && p == 2 ? grown : 0;
			row.packets[0] += i == 0 && p == 2 ? grown : 0;
			segment_write_row(s, i, p, &row);
		}
		segment_end(s, i);
	}
}

static void
write_all(struct segment *s)
{
	struct barn_stats_engine engine = {
		.version = "9.8.7",
		.started_ns = now_ns(CLOCK_REALTIME) - UINT64_C(90061000000000),
		.published_ns = now_ns(CLOCK_REALTIME),
		.packets = 148,
		.dropped = 6,
		.undecodable = 1,
		.pid = 4711,
	};
	struct barn_stats_pack pack = { "base", "1.2", "barn", 4, 1 };
	struct barn_stats_worker worker = { .packets = 74,
					    .flows = 3,
					    .capacity = 1024,
					    .peak = 5,
					    .created = 9,
					    .pid = 4712 };
	struct barn_stats_host host = {
		.protocol = 1, .name = "a\033[31m.example", .flows = 2, .bytes = 900, .over = 10
	};

	segment_write(s, BARN_STATS_ENGINE, 0, &engine, sizeof(engine));
	segment_write(s, BARN_STATS_PACKS, 0, &pack, sizeof(pack));
	for (uint32_t i = 0; i < PROTOCOLS; i++)
		segment_write(s, BARN_STATS_PROTOCOLS, i, &protocols[i], sizeof(protocols[i]));
	segment_write(s, BARN_STATS_WORKERS, 0, &worker, sizeof(worker));
	worker.state = 1;
	segment_write(s, BARN_STATS_WORKERS, 1, &worker, sizeof(worker));
	segment_write(s, BARN_STATS_HOSTS, 0, &host, sizeof(host));
	write_rows(s);
	grown += growth;
	segment_count(s, BARN_STATS_ENGINE, 1, false);
	segment_count(s, BARN_STATS_PACKS, 1, false);
	segment_count(s, BARN_STATS_INTERFACES, INTERFACES, false);
	segment_count(s, BARN_STATS_PROTOCOLS, PROTOCOLS, false);
	segment_count(s, BARN_STATS_WORKERS, 2, false);
	segment_count(s, BARN_STATS_HOSTS, 1, false);
	segment_publish(s);
}

static void
note(const char *name, const struct command_call *call)
{
	fprintf(asked, "%s", name);
	for (unsigned i = 0; i < call->count; i++)
		fprintf(asked, " <%s>", call->words[i]);
	fprintf(asked, "\n");
	(void)fflush(asked);
}

static enum command_after
run_clear(void *self, struct command_call *call, struct reply *reply)
{
	(void)self;
	note("clear", call);
	if (call->count == 2 && strcmp(call->words[1], "eth0") != 0)
		reply_fail(reply, BARN_ERR_MISSING, "'%s' is no interface of barnd's",
			   call->words[1]);
	return COMMAND_DONE;
}

static enum command_after
run_load(void *self, struct command_call *call, struct reply *reply)
{
	(void)self;
	note("load", call);
	if (call->count == 2 && strstr(call->words[1], "wrong")) {
		reply_printf(reply, "%s:1:2: a fault\n", call->words[0]);
		reply_fail(reply, BARN_ERR_TEXT, "nothing was changed");
	}
	return COMMAND_DONE;
}

static enum command_after
run_other(void *self, struct command_call *call, struct reply *reply)
{
	(void)self;
	(void)reply;
	note("other", call);
	return COMMAND_DONE;
}

/* The bytes grow from one asking to the next, so that there is a rate. */
static enum command_after
run_flows(void *self, struct command_call *call, struct reply *reply)
{
	static unsigned times;

	(void)self;
	note("show flows", call);
	reply_printf(reply,
		     "{\"id\":1,\"path\":[{\"layer\":\"vlan\",\"id\":5}],\"ip_proto\":6,"
		     "\"client\":{\"ip\":\"10.0.0.1\",\"port\":40000},"
		     "\"server\":{\"ip\":\"2001:db8::1\",\"port\":22},"
		     "\"packets\":[5,6],\"bytes\":[%u,700],\"protocol\":\"ssh\","
		     "\"stack\":[\"ip\",\"tcp\",\"ssh\"],\"evidence\":\"rule\","
		     "\"by\":\"ssh: rule banner\","
		     "\"fields\":{\"ssh.software\":\"a\\u001b[31mb\"}}\n",
		     500 + 1000 * times++);
	reply_printf(reply, "{\"id\":2,\"client\":{\"ip\":\"10.0.0.1\",\"port\":40001},"
			    "\"server\":{\"ip\":\"10.0.0.2\",\"port\":53},\"packets\":[1,0],"
			    "\"bytes\":[60,0],\"protocol\":\"dns\",\"stack\":[\"ip\",\"udp\","
			    "\"dns\"],\"evidence\":\"port\",\"by\":\"\",\"fields\":{}}\n");
	return COMMAND_DONE;
}

static const struct command commands[] = {
	{ .name = "clear ip nbar protocol-discovery", .help = "", .run = run_clear },
	{ .name = "load pdlm", .help = "", .run = run_load },
	{ .name = "reload", .help = "", .run = run_other },
	{ .name = "show flows", .help = "", .run = run_flows },
	{ .name = "unload pdlm", .help = "", .run = run_other },
};

static void
serve(struct server *server, struct segment *segment, bool once)
{
	struct pollfd fds[] = { { .fd = server_fd(server), .events = POLLIN },
				{ .fd = STDIN_FILENO, .events = POLLIN } };
	char byte;

	for (;;) {
		(void)poll(fds, 2, TURN_MS);
		if (fds[1].revents && read(STDIN_FILENO, &byte, 1) <= 0)
			return;
		server_step(server, now_ns(CLOCK_MONOTONIC) / 1000000);
		if (!once)
			write_all(segment);
	}
}

int
main(int argc, char **argv)
{
	struct server_options options = {
		.commands = commands,
		.command_count = sizeof(commands) / sizeof(commands[0]),
		.version = "9.8.7",
		.change_gid = (gid_t)-1,
		.others_look = true,
	};
	struct server *server;
	struct segment *segment;

	if (argc < 2 || chdir(argv[1]))
		return 2;
	asked = fopen("asked", "w");
	segment = make_segment("stats");
	if (!asked || !segment ||
	    server_listen("control", 0600, (gid_t)-1, &options.listen_fd) ||
	    server_new(&options, &server))
		return 1;
	growth = argc > 2 && strcmp(argv[2], "grow") == 0 ? 10000 : 0;
	write_all(segment);
	puts("ready");
	(void)fflush(stdout);
	serve(server, segment, argc > 2 && strcmp(argv[2], "once") == 0);
	server_free(server);
	(void)close(options.listen_fd);
	segment_close(segment, true);
	(void)fclose(asked);
	return 0;
}
