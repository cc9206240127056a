/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_SCAN_H
#define MATCH_SCAN_H

/*
 * Finds words of many sets in a text in one pass, by Hyperscan: what it costs hardly depends on
 * how many there are. Built once, then immutable and shared; each thread brings a scratch. A
 * build without Hyperscan, or a processor that it cannot use, has no scans: scan_new says
 * BARN_ERR_MISSING, and whoever asked does without.
 *
 * Words, not whole expressions: a database of all the modules' expressions takes seconds to
 * compile and is slower than to run the few that a word leaves over.
 */

#include "base/bytes.h"
#include "match/needles.h"
#include <barn/err.h>

struct scan;
struct scan_scratch;
struct scan_list; /* what a scan is made from */

enum barn_err scan_list_new(struct scan_list **list);
void scan_list_free(struct scan_list *list);
/* Finding any of the words yields `number`. The words are copied. */
enum barn_err scan_list_add(struct scan_list *list, const struct needles *words,
			    uint32_t number);

/* The list may go afterwards. BARN_ERR_MISSING also: it is empty. */
enum barn_err scan_new(const struct scan_list *list, struct scan **scan);
void scan_free(struct scan *scan);

/* Serves each of the scans that are given; NULLs among them are passed over. */
enum barn_err scan_scratch_new(const struct scan *const *scans, unsigned count,
			       struct scan_scratch **scratch);
void scan_scratch_free(struct scan_scratch *scratch);

/* Calls `found` for each number with a word in the text; more than once for some. */
void scan_run(const struct scan *scan, struct scan_scratch *scratch, struct bytes text,
	      void (*found)(void *self, uint32_t number), void *self);

#endif
