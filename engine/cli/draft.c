/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/draft.h"
#include <netinet/in.h>
#include <stdlib.h>

enum { RULES = 4, VECTORS = 3, WHOLE = 2048, STRAYS = 8 };

struct draft {
	const struct draft_options *options;
	struct arena *arena;
	struct draft_flow *flows;
	unsigned count;
	struct draft_flow **set; /* those that a rule is looked for in */
	struct text rules_text;
	unsigned rules;
	bool whole[2]; /* a rule asks for the length of this side */
};

/* Flows that were joined late show their middle, unless all were. */
static enum barn_err
add_flows(struct draft *d, const struct talk *const *talks, unsigned count)
{
	unsigned from_start = 0, n = 0;
	enum barn_err err = BARN_OK;

	d->flows = arena_array(d->arena, count, sizeof(*d->flows));
	d->set = arena_array(d->arena, count, sizeof(struct draft_flow *));
	if (!d->flows || !d->set)
		return BARN_ERR_MEMORY;
	for (unsigned i = 0; i < count && !err; i++) {
		err = draft_flow_init(&d->flows[d->count], talks[i], d->arena);
		from_start += !err && d->flows[d->count].count && d->flows[d->count].from_start;
		d->count += d->flows[d->count].count > 0;
	}
	for (unsigned i = 0; from_start && i < d->count; i++)
		if (d->flows[i].from_start)
			d->flows[n++] = d->flows[i];
	d->count = from_start ? n : d->count;
	return err ? err : d->count ? BARN_OK : BARN_ERR_MISSING;
}

/* By what flows are grouped where all together have too little in common. */
enum group { BY_NOTHING, BY_PORT, BY_BYTE, GROUPS };

static uint32_t
key_of(const struct draft_flow *flow, enum group group)
{
	const struct draft_message *m = draft_flow_message(flow, MATCH_CLIENT, 0);
	struct bytes b;

	if (group == BY_NOTHING)
		return 0;
	if (group == BY_PORT)
		return flow->talk->info.server.port;
	if (m) {
		b = m->data;
		return bytes_u8(&b);
	}
	m = draft_flow_message(flow, MATCH_SERVER, 0);
	b = m->data;
	return 256u + bytes_u8(&b);
}

/* Fills the set with the largest group; how many those are. */
static unsigned
choose(struct draft *d, uint8_t ip_proto, enum group group)
{
	unsigned best = 0, n;
	uint32_t key = 0;

	for (unsigned i = 0; i < d->count; i++) {
		uint32_t candidate = key_of(&d->flows[i], group);

		if (d->flows[i].done || d->flows[i].talk->info.ip_proto != ip_proto)
			continue;
		n = 0;
		for (unsigned k = i; k < d->count; k++)
			n += !d->flows[k].done && d->flows[k].talk->info.ip_proto == ip_proto &&
			     key_of(&d->flows[k], group) == candidate;
		if (n > best) {
			best = n;
			key = candidate;
		}
	}
	n = 0;
	for (unsigned i = 0; i < d->count; i++)
		if (!d->flows[i].done && d->flows[i].talk->info.ip_proto == ip_proto &&
		    key_of(&d->flows[i], group) == key)
			d->set[n++] = &d->flows[i];
	return n;
}

static unsigned
flows_over(const struct draft *d, uint8_t ip_proto)
{
	unsigned n = 0;

	for (unsigned i = 0; i < d->count; i++)
		n += d->flows[i].talk->info.ip_proto == ip_proto;
	return n;
}

static void
take(struct draft *d, const struct draft_rule *rule, unsigned count, uint8_t ip_proto)
{
	draft_rule_print(&d->rules_text, rule, ++d->rules, flows_over(d, ip_proto),
			 ip_proto == IPPROTO_TCP ? "tcp" : "udp");
	for (unsigned i = 0; i < count; i++)
		d->set[i]->done |= draft_rule_rests_on(rule, d->set[i]);
	for (unsigned side = 0; side < 2; side++)
		d->whole[side] |= rule->side[side].uses_length;
}

/* The grouping whose largest group tells most. GROUPS: none tells anything. */
static enum barn_err
find_group(struct draft *d, uint8_t ip_proto, enum group *best)
{
	double most = 0;

	*best = GROUPS;
	for (enum group g = BY_NOTHING; g < GROUPS; g++) {
		unsigned count = choose(d, ip_proto, g);
		struct draft_rule rule;
		enum barn_err err;

		if (count == 0)
			break;
		err = draft_rule_find(d->set, count, &rule);
		if (err)
			return err;
		if (draft_rule_score(&rule) > most) {
			most = draft_rule_score(&rule);
			*best = g;
		}
		draft_rule_fini(&rule);
	}
	return BARN_OK;
}

static enum barn_err
add_rule(struct draft *d, uint8_t ip_proto, bool *found)
{
	struct draft_rule rule;
	enum group group;
	unsigned count, of = flows_over(d, ip_proto);
	enum barn_err err = find_group(d, ip_proto, &group);

	*found = !err && group < GROUPS;
	if (!*found)
		return err;
	count = choose(d, ip_proto, group);
	/* A flow alone, among others, is as likely to be a stray. */
	*found = count > 1 || of == 1 || (of == 2 && choose(d, ip_proto, BY_NOTHING) == of);
	if (!*found)
		return BARN_OK;
	count = choose(d, ip_proto, group);
	err = draft_rule_find(d->set, count, &rule);
	if (err)
		return err;
	take(d, &rule, count, ip_proto);
	draft_rule_fini(&rule);
	return BARN_OK;
}

static enum barn_err
add_rules(struct draft *d)
{
	static const uint8_t protos[] = { IPPROTO_TCP, IPPROTO_UDP };
	enum barn_err err = BARN_OK;
	bool found;

	for (unsigned p = 0; p < 2; p++)
		for (unsigned i = 0; i < RULES && !err; i++) {
			err = add_rule(d, protos[p], &found);
			if (!found)
				break;
		}
	if (!err && d->rules == 0)
		text_add(&d->rules_text,
			 "\n    # No rule: their first bytes have nothing in common. They may "
			 "be of several\n    # protocols (choose some with --filter), or "
			 "enciphered from the start.\n");
	return err;
}

static bool
is_short(const struct draft *d, const struct draft_flow *flow)
{
	for (unsigned i = 0; i < flow->count && i < 2; i++)
		if (d->whole[flow->messages[i].dir] && flow->messages[i].length > WHOLE)
			return false;
	return true;
}

/* Flows whose first messages differ, as far as there are any. */
static void
add_vectors(const struct draft *d, struct text *text)
{
	const struct draft_flow *used[VECTORS];
	unsigned n = 0, k;

	for (unsigned i = 0; i < d->count && n < VECTORS; i++) {
		const struct draft_flow *flow = &d->flows[i];

		if (!flow->done || !is_short(d, flow))
			continue;
		for (k = 0; k < n; k++) {
			struct bytes a = used[k]->messages[0].data, b = flow->messages[0].data;

			if (bytes_left(&a) == bytes_left(&b) &&
			    memcmp(a.p, b.p, bytes_left(&a)) == 0)
				break;
		}
		if (k < n)
			continue;
		used[n++] = flow;
		text_printf(text, "\n    test \"flow %ju\" over %s {\n",
			    (uintmax_t)flow->talk->info.id,
			    flow->talk->info.ip_proto == IPPROTO_TCP ? "tcp" : "udp");
		draft_print_vector(text, d->options->name, flow, d->whole);
	}
}

static void
add_head(const struct draft *d, struct text *text)
{
	text_printf(
		text,
		"# Drafted by barn pdlm new from %u flow%s of %s.\n"
		"# It says what these have in common, not what the protocol's documents say. "
		"Read it,\n"
		"# strike out what is chance, and try it on other captures: barn pdlm test.\n",
		d->count, d->count == 1 ? "" : "s", d->options->source);
	text_printf(text,
		    "protocol %s {\n"
		    "    title      \"%s\"\n"
		    "    # id         6:%u\n"
		    "    # index      %u       # the next that is free; it must never change\n"
		    "    # reference  \"where the protocol is defined\"\n"
		    "    # attribute  category other, encrypted no, tunnel no\n",
		    d->options->name, d->options->name, d->options->next_index,
		    d->options->next_index);
}

/* Flows that no rule rests on may be another protocol's. */
static void
add_strays(const struct draft *d, struct text *text)
{
	unsigned strays = 0;

	for (unsigned i = 0; i < d->count; i++)
		strays += !d->flows[i].done;
	if (d->rules == 0 || strays == 0)
		return;
	text_printf(text,
		    "\n    # No rule holds for %u flow%s; another protocol's, or its:", strays,
		    strays == 1 ? "" : "s");
	for (unsigned i = 0, told = 0; i < d->count && told < STRAYS; i++)
		if (!d->flows[i].done)
			text_printf(text, "%s %ju", told++ ? "," : "",
				    (uintmax_t)d->flows[i].talk->info.id);
	text_add(text, strays > STRAYS ? ", ...\n" : ".\n");
}

static enum barn_err
write_module(struct draft *d, const struct talk *const *talks, unsigned count,
	     struct text *text)
{
	enum barn_err err = add_flows(d, talks, count);

	if (err)
		return err;
	add_head(d, text);
	if (!draft_facts_hosts(text, d->flows, d->count)) {
		err = add_rules(d);
		draft_facts_ports(text, d->flows, d->count);
		text_add(text, text_str(&d->rules_text));
		add_strays(d, text);
		add_vectors(d, text);
	}
	text_add(text, "}\n");
	return err ? err : text->failed || d->rules_text.failed ? BARN_ERR_MEMORY : BARN_OK;
}

enum barn_err
draft_module(const struct draft_options *options, const struct talk *const *talks,
	     unsigned count, struct text *module)
{
	struct draft d = { .options = options };
	enum barn_err err = arena_new(0, &d.arena);

	if (!err)
		err = write_module(&d, talks, count, module);
	text_fini(&d.rules_text);
	arena_free(d.arena);
	return err;
}
