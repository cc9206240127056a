/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_ACCESS_H
#define CONF_ACCESS_H

/* Access lists while they are read. */

#include "conf/policy.h"

/* The model's, which comes first, and a remark that waits for its rule. */
struct access_list {
	struct policy_access access;
	const char *remark; /* NULL: none; several are parted by '\n' */
};

/* What stands behind permit or deny, to the end of the line. */
bool access_rule_read(struct line *line, const struct policy_access *access,
		      struct policy_rule *rule, struct text *text);

/* access_words.c: names and numbers. Each says what it was in the text, with a blank before. */
bool access_protocol(struct line *line, bool ip6, struct policy_rule *rule, struct text *text);
bool access_port(struct line *line, uint32_t *port);
bool access_is_port(const struct line *line);
/* A type of ICMP, and its code. */
bool access_icmp(struct line *line, bool ip6, struct policy_range *range, struct text *text);
bool access_is_icmp(const struct line *line, bool ip6);

#endif
