/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/counters.h"
#include "cli/top_screen.h"
#include "cli/words.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum row { COUNT, DELAY, BATCH, BYTES, STATS, CONTROL, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[COUNT] = { "count", 'n', "N", "End after N times" },
	[DELAY] = { "delay", 'd', "SECONDS", "The time between, 2 if it is not given" },
	[BATCH] = { "batch", 'b', NULL, "Print it all, one after the other" },
	[BYTES] = { "bytes", 0, NULL, "In the order of bytes, not of bit rates" },
	[STATS] = { COUNTERS_ROW },
	[CONTROL] = { ASK_ROW },
	{ 0 },
};

static const struct word_row words[] = {
	{ "interface", "INTERFACE", "Of this interface alone", NULL },
	{ 0 },
};

static const char text_keys[] =
	"Keys: q leaves, r orders by rate and t by bytes, any other one "
	"looks at once.\n";

struct top {
	struct top_source source;
	const char *interface; /* NULL: all */
	unsigned long count;   /* 0: without end */
	int delay_ms;
	bool batch, by_bytes;
	struct top_sample now, before;
};

static char note[256];

/* On the screen, the last line is for what is said. */
static void
take_note(int level, const char *line)
{
	(void)level;
	snprintf(note, sizeof(note), "%s", line);
}

static bool
next_sample(struct top *t)
{
	struct top_sample sample;

	if (!top_sample_take(&t->source, &sample))
		return false;
	top_sample_since(&sample, &t->now, t->by_bytes);
	top_sample_fini(&t->before);
	t->before = t->now;
	t->now = sample;
	return true;
}

static void
pause_ms(int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	(void)nanosleep(&time, NULL);
}

static int
run_batch(struct top *t)
{
	struct text text = { 0 };
	int status = 0;

	for (unsigned long i = 0; !status && (!t->count || i < t->count); i++) {
		pause_ms(t->delay_ms);
		if (!next_sample(t)) {
			status = EXIT_FAILED;
			break;
		}
		text_clear(&text);
		top_draw(&text, &t->now, (struct top_size){ 0 }, t->interface, "");
		printf("%s%s", i ? "\n" : "", text_str(&text));
		status = say_flush();
	}
	text_fini(&text);
	return status;
}

static void
show(const struct top *t)
{
	struct text text = { 0 };

	top_draw(&text, &t->now, top_screen_size(), t->interface, note);
	top_screen_show(&text);
	text_fini(&text);
}

/* False: it leaves. */
static bool
obey(struct top *t, int key)
{
	switch (key) {
	case 'r': t->by_bytes = false; break;
	case 't': t->by_bytes = true; break;
	case 'q':
	case 3: /* control-C and D, where the terminal does not make signals of them */
	case 4:
	case -1: return false;
	default: break;
	}
	return true;
}

static int
run_screen(struct top *t)
{
	int first_ms = t->delay_ms < 500 ? t->delay_ms : 500, key;

	say_to(take_note);
	show(t);
	key = top_screen_key(first_ms);
	for (unsigned long i = 0; (!t->count || i < t->count) && obey(t, key); i++) {
		note[0] = '\0';
		if (next_sample(t) && t->source.no_flows && !*note)
			snprintf(note, sizeof(note), "no flows: %s does not answer",
				 t->source.control ? t->source.control : ask_path());
		show(t);
		key = top_screen_key(t->delay_ms);
	}
	say_to(NULL);
	top_screen_close();
	return 0;
}

static int
take_option(const struct command *self, struct top *t, int row, const char *value,
	    const char **stats)
{
	char *end = NULL;
	double seconds;

	switch ((enum row)row) {
	case COUNT:
		t->count = strtoul(value, &end, 10);
		if (*end || end == value || *value == '-' || !t->count)
			return say_usage(self->name, "--count %s: expected a number", value);
		break;
	case DELAY:
		seconds = strtod(value, &end);
		if (*end || end == value || !(seconds >= 0.1 && seconds <= 3600))
			return say_usage(self->name,
					 "--delay %s: expected seconds, 0.1 to 3600", value);
		t->delay_ms = (int)(seconds * 1000);
		break;
	case BATCH: t->batch = true; break;
	case BYTES: t->by_bytes = true; break;
	case STATS: *stats = value; break;
	case CONTROL: t->source.control = value; break;
	case ROWS: break;
	}
	return 0;
}

static int
watch(struct top *t, const char *stats)
{
	int status = EXIT_FAILED;

	t->source.stats = counters_open(stats);
	if (!t->source.stats)
		return EXIT_FAILED;
	t->source.interface = UINT32_MAX;
	if (t->interface)
		t->source.interface = counters_interface(t->source.stats, t->interface);
	if ((!t->interface || t->source.interface != UINT32_MAX) &&
	    top_sample_take(&t->source, &t->now))
		status = t->batch || !top_screen_open() ? run_batch(t) : run_screen(t);
	top_sample_fini(&t->now);
	top_sample_fini(&t->before);
	barn_stats_close(t->source.stats);
	return status;
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct top t = { .delay_ms = 2000 };
	struct words w = { .command = self };
	const char *value, *stats = NULL;
	int row, word;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (take_option(self, &t, row, value, &stats))
			return EXIT_USAGE;
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	w.argv = argv + optind;
	while ((word = words_next(&w, &value)) >= 0)
		t.interface = value;
	return word == OPTIONS_END ? watch(&t, stats) : EXIT_USAGE;
}

const struct command command_top = {
	.name = "top",
	.arguments = "[interface INTERFACE] [options]",
	.summary = "Watch protocols and flows, with their rates",
	.text = text_keys,
	.options = rows,
	.words = words,
	.run = run,
};
