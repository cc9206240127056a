/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/graph.h"
#include "cli/json_out.h"
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH = 16 };

static bool
is_shown(const struct graph *g, const struct graph_edge *e)
{
	return g->nodes[e->from].shown && g->nodes[e->to].shown;
}

/* What a double-quoted string of Graphviz may hold. */
static void
print_quoted(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putchar('\\');
		putchar(*s);
	}
	putchar('"');
}

static void
print_transports(uint8_t transports)
{
	const char *between = " ";

	if (transports & PDL_TCP) {
		printf("%stcp", between);
		between = ",";
	}
	if (transports & PDL_UDP)
		printf("%sudp", between);
}

void
graph_print_dot(const struct graph *g)
{
	static const char *const styles[GRAPH_KINDS] = { "solid", "bold", "dashed" };

	puts("digraph barn {\n\trankdir=LR;\n\tnode [shape=box];");
	for (uint32_t i = 0; i < g->node_count; i++) {
		const struct pdl_protocol *p = g->nodes[i].module;

		if (!g->nodes[i].shown)
			continue;
		printf("\t");
		print_quoted(g->nodes[i].name);
		if (!p)
			printf(" [shape=ellipse]");
		else if (p->title) {
			printf(" [tooltip=");
			print_quoted(p->title);
			printf("]");
		}
		puts(";");
	}
	for (uint32_t i = 0; i < g->edge_count; i++) {
		const struct graph_edge *e = &g->edges[i];

		if (!is_shown(g, e))
			continue;
		printf("\t");
		print_quoted(g->nodes[e->from].name);
		printf(" -> ");
		print_quoted(g->nodes[e->to].name);
		printf(" [label=\"%s", graph_kind_name(e->kind));
		print_transports(e->transports);
		printf("\", style=%s];\n", styles[e->kind]);
	}
	puts("}");
}

static void
print_aliases(const struct pdl_protocol *p)
{
	for (unsigned i = 0; p && i < p->alias_count; i++)
		printf("%s%s", i ? ", " : " (", p->aliases[i]);
	printf("%s\n", p && p->alias_count ? ")" : "");
}

/* A node's children are told once; later it stands alone, with dots. */
static void
print_below(const struct graph *g, uint32_t node, unsigned depth, bool *told)
{
	bool again = told[node];

	told[node] = true;
	for (uint32_t i = 0; i < g->edge_count; i++) {
		const struct graph_edge *e = &g->edges[i];

		if (e->from != node || !is_shown(g, e))
			continue;
		printf("%*s", (int)(4 * depth), "");
		if (again || depth > DEPTH) {
			puts("...");
			return;
		}
		printf("%s", graph_kind_name(e->kind));
		print_transports(e->transports);
		printf(": %s", g->nodes[e->to].name);
		print_aliases(g->nodes[e->to].module);
		if (e->to != 0)
			print_below(g, e->to, depth + 1, told);
	}
}

static bool
leads_on(const struct graph *g, uint32_t node)
{
	for (uint32_t i = 0; i < g->edge_count; i++)
		if (g->edges[i].from == node)
			return true;
	return false;
}

void
graph_print_text(const struct graph *g, const char *name)
{
	bool *told = calloc(g->node_count, sizeof(*told));

	/* Roots first; what is left then lies on rings. */
	for (unsigned pass = 0; told && pass < 2; pass++)
		for (uint32_t i = 0; i < g->node_count; i++) {
			const struct graph_node *n = &g->nodes[i];

			if (!n->shown || told[i] || (pass == 0 && n->has_parent && i) ||
			    (pass == 1 && !leads_on(g, i)) || (name && !i))
				continue;
			printf("%s", n->name);
			print_aliases(n->module);
			print_below(g, i, 1, told);
		}
	free(told);
}

static struct json_object *
node_of(const struct graph_node *node)
{
	struct json_object *object = json_object_new_object(), *aliases;
	const struct pdl_protocol *p = node->module;

	json_out_string(object, "name", node->name);
	json_out_string(object, "title", p && p->title ? p->title : "");
	aliases = json_out_list(object, "aliases");
	for (unsigned i = 0; p && i < p->alias_count; i++)
		json_object_array_add(aliases, json_object_new_string(p->aliases[i]));
	return object;
}

static struct json_object *
edge_of(const struct graph *g, const struct graph_edge *e)
{
	struct json_object *object = json_object_new_object(), *transports;

	json_out_string(object, "from", g->nodes[e->from].name);
	json_out_string(object, "to", g->nodes[e->to].name);
	json_out_string(object, "kind", graph_kind_name(e->kind));
	transports = json_out_list(object, "transports");
	if (e->transports & PDL_TCP)
		json_object_array_add(transports, json_object_new_string("tcp"));
	if (e->transports & PDL_UDP)
		json_object_array_add(transports, json_object_new_string("udp"));
	return object;
}

void
graph_print_json(const struct graph *g)
{
	struct json_object *object = json_object_new_object();
	struct json_object *nodes = json_out_list(object, "protocols");
	struct json_object *edges = json_out_list(object, "edges");

	for (uint32_t i = 0; i < g->node_count; i++)
		if (g->nodes[i].shown)
			json_object_array_add(nodes, node_of(&g->nodes[i]));
	for (uint32_t i = 0; i < g->edge_count; i++)
		if (is_shown(g, &g->edges[i]))
			json_object_array_add(edges, edge_of(g, &g->edges[i]));
	json_out_print(object);
}
