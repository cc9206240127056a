/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/top_screen.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Sequences that all terminals of the last decades know: ECMA-48, and xterm's other screen. */
static const char enter[] = "\033[?1049h\033[?25l\033[2J", leave[] = "\033[?25h\033[?1049l";
static const char home[] = "\033[H", clear_line[] = "\033[K", clear_below[] = "\033[J";

static struct termios before;
static volatile sig_atomic_t ended;

static void
on_signal(int number)
{
	if (number != SIGWINCH)
		ended = 1;
}

bool
top_screen_open(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGWINCH };
	struct sigaction action = { .sa_handler = on_signal };
	const char *kind = getenv("TERM");
	struct termios raw;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) || !kind || !*kind ||
	    strcmp(kind, "dumb") == 0 || tcgetattr(STDIN_FILENO, &before))
		return false;
	raw = before;
	raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	(void)sigemptyset(&action.sa_mask);
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		(void)sigaction(signals[i], &action, NULL);
	if (tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw))
		return false;
	fputs(enter, stdout);
	return true;
}

void
top_screen_close(void)
{
	fputs(leave, stdout);
	(void)fflush(stdout);
	(void)tcsetattr(STDIN_FILENO, TCSAFLUSH, &before);
}

struct top_size
top_screen_size(void)
{
	struct winsize size = { 0 };

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col)
		return (struct top_size){ 24, 80 };
	return (struct top_size){ size.ws_row, size.ws_col };
}

void
top_screen_show(const struct text *text)
{
	const char *line = text_str(text);

	fputs(home, stdout);
	while (*line) {
		size_t length = strcspn(line, "\n");

		(void)fwrite(line, 1, length, stdout);
		fputs(clear_line, stdout);
		line += length + (line[length] == '\n');
		if (*line)
			fputs("\r\n", stdout);
	}
	fputs(clear_below, stdout);
	(void)fflush(stdout);
}

int
top_screen_key(int timeout_ms)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };
	unsigned char key;
	int ready;

	if (ended)
		return -1;
	ready = poll(&fd, 1, timeout_ms);
	if (ended)
		return -1;
	if (ready <= 0)
		return ready < 0 && errno != EINTR ? -1 : 0;
	return read(STDIN_FILENO, &key, 1) == 1 ? key : -1;
}
