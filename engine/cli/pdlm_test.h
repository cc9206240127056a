/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_PDLM_TEST_H
#define CLI_PDLM_TEST_H

/*
 * What `barn pdlm test` tells of one flow: its verdict, and why the rules of the module hold or
 * do not. Text goes to standard output; JSON is an object that the caller owns.
 */

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

#endif
