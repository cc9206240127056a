/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/glob.h"

/*
 * What a text must hold for a glob to match it. A group is as it stands in the pattern: its
 * alternatives so far, the one being read, and the literal run that it ends with.
 */

enum { DEPTH_MAX = 16 }; /* as glob.c */

struct group {
	struct needles either; /* of the alternatives that are complete */
	struct needles now;    /* of the one being read */
	struct needle run;
	bool many; /* `either` is of one alternative at least */
};

static void
end_run(struct group *g)
{
	needles_and_one(&g->now, g->run);
	g->run.len = 0;
}

static void
end_alternative(struct group *g)
{
	end_run(g);
	if (g->many)
		needles_or(&g->either, &g->now);
	else
		g->either = g->now;
	g->many = true;
	g->now.count = 0;
}

/* Behind a class; the pattern is one that glob_new takes, so it ends. */
static const char *
skip_class(const char *p)
{
	while (*p && *p != ']')
		p++;
	return *p ? p + 1 : p;
}

void
glob_needles(const char *pattern, struct needles *needles)
{
	struct group groups[DEPTH_MAX + 1] = { { .many = false } };
	unsigned depth = 0;
	const char *p = pattern;

	while (*p) {
		struct group *g = &groups[depth];
		char c = *p++;

		if (c == '(' && depth < DEPTH_MAX) {
			end_run(g);
			groups[++depth] = (struct group){ .many = false };
		} else if (c == ')' && depth > 0) {
			end_alternative(g);
			depth--;
			needles_and(&groups[depth].now, &g->either);
		} else if (c == '|') {
			end_alternative(g);
		} else if (c == '*' || c == '?') {
			end_run(g);
		} else if (c == '[') {
			end_run(g);
			p = skip_class(p);
		} else {
			needles_add_byte(&g->run, (uint8_t)c);
		}
	}
	end_alternative(&groups[0]);
	*needles = groups[0].either;
	needles_trim(needles);
}
