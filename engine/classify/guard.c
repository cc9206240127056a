/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/guard.h"

bool
guard_bars(const struct work *w, uint16_t protocol)
{
	for (unsigned i = 0; i < w->faulty_count && i < WORK_FAULTY; i++)
		if (w->faulty[i] == protocol)
			return true;
	return false;
}

/* Where more are at fault than can be remembered, the oldest may be tried once more. */
static void
bar(struct work *w, uint16_t protocol)
{
	w->faulty[w->faulty_count % WORK_FAULTY] = protocol;
	w->faulty_count++;
	if (w->faulty_count == 2 * WORK_FAULTY)
		w->faulty_count = WORK_FAULTY;
}

/* Over UDP the datagram is gone either way, but who leaves it is no more to be trusted. */
static bool
is_inside(const struct inspect_view *given, const struct inspect_view *view)
{
	uintptr_t p = (uintptr_t)view->data.p;

	return p >= (uintptr_t)given->data.p && p <= (uintptr_t)given->data.end;
}

void
guard_answer(struct step *s, struct probe *p, const struct inspect_view *given,
	     const struct inspect_view *view, int answer)
{
	uint16_t protocol = p->protocol->number;

	if (answer >= INSPECT_NO && answer <= INSPECT_DONE && is_inside(given, view) &&
	    !s->fault) {
		p->answer = (uint8_t)answer;
		if (given->transport == INSPECT_TCP)
			p->at[s->dir] += (uint64_t)(view->data.p - given->data.p);
		return;
	}
	s->fault = false;
	s->hand_over = false;
	s->c->stats.faults++;
	s->c->stats.faulty = protocol;
	bar(s->w, protocol);
	/* What it had proven before stands, and nothing more is read. */
	p->answer = s->w->owner == p->protocol ? INSPECT_DONE : INSPECT_NO;
}
