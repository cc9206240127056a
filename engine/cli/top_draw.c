/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/show_common.h"
#include "cli/top_screen.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WIDE = 100, LINE = 256, PROTOCOLS_SHARE = 2 }; /* columns; half of the rows */

/* Four digits at most and a letter: 999, 12.3k, 123M. */
static const char *
scaled(uint64_t value, char text[16])
{
	static const char letters[] = " kMGTPE";
	double v = (double)value;
	unsigned i = 0;

	while (v >= 999.5 && letters[i + 1]) {
		v /= 1000;
		i++;
	}
	if (!i)
		snprintf(text, 16, "%" PRIu64, value);
	else
		snprintf(text, 16, "%.*f%c", v < 99.95 ? 1 : 0, v, letters[i]);
	return text;
}

static void
add_line(struct text *text, struct top_size size, unsigned *rows, const char *line)
{
	int columns = size.columns ? (int)size.columns : LINE;

	if (size.rows && *rows >= size.rows)
		return;
	text_printf(text, "%.*s\n", columns, line);
	(*rows)++;
}

static void
draw_head(struct text *text, const struct top_sample *s, struct top_size size, unsigned *rows,
	  const char *interface)
{
	char line[LINE], time[32], a[16], b[16], c[16], d[16];

	snprintf(
		line, sizeof(line),
		"barn %s, up %s, %s; %" PRIu64 " packets, %" PRIu64 " dropped",
		s->engine.version, show_common_time(counters_since(s->engine.started_ns), time),
		interface ? interface : "all interfaces", s->engine.packets, s->engine.dropped);
	add_line(text, size, rows, line);
	snprintf(line, sizeof(line), "in %s bit/s, %s packets/s; out %s bit/s, %s packets/s",
		 scaled(s->total.bps[0], a), scaled(s->total.pps[0], b),
		 scaled(s->total.bps[1], c), scaled(s->total.pps[1], d));
	add_line(text, size, rows, line);
	add_line(text, size, rows, "");
}

static void
draw_protocols(struct text *text, const struct top_sample *s, struct top_size size,
	       unsigned *rows, unsigned until)
{
	int width = size.columns >= WIDE || !size.columns ? 32 : 26;
	char line[LINE], t[6][16];

	snprintf(line, sizeof(line), "%-*s %8s %8s %8s %8s %8s %8s", width, "PROTOCOL",
		 "IN bit/s", "OUT", "IN pkt/s", "OUT", "IN bytes", "OUT");
	add_line(text, size, rows, line);
	for (unsigned i = 0; i < s->protocols.count && (!until || *rows < until); i++) {
		const struct top_row *r = &s->protocols.rows[i];

		snprintf(line, sizeof(line), "%-*.*s %8s %8s %8s %8s %8s %8s", width, width,
			 r->name, scaled(r->bps[0], t[0]), scaled(r->bps[1], t[1]),
			 scaled(r->pps[0], t[2]), scaled(r->pps[1], t[3]),
			 scaled(r->bytes[0], t[4]), scaled(r->bytes[1], t[5]));
		add_line(text, size, rows, line);
	}
}

static void
draw_flows(struct text *text, const struct top_sample *s, struct top_size size, unsigned *rows,
	   unsigned until)
{
	int width = size.columns >= WIDE || !size.columns ? 30 : 21;
	char line[LINE], t[3][16];

	add_line(text, size, rows, "");
	snprintf(line, sizeof(line), "%-*s %-*s %8s %8s %8s %s", width, "CLIENT", width,
		 "SERVER", "TO bit/s", "FROM", "BYTES", "PROTOCOL");
	add_line(text, size, rows, line);
	for (unsigned i = 0; i < s->flows.count && (!until || *rows < until); i++) {
		const struct top_row *r = &s->flows.rows[i];

		snprintf(line, sizeof(line), "%-*s %-*s %8s %8s %8s %s", width, r->client,
			 width, r->server, scaled(r->bps[0], t[0]), scaled(r->bps[1], t[1]),
			 scaled(r->bytes[0] + r->bytes[1], t[2]), r->name);
		add_line(text, size, rows, line);
	}
}

void
top_draw(struct text *text, const struct top_sample *sample, struct top_size size,
	 const char *interface, const char *note)
{
	unsigned rows = 0, body = size.rows > 1 ? size.rows - 1 : size.rows, until = body;

	/* Flows have what protocols leave, but half at least. */
	if (body && sample->flows.count && sample->protocols.count > body / PROTOCOLS_SHARE)
		until = body / PROTOCOLS_SHARE;
	draw_head(text, sample, size, &rows, interface);
	draw_protocols(text, sample, size, &rows, until);
	if (sample->flows.count)
		draw_flows(text, sample, size, &rows, body);
	if (!*note)
		return;
	while (body && rows < body)
		add_line(text, size, &rows, "");
	add_line(text, size, &rows, note);
}
