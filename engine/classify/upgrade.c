/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/dialogue.h"
#include "classify/step.h"

/*
 * Words after which another protocol goes on in the same connection: STARTTLS and its answer,
 * PostgreSQL's SSLRequest. The steps come in their order; one is a line, or what matches at a
 * place of the stream.
 */

enum { UPGRADE_DEAD = UINT8_MAX };

static bool
has_lines(const struct pdl_upgrade *u, unsigned dir)
{
	for (unsigned i = 0; i < u->step_count; i++)
		if (u->steps[i].line &&
		    (u->steps[i].side == PDL_ANY || u->steps[i].side == dir))
			return true;
	return false;
}

/* The inner protocol begins behind the places that matched, or where the lines were read to. */
static void
complete(struct step *s, unsigned i)
{
	const struct pdl_upgrade *u = &s->w->owner->module->upgrades[i];
	struct work *w = s->w;

	for (unsigned dir = 0; dir < 2; dir++) {
		if (w->upgrade_at[i][dir])
			w->line_at[dir] = w->upgrade_at[i][dir];
		else if (!has_lines(u, dir))
			w->line_at[dir] = work_end(&w->stream[dir]);
	}
	s->hand_over = s->at_lines = true;
	s->inner = u->protocol ? registry_find(work_registry(s), u->protocol) : 0;
}

static void
advance(struct step *s, unsigned i)
{
	if (++s->w->upgrade_step[i] == s->w->owner->module->upgrades[i].step_count)
		complete(s, i);
}

static bool
holds(const struct step *s, const struct pdl_source *source, struct bytes line)
{
	return regex_run(source->regex, rule_scratch_regex(s->w->wait.epoch->rules), line, true,
			 NULL) == MATCH_YES;
}

void
upgrade_line(struct step *s, struct bytes line)
{
	const struct pdl_protocol *m = s->w->owner->module;
	struct work *w = s->w;

	for (unsigned i = 0; i < m->upgrade_count && i < WORK_UPGRADES && !s->hand_over; i++) {
		const struct pdl_upgrade *u = &m->upgrades[i];
		const struct pdl_source *source = &u->steps[0];

		if (w->upgrade_step[i] < u->step_count)
			source = &u->steps[w->upgrade_step[i]];
		if (!source->line || w->upgrade_step[i] == UPGRADE_DEAD ||
		    (source->side != PDL_ANY && source->side != s->dir))
			continue;
		if (holds(s, source, line))
			advance(s, i);
		else if (source->next) /* refused: it may be asked for again */
			w->upgrade_step[i] = u->steps[0].line && u->steps[0].side == s->dir &&
					     holds(s, &u->steps[0], line);
	}
}

/* All steps with a place that hold by now. */
static void
read_places(struct step *s, unsigned i)
{
	const struct pdl_upgrade *u = &s->w->owner->module->upgrades[i];
	struct work *w = s->w;

	while (w->upgrade_step[i] < u->step_count) {
		const struct pdl_source *source = &u->steps[w->upgrade_step[i]];
		struct bytes groups[REGEX_GROUPS];
		enum match_answer answer;

		if (source->line)
			return;
		answer = dialogue_place(s, source, source->side, groups);
		if (answer == MATCH_NO)
			w->upgrade_step[i] = UPGRADE_DEAD;
		if (answer != MATCH_YES)
			return;
		w->upgrade_at[i][source->side] =
			w->begin[source->side] +
			(uint64_t)(groups[0].end - w->stream[source->side].data);
		advance(s, i);
	}
}

void
upgrade_places(struct step *s)
{
	const struct pdl_protocol *m = s->w->owner->module;

	for (unsigned i = 0; i < m->upgrade_count && i < WORK_UPGRADES && !s->hand_over; i++)
		read_places(s, i);
}

bool
upgrade_waits(const struct work *w, unsigned dir)
{
	const struct pdl_protocol *m = w->owner ? w->owner->module : NULL;

	for (unsigned i = 0; m && i < m->upgrade_count && i < WORK_UPGRADES; i++)
		for (unsigned j = w->upgrade_step[i]; j < m->upgrades[i].step_count; j++)
			if (!m->upgrades[i].steps[j].line &&
			    m->upgrades[i].steps[j].side == dir)
				return true;
	return false;
}
