/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_PULSE_H
#define DAEMON_PULSE_H

/*
 * Signs of life: memory that the parent shares with the process that looks at packets, in which
 * each thread of it says when it was last at work. The parent ends a process whose thread has
 * not said so for too long, and starts another.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { PULSE_THREADS = 65 }; /* 64 workers, and the one that serves */

struct pulse {
	_Atomic uint64_t beat_ns[PULSE_THREADS]; /* CLOCK_MONOTONIC; 0: does not run */
	_Atomic bool ready;                      /* packets are looked at */
	_Atomic bool reopen; /* an interface that was gone is there again: ways are stale */
};

/* For processes that are forked afterwards; NULL: no memory. */
struct pulse *pulse_new(void);
void pulse_free(struct pulse *pulse);

void pulse_clear(struct pulse *pulse);
void pulse_beat(struct pulse *pulse, unsigned thread);

/* The number of a thread that has not beaten for limit_ns; -1: none. */
int pulse_stuck(const struct pulse *pulse, uint64_t limit_ns);

uint64_t pulse_now(void);

#endif
