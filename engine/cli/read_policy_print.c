/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_policy.h"
#include "conf/report.h"
#include <inttypes.h>
#include <stdio.h>

static void
add_sums(struct text *text, const struct read_policy_sums *s)
{
	text_printf(text,
		    "\n Total: %" PRIu64 " packets, %" PRIu64 " bytes; %" PRIu64
		    " dropped, %" PRIu64 " rejected, %" PRIu64 " marked, %" PRIu64
		    " undecided, %" PRIu64 " held",
		    s->packets, s->bytes, s->dropped, s->rejected, s->marked, s->undecided,
		    s->held);
	if (s->logged)
		text_printf(text, ", %" PRIu64 " logged", s->logged);
	text_char(text, '\n');
}

void
read_policy_print(const struct read_policy *policy)
{
	struct read_policy_view view = read_policy_view(policy);
	struct report report = { .counts = view.counts, .tally = view.tally };
	struct text text = { 0 };
	unsigned count;
	const struct policy_place_at *places = policy_places(view.policy, &count);

	for (unsigned i = 0; i < count; i++) {
		report.interval_s = view.intervals_s[places[i].iface];
		if (i == 0 || places[i].iface != places[i - 1].iface)
			text_printf(&text, "%s%s\n", i ? "\n" : "",
				    view.names[places[i].iface]);
		report_place(&text, &report, &places[i]);
	}
	add_sums(&text, &view.sums);
	fputs(text_str(&text), stdout);
	text_fini(&text);
}
