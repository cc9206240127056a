/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_stop.h"
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

/* Signals have no other way in. */
static volatile sig_atomic_t asked, due;

static void
ask(int number)
{
	/* Again and again: the first may come just before a read begins to wait. */
	const struct itimerval second = { .it_interval = { .tv_sec = 1 },
					  .it_value = { .tv_sec = 1 } };

	(void)number;
	asked = 1;
	setitimer(ITIMER_REAL, &second, NULL);
}

static void
stop(int number)
{
	(void)number;
	due = 1;
}

/* What the user's shell has switched off stays off. */
static void
catch_one(int number)
{
	struct sigaction action = { .sa_handler = ask,
				    .sa_flags = (int)SA_RESETHAND | SA_RESTART };
	struct sigaction was;

	sigemptyset(&action.sa_mask);
	if (sigaction(number, NULL, &was) == 0 && was.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

void
read_stop_catch(void)
{
	/* Without SA_RESTART: it interrupts a wait for input. */
	struct sigaction action = { .sa_handler = stop };

	sigemptyset(&action.sa_mask);
	sigaction(SIGALRM, &action, NULL);
	catch_one(SIGINT);
	catch_one(SIGTERM);
}

bool
read_stop_asked(void)
{
	return asked != 0;
}

bool
read_stop_due(void)
{
	return due != 0;
}
