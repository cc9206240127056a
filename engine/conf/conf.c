/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/conf.h"

#include "conf/directive.h"
#include "pdl/lex.h"

#include <stdlib.h>

enum { TEXT_MAX = 16 << 20 };

enum barn_err
conf_new(struct conf **conf)
{
	struct conf *c = calloc(1, sizeof(*c));

	if (!c)
		return BARN_ERR_MEMORY;
	if (arena_new(0, &c->arena)) {
		free(c);
		return BARN_ERR_MEMORY;
	}
	*conf = c;
	return BARN_OK;
}

void
conf_free(struct conf *conf)
{
	if (!conf)
		return;
	arena_free(conf->arena);
	free(conf);
}

static void
read_line(struct line *line, const char *text, size_t len)
{
	const struct conf_directive *directive;
	struct conf_place place = { line->file, { line->number, 1 } };
	const char *fault;

	line->at = 0;
	line->lost = line->no = false;
	if (words_split(&line->words, text, len, &place.pos.column, &fault)) {
		line_fault(line, place, "%s", fault);
		return;
	}
	if (line->words.count == 0)
		return;
	for (unsigned i = 0; i < line->words.count; i++)
		if (!lex_is_plain(bytes_of(line->words.text[i], strlen(line->words.text[i])))) {
			line->at = i;
			line_fault(line, line_place(line),
				   "characters that cannot be shown: expected UTF-8");
			return;
		}
	if (strcasecmp(line->words.text[0], "no") == 0) {
		line->no = true;
		line->at++;
	}
	directive = directive_find(line);
	if (!directive)
		return;
	directive->read(line);
	if (!line->lost)
		line_end(line);
}

enum barn_err
conf_add(struct conf *conf, const char *file, const char *text, size_t len,
	 struct barn_faults *faults)
{
	struct line *line = calloc(1, sizeof(*line));
	const char *end = text + len, *next;
	uint32_t before = faults->count;
	enum barn_err err;

	if (!line)
		return BARN_ERR_MEMORY;
	line->conf = conf;
	line->faults = faults;
	line->context = CONF_GLOBAL;
	line->file = arena_strdup(conf->arena, file);
	line->no_memory = !line->file;
	if (len > TEXT_MAX) {
		diag_add(faults, file, (struct pdl_pos){ 1, 1 }, "the text is too long");
		end = text;
	}
	for (; text < end && !line->no_memory; text = next) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));

		next = newline ? newline + 1 : end;
		line->number++;
		read_line(line, text, (size_t)((newline ? newline : end) - text));
	}
	err = line->no_memory          ? BARN_ERR_MEMORY
	      : faults->count > before ? BARN_ERR_TEXT
				       : BARN_OK;
	free(line);
	return err;
}

enum barn_err
conf_finish(struct conf *conf, const struct pdl_set *modules, struct barn_faults *faults)
{
	uint32_t before = faults->count;

	for (unsigned f = 0; directive_families[f]; f++)
		if (directive_families[f]->check)
			directive_families[f]->check(conf, modules, faults);
	return faults->count > before ? BARN_ERR_TEXT : BARN_OK;
}

void
conf_print(const struct conf *conf, struct text *text)
{
	for (unsigned f = 0; directive_families[f]; f++) {
		size_t before = text->len;

		directive_families[f]->print(conf, text);
		if (text->len > before)
			text_add(text, "!\n");
	}
	text_add(text, "end\n");
}

const struct barn_faults *
conf_notes(const struct conf *conf)
{
	return &conf->notes;
}

const struct policy_model *
conf_model(const struct conf *conf)
{
	return &conf->model;
}
