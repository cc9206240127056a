/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/graph.h"
#include <stdlib.h>

enum { ANY = 0 }; /* the node of any protocol */

static uint32_t
find(const struct graph *g, const char *name)
{
	for (uint32_t i = 1; i < g->node_count; i++) {
		const struct pdl_protocol *p = g->nodes[i].module;

		if (strcmp(g->nodes[i].name, name) == 0)
			return i;
		for (unsigned a = 0; a < p->alias_count; a++)
			if (strcmp(p->aliases[a], name) == 0)
				return i;
	}
	return ANY;
}

static void
add_edge(struct graph *g, uint32_t from, uint32_t to, enum graph_kind kind, uint8_t transports)
{
	struct graph_edge *edges = g->edges;

	for (uint32_t i = 0; i < g->edge_count; i++)
		if (edges[i].from == from && edges[i].to == to && edges[i].kind == kind) {
			edges[i].transports |= transports;
			return;
		}
	if (g->edge_count == g->edge_room) {
		g->edge_room = g->edge_room ? 2 * g->edge_room : 64;
		edges = realloc(edges, g->edge_room * sizeof(*edges));
		if (!edges) {
			g->failed = true;
			g->edge_room = g->edge_count;
			return;
		}
		g->edges = edges;
	}
	edges[g->edge_count++] = (struct graph_edge){ from, to, (uint8_t)kind, transports };
	g->nodes[to].has_parent = true;
}

static void
add_edges(struct graph *g, uint32_t node)
{
	const struct pdl_protocol *p = g->nodes[node].module;

	for (unsigned i = 0; i < p->expect_count; i++)
		add_edge(g, node, find(g, p->expects[i].protocol), GRAPH_EXPECT,
			 p->expects[i].transports);
	for (unsigned i = 0; i < p->upgrade_count; i++)
		add_edge(g, node,
			 p->upgrades[i].protocol ? find(g, p->upgrades[i].protocol) : ANY,
			 GRAPH_UPGRADE, 0);
	for (unsigned i = 0; p->host_count && i < p->over_count; i++)
		add_edge(g, find(g, p->over[i]), node, GRAPH_HOST, 0);
	if (p->host_count && !p->over_count)
		add_edge(g, ANY, node, GRAPH_HOST, 0);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct graph_node *)a)->name,
		      ((const struct graph_node *)b)->name);
}

enum barn_err
graph_init(struct graph *g, const struct pdl_set *modules)
{
	size_t count = pdl_set_count(modules);

	*g = (struct graph){ .node_count = 1 };
	g->nodes = calloc(count + 1, sizeof(*g->nodes));
	if (!g->nodes)
		return BARN_ERR_MEMORY;
	g->nodes[ANY].name = "any";
	for (size_t i = 0; i < count; i++) {
		struct graph_node *node = &g->nodes[g->node_count++];

		node->module = pdl_set_at(modules, i);
		node->name = node->module->name;
	}
	qsort(g->nodes + 1, count, sizeof(*g->nodes), by_name);
	for (uint32_t i = 1; i < g->node_count; i++)
		add_edges(g, i);
	return g->failed ? BARN_ERR_MEMORY : BARN_OK;
}

void
graph_fini(struct graph *g)
{
	free(g->nodes);
	free(g->edges);
	*g = (struct graph){ .node_count = 0 };
}

void
graph_show_all(struct graph *g, bool all)
{
	for (uint32_t i = 1; i < g->node_count; i++)
		g->nodes[i].shown = all;
	for (uint32_t i = 0; i < g->edge_count; i++)
		g->nodes[g->edges[i].from].shown = g->nodes[g->edges[i].to].shown = true;
}

/* Along the edges, or against them, until nothing is new. */
static void
spread(struct graph *g, uint32_t start, bool along, bool *seen)
{
	bool more = true;

	memset(seen, 0, g->node_count * sizeof(*seen));
	seen[start] = true;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < g->edge_count; i++) {
			uint32_t from = along ? g->edges[i].from : g->edges[i].to;
			uint32_t to = along ? g->edges[i].to : g->edges[i].from;

			if (!seen[from] || seen[to] || from == ANY)
				continue;
			seen[to] = more = true;
		}
	}
	for (uint32_t i = 0; i < g->node_count; i++)
		g->nodes[i].shown |= seen[i];
}

bool
graph_show(struct graph *g, const char *name)
{
	uint32_t start = find(g, name);
	bool *seen = start == ANY ? NULL : calloc(g->node_count, sizeof(*seen));

	if (!seen)
		return false;
	spread(g, start, true, seen);
	spread(g, start, false, seen);
	free(seen);
	return true;
}

const char *
graph_kind_name(enum graph_kind kind)
{
	static const char *const names[GRAPH_KINDS] = { "expect", "upgrade", "host" };

	return kind < GRAPH_KINDS ? names[kind] : "";
}
