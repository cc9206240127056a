/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/trial.h"
#include <netinet/in.h>

bool
trial_applies(const struct pdl_rule *rule, const struct talk *talk)
{
	switch (talk->info.ip_proto) {
	case IPPROTO_TCP: return rule->transports & PDL_TCP;
	case IPPROTO_UDP: return rule->transports & PDL_UDP;
	default: return false;
	}
}

/* What the side sent from the term's window on: all, or the datagram, or the line. */
static struct bytes
window_of(const struct trial *trial, const struct program_term *term,
	  const struct explain_term *told)
{
	const struct match_side *side = &trial->view->view.side[told->dir];
	struct bytes b = talk_view_bytes(trial->view, told->dir), line;
	uint32_t start = 0;

	if (trial->view->view.udp && told->datagram < side->datagrams) {
		start = told->datagram > 0 ? side->ends[told->datagram - 1] : 0;
		bytes_skip(&b, start);
		b = bytes_take(&b, side->ends[told->datagram] - start);
	}
	bytes_skip(&b, told->window);
	if (term->where == PROGRAM_LINE && bytes_line(&b, &line))
		return line;
	return b;
}

/*
 * The bytes that a term is true of: those that its cursor moved over, or what its last
 * expression matched; of comparisons alone, the window.
 */
static void
find_bytes(const struct trial *trial, const struct program_term *term, struct trial_term *t,
	   struct regex_scratch *scratch)
{
	const struct explain_term *told = &t->told;
	const struct program_alternative *one = &term->alternatives[told->alternative];
	struct bytes groups[REGEX_GROUPS], window = window_of(trial, term, told), b = window;
	uint32_t moved = told->offset > told->window ? told->offset - told->window : 0;

	t->from = told->window;
	t->bytes = moved ? bytes_take(&b, moved) : window;
	if (moved || !one->count || one->tests[one->count - 1].kind != PROGRAM_REGEX)
		return;
	if (regex_run(one->tests[one->count - 1].regex, scratch, window, true, groups) !=
	    MATCH_YES)
		return;
	t->from += (uint32_t)(groups[0].p - window.p);
	t->bytes = groups[0];
}

static void
take_answers(struct trial *trial, const struct explain_term *told,
	     const struct talk_packet *packet)
{
	if (trial->answer == MATCH_YES && !trial->since)
		trial->since = packet;
	for (unsigned i = 0; i < trial->rule->rule->term_count; i++) {
		struct trial_term *term = &trial->terms[i];

		if (term->told.answer == MATCH_YES)
			continue; /* for good */
		term->told = told[i];
		if (told[i].answer == MATCH_YES)
			term->since = packet;
	}
}

enum barn_err
trial_run(const struct pdl_rule *rule, const struct talk *talk, struct regex_scratch *scratch,
	  struct trial *trial)
{
	struct explain_term told[PROGRAM_TESTS];
	const struct talk_packet *packet;
	enum barn_err err;

	*trial = (struct trial){ .rule = rule };
	err = talk_view_new(talk, &trial->view);
	if (err)
		return err;
	do {
		packet = talk_view_next(trial->view);
		trial->answer = explain_rule(rule->rule, &trial->view->view, scratch, told);
		take_answers(trial, told, packet);
	} while (packet);
	for (unsigned i = 0; i < rule->rule->term_count; i++)
		if (trial->terms[i].told.answer == MATCH_YES && trial->terms[i].told.tried)
			find_bytes(trial, &rule->rule->terms[i], &trial->terms[i], scratch);
	return BARN_OK;
}

void
trial_fini(struct trial *trial)
{
	talk_view_free(trial->view);
	trial->view = NULL;
}
