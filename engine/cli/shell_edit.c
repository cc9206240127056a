/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "config.h"

#include "cli/shell.h"
#include "cli/shell_edit.h"
#include "cli/shell_line.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shell_edit {
	const char *prompt;
	char *line; /* the last one */
	size_t room;
#ifdef HAVE_LIBEDIT
	struct editline *el;
	struct history *history;
	char path[1024]; /* of the history; "": none is kept */
#endif
};

static void
interrupted(int number)
{
	(void)number;
}

/* An interrupt ends the reading of a line, and not the program. */
static void
catch_interrupts(void)
{
	struct sigaction action = { .sa_handler = interrupted };

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGINT, &action, NULL);
}

#ifdef HAVE_LIBEDIT
#include <histedit.h>

enum { HISTORY = 500 };

static const char *
prompt(EditLine *el)
{
	struct shell_edit *edit = NULL;

	(void)el_get(el, EL_CLIENTDATA, &edit);
	return edit->prompt;
}

/* What stands before the cursor, which the caller frees. */
static char *
before_cursor(EditLine *el)
{
	const LineInfo *line = el_line(el);

	return strndup(line->buffer, (size_t)(line->cursor - line->buffer));
}

static unsigned char
help(EditLine *el, int key)
{
	char *text = before_cursor(el);
	unsigned char answer = CC_REDISPLAY;

	(void)key;
	if (!text)
		return CC_ERROR;
	if (shell_line_quoted(text)) {
		answer = el_insertstr(el, "?") ? CC_ERROR : CC_REFRESH;
	} else {
		puts("?");
		shell_help(text);
		(void)fflush(stdout);
	}
	free(text);
	return answer;
}

/* How many bytes all of them begin with alike. */
static size_t
common(const struct next *next)
{
	size_t length = strlen(next->words[0].word);

	for (unsigned i = 1; i < next->count; i++) {
		size_t same = 0;

		while (same < length && next->words[i].word[same] == next->words[0].word[same])
			same++;
		length = same;
	}
	return length;
}

static unsigned char
complete(EditLine *el, int key)
{
	char *text = before_cursor(el), more[512] = "";
	struct next next = { 0 };
	unsigned char answer = CC_ERROR;
	unsigned partial;
	size_t length;

	(void)key;
	if (!text)
		return CC_ERROR;
	shell_line_next(text, false, &next, &partial);
	if (next.count && !next.words[0].meant) {
		const char *word = next.words[0].word;
		bool folder = *word && word[strlen(word) - 1] == '/';

		length = common(&next);
		if (length >= partial && length - partial < sizeof(more) - 1)
			snprintf(more, sizeof(more), "%.*s%s", (int)(length - partial),
				 word + partial, next.count == 1 && !folder ? " " : "");
		if (*more)
			answer = el_insertstr(el, more) ? CC_ERROR : CC_REFRESH;
	}
	if (answer == CC_ERROR && next.count) {
		putchar('\n');
		shell_help(text);
		(void)fflush(stdout);
		answer = CC_REDISPLAY;
	}
	next_fini(&next);
	free(text);
	return answer;
}

static void
open_history(struct shell_edit *edit)
{
	const char *home = getenv("HOME");
	HistEvent event;

	edit->history = history_init();
	if (!edit->history)
		return;
	(void)history(edit->history, &event, H_SETSIZE, HISTORY);
	(void)history(edit->history, &event, H_SETUNIQUE, 1);
	if (home && *home)
		snprintf(edit->path, sizeof(edit->path), "%s/.barn_history", home);
	if (*edit->path)
		(void)history(edit->history, &event, H_LOAD, edit->path);
	(void)el_set(edit->el, EL_HIST, history, edit->history);
}

struct shell_edit *
shell_edit_new(const char *text)
{
	struct shell_edit *edit = calloc(1, sizeof(*edit));

	if (!edit)
		return NULL;
	edit->prompt = text;
	edit->el = el_init("barn", stdin, stdout, stderr);
	if (!edit->el) {
		free(edit);
		return NULL;
	}
	catch_interrupts();
	(void)el_set(edit->el, EL_CLIENTDATA, edit);
	(void)el_set(edit->el, EL_PROMPT, prompt);
	(void)el_set(edit->el, EL_EDITOR, "emacs");
	open_history(edit);
	(void)el_set(edit->el, EL_ADDFN, "barn-complete", "what may come next", complete);
	(void)el_set(edit->el, EL_ADDFN, "barn-help", "what may come next, with help", help);
	(void)el_source(edit->el, NULL);
	(void)el_set(edit->el, EL_BIND, "^I", "barn-complete", NULL);
	(void)el_set(edit->el, EL_BIND, "?", "barn-help", NULL);
	return edit;
}

void
shell_edit_free(struct shell_edit *edit)
{
	HistEvent event;

	if (!edit)
		return;
	if (edit->history && *edit->path)
		(void)history(edit->history, &event, H_SAVE, edit->path);
	el_end(edit->el);
	if (edit->history)
		history_end(edit->history);
	free(edit->line);
	free(edit);
}

const char *
shell_edit_line(struct shell_edit *edit)
{
	HistEvent event;
	const char *line;
	int count = 0;

	catch_interrupts();
	errno = 0;
	line = el_gets(edit->el, &count);
	free(edit->line);
	edit->line = NULL;
	if (!line || count <= 0) {
		if (errno != EINTR)
			return NULL;
		puts("^C");
		el_reset(edit->el);
		return "";
	}
	edit->line = strndup(line, strcspn(line, "\n"));
	if (edit->line && edit->line[strspn(edit->line, " \t")] && edit->history)
		(void)history(edit->history, &event, H_ENTER, edit->line);
	return edit->line;
}

#else

struct shell_edit *
shell_edit_new(const char *text)
{
	struct shell_edit *edit = calloc(1, sizeof(*edit));

	if (edit)
		edit->prompt = text;
	return edit;
}

void
shell_edit_free(struct shell_edit *edit)
{
	if (edit)
		free(edit->line);
	free(edit);
}

const char *
shell_edit_line(struct shell_edit *edit)
{
	catch_interrupts();
	printf("%s", edit->prompt);
	(void)fflush(stdout);
	errno = 0;
	if (getline(&edit->line, &edit->room, stdin) > 0) {
		edit->line[strcspn(edit->line, "\n")] = '\0';
		return edit->line;
	}
	if (errno != EINTR)
		return NULL;
	clearerr(stdin);
	putchar('\n');
	return "";
}

#endif
