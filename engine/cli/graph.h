/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_GRAPH_H
#define CLI_GRAPH_H

/*
 * How the modules of a set lead to each other: one announces flows of another, hands a
 * connection over to it, or carries it, where servers' names tell it. What an inspector in C
 * announces stands in no module's text, and is not here.
 */

#include "pdl/pdl.h"

enum graph_kind { GRAPH_EXPECT, GRAPH_UPGRADE, GRAPH_HOST, GRAPH_KINDS };

struct graph_edge {
	uint32_t from, to;  /* nodes */
	uint8_t kind;       /* enum graph_kind */
	uint8_t transports; /* GRAPH_EXPECT */
};

struct graph_node {
	const char *name;
	const struct pdl_protocol *module; /* NULL: "any", which stands for any protocol */
	bool shown;
	bool has_parent; /* an edge leads here */
};

struct graph {
	struct graph_node *nodes;
	struct graph_edge *edges;
	uint32_t node_count, edge_count, edge_room;
	bool failed;
};

enum barn_err graph_init(struct graph *graph, const struct pdl_set *modules);
void graph_fini(struct graph *graph);

/* Shows nodes that have edges (all: every node), or those that lead to this one or to which it
 * leads, by its name or alias. False: there is no such node. */
void graph_show_all(struct graph *graph, bool all);
bool graph_show(struct graph *graph, const char *name);

const char *graph_kind_name(enum graph_kind kind); /* "expect", "upgrade", "host" */

/* graph_print.c, on standard output. */
void graph_print_dot(const struct graph *graph);
void graph_print_text(const struct graph *graph, const char *name);
void graph_print_json(const struct graph *graph);

#endif
