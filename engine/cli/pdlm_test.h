/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_PDLM_TEST_H
#define CLI_PDLM_TEST_H

/*
 * What `barn pdlm test` tells of one flow: its verdict, and why the rules of the module hold or
 * do not. Text goes to standard output; JSON is an object that the caller owns.
 */

#include "base/text.h"
#include "cli/trial.h"
#include <json-c/json.h>

struct pdlm_test_flow {
	const struct talk *talk;
	const char *vector; /* the test's name and what it expects; NULL: a flow of a capture */
	const struct pdl_protocol *const *modules; /* those that are tested */
	unsigned count;
	struct regex_scratch *scratch;
};

enum barn_err pdlm_test_text(const struct pdlm_test_flow *flow);
enum barn_err pdlm_test_json(const struct pdlm_test_flow *flow, struct json_object **object);

/* Parts of the text, for others that explain: the flow with its verdict, a packet's numbers,
 * bytes as hex and text, and a rule with its terms. */
void pdlm_test_text_head(struct text *text, const struct pdlm_test_flow *flow);
void pdlm_test_text_packet(struct text *text, const struct talk_packet *packet);
void pdlm_test_text_bytes(struct text *text, struct bytes bytes);
void pdlm_test_text_rule(struct text *text, const struct pdl_protocol *module,
			 const struct trial *trial);

#endif
