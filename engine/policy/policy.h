/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

/*
 * Policies, compiled: what policy/model.h says of all interfaces, with all names resolved.
 * Immutable, shared by all workers, replaced as a whole (policy/slot.h).
 *
 *	policy ──► place: interface and direction
 *		     └─► stage: a policy map there ──► node: a class of it ──► line: match ...
 *							 └─► stage: the child policy
 *
 * Every stage has nodes, counters and policers of its own, however often its map is used.
 * Counters are numbered: those of a node begin at node->counter (enum policy_counter), those
 * of a line and of a stage have one number.
 */

#include "classify/registry.h"
#include "policy/model.h"
#include "policy/police.h"
#include <barn/fault.h>

struct policy;

enum {
	POLICY_DEPTH = 4, /* of policies in policies; IOS has three levels */
	POLICY_CLASS_DEPTH = 16,
};

struct policy_interface {
	const char *name; /* its number is its place in the array: packet.iface */
	uint64_t
		speed_bps; /* for percentages; 0: unknown, which is a fault where one is used */
};

struct policy_options {
	const struct policy_interface *interfaces;
	uint16_t interface_count;
	bool no_hyperscan;
	bool check; /* maps and classes that no interface uses are compiled as well, for faults
		     */
};

/* From a node's first one on. Packets that were offered either passed or were dropped. */
enum policy_counter {
	POLICY_OFFERED,
	POLICY_PASSED,
	POLICY_DROPPED,
	POLICY_COLOURED, /* by enum policy_colour, three of them */
	POLICY_COUNTERS = POLICY_COLOURED + POLICY_COLOURS
};

struct policy_line {
	const struct policy_statement *statement;
	uint32_t counter;
};

struct policy_stage;

struct policy_node {
	const char *name;                     /* of the class */
	const struct policy_class *class_map; /* NULL: class-default */
	const struct policy_entry *entry;     /* NULL: class-default that nobody wrote */
	const struct policy_stage *stage;     /* that it is part of */
	const struct policy_stage *child;     /* NULL: none */
	struct policy_line *lines;
	unsigned line_count;
	struct police *police; /* NULL: none */
	struct police *log;    /* limits lines of `log`; NULL: nothing is logged */
	uint32_t counter;
	uint32_t queue_mark; /* of a leaf of the queues, policy/queue.h; 0: none */
	uint16_t queue;      /* its HTB class; 0: none of its own */
	uint64_t key;        /* equal in another policy: the same class at the same place */
};

struct policy_stage {
	const struct policy_map *map;
	const struct policy_node *parent; /* NULL: the place's own */
	struct policy_node *nodes;        /* the last is class-default */
	unsigned count;
	uint32_t undecided; /* counter: first packets, which no class took yet */
	uint64_t key;
};

struct policy_place_at {
	const char *interface;
	uint16_t iface;
	bool output;
	const struct policy_stage *stage;
};

/*
 * BARN_ERR_TEXT: the faults say where and why. The model must outlive the policy (policy_own);
 * of the registry it holds a reference. Attachments to interfaces that are not among the
 * options' are not in force.
 */
enum barn_err policy_new(const struct policy_model *model, struct registry *registry,
			 const struct policy_options *options, struct policy **policy,
			 struct barn_faults *faults);
void policy_free(struct policy *policy); /* of NULL: nothing */
/* From now on the arena, the model's, is freed with the policy. */
void policy_own(struct policy *policy, struct arena *arena);

/*
 * Before the new policy is published: classes that are the same, at the same place, and policed
 * the same, go on with the old one's buckets. Counters go on by themselves (policy/slot.h).
 */
void policy_carry(const struct policy *old, struct policy *fresh);

const struct policy_place_at *policy_places(const struct policy *policy, unsigned *count);
uint32_t policy_counter_count(const struct policy *policy);
/* NULL: no policy there. */
const struct policy_stage *policy_stage_at(const struct policy *policy, uint16_t iface,
					   bool output);

/* What is to be done with a packet. */
enum policy_fate {
	POLICY_FATE_FORWARD,
	POLICY_FATE_DROP,
	POLICY_FATE_REJECT,
	POLICY_FATE_HOLD
};

enum { POLICY_HAS_COS = 1, POLICY_HAS_QOS_GROUP = 2, POLICY_HAS_QUEUE = 4 };

/* The class that took the packet, and how: for explain. */
struct policy_step {
	const struct policy_node *node;
	uint16_t line;  /* of a match-any class: the first that holds; POLICY_LINE_ALL, NONE */
	uint8_t colour; /* enum policy_colour; POLICY_COLOURS: not policed */
};

enum { POLICY_LINE_ALL = 0xffff, POLICY_LINE_NONE = 0xfffe };

struct policy_verdict {
	uint8_t fate; /* enum policy_fate */
	uint8_t has;
	uint8_t tos, tos_mask; /* of the DS field; DSCP is the upper six bits */
	uint8_t cos;
	bool log;
	bool undecided; /* the protocol is not known, and no class took the packet yet */
	uint32_t qos_group;
	uint32_t mark, mark_mask;
	const char *mirror;                    /* a capture file; NULL: none */
	unsigned depth;                        /* 0: no policy there, or undecided */
	struct policy_step path[POLICY_DEPTH]; /* the outermost policy's first */
};

#endif
