/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/agent.h"
#include "snmp/barnmib.h"
#include "snmp/cbqos.h"
#include "snmp/cnpd.h"
#include "snmp/control.h"
#include "snmp/threshold.h"
#include "snmp/topn.h"

#include <barn/barn.h>
#include <barn/ctl.h>
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, AGAIN_S = 5 };

static volatile bool stop;

static const struct option long_options[] = {
	{ "agentx", required_argument, NULL, 'x' },
	{ "segment", required_argument, NULL, 's' },
	{ "control", required_argument, NULL, 'c' },
	{ "foreground", no_argument, NULL, 'f' },
	{ "retry", required_argument, NULL, 'r' },
	{ "no-cisco", no_argument, NULL, 'C' },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static const char usage[] =
	"usage: barn-snmp [options]\n"
	"\n"
	"What barn counts, for network managers: an AgentX subagent of snmpd\n"
	"\n"
	"  -x, --agentx SOCKET   The master agent's: a path, or tcp:HOST:PORT\n"
	"  -s, --segment FILE    barnd's counters; " BARN_STATS_PATH "\n"
	"  -c, --control SOCKET  barnd's control socket; " BARN_CTL_PATH "\n"
	"  -r, --retry SECONDS   How often a master agent that is gone is looked for; 5\n"
	"      --no-cisco        Serve barn's own module only\n"
	"  -f, --foreground      Stay in the foreground, and log to standard error\n"
	"  -V, --version         Say the version\n"
	"  -h, --help            Say this\n";

struct wanted {
	struct agent_options agent;
	const char *segment, *control;
	bool no_cisco;
};

static void
end(int signal)
{
	(void)signal;
	stop = true;
}

static bool
take_seconds(const char *text, unsigned *seconds)
{
	char *rest;
	unsigned long n;

	errno = 0;
	n = strtoul(text, &rest, 10);
	*seconds = (unsigned)n;
	return !errno && !*rest && text[0] >= '1' && text[0] <= '9' && n <= 3600;
}

/* Whether to go on; else *status is what to exit with. */
static bool
take_options(struct wanted *w, int argc, char **argv, int *status)
{
	int letter;

	*status = EXIT_SUCCESS;
	while ((letter = getopt_long(argc, argv, "x:s:c:r:fVh", long_options, NULL)) != -1) {
		switch (letter) {
		case 'x': w->agent.socket = optarg; break;
		case 's': w->segment = optarg; break;
		case 'c': w->control = optarg; break;
		case 'f': w->agent.foreground = true; break;
		case 'C': w->no_cisco = true; break;
		case 'V': printf("barn-snmp %s\n", BARN_VERSION); return false;
		case 'h': printf("%s", usage); return false;
		case 'r':
			if (take_seconds(optarg, &w->agent.again_s))
				break;
			fprintf(stderr, "barn-snmp: '%s': expected 1 to 3600 seconds\n",
				optarg);
			/* fall through */
		default: *status = EXIT_USAGE; return false;
		}
	}
	if (optind == argc)
		return true;
	fprintf(stderr, "barn-snmp: '%s': expected no argument\n", argv[optind]);
	*status = EXIT_USAGE;
	return false;
}

static struct agent_object
object_of(const struct table *table, uint32_t sub, uint32_t index, enum value_type type,
	  uint64_t number)
{
	return (struct agent_object){ table, sub, index, { type, number, "" } };
}

/* With any protocol, the configuration names none: what is told is the one that it was. */
static void
tell(struct view *view, const struct threshold_history *event, uint32_t index)
{
	const struct table *config = &threshold_config_table, *past = &threshold_history_table;
	const struct rows_row *row = &view->config.threshold[event->config - 1];
	bool rising = event->event == EVENT_RISING;
	uint32_t limit = rising ? THRESHOLD_RISING : THRESHOLD_FALLING;
	const struct agent_object objects[] = {
		object_of(config, THRESHOLD_IFINDEX, event->config, VALUE_INTEGER,
			  row->value[THRESHOLD_IFINDEX]),
		object_of(config, THRESHOLD_SELECT, event->config, VALUE_INTEGER,
			  event->select),
		object_of(past, HISTORY_VALUE, index, VALUE_UNSIGNED, event->value),
		object_of(config, limit, event->config, VALUE_UNSIGNED, row->value[limit]),
		object_of(config, THRESHOLD_PROTOCOL, event->config, VALUE_UNSIGNED,
			  event->protocol),
		object_of(past, HISTORY_TIME, index, VALUE_TICKS,
			  view_ticks(view, event->time_ns)),
	};

	if (view->config.notify)
		agent_notify(&cnpd_mib, rising ? 1 : 2, objects,
			     sizeof(objects) / sizeof(objects[0]));
}

static void
tick(void *self)
{
	struct view *view = self;
	uint64_t now_ns = view_now_ns();

	topn_tick(view, now_ns);
	threshold_tick(view, now_ns, tell);
}

static void
catch_signals(void)
{
	struct sigaction action = { .sa_handler = end };

	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGINT, &action, NULL);
	action.sa_handler = SIG_IGN;
	(void)sigaction(SIGPIPE, &action, NULL);
	(void)sigaction(SIGHUP, &action, NULL);
}

static int
serve(const struct wanted *w)
{
	static const struct mib *const mibs[] = { &cbqos_mib, &cnpd_mib, &barnmib_mib, NULL };
	static struct view view;
	struct control *control = control_new(w->control);
	const struct set_machine machine = { control, control_enable };
	struct agent_options options = w->agent;
	bool well = control && snapshot_init(&view.snapshot, w->segment);

	view.topn = topn_new();
	view.thresholds = threshold_new();
	options.mibs = w->no_cisco ? mibs + 2 : mibs;
	options.machine = &machine;
	options.tick = tick;
	options.self = &view;
	well = well && view.topn && view.thresholds && agent_run(&options, &view, &stop);
	if (!well)
		fprintf(stderr, "barn-snmp: it did not start\n");
	topn_free(view.topn);
	threshold_free(view.thresholds);
	snapshot_fini(&view.snapshot);
	control_free(control);
	return well ? EXIT_SUCCESS : EXIT_FAILURE;
}

int
main(int argc, char **argv)
{
	struct wanted w = { .agent = { .again_s = AGAIN_S }, .segment = BARN_STATS_PATH };
	int status;

	if (!take_options(&w, argc, argv, &status))
		return status;
	catch_signals();
	if (!w.agent.foreground && daemon(0, 0) != 0) {
		fprintf(stderr, "barn-snmp: the background: %s\n", strerror(errno));
		return EXIT_FAILURE;
	}
	return serve(&w);
}
