/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/pdlm_test.h"
#include "cli/value.h"
#include "pdl/why.h"
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>

enum { SHOWN = 24 }; /* bytes */

static void
add_endpoint(struct text *text, const struct barn_flow_info *info,
	     const struct barn_endpoint *end)
{
	bool brackets = info->ip_version == 6 && end->port;

	text_add(text, brackets ? "[" : "");
	value_address(text, info->ip_version, end->address);
	text_add(text, brackets ? "]" : "");
	if (end->port)
		text_printf(text, ":%u", end->port);
}

void
pdlm_test_text_head(struct text *text, const struct pdlm_test_flow *flow)
{
	const struct barn_flow_info *info = &flow->talk->info;

	if (flow->vector) {
		text_printf(text, "test %s\n", flow->vector);
		return;
	}
	text_printf(text, "flow %" PRIu64 ": ", info->id);
	if (info->ip_version) {
		add_endpoint(text, info, &info->client);
		text_add(text, " > ");
		add_endpoint(text, info, &info->server);
	} else {
		text_printf(text, "ethertype 0x%04x", info->ethertype);
	}
	for (unsigned i = 1; i < info->stack_len; i++)
		text_printf(text, "%s%s", i > 1 ? "/" : ", ", info->stack[i]);
	text_printf(text, ", %" PRIu64 " packets\n", info->packets[0] + info->packets[1]);
	text_printf(text, "  verdict: %s", info->protocol);
	if (*info->by)
		text_printf(text, ", by %s", info->by);
	if (info->decided_at)
		text_printf(text, ", at packet %u", info->decided_at);
	text_char(text, '\n');
}

void
pdlm_test_text_packet(struct text *text, const struct talk_packet *packet)
{
	text_printf(text, "packet %u", packet->number);
	if (packet->frame)
		text_printf(text, " (frame %" PRIu64 ")", packet->frame);
}

/* Hex and text, side by side. */
void
pdlm_test_text_bytes(struct text *text, struct bytes b)
{
	size_t left = bytes_left(&b);
	struct bytes shown = bytes_of(b.p, left < SHOWN ? left : SHOWN), again = shown;

	while (bytes_left(&again))
		text_printf(text, " %02x", bytes_u8(&again));
	text_add(text, left > SHOWN ? " ...  |" : "  |");
	while (bytes_left(&shown)) {
		uint8_t byte = bytes_u8(&shown);

		text_char(text, byte >= ' ' && byte < 0x7f ? (char)byte : '.');
	}
	text_char(text, '|');
}

static void
add_term(struct text *text, const struct trial *trial, unsigned i)
{
	const struct program_term *term = &trial->rule->rule->terms[i];
	const struct explain_term *told = &trial->terms[i].told;
	const struct talk_packet *since = trial->terms[i].since;
	bool udp = trial->view->view.udp;

	text_add(text, "      ");
	why_term(text, term);
	text_add(text, "\n        ");
	if (told->answer != MATCH_YES) {
		why_answer(text, term, told, udp);
		if (told->tried && bytes_left(&told->there)) {
			text_add(text, "\n       ");
			pdlm_test_text_bytes(text, told->there);
		}
		text_char(text, '\n');
		return;
	}
	text_add(text, "yes, ");
	if (since)
		pdlm_test_text_packet(text, since);
	else
		text_add(text, "at the flow's end");
	if (told->tried) {
		text_printf(text, ", %s's ", told->dir == MATCH_CLIENT ? "client" : "server");
		if (udp)
			text_printf(text, "datagram %u, ", told->datagram);
		text_printf(text, "bytes from %" PRIu32 ":", trial->terms[i].from);
		pdlm_test_text_bytes(text, trial->terms[i].bytes);
	}
	text_char(text, '\n');
}

void
pdlm_test_text_rule(struct text *text, const struct pdl_protocol *module,
		    const struct trial *trial)
{
	static const char *const strengths[] = { "hint", "likely", "sure" };

	text_printf(text, "  %s: rule %s => %s: ", module->name, trial->rule->name,
		    strengths[trial->rule->strength]);
	if (trial->answer != MATCH_YES)
		text_add(text, "does not hold");
	else
		text_add(text, "holds since ");
	if (trial->since)
		pdlm_test_text_packet(text, trial->since);
	else if (trial->answer == MATCH_YES)
		text_add(text, "the flow's end");
	text_char(text, '\n');
	for (unsigned i = 0; i < trial->rule->rule->term_count; i++)
		add_term(text, trial, i);
}

/* What else the module goes by, where it has no rule to be tried. */
static void
add_no_rules(struct text *text, const struct pdl_protocol *module)
{
	const char *between = "";

	text_printf(text, "  %s: no rule over this transport", module->name);
	if (module->inspect || module->host_count || module->port_count || module->ndpi_count)
		between = "; it goes by ";
	if (module->inspect) {
		text_printf(text, "%sinspector %s", between, module->inspect);
		between = ", ";
	}
	if (module->host_count) {
		text_printf(text, "%sits servers' names", between);
		between = ", ";
	}
	if (module->ndpi_count) {
		text_printf(text, "%snDPI", between);
		between = ", ";
	}
	if (module->port_count)
		text_printf(text, "%sport", between);
	text_char(text, '\n');
}

static enum barn_err
add_module(struct text *text, const struct pdlm_test_flow *flow,
	   const struct pdl_protocol *module)
{
	unsigned tried = 0;

	for (unsigned i = 0; i < module->rule_count; i++) {
		struct trial trial;
		enum barn_err err;

		if (!trial_applies(&module->rules[i], flow->talk))
			continue;
		err = trial_run(&module->rules[i], flow->talk, flow->scratch, &trial);
		if (err)
			return err;
		pdlm_test_text_rule(text, module, &trial);
		trial_fini(&trial);
		tried++;
	}
	if (!tried)
		add_no_rules(text, module);
	return BARN_OK;
}

enum barn_err
pdlm_test_text(const struct pdlm_test_flow *flow)
{
	struct text text = { 0 };
	enum barn_err err = BARN_OK;

	pdlm_test_text_head(&text, flow);
	for (unsigned i = 0; i < flow->count && !err; i++)
		err = add_module(&text, flow, flow->modules[i]);
	if (flow->talk->more)
		text_printf(&text, "  only the first %u packets with payload are shown\n",
			    flow->talk->count);
	text_char(&text, '\n');
	if (text.failed)
		err = BARN_ERR_MEMORY;
	if (!err)
		fputs(text_str(&text), stdout);
	text_fini(&text);
	return err;
}
