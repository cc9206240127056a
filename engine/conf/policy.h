/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_POLICY_H
#define CONF_POLICY_H

/* What the families of classes, policies, access lists and interfaces share. */

#include "conf/line.h"

struct policy_place policy_here(const struct line *line); /* of the next word */

/* A new object in the configuration's arena; NULL: no memory, and `lost`. */
void *policy_alloc(struct line *line, size_t size);
/* The text, copied, and freed; NULL: no memory, and `lost`. */
const char *policy_text(struct line *line, struct text *text);

/* Takes item `at` out of a list of items of this size. */
void policy_remove(struct list *list, unsigned at, size_t size);

/* The rest of the line, for people: words with a blank between them. */
void policy_description(struct line *line, const char **description);
void policy_description_print(struct text *text, const char *description);

/* Words and numbers of one field. */
bool policy_dscp(struct line *line, uint32_t *value);
bool policy_precedence(struct line *line, uint32_t *value);
void policy_dscp_print(struct text *text, uint32_t value);

/*
 * N, with k, m or g behind it: in the unit, which may follow as a word (`bps`, `kbps`, ...).
 * "N: expected WHAT from LOW to HIGH".
 */
bool policy_amount(struct line *line, const char *what, uint64_t low, uint64_t high,
		   uint64_t *amount);
bool policy_rate(struct line *line, uint64_t *bps); /* 8000 to 10^12 */

/* class_match.c: a line of a class map, with its `no`. */
void class_match_read(struct line *line);

/* policy_action.c: lines of a class, and what stands behind a colour. */
void policy_action_drop(struct line *line);
void policy_action_reject(struct line *line);
void policy_action_set(struct line *line);
void policy_action_log(struct line *line);
void policy_action_mirror(struct line *line);
bool policy_action_colour(struct line *line, struct list *actions);
bool policy_action_is_colour(const struct line *line); /* whether one may follow */
void policy_action_print(struct text *text, const struct policy_action *action, bool colour);

/* police.c */
void police_read(struct line *line);
void police_conform(struct line *line);
void police_exceed(struct line *line);
void police_violate(struct line *line);
/* What is done with colours of which nothing was said. */
void police_defaults(struct arena *arena, struct policy_police *police);
void police_print(struct text *text, const struct policy_police *police);

/* policy_queue.c */
void policy_queue_bandwidth(struct line *line);
void policy_queue_priority(struct line *line);
void policy_queue_shape(struct line *line);
void policy_queue_print(struct text *text, const struct policy_queue *queue);

/* policy_map.c: the class that the line is about, or one that is nowhere. */
struct policy_entry *policy_map_entry(struct line *line, struct policy_entry *none);

/* policy_print.c */
void policy_print_map(struct text *text, const struct policy_map *map);

/* policy_check.c: names that there are not, and what contains itself. */
void policy_check_classes(struct conf *conf, const struct pdl_set *modules,
			  struct barn_faults *faults);
void policy_check_maps(struct conf *conf, const struct pdl_set *modules,
		       struct barn_faults *faults);
void policy_check_attaches(struct conf *conf, const struct pdl_set *modules,
			   struct barn_faults *faults);

#endif
