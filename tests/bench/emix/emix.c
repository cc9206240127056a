/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * emix: makes the enterprise mix, ten applications in the numbers of packets per flow and the
 * packet sizes of the NBAR performance report's Table 1, from one recorded conversation of each
 * (see the sources in app.c). One flow of each, a set, has exactly the table's
 * shares; a mix is any number of sets with their own addresses, interleaved in time. The same
 * options give the same bytes. captures/emix.pcap is emix's output without options.
 *
 * app.c has the table and what may be changed in each conversation, script.h tells how a flow
 * gets its exact size, mix.h how flows are interleaved. Memory does not grow with the length.
 */
#include "../../lib/pcapout.h"
#include "mix.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct options {
	size_t sets;
	uint64_t flows, packets; /* 0: not given */
	uint64_t seconds, seed;
	bool ipv6;
	const char *output, *truth, *captures;
	char *apps;
};

static const char usage_text[] =
	"usage: emix [OPTION]...\n"
	"Makes a capture of the enterprise mix.\n"
	"\n"
	"  --sets N          flows of each application [5]\n"
	"  --flows N         instead: flows in all, a multiple of the number of applications\n"
	"  --packets N       instead: as many whole sets as have at most N packets\n"
	"  --seconds S       from the first packet to the last, at most [60]\n"
	"  --seed N          addresses, times, names [1]\n"
	"  --ipv6            the same packets over IPv6, each 20 bytes longer\n"
	"  --apps LIST       only these applications, with commas between: rtp,http\n"
	"  --captures DIR    where the recorded conversations are [captures]\n"
	"  --output FILE     the capture; - is standard output [emix.pcap]\n"
	"  --truth FILE      also write the flows, one a line, with their protocols\n"
	"  --help            show this\n";

static void die(int status, const char *format, ...)
	__attribute__((format(printf, 2, 3), noreturn));

static void
die(int status, const char *format, ...)
{
	va_list ap;

	fprintf(stderr, "emix: ");
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fprintf(stderr, "\n");
	exit(status);
}

static uint64_t
number(const char *name, const char *text, uint64_t least, uint64_t most)
{
	char *rest;
	unsigned long long value;

	errno = 0;
	value = strtoull(text, &rest, 10);
	if (text[0] < '0' || text[0] > '9' || *rest || errno || value < least || value > most)
		die(2, "--%s: %s is not a number from %llu to %llu", name, text,
		    (unsigned long long)least, (unsigned long long)most);
	return value;
}

static void
parse(struct options *o, int argc, char **argv)
{
	enum {
		SETS = 1,
		FLOWS,
		PACKETS,
		SECONDS,
		SEED,
		IPV6,
		APPS,
		CAPTURES,
		OUTPUT,
		TRUTH,
		HELP
	};
	static const struct option table[] = {
		{ "sets", 1, NULL, SETS },       { "flows", 1, NULL, FLOWS },
		{ "packets", 1, NULL, PACKETS }, { "seconds", 1, NULL, SECONDS },
		{ "seed", 1, NULL, SEED },       { "ipv6", 0, NULL, IPV6 },
		{ "apps", 1, NULL, APPS },       { "captures", 1, NULL, CAPTURES },
		{ "output", 1, NULL, OUTPUT },   { "truth", 1, NULL, TRUTH },
		{ "help", 0, NULL, HELP },       { NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", table, NULL)) != -1) {
		switch (c) {
		case SETS: o->sets = number("sets", optarg, 1, MIX_FLOWS_MAX); break;
		case FLOWS: o->flows = number("flows", optarg, 1, MIX_FLOWS_MAX); break;
		case PACKETS: o->packets = number("packets", optarg, 1, UINT32_MAX); break;
		case SECONDS: o->seconds = number("seconds", optarg, 1, 86400); break;
		case SEED: o->seed = number("seed", optarg, 0, UINT64_MAX); break;
		case IPV6: o->ipv6 = true; break;
		case APPS: o->apps = optarg; break;
		case CAPTURES: o->captures = optarg; break;
		case OUTPUT: o->output = optarg; break;
		case TRUTH: o->truth = optarg; break;
		case HELP: fputs(usage_text, stdout); exit(0);
		default: die(2, "try --help");
		}
	}
	if (optind < argc)
		die(2, "%s: unexpected argument; try --help", argv[optind]);
	if ((o->sets != 0) + (o->flows != 0) + (o->packets != 0) > 1)
		die(2, "--sets, --flows and --packets exclude each other");
}

static const struct app *
find_app(const char *name)
{
	for (size_t i = 0; i < app_count; i++)
		if (strcmp(app_table[i].name, name) == 0)
			return &app_table[i];
	die(2, "--apps: unknown application %s", name);
}

static void
load_app(struct mix_app *to, const struct app *app, const char *captures)
{
	char path[4096], error[DIALOGUE_ERROR_MAX];

	snprintf(path, sizeof(path), "%s/%s", captures, app->source);
	to->app = app;
	if (!dialogue_read(&to->dialogue, path, error))
		die(1, "%s", error);
	if (app->framing.length.width &&
	    !dialogue_frame(&to->dialogue, &app->framing.length, app->framing.add))
		die(1, "%s: its messages do not have their lengths where they should", path);
	to->exchanges = script_fit(app, &to->dialogue);
	if (to->exchanges < 0)
		die(1, "%s: no %u packets of %u bytes on average can be made of it", path,
		    app->packets, app->average);
}

/* Reads the sources of the chosen applications; a set's packets are the result. */
static uint64_t
load(struct mix *mix, struct mix_app *apps, const struct options *o)
{
	uint64_t packets = 0;

	mix->apps = apps;
	for (char *name = o->apps ? strtok(o->apps, ",") : NULL; name;
	     name = strtok(NULL, ",")) {
		const struct app *app = find_app(name);

		for (size_t i = 0; i < mix->n_apps; i++)
			if (apps[i].app == app)
				die(2, "--apps: %s twice", name);
		load_app(&apps[mix->n_apps++], app, o->captures);
	}
	if (o->apps && mix->n_apps == 0)
		die(2, "--apps: no application named");
	for (size_t i = 0; !o->apps && i < app_count; i++)
		load_app(&apps[mix->n_apps++], &app_table[i], o->captures);
	for (size_t i = 0; i < mix->n_apps; i++)
		packets += apps[i].app->packets;
	return packets;
}

static size_t
count_sets(const struct options *o, const struct mix *mix, uint64_t set_packets)
{
	size_t sets = o->sets ? o->sets : 5;

	if (o->flows) {
		if (o->flows % mix->n_apps)
			die(2, "--flows: %llu is not a multiple of %zu, the applications",
			    (unsigned long long)o->flows, mix->n_apps);
		sets = o->flows / mix->n_apps;
	}
	if (o->packets) {
		sets = o->packets / set_packets;
		if (sets == 0)
			die(2, "--packets: one flow of each application is %llu packets",
			    (unsigned long long)set_packets);
	}
	if (sets > MIX_FLOWS_MAX / mix->n_apps)
		die(2, "--sets: more than %d flows", MIX_FLOWS_MAX);
	return sets;
}

static void
write_truth(const struct mix *mix, const char *path)
{
	FILE *file = fopen(path, "w");
	bool ok = file && mix_truth(mix, file) && !ferror(file);

	if (file && fclose(file) != 0)
		ok = false;
	if (!ok)
		die(1, "%s: %s", path, strerror(errno));
}

int
main(int argc, char **argv)
{
	struct options o = {
		.seconds = 60, .seed = 1, .output = "emix.pcap", .captures = "captures"
	};
	struct mix_app *apps = calloc(app_count, sizeof(*apps));
	struct mix mix = { 0 };
	struct pcapout *out;
	uint64_t set_packets;

	if (!apps)
		die(1, "out of memory");
	parse(&o, argc, argv);
	set_packets = load(&mix, apps, &o);
	mix.sets = count_sets(&o, &mix, set_packets);
	mix.seed = o.seed;
	mix.seconds = o.seconds;
	mix.ipv6 = o.ipv6;
	out = pcapout_open(o.output, PCAPOUT_ETHERNET, PCAPOUT_MICRO);
	if (!out)
		die(1, "%s: %s", o.output, strerror(errno));
	if (!mix_run(&mix, pcapout_sink, out))
		die(1, "a flow could not be built");
	if (pcapout_close(out) < 0)
		die(1, "%s: %s", o.output, strerror(errno));
	if (o.truth)
		write_truth(&mix, o.truth);
	fprintf(stderr, "%s: %zu flows, %llu packets\n", o.output, mix.sets * mix.n_apps,
		(unsigned long long)(mix.sets * set_packets));
	for (size_t i = 0; i < mix.n_apps; i++)
		dialogue_free(&apps[i].dialogue);
	free(apps);
	return 0;
}
