/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/flow_lines.h"
#include "base/text.h"
#include "cli/ask.h"
#include "cli/value.h"
#include "program/say.h"
#include <stdlib.h>
#include <string.h>

enum { WORDS = 16, LINE_MAX = 1 << 20, VALUE_MAX = 60, FIELDS_MAX = 200 };

struct lines {
	struct text line; /* what has come of it */
	void (*flow)(void *self, struct json_object *flow);
	void *self;
	uint64_t faults; /* lines that were no flows */
};

static void
end_line(struct lines *l)
{
	struct json_object *flow =
		l->line.failed ? NULL : json_tokener_parse(text_str(&l->line));

	if (json_object_is_type(flow, json_type_object))
		l->flow(l->self, flow);
	else
		l->faults++;
	json_object_put(flow);
	text_clear(&l->line);
}

static void
take(void *self, const void *data, size_t length)
{
	struct lines *l = self;
	const char *at = data, *end = at + length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((newline ? newline : end) - at);

		if (l->line.len + n <= LINE_MAX)
			text_add_n(&l->line, at, n);
		else
			l->line.failed = true;
		at += n;
		if (newline) {
			end_line(l);
			at++;
		}
	}
}

int
flow_lines_ask(const char *path, const char *const *words, unsigned count,
	       void (*flow)(void *self, struct json_object *flow), void *self)
{
	struct lines l = { .flow = flow, .self = self };
	const char *all[WORDS] = { "show", "flows" };
	int status;

	for (unsigned i = 0; i < count && i + 2 < WORDS; i++)
		all[i + 2] = words[i];
	status = ask(path, all, count + 2, take, &l);
	if (l.line.len)
		end_line(&l);
	if (!status && l.faults) {
		say_error("barnd: %ju lines are no flows", (uintmax_t)l.faults);
		status = EXIT_FAILED;
	}
	text_fini(&l.line);
	return status;
}

struct json_object *
flow_lines_member(struct json_object *object, const char *name)
{
	struct json_object *member = NULL;

	if (json_object_is_type(object, json_type_object))
		(void)json_object_object_get_ex(object, name, &member);
	return member;
}

const char *
flow_lines_string(struct json_object *object, const char *name)
{
	struct json_object *member = flow_lines_member(object, name);

	return json_object_is_type(member, json_type_string) ? json_object_get_string(member)
							     : "";
}

uint64_t
flow_lines_count(struct json_object *object, const char *name, unsigned side)
{
	struct json_object *member = flow_lines_member(object, name);

	if (json_object_is_type(member, json_type_array))
		member = json_object_array_get_idx(member, side);
	return json_object_is_type(member, json_type_int) ? json_object_get_uint64(member) : 0;
}

static void
add_plain(struct text *text, const char *value, size_t most)
{
	size_t length = strlen(value);

	value_add(text, bytes_of(value, length < most ? length : most), VALUE_PLAIN);
	if (length > most)
		text_add(text, "...");
}

char *
flow_lines_endpoint(struct json_object *flow, const char *side)
{
	struct json_object *end = flow_lines_member(flow, side);
	const char *ip = flow_lines_string(end, "ip");
	uint64_t port = flow_lines_count(end, "port", 0);
	bool brackets = port && strchr(ip, ':');
	struct text text = { 0 };

	text_add(&text, brackets ? "[" : "");
	add_plain(&text, *ip ? ip : "-", VALUE_MAX);
	text_add(&text, brackets ? "]" : "");
	if (port)
		text_printf(&text, ":%u", (unsigned)port);
	return text_steal(&text);
}

char *
flow_lines_stack(struct json_object *flow)
{
	struct json_object *path = flow_lines_member(flow, "path");
	struct json_object *stack = flow_lines_member(flow, "stack");
	const char *protocol = flow_lines_string(flow, "protocol"), *last = "";
	const char *evidence = flow_lines_string(flow, "evidence");
	struct text text = { 0 };

	for (size_t i = 0;
	     json_object_is_type(path, json_type_array) && i < json_object_array_length(path);
	     i++) {
		struct json_object *hop = json_object_array_get_idx(path, i);
		uint64_t id = flow_lines_count(hop, "id", 0);

		add_plain(&text, flow_lines_string(hop, "layer"), VALUE_MAX);
		if (id)
			text_printf(&text, ":%ju", (uintmax_t)id);
		text_char(&text, '/');
	}
	for (size_t i = 1;
	     json_object_is_type(stack, json_type_array) && i < json_object_array_length(stack);
	     i++) {
		struct json_object *name = json_object_array_get_idx(stack, i);

		last = json_object_is_type(name, json_type_string)
			       ? json_object_get_string(name)
			       : "";
		text_add(&text, i > 1 ? "/" : "");
		add_plain(&text, last, VALUE_MAX);
	}
	if (strcmp(last, protocol) != 0) {
		text_add(&text, *last ? "/" : "");
		add_plain(&text, protocol, VALUE_MAX);
	}
	if (strcmp(evidence, "port") == 0 || strcmp(evidence, "learned") == 0)
		text_char(&text, '?');
	return text_steal(&text);
}

char *
flow_lines_fields(struct json_object *flow)
{
	struct json_object *fields = flow_lines_member(flow, "fields");
	struct text text = { 0 };

	if (!json_object_is_type(fields, json_type_object))
		return text_steal(&text);
	json_object_object_foreach(fields, name, value)
	{
		if (text.len > FIELDS_MAX) {
			text_add(&text, " ...");
			break;
		}
		if (json_object_is_type(value, json_type_array))
			value = json_object_array_get_idx(value, 0);
		text_add(&text, text.len ? " " : "");
		add_plain(&text, name, VALUE_MAX);
		text_char(&text, '=');
		add_plain(&text,
			  json_object_is_type(value, json_type_string)
				  ? json_object_get_string(value)
				  : "",
			  VALUE_MAX);
	}
	return text_steal(&text);
}
