/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/show_common.h"
#include "cli/value.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How the daemon does, worker by worker; and the servers that took most. */

static double
busy(const struct barn_stats_engine *engine, const struct barn_stats_worker *w)
{
	uint64_t ran = engine->published_ns - engine->started_ns;

	return engine->published_ns > engine->started_ns
		       ? 100 * (double)w->busy_ns / (double)ran
		       : 0;
}

static const char *
state_of(const struct barn_stats_worker *w)
{
	return w->state ? "stuck" : "runs";
}

/* Names come from the wire. */
static void
print_hosts(const struct barn_stats *stats)
{
	struct barn_stats_protocol protocol;
	struct barn_stats_host host;

	for (uint32_t n = 0; !barn_stats_read(stats, BARN_STATS_HOSTS, n, &host, sizeof(host));
	     n++) {
		struct text name = { 0 };

		if (n == 0)
			printf("\n%-28s %8s %16s %12s  %s\n", "PROTOCOL", "FLOWS", "BYTES",
			       "AT MOST LESS", "SERVER");
		(void)barn_stats_protocol(stats, host.protocol, &protocol);
		value_add(&name, bytes_of(host.name, strlen(host.name)), VALUE_PLAIN);
		printf("%-28s %8" PRIu64 " %16" PRIu64 " %12" PRIu64 "  %s\n", protocol.name,
		       host.flows, host.bytes, host.over, text_str(&name));
		text_fini(&name);
	}
}

static void
print_text(const struct barn_stats *stats, const struct barn_stats_engine *engine)
{
	struct barn_stats_worker w;
	char text[32];

	printf("Uptime %s, %" PRIu64 " packets, %" PRIu64 " dropped, %" PRIu64
	       " undecodable; counters are %" PRIu64 " ms old\n",
	       show_common_time(counters_since(engine->started_ns), text), engine->packets,
	       engine->dropped, engine->undecodable, barn_stats_age_ms(stats));
	printf("\n%6s %8s %6s %6s %14s %10s %10s %10s %10s %8s\n", "WORKER", "PID", "STATE",
	       "BUSY%", "PACKETS", "DROPPED", "FLOWS", "CREATED", "EVICTED", "RESTARTS");
	for (uint32_t n = 0; !barn_stats_read(stats, BARN_STATS_WORKERS, n, &w, sizeof(w)); n++)
		printf("%6" PRIu32 " %8" PRIu32 " %6s %6.1f %14" PRIu64 " %10" PRIu64
		       " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %8" PRIu64 "\n",
		       n, w.pid, state_of(&w), busy(engine, &w), w.packets, w.dropped, w.flows,
		       w.created, w.evicted, w.restarts);
	print_hosts(stats);
}

static void
add_workers(const struct barn_stats *stats, struct json_object *list)
{
	struct barn_stats_worker w;

	for (uint32_t n = 0; !barn_stats_read(stats, BARN_STATS_WORKERS, n, &w, sizeof(w));
	     n++) {
		struct json_object *one = json_object_new_object();

		json_out_number(one, "pid", w.pid);
		json_out_string(one, "state", state_of(&w));
		json_out_number(one, "busy_ns", w.busy_ns);
		json_out_number(one, "packets", w.packets);
		json_out_number(one, "dropped", w.dropped);
		json_out_number(one, "flows", w.flows);
		json_out_number(one, "capacity", w.capacity);
		json_out_number(one, "peak", w.peak);
		json_out_number(one, "created", w.created);
		json_out_number(one, "evicted", w.evicted);
		json_out_number(one, "undecided", w.undecided);
		json_out_number(one, "restarts", w.restarts);
		json_object_array_add(list, one);
	}
}

static void
add_hosts(const struct barn_stats *stats, struct json_object *list)
{
	struct barn_stats_protocol protocol;
	struct barn_stats_host host;

	for (uint32_t n = 0; !barn_stats_read(stats, BARN_STATS_HOSTS, n, &host, sizeof(host));
	     n++) {
		struct json_object *one = json_object_new_object();
		struct text name = { 0 };

		(void)barn_stats_protocol(stats, host.protocol, &protocol);
		value_add(&name, bytes_of(host.name, strlen(host.name)), VALUE_JSON);
		json_out_string(one, "protocol", protocol.name);
		json_out_string(one, "server", text_str(&name));
		json_out_number(one, "flows", host.flows);
		json_out_number(one, "bytes", host.bytes);
		json_out_number(one, "over", host.over);
		json_object_array_add(list, one);
		text_fini(&name);
	}
}

static int
print(const struct barn_stats *stats, bool json)
{
	struct barn_stats_engine engine = show_common_engine(stats);
	struct json_object *object;

	if (!json) {
		print_text(stats, &engine);
		return 0;
	}
	object = json_object_new_object();
	json_out_number(object, "uptime", counters_since(engine.started_ns));
	json_out_number(object, "age_ms", barn_stats_age_ms(stats));
	json_out_number(object, "packets", engine.packets);
	json_out_number(object, "dropped", engine.dropped);
	json_out_number(object, "undecodable", engine.undecodable);
	add_workers(stats, json_out_list(object, "workers"));
	add_hosts(stats, json_out_list(object, "servers"));
	json_out_print(object);
	return 0;
}

static int
run(const struct command *self, int argc, char **argv)
{
	return show_common_run(self, argc, argv, print);
}

const struct command command_show_stats = {
	.name = "show stats",
	.arguments = "[options]",
	.summary = "How the daemon and its workers do, and which servers took most",
	.options = show_common_rows,
	.run = run,
};
