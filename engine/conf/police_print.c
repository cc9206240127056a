/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/policy.h"

#include <inttypes.h>

static void
print_size(struct text *text, const char *word, uint64_t size, const char *unit)
{
	if (size)
		text_printf(text, " %s %" PRIu64 "%s", word, size, unit);
}

static void
print_packets(struct text *text, const struct policy_police *police)
{
	text_printf(text, "rate %" PRIu64 " pps", police->cir);
	print_size(text, "burst", police->bc, " packets");
	if (police->two_rates)
		text_printf(text, " peak-rate %" PRIu64 " pps", police->pir);
	print_size(text, police->two_rates ? "peak-burst" : "be", police->be, " packets");
}

static void
print_bits(struct text *text, const struct policy_police *police)
{
	const char *percent = police->percent ? "percent " : "";
	const char *unit = police->percent ? " ms" : "";

	text_printf(text, "cir %s%" PRIu64, percent, police->cir);
	print_size(text, "bc", police->bc, unit);
	if (police->two_rates)
		text_printf(text, " pir %s%" PRIu64, percent, police->pir);
	print_size(text, "be", police->be, unit);
}

void
police_print(struct text *text, const struct policy_police *police)
{
	static const char *const colours[] = { [POLICY_CONFORM] = "conform-action",
					       [POLICY_EXCEED] = "exceed-action",
					       [POLICY_VIOLATE] = "violate-action" };

	text_add(text, "  police ");
	if (police->packets)
		print_packets(text, police);
	else
		print_bits(text, police);
	text_char(text, '\n');
	for (unsigned c = 0; c < POLICY_COLOURS; c++) {
		const struct policy_action *actions = police->actions[c].items;

		for (unsigned i = 0; i < police->actions[c].count; i++) {
			text_printf(text, "   %s ", colours[c]);
			policy_action_print(text, &actions[i], true);
			text_char(text, '\n');
		}
	}
}
