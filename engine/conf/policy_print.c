/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/nbar.h"
#include "conf/policy.h"

#include <inttypes.h>

static void
print_entry(struct text *text, const struct policy_entry *entry)
{
	const struct policy_action *actions = entry->actions.items;
	const struct policy_queue *queues = entry->queues.items;

	text_add(text, " class ");
	nbar_word_print(text, entry->class_name);
	text_char(text, '\n');
	for (unsigned i = 0; i < entry->queues.count; i++) {
		text_add(text, "  ");
		policy_queue_print(text, &queues[i]);
		text_char(text, '\n');
	}
	for (unsigned i = 0; i < entry->actions.count; i++) {
		text_add(text, "  ");
		policy_action_print(text, &actions[i], false);
		text_char(text, '\n');
	}
	if (entry->police)
		police_print(text, entry->police);
	if (entry->child) {
		text_add(text, "  service-policy ");
		nbar_word_print(text, entry->child);
		text_char(text, '\n');
	}
}

void
policy_print_map(struct text *text, const struct policy_map *map)
{
	const struct policy_entry *entries = map->entries.items;

	text_add(text, "policy-map ");
	nbar_word_print(text, map->name);
	text_char(text, '\n');
	if (map->description) {
		text_add(text, " description ");
		policy_description_print(text, map->description);
		text_char(text, '\n');
	}
	if (map->first == POLICY_FIRST_HOLD)
		text_printf(text, " first-packet hold %" PRIu32 "\n", map->first_hold);
	else if (map->first == POLICY_FIRST_DEFAULT)
		text_add(text, " first-packet class-default\n");
	for (unsigned i = 0; i < map->entries.count; i++)
		print_entry(text, &entries[i]);
}
