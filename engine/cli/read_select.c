/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_select.h"
#include "conf/words.h"
#include "policy/match_set.h"
#include "program/say.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct read_select {
	const char *protocol; /* by its own name, not an alias; NULL: any */
	unsigned match_count;
	struct match *match[READ_LIST_MAX]; /* statement i is bit i of flow->policy */
	pthread_mutex_t lock;               /* of scratch */
	struct match_set *set;
	struct rule_scratch *scratch;
};

/* What stands in stacks without being anybody's module. */
static const char *const layers[] = { "ethernet", "ip", "ipv6", "tcp", "udp", "unknown" };

enum { TYPED_MAX = 32 };

/* Letters to change, add or leave out to make the one of the other; at most `limit` + 1. */
static unsigned
distance(const char *typed, const char *name, unsigned limit)
{
	unsigned row[TYPED_MAX + 1];
	size_t n = strlen(typed), m = strlen(name);

	if (n > TYPED_MAX || m > n + limit)
		return limit + 1;
	for (unsigned i = 0; i <= n; i++)
		row[i] = i;
	for (size_t k = 0; k < m; k++) {
		unsigned corner = row[0]++;

		for (size_t i = 0; i < n; i++) {
			unsigned change = corner + (typed[i] != name[k]);
			unsigned step = (row[i] < row[i + 1] ? row[i] : row[i + 1]) + 1;

			corner = row[i + 1];
			row[i + 1] = change < step ? change : step;
		}
	}
	return row[n];
}

static int
no_protocol(const struct command *command, const struct registry *registry, const char *typed)
{
	unsigned best = strlen(typed) < 5 ? 2 : 3; /* what is too far */
	const char *meant = NULL;

	for (uint16_t i = 1; i < registry_count(registry); i++) {
		const char *name = registry_protocol(registry, i)->name;
		unsigned d = distance(typed, name, best);

		if (d < best) {
			best = d;
			meant = name;
		}
	}
	if (!meant)
		return say_usage(command->name, "--protocol %s: no such protocol", typed);
	return say_usage(command->name, "--protocol %s: no such protocol; did you mean %s?",
			 typed, meant);
}

static int
set_protocol(const struct command *command, const struct registry *registry, const char *name,
	     struct read_select *s)
{
	uint16_t number = registry_find(registry, name);

	if (number)
		s->protocol = registry_protocol(registry, number)->name;
	for (size_t i = 0; !s->protocol && i < sizeof(layers) / sizeof(layers[0]); i++)
		if (strcmp(layers[i], name) == 0)
			s->protocol = layers[i];
	return s->protocol ? 0 : no_protocol(command, registry, name);
}

static int
add_match(const struct command *command, const struct registry *registry, const char *line,
	  struct read_select *s)
{
	struct words *words = malloc(sizeof(*words));
	struct match_fault fault = { .column = 1 };
	const char *why = "out of memory";
	enum barn_err err;

	if (!words)
		return say_usage(command->name, "--match: %s", why);
	err = words_split(words, line, strlen(line), &fault.column, &why);
	if (!err) {
		err = match_new(registry, words->text, words->column, words->count,
				&s->match[s->match_count], &fault);
		why = err == BARN_ERR_TEXT ? fault.text : barn_strerror(err);
	}
	if (!err)
		s->match_count++;
	else
		say_usage(command->name, "--match, column %u: %s", fault.column, why);
	free(words);
	return err ? EXIT_USAGE : 0;
}

static enum barn_err
make_set(const struct registry *registry, const struct read_options *options,
	 struct read_select *s)
{
	enum barn_err err = match_set_new(registry_field_count(registry), &s->set);

	for (unsigned i = 0; i < s->match_count && !err; i++)
		err = match_set_add(s->set, s->match[i], i);
	if (!err)
		err = match_set_compile(s->set, options->modules.no_hyperscan);
	return err ? err : match_set_scratch(s->set, &s->scratch);
}

int
read_select_new(const struct command *command, const struct registry *registry,
		const struct read_options *options, struct read_select **select)
{
	struct read_select *s;
	int status = 0;

	*select = NULL;
	if (!options->protocol && !options->match_count)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	pthread_mutex_init(&s->lock, NULL);
	if (options->protocol)
		status = set_protocol(command, registry, options->protocol, s);
	for (unsigned i = 0; !status && i < options->match_count; i++)
		status = add_match(command, registry, options->match[i], s);
	if (!status && make_set(registry, options, s)) {
		say_error("out of memory");
		status = EXIT_FAILED;
	}
	if (status)
		read_select_free(s);
	else
		*select = s;
	return status;
}

void
read_select_free(struct read_select *s)
{
	if (!s)
		return;
	for (unsigned i = 0; i < s->match_count; i++)
		match_free(s->match[i]);
	rule_scratch_free(s->scratch);
	match_set_free(s->set);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

static bool
in_stack(const struct barn_flow_info *info, const char *name)
{
	for (unsigned i = 0; i < info->stack_len; i++)
		if (strcmp(info->stack[i], name) == 0)
			return true;
	return strcmp(info->protocol, name) == 0;
}

static void
note_fit(void *self, uint32_t number)
{
	struct flow *flow = self;

	flow->policy |= 1u << number;
}

void
read_select_value(struct read_select *s, struct flow *flow, uint16_t field, struct bytes value)
{
	if (!s || !s->match_count)
		return;
	pthread_mutex_lock(&s->lock);
	match_set_value(s->set, field, value, s->scratch, note_fit, flow);
	pthread_mutex_unlock(&s->lock);
}

bool
read_select_flow(struct read_select *s, const struct barn_flow *flow,
		 const struct barn_flow_info *info)
{
	bool holds = true;

	if (!s)
		return true;
	if (s->protocol && !in_stack(info, s->protocol))
		return false;
	for (unsigned i = 0; holds && i < s->match_count; i++)
		holds = match_holds(s->match[i], flow->flow, flow->flow->policy & 1u << i);
	return holds;
}

bool
read_select_protocol(const struct read_select *s, const char *name)
{
	return !s || !s->protocol || strcmp(s->protocol, name) == 0;
}

uint64_t
read_select_cuts(const struct read_select *s)
{
	return s && s->scratch ? rule_scratch_work(s->scratch).cuts : 0;
}
