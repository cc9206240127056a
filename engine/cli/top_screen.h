/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_TOP_SCREEN_H
#define CLI_TOP_SCREEN_H

/* What is on the screen of barn top, and the terminal that it is on. */

#include "base/text.h"
#include "cli/top_sample.h"

struct top_size {
	unsigned rows, columns; /* 0: as many as there are */
};

/*
 * Lines, each with its newline, cut to the size: the head, protocols, flows, and `note` in the
 * last one.
 */
void top_draw(struct text *text, const struct top_sample *sample, struct top_size size,
	      const char *interface, const char *note);

/* Takes the terminal over: keys without the return key, another screen. False: it cannot. */
bool top_screen_open(void);
void top_screen_close(void);
struct top_size top_screen_size(void);
/* In place of what is there. */
void top_screen_show(const struct text *text);
/* A key; 0: none came for so long, or the size has changed; -1: the end. */
int top_screen_key(int timeout_ms);

#endif
