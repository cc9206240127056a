/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/doubt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

/* A server's name, nDPI's name or a number of frames, and who claims it. */
struct claim {
	const char *what;
	const char *name;
	uint32_t number;
	size_t order;
	const struct pdl_tree *tree;
};

static int
compare_values(const struct claim *a, const struct claim *b)
{
	int order = strcmp(a->what, b->what);

	if (order == 0 && a->name && b->name)
		return strcasecmp(a->name, b->name);
	if (order == 0)
		return a->number < b->number ? -1 : a->number > b->number;
	return order;
}

static int
compare_claims(const void *left, const void *right)
{
	const struct claim *a = left, *b = right;
	int order = compare_values(a, b);

	if (order != 0 || a->order == b->order)
		return order;
	return a->order < b->order ? -1 : 1;
}

static size_t
claim_all(struct claim *claims, struct pdl_tree *const *trees, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const struct pdl_protocol *p = &trees[i]->protocol;

		for (unsigned j = 0; j < p->host_count; j++)
			claims[n++] = (struct claim){ "host", p->hosts[j], 0, i, trees[i] };
		for (unsigned j = 0; j < p->ndpi_count; j++)
			claims[n++] = (struct claim){ "ndpi", p->ndpi[j], 0, i, trees[i] };
		for (unsigned j = 0; j < p->ip_protocol_count; j++)
			claims[n++] = (struct claim){ "ip-protocol", NULL, p->ip_protocols[j],
						      i, trees[i] };
		for (unsigned j = 0; j < p->ethertype_count; j++)
			claims[n++] = (struct claim){ "ethertype", NULL, p->ethertypes[j], i,
						      trees[i] };
	}
	return n;
}

/* Both may hold for one flow: neither is confined, or both to one protocol. */
static bool
meet(const struct pdl_protocol *a, const struct pdl_protocol *b)
{
	if (a->over_count == 0 || b->over_count == 0)
		return true;
	for (unsigned i = 0; i < a->over_count; i++)
		for (unsigned j = 0; j < b->over_count; j++)
			if (strcmp(a->over[i], b->over[j]) == 0)
				return true;
	return false;
}

static void
tell_both(struct barn_faults *warnings, const struct claim *first, const struct claim *again)
{
	const struct pdl_protocol *a = &first->tree->protocol, *b = &again->tree->protocol;

	if (first->tree == again->tree)
		return;
	if (strcmp(first->what, "host") == 0 && !meet(a, b))
		return;
	if (first->name)
		diag_add(warnings, b->file, again->tree->name_at,
			 "%s \"%s\" is also that of protocol '%s', %s:%" PRIu32, first->what,
			 first->name, a->name, a->file, a->line);
	else
		diag_add(warnings, b->file, again->tree->name_at,
			 "%s %" PRIu32 " is also that of protocol '%s', %s:%" PRIu32,
			 first->what, first->number, a->name, a->file, a->line);
}

static enum barn_err
doubt_claims(struct pdl_tree *const *trees, size_t count, struct barn_faults *warnings)
{
	struct claim *claims;
	size_t room = 1, n;

	for (size_t i = 0; i < count; i++) {
		const struct pdl_protocol *p = &trees[i]->protocol;

		room += p->host_count + p->ndpi_count + p->ip_protocol_count +
			p->ethertype_count;
	}
	claims = calloc(room, sizeof(*claims));
	if (!claims)
		return BARN_ERR_MEMORY;
	n = claim_all(claims, trees, count);
	qsort(claims, n, sizeof(*claims), compare_claims);
	for (size_t i = 1, first = 0; i < n; i++) {
		if (compare_values(&claims[first], &claims[i]) == 0)
			tell_both(warnings, &claims[first], &claims[i]);
		else
			first = i;
	}
	free(claims);
	return BARN_OK;
}

static bool
names(const struct pdl_protocol *by, const char *name)
{
	for (unsigned i = 0; i < by->expect_count; i++)
		if (strcmp(by->expects[i].protocol, name) == 0)
			return true;
	for (unsigned i = 0; i < by->upgrade_count; i++)
		if (by->upgrades[i].protocol && strcmp(by->upgrades[i].protocol, name) == 0)
			return true;
	for (unsigned i = 0; i < by->test_count; i++)
		if (strcmp(by->tests[i].expect, name) == 0)
			return true;
	return false;
}

/* Whether anything can name a flow so: its own items, or others' announcements and tests. */
static bool
is_found(struct pdl_tree *const *trees, size_t count, const struct pdl_protocol *p)
{
	if (p->rule_count || p->port_count || p->host_count || p->ndpi_count ||
	    p->ip_protocol_count || p->ethertype_count || p->inspect || p->custom.value_count ||
	    p->custom.resolved_count || p->custom.endpoint_count)
		return true;
	for (size_t i = 0; i < count; i++) {
		if (names(&trees[i]->protocol, p->name))
			return true;
		for (unsigned j = 0; j < p->alias_count; j++)
			if (names(&trees[i]->protocol, p->aliases[j]))
				return true;
	}
	return false;
}

/* Whether there is something for flows of it; a mere name may be an inspector's to give. */
static bool
reads(const struct pdl_protocol *p)
{
	return p->field_count || p->subclass_count || p->expect_count || p->upgrade_count ||
	       p->test_count || p->over_count;
}

enum barn_err
doubt_set(struct pdl_tree *const *trees, size_t count, struct barn_faults *warnings)
{
	for (size_t i = 0; i < count; i++) {
		const struct pdl_protocol *p = &trees[i]->protocol;

		if (reads(p) && !is_found(trees, count, p))
			diag_add(
				warnings, p->file, trees[i]->name_at,
				"nothing tells how protocol '%s' is recognised: no rule, port, "
				"host, ndpi, ...",
				p->name);
		if (p->over_count && !p->host_count && !p->port_count && !p->custom.value_count)
			diag_add(warnings, p->file, trees[i]->name_at,
				 "'over' does nothing without 'host' or 'port'");
	}
	return doubt_claims(trees, count, warnings);
}
