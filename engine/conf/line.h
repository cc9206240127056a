/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_LINE_H
#define CONF_LINE_H

/*
 * One line of a configuration while it is read: the words that are left, and the steps that
 * take them. After a fault `lost` is set, all steps return false, and nothing more is told of
 * the line; so a directive may take its words one after another and look once at the end.
 */

#include "conf/impl.h"
#include "conf/words.h"
#include "match/regex.h"

struct line {
	struct conf *conf;
	const char *file; /* in conf's arena */
	uint32_t number;
	struct words words;
	unsigned at; /* the next word */
	struct barn_faults *faults;
	bool no; /* a `no` stands before it */
	bool lost;
	bool no_memory;
	unsigned context; /* enum conf_context: the mode that it is read in, or opens */
	unsigned from;    /* the mode of the line before */
	void *object;     /* what that mode is about */
	unsigned entry;   /* of a policy map: which of its classes; UINT_MAX: none */
};

/* A word that stands for something: "source" for 0, ... */
struct line_word {
	const char *word;
	unsigned value;
};

/* The next word, or NULL. */
const char *line_peek(const struct line *line);
bool line_more(const struct line *line);               /* there is one */
struct conf_place line_place(const struct line *line); /* of the next word */

/* "'WORD': expected WHAT", or "expected WHAT" behind the last word. Always false. */
bool line_wrong(struct line *line, const char *what);
void line_fault(struct line *line, struct conf_place place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether the next word is this keyword, or an abbreviation of it of two letters or more. */
bool line_is(const struct line *line, const char *keyword);
bool line_accept(struct line *line, const char *keyword); /* and takes it */

/* A keyword of the table, or an abbreviation that fits only one of them. */
bool line_keyword(struct line *line, const struct line_word *table, size_t count,
		  unsigned *value);
/* The same, but not being there is no fault. */
bool line_may(struct line *line, const struct line_word *table, size_t count, unsigned *value);

bool line_name(struct line *line, const char *what, const char **name); /* copied */
bool line_number(struct line *line, const char *what, uint32_t low, uint32_t high,
		 uint32_t *number);
bool line_is_number(const struct line *line);
bool line_end(struct line *line); /* nothing may follow */

/* A new item of a list, zeroed; NULL: no memory, and `lost`. */
void *line_add(struct line *line, struct list *list, size_t size);

/* STRING (a glob), or: regex /EXPRESSION/[i]. As they were written, and checked. */
struct line_pattern {
	const char *text; /* of an expression with its slashes */
	bool regex;
};
bool line_pattern(struct line *line, struct line_pattern *pattern);
/* `fixed`: it may not hold for no bytes at all. */
bool line_regex(struct line *line, const char **text, bool fixed);

/* Ports: N, range A B, one or more of them. */
bool line_ports(struct line *line, struct list *ports); /* struct pdl_ports */

#endif
