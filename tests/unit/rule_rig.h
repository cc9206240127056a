/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_UNIT_RULE_RIG_H
#define BARN_TESTS_UNIT_RULE_RIG_H

/*
 * Rules from text, and what they say of a dialogue. A dialogue is messages: "c:GET /\n" is the
 * client's, "s:200\n" the server's; over TCP they are one stream a side, cut anywhere.
 */

#include "match/program.h"
#include "match/rule.h"
#include "pdl/pdl.h"
#include "unit.h"

#include <stdio.h>

struct rig_message {
	enum match_dir dir;
	const char *data;
	uint32_t len;
};

enum { RIG_BYTES = 8192, RIG_DATAGRAMS = 8 };

struct rig_view {
	struct match_view view;
	uint8_t data[2][RIG_BYTES];
	uint32_t ends[2][RIG_DATAGRAMS];
};

/* A module with this one rule, or NULL if it has a fault. */
__attribute__((unused)) static struct pdl_set *
rig_try(const char *over, const char *body, struct barn_faults *faults)
{
	struct pdl_set *set = NULL;
	char text[4096];
	int len = snprintf(text, sizeof(text),
			   "protocol p {\nrule r over %s { %s } => sure\n}\n", over, body);

	memset(faults, 0, sizeof(*faults));
	CHECK(len > 0 && (size_t)len < sizeof(text));
	CHECK_EQ(pdl_set_new(NULL, &set), BARN_OK);
	if (pdl_set_add(set, "test", text, (size_t)len, faults) == BARN_OK)
		return set;
	pdl_set_free(set);
	return NULL;
}

__attribute__((unused)) static struct pdl_set *
rig_rule(const char *over, const char *body, const struct rule **rule)
{
	struct barn_faults faults;
	struct pdl_set *set = rig_try(over, body, &faults);

	if (!set)
		printf("%u:%u: %s\n", faults.fault[0].line, faults.fault[0].column,
		       faults.fault[0].text);
	CHECK(set != NULL);
	*rule = pdl_set_at(set, 0)->rules[0].rule;
	CHECK(*rule != NULL);
	return set;
}

__attribute__((unused)) static void
rig_start(struct rig_view *rig, bool udp)
{
	memset(rig, 0, sizeof(*rig));
	rig->view.udp = udp;
	for (unsigned dir = 0; dir < 2; dir++) {
		rig->view.side[dir].data = rig->data[dir];
		rig->view.side[dir].ends = rig->ends[dir];
	}
}

/* A segment, or a datagram. */
__attribute__((unused)) static void
rig_send(struct rig_view *rig, const struct rig_message *m)
{
	struct match_side *side = &rig->view.side[m->dir], *other = &rig->view.side[!m->dir];

	if (!rig->view.first_known && m->len > 0) {
		rig->view.first_known = true;
		rig->view.first = (uint8_t)m->dir;
	}

	CHECK(side->len + m->len <= RIG_BYTES);
	if (side->datagrams == RIG_DATAGRAMS && rig->view.udp)
		return;
	memcpy(rig->data[m->dir] + side->len, m->data, m->len);
	side->len += m->len;
	if (rig->view.udp)
		rig->ends[m->dir][side->datagrams++] = side->len;
	if (other->len > 0)
		other->turn_over = true;
	if (!side->turn_over)
		side->turn = side->len;
}

__attribute__((unused)) static void
rig_close(struct rig_view *rig)
{
	rig->view.side[0].closed = rig->view.side[1].closed = true;
}

__attribute__((unused)) static struct regex_scratch *
rig_scratch(void)
{
	static struct regex_scratch *scratch;

	if (!scratch)
		CHECK_EQ(regex_scratch_new(&scratch), BARN_OK);
	return scratch;
}

#endif
