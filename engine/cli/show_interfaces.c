/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/counters.h"
#include "cli/json_out.h"
#include "cli/show_common.h"
#include <inttypes.h>
#include <stdio.h>

static void
print_side(const struct barn_stats_row *row, unsigned dir, uint32_t interval_s)
{
	const char *name = dir ? "output" : "input";
	bool minutes = interval_s % 60 == 0;

	printf("  %u %s %s rate %" PRIu64 " bits/sec, maximum %" PRIu64 " bits/sec\n",
	       minutes ? interval_s / 60 : interval_s, minutes ? "minute" : "second", name,
	       row->bps[dir], row->max_bps[dir]);
}

static void
print_text(const struct barn_stats_interface *i, const struct barn_stats_row *row)
{
	const char *up = i->up ? "up" : "down";
	uint32_t interval_s = i->load_interval_s ? i->load_interval_s : 300;
	char text[32];

	printf("%s is %s, line protocol is %s\n", i->name, up, up);
	printf("  Protocol discovery is %s%s, interface index %" PRIu32 "\n",
	       i->enabled ? "enabled" : "disabled",
	       i->families == 4   ? " for IPv4"
	       : i->families == 6 ? " for IPv6"
				  : "",
	       i->ifindex);
	if (i->speed_bps)
		printf("  BW %" PRIu64 " Kbit/sec\n", i->speed_bps / 1000);
	printf("  Last clearing of \"show interface\" counters %s\n",
	       show_common_time(counters_since(i->cleared_ns), text));
	print_side(row, 0, interval_s);
	print_side(row, 1, interval_s);
	printf("     %" PRIu64 " packets input, %" PRIu64 " bytes, %" PRIu64
	       " lost by the kernel\n",
	       row->packets[0], row->bytes[0], i->kernel_dropped);
	printf("     %" PRIu64 " packets output, %" PRIu64 " bytes\n", row->packets[1],
	       row->bytes[1]);
}

static void
add_side(struct json_object *object, const char *name, const struct barn_stats_row *row,
	 unsigned dir)
{
	struct json_object *side = json_object_new_object();

	json_out_number(side, "packets", row->packets[dir]);
	json_out_number(side, "bytes", row->bytes[dir]);
	json_out_number(side, "flows", row->flows[dir]);
	json_out_number(side, "bit_rate", row->bps[dir]);
	json_out_number(side, "max_bit_rate", row->max_bps[dir]);
	json_object_object_add(object, name, side);
}

static struct json_object *
json_of(const struct barn_stats_interface *i, const struct barn_stats_row *row)
{
	struct json_object *object = json_object_new_object();

	json_out_string(object, "name", i->name);
	json_out_number(object, "ifindex", i->ifindex);
	json_out_bool(object, "up", i->up);
	json_out_bool(object, "enabled", i->enabled);
	json_out_number(object, "load_interval", i->load_interval_s);
	json_out_number(object, "speed", i->speed_bps);
	json_out_number(object, "seconds", counters_since(i->cleared_ns));
	json_out_number(object, "kernel_dropped", i->kernel_dropped);
	add_side(object, "input", row, 0);
	add_side(object, "output", row, 1);
	return object;
}

static int
print(const struct barn_stats *stats, bool json)
{
	struct json_object *object = json ? json_object_new_object() : NULL;
	struct json_object *list = json ? json_out_list(object, "interfaces") : NULL;
	struct barn_stats_interface i;
	struct barn_stats_row row;

	for (uint32_t n = 0; !barn_stats_interface(stats, n, &i); n++) {
		(void)barn_stats_row(stats, n, BARN_STATS_TOTAL, &row);
		if (json)
			json_object_array_add(list, json_of(&i, &row));
		else
			print_text(&i, &row);
	}
	if (json)
		json_out_print(object);
	return 0;
}

static int
run(const struct command *self, int argc, char **argv)
{
	return show_common_run(self, argc, argv, print);
}

const struct command command_show_interfaces = {
	.name = "show interfaces",
	.arguments = "[options]",
	.summary = "The interfaces, their rates and counts",
	.options = show_common_rows,
	.run = run,
};
