/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_PARSE_H
#define PDL_PARSE_H

/*
 * A parser by recursive descent, one function a construct, in one file for each kind of item.
 *
 * After a fault of syntax `lost` is set: all of these functions then return false at once and
 * tell nothing more, until the loop over items finds the next one. A fault of meaning is told
 * and parsing goes on. All results lie in the unit's arena.
 */

#include "pdl/lex.h"
#include "pdl/tree.h"

struct parse {
	struct lex lex;
	struct token token; /* the next one */
	const struct pdl_options *options;
	struct barn_faults *faults, *warnings;
	struct pdl_unit *unit;
	struct pdl_tree *tree; /* the protocol at hand */
	struct list constants; /* struct parse_constant */
	unsigned depth;        /* braces open */
	unsigned tests;        /* so far in the rule at hand */
	uint8_t transports;    /* of the rule at hand */
	bool lost;
	bool no_memory;
};

enum { PARSE_NAME = 63 };

struct parse_constant {
	const char *name;
	int64_t value;
	struct pdl_pos pos;
	bool used;
};

/* The whole text into unit->trees (parse_file.c). */
enum barn_err parse_file(struct pdl_unit *unit, const struct pdl_options *options,
			 const char *file, const char *text, size_t len,
			 struct barn_faults *faults, struct barn_faults *warnings);

/* parse.c: steps that all the others are made of. */
void parse_next(struct parse *p);
bool parse_is(const struct parse *p, const char *text);
bool parse_accept(struct parse *p, const char *text); /* moves on if it is there */
bool parse_need(struct parse *p, const char *text);
/* The next token is wrong: "'TOKEN': expected WHAT". Always false. */
bool parse_wrong(struct parse *p, const char *what);
/* The same, but where it is nearly one of the words: "'TOKEN': expected 'WORD'?". */
bool parse_misspelt(struct parse *p, const char *const *words, size_t count, const char *what);
void parse_fault(struct parse *p, struct pdl_pos pos, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void parse_warn(struct parse *p, struct pdl_pos pos, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool parse_word(struct parse *p, const char *what, const char **word);
/* The same for a name that is given here: not longer than PARSE_NAME. */
bool parse_name(struct parse *p, const char *what, const char **name);
/* A number from low to high, or a constant's name. */
bool parse_number(struct parse *p, const char *what, uint64_t low, uint64_t high,
		  uint64_t *number);
bool parse_string(struct parse *p, const char *what, const char **string);
struct parse_constant *parse_constant(const struct parse *p, const struct token *token);
/* The token after the next one; nothing moves. */
struct token parse_peek(struct parse *p);
char *parse_copy(struct parse *p, const struct token *token);
void *parse_add(struct parse *p, struct list *list, size_t size); /* NULL: no memory */
/* A name of a protocol, to be there when the set is finished. */
bool parse_reference(struct parse *p, const char **name);
/* `over tcp, udp`, or'd. */
bool parse_over(struct parse *p, uint8_t *transports);
bool parse_side(struct parse *p, uint8_t *side); /* client, server, any */
bool parse_regex(struct parse *p, const struct regex **regex, struct pdl_pos *pos);

/* The items; each begins after its keyword. */
void parse_item_title(struct parse *p, struct pdl_pos pos);
void parse_item_reference(struct parse *p, struct pdl_pos pos);
void parse_item_id(struct parse *p, struct pdl_pos pos);
void parse_item_index(struct parse *p, struct pdl_pos pos);
void parse_item_alias(struct parse *p, struct pdl_pos pos);
void parse_item_attribute(struct parse *p, struct pdl_pos pos);
void parse_item_port(struct parse *p, struct pdl_pos pos);
void parse_item_ip_protocol(struct parse *p, struct pdl_pos pos);
void parse_item_ethertype(struct parse *p, struct pdl_pos pos);
void parse_item_ndpi(struct parse *p, struct pdl_pos pos);
void parse_item_over(struct parse *p, struct pdl_pos pos);
void parse_item_host(struct parse *p, struct pdl_pos pos);
void parse_item_inspect(struct parse *p, struct pdl_pos pos);
void parse_rule(struct parse *p, struct pdl_pos pos);
void parse_rule_check(struct parse *p); /* all of the protocol's, at its end */
void parse_flow_field(struct parse *p, struct pdl_pos pos);
void parse_flow_subclass(struct parse *p, struct pdl_pos pos);
void parse_expect(struct parse *p, struct pdl_pos pos);
void parse_upgrade(struct parse *p, struct pdl_pos pos);
void parse_test(struct parse *p, struct pdl_pos pos);

/* parse_custom.c: items of custom protocols; "192.0.2.1", "10.0.0.0/8". */
void parse_custom_extends(struct parse *p, struct pdl_pos pos);
void parse_custom_value(struct parse *p, struct pdl_pos pos);
void parse_custom_resolved(struct parse *p, struct pdl_pos pos);
void parse_custom_endpoint(struct parse *p, struct pdl_pos pos);
void parse_custom_number(struct parse *p, struct pdl_pos pos);
void parse_custom_confine(struct parse *p, struct pdl_pos pos);
bool parse_custom_prefix(const char *text, struct pdl_prefix *prefix);

/* parse_flow.c: SIDE [next] line|PLACE: /expression/. */
bool parse_source(struct parse *p, struct pdl_source *source);

/* parse_term.c: SIDE [PLACE] TESTS. */
bool parse_term(struct parse *p, struct program_term *term);
bool parse_term_begins(const struct parse *p);

/*
 * parse_sum.c: arithmetic, worked out where it is constant. With `groups` (0: none) captures
 * up to that number may stand in it instead of reads.
 */
bool parse_sum(struct parse *p, struct sum *sum, unsigned groups);
bool parse_sum_constant(struct parse *p, const char *what, int64_t *value);
bool parse_sum_begins(const struct parse *p);

#endif
