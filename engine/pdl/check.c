/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/check.h"
#include "pdl/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Something that one protocol alone may have: a name, an id, an index. */
struct claim {
	enum { CLAIM_NAME, CLAIM_ID, CLAIM_INDEX } kind;
	const char *name;
	uint64_t number;
	size_t order; /* of the tree: the later one is at fault */
	const struct pdl_tree *tree;
	struct pdl_pos pos;
};

static int
compare_what(const struct claim *a, const struct claim *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->kind == CLAIM_NAME)
		return strcmp(a->name, b->name);
	return a->number < b->number ? -1 : a->number > b->number;
}

static int
compare_claims(const void *left, const void *right)
{
	const struct claim *a = left, *b = right;
	int order = compare_what(a, b);

	if (order != 0 || a->order == b->order)
		return order;
	return a->order < b->order ? -1 : 1;
}

static size_t
claim_all(struct claim *claims, struct pdl_tree *const *trees, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		const struct pdl_tree *tree = trees[i];
		const struct pdl_protocol *protocol = &tree->protocol;
		const struct pdl_pos *alias_at = tree->alias_at.items;

		claims[n++] =
			(struct claim){ CLAIM_NAME, protocol->name, 0, i, tree, tree->name_at };
		for (unsigned j = 0; j < protocol->alias_count; j++)
			claims[n++] = (struct claim){ CLAIM_NAME, protocol->aliases[j], 0, i,
						      tree,       alias_at[j] };
		if (tree->id_at.line != 0)
			claims[n++] = (struct claim){
				CLAIM_ID,
				NULL,
				(uint64_t)protocol->id_engine << 32 | protocol->id_selector,
				i,
				tree,
				tree->id_at
			};
		if (tree->index_at.line != 0)
			claims[n++] = (struct claim){ CLAIM_INDEX, NULL, protocol->index,
						      i,           tree, tree->index_at };
	}
	return n;
}

static void
tell_clash(struct barn_faults *faults, const struct claim *first, const struct claim *again)
{
	const char *file = again->tree->protocol.file;
	char what[64];

	if (again->kind == CLAIM_NAME)
		snprintf(what, sizeof(what), "name '%.40s'", again->name);
	else if (again->kind == CLAIM_INDEX)
		snprintf(what, sizeof(what), "index %" PRIu64, again->number);
	else
		snprintf(what, sizeof(what), "id %" PRIu64 ":%" PRIu64, again->number >> 32,
			 again->number & UINT32_MAX);
	diag_add(faults, file, again->pos, "%s is taken by protocol '%s', %s:%" PRIu32, what,
		 first->tree->protocol.name, first->tree->protocol.file, first->pos.line);
}

static const struct claim *
find_name(const struct claim *claims, size_t count, const char *name)
{
	struct claim key = { .kind = CLAIM_NAME, .name = name };
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = compare_what(&key, &claims[middle]);

		if (order == 0)
			return &claims[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* The name that was meant; NULL: none, or no memory to look for it. */
static const char *
nearest_name(const struct claim *claims, size_t count, const char *name)
{
	const char **names = calloc(count, sizeof(*names)), *nearest;
	size_t n = 0;

	for (size_t i = 0; names && i < count && claims[i].kind == CLAIM_NAME; i++)
		names[n++] = claims[i].name;
	nearest = words_nearest(names, n, name);
	free(names);
	return nearest;
}

static void
check_reference(const char *file, const struct pdl_reference *reference,
		const struct claim *claims, size_t count, struct barn_faults *faults)
{
	const char *nearest;

	if (find_name(claims, count, reference->name))
		return;
	nearest = nearest_name(claims, count, reference->name);
	if (nearest)
		diag_add(faults, file, reference->pos,
			 "'%s': there is no such protocol, expected '%s'?", reference->name,
			 nearest);
	else
		diag_add(faults, file, reference->pos, "'%s': there is no such protocol",
			 reference->name);
}

static void
check_references(struct pdl_tree *const *trees, size_t count, const struct claim *claims,
		 size_t claim_count, struct barn_faults *faults)
{
	for (size_t i = 0; i < count; i++) {
		const struct pdl_reference *references = trees[i]->references.items;

		for (unsigned j = 0; j < trees[i]->references.count; j++)
			check_reference(trees[i]->protocol.file, &references[j], claims,
					claim_count, faults);
	}
}

static const struct pdl_tree *
find_tree(const struct claim *claims, size_t count, const char *name)
{
	const struct claim *claim = find_name(claims, count, name);

	return claim ? claim->tree : NULL;
}

/*
 * Follows `over` from a protocol, at most as far as there are protocols: a circle leads back to
 * where it began. Each step takes the first way that has not been seen to end.
 */
static bool
leads_back(const struct pdl_tree *from, const struct pdl_tree *to, const struct claim *claims,
	   size_t count, unsigned depth)
{
	for (unsigned i = 0; i < from->protocol.over_count; i++) {
		const struct pdl_tree *next = find_tree(claims, count, from->protocol.over[i]);

		if (next == to ||
		    (next && depth > 0 && leads_back(next, to, claims, count, depth - 1)))
			return true;
	}
	return false;
}

static void
check_over(struct pdl_tree *const *trees, size_t count, const struct claim *claims,
	   size_t claim_count, struct barn_faults *faults)
{
	enum { DEPTH = 4 }; /* of protocols over protocols */

	for (size_t i = 0; i < count; i++)
		if (leads_back(trees[i], trees[i], claims, claim_count, DEPTH))
			diag_add(faults, trees[i]->protocol.file, trees[i]->name_at,
				 "protocol '%s' is over itself", trees[i]->protocol.name);
}

enum barn_err
check_set(struct pdl_tree *const *trees, size_t count, struct barn_faults *faults)
{
	uint32_t before = faults->count;
	struct claim *claims;
	size_t room = 1, n;

	for (size_t i = 0; i < count; i++)
		room += 3 + trees[i]->protocol.alias_count;
	claims = calloc(room, sizeof(*claims));
	if (!claims)
		return BARN_ERR_MEMORY;
	n = claim_all(claims, trees, count);
	qsort(claims, n, sizeof(*claims), compare_claims);
	for (size_t i = 1, first = 0; i < n; i++) {
		if (compare_what(&claims[first], &claims[i]) == 0)
			tell_clash(faults, &claims[first], &claims[i]);
		else
			first = i;
	}
	check_references(trees, count, claims, n, faults);
	check_over(trees, count, claims, n, faults);
	free(claims);
	return faults->count > before ? BARN_ERR_TEXT : BARN_OK;
}
