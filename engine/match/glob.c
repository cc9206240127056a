/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/glob.h"

#include "match/byteset.h"

#include <stdlib.h>

/*
 * A pattern is a small program whose states are followed all at once, so that nothing is tried
 * twice: for each byte of the text every state is visited at most once.
 */
enum op_kind {
	OP_SET,   /* one byte of the set, then the next op */
	OP_RUN,   /* any byte and stay, or go on with the next op */
	OP_FORK,  /* go on at `to` and at the next op */
	OP_JUMP,  /* go on at `to` */
	OP_MATCH, /* the text must end here */
};

struct op {
	uint8_t kind;
	uint16_t to;
	struct byteset set;
};

enum { OPS_MAX = 1024, DEPTH_MAX = 16 };

struct glob {
	uint16_t count;
	struct op ops[];
};

struct compiler {
	const char *pattern;
	size_t at;
	struct op *ops;
	uint16_t count;
	const char *fault;
};

/*
 * Puts an op in front of what stands at `at`, which moves. What leads to `at` then leads to the
 * new op: it begins the group, or the alternative, that stood there.
 */
static void
insert(struct compiler *c, uint16_t at, struct op op)
{
	if (c->count >= OPS_MAX) {
		c->fault = "the pattern is too long";
		return;
	}
	for (uint16_t i = c->count++; i > at; i--) {
		c->ops[i] = c->ops[i - 1];
		if ((c->ops[i].kind == OP_FORK || c->ops[i].kind == OP_JUMP) &&
		    c->ops[i].to > at)
			c->ops[i].to++;
	}
	c->ops[at] = op;
}

static void
append(struct compiler *c, struct op op)
{
	insert(c, c->count, op);
}

static void class(struct compiler *c)
{
	struct op op = { .kind = OP_SET };
	const char *p = c->pattern + c->at + 1;

	while (*p && *p != ']') {
		uint8_t low = (uint8_t)*p++, high = low;

		if (p[0] == '-' && p[1] && p[1] != ']') {
			high = (uint8_t)p[1];
			p += 2;
		}
		if (high < low) {
			c->fault = "the range is the wrong way round";
			return;
		}
		for (unsigned byte = low; byte <= high; byte++)
			byteset_add_caseless(&op.set, (uint8_t)byte);
	}
	if (!*p) {
		c->fault = "'[' without ']'";
		return;
	}
	if (byteset_empty(&op.set)) {
		c->fault = "'[]' holds nothing";
		return;
	}
	c->at = (size_t)(p + 1 - c->pattern);
	append(c, op);
}

static void
one(struct compiler *c)
{
	struct op op = { .kind = OP_SET };
	char ch = c->pattern[c->at];

	if (ch == '[') {
		class(c);
		return;
	}
	c->at++;
	if (ch == '*') {
		op.kind = OP_RUN;
	} else if (ch == '?') {
		op.set = BYTESET_ALL;
	} else {
		byteset_add_caseless(&op.set, (uint8_t)ch);
	}
	append(c, op);
}

/*
 * Alternatives: FORK second; first...; JUMP end; second...; the jumps to the end are known only
 * there, so each alternative's jump leads to the next one's until then.
 */
static void
alternatives(struct compiler *c)
{
	struct {
		uint16_t start; /* of this group's current alternative */
		uint16_t jumps; /* its jumps are the ops of `pending` from here on */
		size_t at;      /* of the parenthesis */
	} open[DEPTH_MAX + 1] = { { 0 } };
	uint16_t pending[OPS_MAX], pendings = 0;
	unsigned depth = 0;

	while (!c->fault) {
		char ch = c->pattern[c->at];

		if (ch == '(') {
			if (depth == DEPTH_MAX) {
				c->fault = "too many '(' in one another";
				break;
			}
			open[++depth].start = c->count;
			open[depth].jumps = pendings;
			open[depth].at = c->at++;
		} else if (ch == '|') {
			insert(c, open[depth].start,
			       (struct op){ .kind = OP_FORK, .to = (uint16_t)(c->count + 2) });
			append(c, (struct op){ .kind = OP_JUMP });
			if (c->fault)
				break;
			pending[pendings++] = (uint16_t)(c->count - 1);
			open[depth].start = c->count;
			c->at++;
		} else if (ch == ')' || !ch) {
			if (ch && depth == 0) {
				c->fault = "')' without '('";
				break;
			}
			if (!ch && depth > 0) {
				c->at = open[depth].at;
				c->fault = "'(' without ')'";
				break;
			}
			while (pendings > open[depth].jumps)
				c->ops[pending[--pendings]].to = c->count;
			if (!ch)
				return;
			depth--;
			c->at++;
		} else {
			one(c);
		}
	}
}

enum barn_err
glob_new(const char *pattern, struct glob **glob, uint32_t *fault_offset, const char **fault)
{
	struct compiler c = { .pattern = pattern };
	struct glob *g = malloc(sizeof(*g) + OPS_MAX * sizeof(struct op));

	if (!g)
		return BARN_ERR_MEMORY;
	c.ops = g->ops;
	alternatives(&c);
	if (!c.fault)
		append(&c, (struct op){ .kind = OP_MATCH });
	if (c.fault) {
		*fault_offset = (uint32_t)c.at;
		*fault = c.fault;
		free(g);
		return BARN_ERR_TEXT;
	}
	g->count = c.count;
	*glob = realloc(g, sizeof(*g) + c.count * sizeof(struct op));
	if (!*glob)
		*glob = g;
	return BARN_OK;
}

void
glob_free(struct glob *glob)
{
	free(glob);
}

struct states {
	uint64_t seen[OPS_MAX / 64];
	uint16_t list[OPS_MAX]; /* of OP_SET, OP_RUN and OP_MATCH */
	uint16_t count;
};

static void
enter(const struct glob *glob, struct states *states, uint16_t at)
{
	uint16_t stack[OPS_MAX + 1], top = 0;

	stack[top++] = at;
	while (top > 0) {
		uint16_t i = stack[--top];
		const struct op *op = &glob->ops[i];

		if (states->seen[i / 64] >> i % 64 & 1)
			continue;
		states->seen[i / 64] |= 1ULL << i % 64;
		if (op->kind != OP_FORK && op->kind != OP_JUMP)
			states->list[states->count++] = i;
		if (op->kind == OP_RUN || op->kind == OP_FORK)
			stack[top++] = (uint16_t)(i + 1);
		if (op->kind == OP_JUMP || op->kind == OP_FORK)
			stack[top++] = op->to;
	}
}

bool
glob_match(const struct glob *glob, struct bytes text)
{
	struct states states[2];
	struct states *now = &states[0], *next = &states[1], *swap;

	memset(now->seen, 0, sizeof(now->seen));
	now->count = 0;
	enter(glob, now, 0);
	while (bytes_left(&text) > 0 && now->count > 0) {
		uint8_t byte = bytes_u8(&text);

		memset(next->seen, 0, sizeof(next->seen));
		next->count = 0;
		for (uint16_t i = 0; i < now->count; i++) {
			const struct op *op = &glob->ops[now->list[i]];

			if (op->kind == OP_RUN)
				enter(glob, next, now->list[i]);
			else if (op->kind == OP_SET && byteset_has(&op->set, byte))
				enter(glob, next, (uint16_t)(now->list[i] + 1));
		}
		swap = now;
		now = next;
		next = swap;
	}
	return now->seen[(glob->count - 1) / 64] >> (glob->count - 1) % 64 & 1;
}
