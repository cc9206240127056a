/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_TREE_H
#define PDL_TREE_H

/*
 * What the parser makes of a text: each protocol with the places of what may be found wrong
 * later, and each rule as a tree of clauses, from which it is compiled and printed.
 */

#include "base/list.h"
#include "match/program.h"
#include "pdl/diag.h"
#include "pdl/pdl.h"

enum pdl_node_kind { PDL_TERM, PDL_NOT, PDL_ALL, PDL_ONE_OF };

struct pdl_node {
	uint8_t kind; /* enum pdl_node_kind */
	const struct pdl_node **kids;
	unsigned kid_count;
	struct program_term term; /* PDL_TERM */
};

struct pdl_sum {
	struct sum sum;
};

/* A protocol that is named, and must exist when the set is finished. */
struct pdl_reference {
	const char *name;
	struct pdl_pos pos;
};

struct pdl_unit;

struct pdl_tree {
	struct pdl_protocol protocol;
	struct pdl_unit *unit; /* that it lies in */
	struct pdl_pos name_at;
	struct pdl_pos title_at, id_at, index_at, reference_at,
		inspect_at; /* line 0: not given */
	/* Parallel to the arrays of the protocol, whose contents these become. */
	struct list aliases, alias_at, ndpi, over, hosts, attributes, ports, ip_protocols,
		ethertypes, rules, fields, subclasses, subclass_at, expects, upgrades, tests;
	struct list values, resolved, endpoints, confines; /* become .custom */
	struct list rule_at;    /* struct pdl_pos: names of the rules */
	struct list references; /* struct pdl_reference */
};

/*
 * All that came from one text, freed at once: when no set has a tree of it any more. Sets may
 * be freed by any thread.
 */
struct pdl_unit {
	_Atomic uint32_t refs; /* places in sets */
	struct arena *arena;
	struct list regexes; /* struct regex *, owned */
	struct list trees;   /* struct pdl_tree * */
};

#endif
