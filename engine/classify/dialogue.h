/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_DIALOGUE_H
#define CLASSIFY_DIALOGUE_H

/* What a module reads on: fields, announced flows, upgrades. */

#include "classify/step.h"

/* dialogue.c: whether the protocol's module reads lines, whether a place of this direction is
 * still to be read, whether there is anything left to read; and reads what is new. */
bool dialogue_has_lines(const struct protocol *protocol);
bool dialogue_waits(const struct work *w, unsigned dir);
bool dialogue_wanted(const struct work *w);
void dialogue_read(struct step *s);
/* What stands at a source's place. */
enum match_answer dialogue_place(const struct step *s, const struct pdl_source *source,
				 unsigned dir, struct bytes groups[REGEX_GROUPS]);

/*
 * upgrade.c: looks at a line, and at the places of both streams; sets hand_over. Whether bytes
 * of a direction's beginning are still to be looked at.
 */
void upgrade_line(struct step *s, struct bytes line);
void upgrade_places(struct step *s);
bool upgrade_waits(const struct work *w, unsigned dir);

/* announce.c: what a source of this direction has matched. */
void announce_flow(struct step *s, const struct pdl_expect *e, unsigned dir,
		   const struct bytes groups[REGEX_GROUPS]);

#endif
