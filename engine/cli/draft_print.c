/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/draft.h"
#include "pdl/print.h"

enum { LINE = 24, CUT = 96, MESSAGES = 4, WHOLE = 2048 };

static bool
is_text(struct bytes b)
{
	while (bytes_left(&b)) {
		uint8_t c = bytes_u8(&b);

		if ((c < ' ' || c > '~') && c != '\r' && c != '\n' && c != '\t')
			return false;
	}
	return true;
}

void
draft_print_bytes(struct text *text, struct bytes data, const char *newline)
{
	bool plain = is_text(data), first = true;
	size_t line = plain ? 2 * LINE : LINE;

	while (bytes_left(&data)) {
		size_t left = bytes_left(&data);
		struct bytes part = bytes_take(&data, left < line ? left : line);

		text_add(text, first ? "" : newline);
		first = false;
		if (plain) {
			print_string(text, part);
			continue;
		}
		text_add(text, "hex");
		while (bytes_left(&part))
			text_printf(text, " %02x", bytes_u8(&part));
	}
}

/* The first messages; cut where no rule asks for the length. */
void
draft_print_vector(struct text *text, const char *name, const struct draft_flow *flow,
		   const bool whole[2])
{
	for (unsigned i = 0; i < flow->count && i < MESSAGES; i++) {
		const struct draft_message *m = &flow->messages[i];
		size_t bound = whole[m->dir] ? WHOLE : CUT, left = bytes_left(&m->data);

		text_printf(text, "        %s ", m->dir == MATCH_CLIENT ? "client" : "server");
		draft_print_bytes(text, bytes_of(m->data.p, left < bound ? left : bound),
				  "\n            ");
		text_char(text, '\n');
	}
	text_printf(text, "    } => %s\n", name);
}
