/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_COMPILE_H
#define POLICY_COMPILE_H

/*
 * A policy from the inside, shared by the files that make it and by decide:
 *
 *	compile.c        maps, places, policers: the tree of stages
 *	compile_class.c  classes: formulas over tests
 *	access.c         access lists: their rules as tests
 *	header.c         (header.h) tests of a packet's headers
 *	policy.c         what others ask of a policy
 */

#include "policy/header.h"
#include "policy/match_set.h"
#include "policy/policy.h"

/* A test of a flow's protocol: a match statement, or an attribute. */
struct proto_test {
	struct match *match; /* NULL: it is an attribute */
	const char *key, *value;
	const char *text; /* `protocol ...` without `not` */
	uint16_t field;   /* whose values decide; UINT16_MAX: none's */
};

struct access;

/* A test of the five-tuple: one rule of an access list, or a whole list that asks no more. */
struct flow_test {
	const struct policy_rule *rule; /* NULL: the list */
	const struct access *access;
};

enum { ACCESS_PARTS = 4 };

struct access_rule {
	bool permit;
	uint32_t flow;                /* its test of the five-tuple */
	uint32_t parts[ACCESS_PARTS]; /* header tests, which must hold too */
	unsigned part_count;
};

struct access {
	const struct policy_access *list;
	bool whole; /* about the five-tuple alone: `flow` says it all */
	uint32_t flow;
	struct access_rule *rules;
	unsigned count;
};

struct formula;

struct condition {
	uint8_t test; /* enum policy_test, of which those of headers are POLICY_DSCP */
	bool not ;
	uint32_t number; /* of the protocol's or header's test */
	const struct formula *formula;
	const struct access *access;
};

struct formula {
	const struct policy_class *class_map;
	bool all;
	uint8_t mark; /* while it is made: 1; when done: 2 */
	struct condition *conditions;
	unsigned count;
};

/* A stage, with what decides in it. */
struct stage {
	struct policy_stage public;      /* first, so that both are one */
	const struct formula **formulas; /* by node; NULL: class-default */
};

struct policy {
	struct arena *arena;
	struct arena *owned; /* the model's; NULL: it is the caller's */
	const struct policy_model *model;
	struct registry *registry;
	struct list protos;  /* struct proto_test */
	struct list flows;   /* struct flow_test */
	struct list headers; /* struct header_test */
	struct list formulas;
	struct list accesses;     /* struct access * */
	struct list places;       /* struct policy_place_at */
	struct list counter_keys; /* uint64_t, by counter */
	struct list nodes;        /* struct policy_node *: all of them, in order of counters */
	struct list maps_asked;   /* names of maps that were compiled, for faults once */
	const struct policy_stage **at; /* by iface * 2 + output */
	uint16_t interfaces;
	struct header_tables tables;
	struct match_set *matches;
	bool asks_protocol;
};

/* The making of one. */
struct compile {
	struct policy *policy;
	const struct policy_options *options;
	struct barn_faults *faults;
	bool check; /* what no place uses, too */
};

void compile_fault(struct compile *c, const struct policy_place *place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
uint16_t compile_interface(const struct compile *c, const char *name); /* HEADER_NONE: none */

/* NULL and BARN_ERR_TEXT: a fault was told; NULL and BARN_OK never. */
enum barn_err compile_class(struct compile *c, const struct policy_class *class_map,
			    unsigned depth, const struct formula **formula);
enum barn_err access_compile(struct compile *c, const struct policy_access *list,
			     const struct access **access);
/* The number of an equal test, or of a new one. */
enum barn_err compile_header_test(struct compile *c, const struct header_test *test,
				  uint32_t *number);

/* Whether the test holds for packets that this end sends. */
bool access_flow_holds(const struct flow_test *test, const struct flow_key *key, unsigned from);

#endif
