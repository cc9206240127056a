/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/progress.h"
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CELLS = 30 };

static double
now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

void
progress_start(struct progress *p)
{
	*p = (struct progress){ .terminal = isatty(STDERR_FILENO), .start_s = now_s() };
}

double
progress_seconds(const struct progress *p)
{
	return now_s() - p->start_s;
}

const char *
progress_size(double bytes, char text[16])
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	size_t unit = 0;

	while (bytes >= 1000 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		bytes /= 1000;
		unit++;
	}
	snprintf(text, 16, bytes < 10 && unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
	return text;
}

void
progress_draw(struct progress *p, const struct merge *merge, uint64_t packets)
{
	char bar[CELLS + 1], one[16], other[16];
	uint64_t read, size;
	double now, spent;
	int full;

	if (!p->terminal)
		return;
	now = now_s();
	spent = now - p->start_s;
	if (spent < 1 || now - p->drawn_s < 0.2)
		return;
	p->drawn_s = now;
	p->shown = true;
	merge_progress(merge, &read, &size);
	progress_size((double)read, one);
	if (!size) {
		fprintf(stderr, "\r%s, %.0f packets/s \033[K", one, (double)packets / spent);
		return;
	}
	if (read > size)
		read = size;
	full = (int)(read * CELLS / size);
	memset(bar, '=', sizeof(bar));
	memset(bar + full, ' ', sizeof(bar) - (size_t)full);
	bar[CELLS] = '\0';
	spent *= (double)(size - read) / (double)(read ? read : 1);
	fprintf(stderr, "\r%3.0f %% [%s] %s of %s, %.0f packets/s, %d:%02d left \033[K",
		100 * (double)read / (double)size, bar, one, progress_size((double)size, other),
		(double)packets / (now - p->start_s), (int)(spent / 60), (int)spent % 60);
}

void
progress_clear(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
