/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_RULE_INDEX_H
#define MATCH_RULE_INDEX_H

/*
 * From what both sides sent to the rules that it does not forbid. Each atom of need.h stands in
 * a bucket by its most telling byte: place and value. The bytes that are there lead to a few
 * buckets; who is in none of them is forbidden, or waits for bytes that are not there.
 *
 * A mark says something of a clause, and a rule has it when all its clauses that could have it
 * do. Marks belong to one thread, and are cleared by rule_index_clear. The index is immutable.
 */

#include "match/need.h"
#include "match/rule.h"

enum mark {
	MARK_FULL,     /* bytes allow YES */
	MARK_POSSIBLE, /* bytes that are there allow LATER at least */
	MARK_WORD,     /* a word was found */
	MARK__COUNT
};

struct rule_index;

struct rule_marks {
	uint8_t *clauses;               /* marks of each, a bit each */
	uint8_t (*counts)[MARK__COUNT]; /* of a rule: how many of its clauses have the mark */
	uint32_t *touched;              /* clauses with any */
	uint32_t touched_count;
	uint64_t *rules[MARK__COUNT]; /* rules that have the mark, a bit each */
};

/* The rules must outlive the index; a rule's place among them is its number here. */
enum barn_err rule_index_new(const struct rule *const *rules, uint32_t count, bool udp,
			     struct rule_index **index);
void rule_index_free(struct rule_index *index);

uint32_t rule_index_clauses(const struct rule_index *index);
uint32_t rule_index_rule(const struct rule_index *index, uint32_t clause); /* whose it is */
/* The clause; NULL: no such. `words`: it is one that MARK_WORD is for. */
const struct need_clause *rule_index_clause(const struct rule_index *index, uint32_t clause,
					    bool *words);
/* The rules for which the mark means nothing, a bit each. */
const uint64_t *rule_index_free_of(const struct rule_index *index, enum mark mark);

enum barn_err rule_index_marks_new(uint32_t rules, uint32_t clauses, struct rule_marks *marks);
void rule_index_marks_free(struct rule_marks *marks);
void rule_index_clear(struct rule_marks *marks, const struct rule_index *index);
void rule_index_mark(struct rule_marks *marks, const struct rule_index *index, uint32_t clause,
		     enum mark mark);

/* Marks by the bytes that are there: FULL and POSSIBLE. Over UDP only datagrams from these
 * numbers on are looked at. */
void rule_index_present(const struct rule_index *index, const struct match_view *view,
			const uint16_t first[2], struct rule_marks *marks);
/* Adds POSSIBLE for those that wait for bytes which may come. */
void rule_index_waiting(const struct rule_index *index, const struct match_view *view,
			struct rule_marks *marks);
/* Likewise, for bytes of a side that has spoken, at a known place. */
void rule_index_open(const struct rule_index *index, const struct match_view *view,
		     struct rule_marks *marks);
/* UDP: rules of which several clauses must hold, one perhaps in any datagram, a bit each. */
const uint64_t *rule_index_mixed(const struct rule_index *index);

#endif
