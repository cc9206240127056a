/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/json_out.h"
#include "cli/pdlm_test.h"
#include "cli/value.h"
#include "pdl/why.h"

enum { SHOWN = 64 }; /* bytes */

static const char *const answers[] = { "no", "later", "yes" };

static void
add_since(struct json_object *object, const struct talk_packet *since)
{
	if (!since)
		return;
	json_out_number(object, "packet", since->number);
	if (since->frame)
		json_out_number(object, "frame", since->frame);
}

static void
add_bytes(struct json_object *object, const char *name, struct bytes b)
{
	size_t left = bytes_left(&b);

	json_out_hex(object, name, bytes_of(b.p, left < SHOWN ? left : SHOWN));
}

static struct json_object *
term_of(const struct trial *trial, unsigned i)
{
	const struct program_term *term = &trial->rule->rule->terms[i];
	const struct explain_term *told = &trial->terms[i].told;
	struct json_object *object = json_object_new_object();
	struct text text = { 0 };

	why_term(&text, term);
	json_out_string(object, "term", text_str(&text));
	json_out_string(object, "answer", answers[told->answer]);
	add_since(object, trial->terms[i].since);
	if (told->tried) {
		json_out_string(object, "side",
				told->dir == MATCH_CLIENT ? "client" : "server");
		if (trial->view->view.udp)
			json_out_number(object, "datagram", told->datagram);
		json_out_number(object, "from",
				told->answer == MATCH_YES ? trial->terms[i].from
							  : told->window);
		json_out_number(object, "offset", told->offset);
	}
	text_clear(&text);
	why_answer(&text, term, told, trial->view->view.udp);
	json_out_string(object, "why", text_str(&text));
	if (told->tried && told->answer == MATCH_YES)
		add_bytes(object, "bytes", trial->terms[i].bytes);
	else if (told->tried)
		add_bytes(object, "there", told->there);
	text_fini(&text);
	return object;
}

static struct json_object *
rule_of(const struct pdl_protocol *module, const struct trial *trial)
{
	static const char *const strengths[] = { "hint", "likely", "sure" };
	struct json_object *object = json_object_new_object(), *terms;

	json_out_string(object, "protocol", module->name);
	json_out_string(object, "rule", trial->rule->name);
	json_out_string(object, "strength", strengths[trial->rule->strength]);
	json_out_number(object, "line", trial->rule->line);
	json_out_bool(object, "holds", trial->answer == MATCH_YES);
	add_since(object, trial->since);
	terms = json_out_list(object, "terms");
	for (unsigned i = 0; i < trial->rule->rule->term_count; i++)
		json_object_array_add(terms, term_of(trial, i));
	return object;
}

static void
add_endpoint(struct json_object *object, const char *name, const struct barn_flow_info *info,
	     const struct barn_endpoint *end)
{
	struct json_object *endpoint = json_object_new_object();
	struct text text = { 0 };

	value_address(&text, info->ip_version, end->address);
	json_out_string(endpoint, "address", text_str(&text));
	json_out_number(endpoint, "port", end->port);
	json_object_object_add(object, name, endpoint);
	text_fini(&text);
}

static void
add_verdict(struct json_object *object, const struct barn_flow_info *info)
{
	struct json_object *stack;

	json_out_number(object, "flow", info->id);
	add_endpoint(object, "client", info, &info->client);
	add_endpoint(object, "server", info, &info->server);
	json_out_number(object, "packets", info->packets[0] + info->packets[1]);
	stack = json_out_list(object, "stack");
	for (unsigned i = 0; i < info->stack_len; i++)
		json_object_array_add(stack, json_object_new_string(info->stack[i]));
	json_out_string(object, "protocol", info->protocol);
	json_out_string(object, "by", info->by);
	json_out_string(object, "evidence", info->evidence);
	json_out_bool(object, "sure", info->sure);
	json_out_number(object, "decided_at", info->decided_at);
}

enum barn_err
pdlm_test_json(const struct pdlm_test_flow *flow, struct json_object **object)
{
	struct json_object *rules;
	enum barn_err err = BARN_OK;

	*object = json_object_new_object();
	if (flow->vector)
		json_out_string(*object, "test", flow->vector);
	else
		add_verdict(*object, &flow->talk->info);
	rules = json_out_list(*object, "rules");
	for (unsigned m = 0; m < flow->count; m++) {
		const struct pdl_protocol *module = flow->modules[m];

		for (unsigned i = 0; i < module->rule_count && !err; i++) {
			struct trial trial;

			if (!trial_applies(&module->rules[i], flow->talk))
				continue;
			err = trial_run(&module->rules[i], flow->talk, flow->scratch, &trial);
			if (err)
				break;
			json_object_array_add(rules, rule_of(module, &trial));
			trial_fini(&trial);
		}
	}
	if (err)
		json_object_put(*object);
	return err;
}
