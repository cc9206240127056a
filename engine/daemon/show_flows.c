/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/flow_format.h"
#include "daemon/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * show flows [protocol NAME] [host ADDRESS] [top N]: those in the tables now, the largest
 * first. Each lane is asked in turn, and looks at its table between two batches.
 */

enum { TOP = 20, TOP_MOST = 10000, FLOW_LINE = 65536 };

struct line {
	uint64_t bytes;
	char *text;
};

struct wanted {
	const char *protocol; /* NULL: any */
	bool has_host;
	uint8_t ip_version;
	uint8_t host[16];
	unsigned top;
	struct line *lines; /* sorted, the largest first */
	unsigned count, told;
	bool no_memory;
};

static bool
is_in_stack(const struct barn_flow_info *info, const char *protocol)
{
	for (unsigned i = 0; i < info->stack_len; i++)
		if (strcmp(info->stack[i], protocol) == 0)
			return true;
	return strcmp(info->protocol, protocol) == 0;
}

static bool
is_host(const struct barn_flow_info *info, const struct wanted *w)
{
	size_t n = w->ip_version == 4 ? 4 : 16;

	return info->ip_version == w->ip_version &&
	       (memcmp(info->client.address, w->host, n) == 0 ||
		memcmp(info->server.address, w->host, n) == 0);
}

/* Takes its place among the largest. */
static void
visit(void *self, const struct barn_flow *flow)
{
	struct barn_flow_info info;
	struct text text = { 0 };
	struct wanted *w = self;
	uint64_t bytes;
	unsigned at;

	barn_flow_info(flow, &info);
	bytes = info.bytes[0] + info.bytes[1];
	if (w->count == w->top && bytes <= w->lines[w->count - 1].bytes)
		return;
	if ((w->protocol && !is_in_stack(&info, w->protocol)) ||
	    (w->has_host && !is_host(&info, w)))
		return;
	flow_json(flow, &info, &text);
	if (text.failed || text.len > FLOW_LINE) {
		w->no_memory = true;
		text_fini(&text);
		return;
	}
	if (w->count == w->top)
		free(w->lines[--w->count].text);
	for (at = w->count; at > 0 && w->lines[at - 1].bytes < bytes; at--)
		w->lines[at] = w->lines[at - 1];
	w->lines[at] = (struct line){ bytes, text_steal(&text) };
	w->count++;
}

static void
look(void *self, struct worker *worker)
{
	worker_each(worker, visit, self);
}

/* False: the reply says what was wrong. */
static bool
read_words(struct command_call *call, struct wanted *w, struct reply *reply)
{
	for (unsigned i = 0; i < call->count; i += 2) {
		const char *word = call->words[i], *value = call->words[i + 1];
		char *end;

		if (!value) {
			reply_fail(reply, BARN_ERR_ARGUMENT, "'%s': expected a value", word);
			return false;
		}
		if (strcmp(word, "protocol") == 0) {
			w->protocol = value;
		} else if (strcmp(word, "host") == 0) {
			w->ip_version = strchr(value, ':') ? 6 : 4;
			w->has_host = true;
			if (inet_pton(w->ip_version == 6 ? AF_INET6 : AF_INET, value,
				      w->host) != 1) {
				reply_fail(reply, BARN_ERR_ARGUMENT,
					   "'%s': expected an address", value);
				return false;
			}
		} else if (strcmp(word, "top") == 0) {
			unsigned long n = strtoul(value, &end, 10);

			if (*end || n < 1 || n > TOP_MOST) {
				reply_fail(reply, BARN_ERR_ARGUMENT,
					   "'%s': expected a number from 1 to %d", value,
					   TOP_MOST);
				return false;
			}
			w->top = (unsigned)n;
		} else {
			reply_fail(reply, BARN_ERR_ARGUMENT,
				   "'%s': expected protocol, host or top", word);
			return false;
		}
	}
	return true;
}

static struct wanted *
collect(struct serve *s, struct command_call *call, struct reply *reply)
{
	struct wanted *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->top = TOP;
	if (!read_words(call, w, reply)) {
		free(w);
		return NULL;
	}
	w->lines = calloc(w->top, sizeof(*w->lines));
	w->no_memory = !w->lines;
	for (unsigned i = 0; w->lines && i < s->lane_count; i++)
		lane_run(s->lanes[i], look, w);
	return w;
}

enum command_after
show_flows(void *self, struct command_call *call, struct reply *reply)
{
	struct wanted *w = call->state;

	if (call->round == 0) {
		w = collect(self, call, reply);
		call->state = w;
	}
	if (!w)
		return COMMAND_DONE;
	for (; w->told < w->count; w->told++) {
		const char *text = w->lines[w->told].text;

		if (!text)
			continue;
		if (reply_room(reply) < strlen(text) + 1)
			return COMMAND_AGAIN;
		reply_add(reply, text, strlen(text));
		reply_add(reply, "\n", 1);
	}
	if (w->no_memory)
		reply_fail(reply, BARN_ERR_MEMORY, "flows are missing");
	return COMMAND_DONE;
}

void
show_flows_forget(void *self, void *state)
{
	struct wanted *w = state;

	(void)self;
	for (unsigned i = 0; i < w->count; i++)
		free(w->lines[i].text);
	free(w->lines);
	free(w);
}
