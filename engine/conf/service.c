/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/service.h"

#include "conf/directive.h"
#include "conf/nbar.h"

#include <syslog.h>

/* barnd: the daemon's own settings, in a mode of their own. */

static const struct line_word logs[] = {
	{ "journal", CONF_LOG_JOURNAL },
	{ "stderr", CONF_LOG_STDERR },
	{ "syslog", CONF_LOG_SYSLOG },
};

/* The words that routers have for syslog's levels. */
static const struct line_word levels[] = {
	{ "errors", LOG_ERR },           { "warnings", LOG_WARNING },
	{ "notifications", LOG_NOTICE }, { "informational", LOG_INFO },
	{ "debugging", LOG_DEBUG },
};

enum { LOGS = sizeof(logs) / sizeof(logs[0]), LEVELS = sizeof(levels) / sizeof(levels[0]) };

const struct conf_service *
conf_service(const struct conf *conf)
{
	return &conf->service;
}

static void
read_barnd(struct line *line)
{
	if (line->no)
		line->conf->service = (struct conf_service){ 0 };
	else
		line->context = CONF_SERVICE;
}

static void
read_number(struct line *line, const char *what, uint32_t low, uint32_t high, uint32_t *to)
{
	uint32_t number = 0;

	if (!line->no && !line_number(line, what, low, high, &number))
		return;
	if (line->no || line_end(line))
		*to = number;
}

static void
read_word(struct line *line, const char *what, const char **to)
{
	const char *word = NULL;

	if (!line->no && !line_name(line, what, &word))
		return;
	if (line->no || line_end(line))
		*to = word;
}

static void
read_workers(struct line *line)
{
	read_number(line, "a number of workers", 1, SERVICE_WORKERS_MAX,
		    &line->conf->service.workers);
}

static void
read_flows(struct line *line)
{
	read_number(line, "a number of flows", SERVICE_FLOWS_MIN, SERVICE_FLOWS_MAX,
		    &line->conf->service.flows);
}

static void
read_user(struct line *line)
{
	read_word(line, "the name of a user", &line->conf->service.user);
}

static void
read_group(struct line *line)
{
	read_word(line, "the name of a group", &line->conf->service.group);
}

static void
read_control_socket(struct line *line)
{
	read_word(line, "a path", &line->conf->service.control_socket);
}

static void
read_segment(struct line *line)
{
	read_word(line, "a path", &line->conf->service.segment);
}

static void
read_state_file(struct line *line)
{
	read_word(line, "a path", &line->conf->service.state_file);
}

static void
read_pid_file(struct line *line)
{
	read_word(line, "a path", &line->conf->service.pid_file);
}

static void
read_log(struct line *line)
{
	struct conf_service *s = &line->conf->service;
	unsigned log = CONF_LOG_AUTO, level = 0;

	if (line->no) {
		s->log = s->log_level = 0;
		return;
	}
	if (!line_keyword(line, logs, LOGS, &log))
		return;
	if (line_more(line)) {
		if (!line_keyword(line, levels, LEVELS, &level))
			return;
		level++;
	}
	if (!line_end(line))
		return;
	s->log = (uint8_t)log;
	s->log_level = (uint8_t)level;
}

static void
read_dry_run(struct line *line)
{
	line->conf->service.dry_run = !line->no;
}

static void
forget(struct list *list, size_t size, unsigned at)
{
	char *items = list->items;

	memmove(items + at * size, items + (at + 1) * size, (list->count - at - 1) * size);
	list->count--;
}

/* An interface is in one line only; what is read replaces the line that it was in. */
static void
put_line(struct line *line, const struct conf_line_way *way)
{
	struct list *list = &line->conf->service.lines;
	struct conf_line_way *all = list->items, *added;

	for (unsigned i = list->count; i-- > 0;) {
		bool first = strcmp(all[i].interface, way->interface) == 0;
		bool second = all[i].other && strcmp(all[i].other, way->interface) == 0;
		bool other =
			way->other && (strcmp(all[i].interface, way->other) == 0 ||
				       (all[i].other && strcmp(all[i].other, way->other) == 0));

		if (first && (line->no || !other || way->other)) {
			forget(list, sizeof(*all), i);
		} else if (!line->no && (second || other)) {
			line_fault(line, way->place, "'%.32s' is in another line already",
				   second ? way->interface : way->other);
			return;
		}
	}
	added = line->no ? NULL : line_add(line, list, sizeof(*added));
	if (added)
		*added = *way;
}

static void
read_tap(struct line *line)
{
	struct conf_line_way way = { .place = line_place(line) };

	if (line_name(line, "the name of an interface", &way.interface) && line_end(line))
		put_line(line, &way);
}

/* bridge A B [fail-open|fail-closed] */
static void
read_bridge(struct line *line)
{
	static const struct line_word fails[] = { { "fail-closed", 1 }, { "fail-open", 0 } };
	struct conf_line_way way = { .place = line_place(line) };
	unsigned closed = 0;

	if (!line_name(line, "the name of an interface", &way.interface))
		return;
	if (!line->no || line_more(line)) {
		struct conf_place place = line_place(line);

		if (!line_name(line, "the name of the other interface", &way.other))
			return;
		if (strcmp(way.interface, way.other) == 0) {
			line_fault(line, place, "'%.32s' cannot be joined with itself",
				   way.other);
			return;
		}
	}
	if (line_more(line) && !line_keyword(line, fails, 2, &closed))
		return;
	way.fail_closed = closed;
	if (line_end(line))
		put_line(line, &way);
}

/* nfqueue FIRST [LAST] [fail-open|fail-closed] */
static void
read_nfqueue(struct line *line)
{
	static const struct line_word fails[] = { { "fail-closed", 1 }, { "fail-open", 0 } };
	struct list *list = &line->conf->service.queues;
	struct conf_queues queues = { .place = line_place(line) }, *all = list->items, *added;
	uint32_t first = 0, last;
	unsigned closed = 0;

	if (line->no && !line_more(line)) {
		list->count = 0;
		return;
	}
	if (!line_number(line, "the number of a queue", 0, 65535, &first))
		return;
	last = first;
	if (line_is_number(line) &&
	    !line_number(line, "the number of the last queue", first, 65535, &last))
		return;
	if (line_more(line) && !line_keyword(line, fails, 2, &closed))
		return;
	if (!line_end(line))
		return;
	queues.first = (uint16_t)first;
	queues.last = (uint16_t)last;
	queues.fail_closed = closed;
	for (unsigned i = 0; i < list->count; i++)
		if (all[i].first <= queues.last && queues.first <= all[i].last) {
			if (line->no || all[i].first == queues.first) {
				forget(list, sizeof(*all), i--);
			} else {
				line_fault(line, queues.place,
					   "queue %u is in another line already",
					   queues.first > all[i].first ? queues.first
								       : all[i].first);
				return;
			}
		}
	added = line->no ? NULL : line_add(line, list, sizeof(*added));
	if (added)
		*added = queues;
}

/* replay NAME FILE [speed {N|max}] */
static void
read_replay(struct line *line)
{
	struct list *list = &line->conf->service.replays;
	struct conf_replay replay = { .speed = 1, .place = line_place(line) }, *added;
	struct conf_replay *all = list->items;

	if (!line_name(line, "a name for the interface", &replay.interface))
		return;
	if (!line->no && !line_name(line, "a capture", &replay.path))
		return;
	if (!line->no && line_accept(line, "speed")) {
		if (line_accept(line, "max"))
			replay.speed = 0;
		else if (!line_number(line, "how many times its pace, or max", 1, 1000000,
				      &replay.speed))
			return;
	}
	if (!line_end(line))
		return;
	for (unsigned i = list->count; i-- > 0;)
		if (strcmp(all[i].interface, replay.interface) == 0)
			forget(list, sizeof(*all), i);
	added = line->no ? NULL : line_add(line, list, sizeof(*added));
	if (added)
		*added = replay;
}

static void
print_word(struct text *text, const char *name, const char *word)
{
	if (!word)
		return;
	text_printf(text, " %s ", name);
	nbar_word_print(text, word);
	text_char(text, '\n');
}

static void
print_numbers(const struct conf_service *s, struct text *text)
{
	if (s->workers)
		text_printf(text, " workers %u\n", s->workers);
	if (s->flows)
		text_printf(text, " flows %u\n", s->flows);
}

static const char *
word_for(const struct line_word *table, size_t count, unsigned value)
{
	for (size_t i = 0; i < count; i++)
		if (table[i].value == value)
			return table[i].word;
	return "";
}

static void
print_ways(const struct conf_service *s, struct text *text)
{
	const struct conf_queues *queues = s->queues.items;
	const struct conf_replay *replays = s->replays.items;
	const struct conf_line_way *lines = s->lines.items;

	for (unsigned i = 0; i < s->lines.count; i++) {
		text_add(text, lines[i].other ? " bridge " : " tap ");
		nbar_word_print(text, lines[i].interface);
		if (lines[i].other) {
			text_char(text, ' ');
			nbar_word_print(text, lines[i].other);
		}
		text_add(text, lines[i].fail_closed ? " fail-closed\n" : "\n");
	}
	for (unsigned i = 0; i < s->queues.count; i++) {
		text_printf(text, " nfqueue %u", queues[i].first);
		if (queues[i].last > queues[i].first)
			text_printf(text, " %u", queues[i].last);
		text_add(text, queues[i].fail_closed ? " fail-closed\n" : "\n");
	}
	for (unsigned i = 0; i < s->replays.count; i++) {
		text_add(text, " replay ");
		nbar_word_print(text, replays[i].interface);
		text_char(text, ' ');
		nbar_word_print(text, replays[i].path);
		if (replays[i].speed == 0)
			text_add(text, " speed max");
		else if (replays[i].speed > 1)
			text_printf(text, " speed %u", replays[i].speed);
		text_char(text, '\n');
	}
}

static void
print_settings(const struct conf_service *s, struct text *text)
{
	print_numbers(s, text);
	print_word(text, "user", s->user);
	print_word(text, "group", s->group);
	print_word(text, "control-socket", s->control_socket);
	print_word(text, "segment", s->segment);
	print_word(text, "state-file", s->state_file);
	print_word(text, "pid-file", s->pid_file);
	if (s->log != CONF_LOG_AUTO) {
		text_printf(text, " log %s", word_for(logs, LOGS, s->log));
		if (s->log_level)
			text_printf(text, " %s", word_for(levels, LEVELS, s->log_level - 1U));
		text_char(text, '\n');
	}
	if (s->dry_run)
		text_add(text, " dry-run\n");
	print_ways(s, text);
}

static void
print_service(const struct conf *conf, struct text *text)
{
	struct text lines = { 0 };

	print_settings(&conf->service, &lines);
	if (lines.len)
		text_printf(text, "barnd\n%s", text_str(&lines));
	text->failed |= lines.failed;
	text_fini(&lines);
}

static const struct conf_directive service_directives[] = {
	{ .words = "barnd", .context = CONF_GLOBAL, .no = true, .read = read_barnd },
	{ .words = "workers",
	  .arguments = "N",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_workers },
	{ .words = "flows",
	  .arguments = "N",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_flows },
	{ .words = "user",
	  .arguments = "NAME",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_user },
	{ .words = "group",
	  .arguments = "NAME",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_group },
	{ .words = "control-socket",
	  .arguments = "PATH",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_control_socket },
	{ .words = "segment",
	  .arguments = "PATH",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_segment },
	{ .words = "state-file",
	  .arguments = "PATH",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_state_file },
	{ .words = "pid-file",
	  .arguments = "PATH",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_pid_file },
	{ .words = "log",
	  .arguments = "{journal|stderr|syslog} [LEVEL]",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_log },
	{ .words = "dry-run", .context = CONF_SERVICE, .no = true, .read = read_dry_run },
	{ .words = "tap",
	  .arguments = "INTERFACE",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_tap },
	{ .words = "bridge",
	  .arguments = "INTERFACE INTERFACE [fail-open|fail-closed]",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_bridge },
	{ .words = "nfqueue",
	  .arguments = "FIRST [LAST] [fail-open|fail-closed]",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_nfqueue },
	{ .words = "replay",
	  .arguments = "NAME FILE [speed {N|max}]",
	  .context = CONF_SERVICE,
	  .no = true,
	  .read = read_replay },
};

const struct conf_family service = {
	.directives = service_directives,
	.count = sizeof(service_directives) / sizeof(service_directives[0]),
	.print = print_service,
};
