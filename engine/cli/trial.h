/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_TRIAL_H
#define CLI_TRIAL_H

/*
 * A rule tried on a talk, packet by packet: whether it holds and since which packet, and the
 * same for each of its terms. What the terms are told to have found is of the talk's end, when
 * nothing more can come, and lives until trial_fini.
 */

#include "cli/talk.h"
#include "match/explain.h"
#include "pdl/pdl.h"

struct trial_term {
	struct explain_term told;        /* as it became true, or else at the end */
	const struct talk_packet *since; /* with which it became true; NULL: it is not */
	uint32_t from;      /* YES: where what it is true of begins, as told.window */
	struct bytes bytes; /* YES: what that is */
};

struct trial {
	const struct pdl_rule *rule;
	struct talk_view *view;
	enum match_answer answer;
	const struct talk_packet *since;
	struct trial_term terms[PROGRAM_TESTS];
};

enum barn_err trial_run(const struct pdl_rule *rule, const struct talk *talk,
			struct regex_scratch *scratch, struct trial *trial);
void trial_fini(struct trial *trial);

/* Whether rules over this transport are asked about the talk. */
bool trial_applies(const struct pdl_rule *rule, const struct talk *talk);

#endif
