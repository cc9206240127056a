/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/nbar.h"
#include "conf/policy.h"

#include <inttypes.h>
#include <stdlib.h>

/* What is done with a packet: lines of a class, and what stands behind a policer's colour. */

enum { LOG_RATE = 10, LOG_MOST = 10000, GROUP_MOST = 99 };

static bool
is_final(unsigned act)
{
	return act == POLICY_TRANSMIT || act == POLICY_DROP || act == POLICY_REJECT;
}

/* In place of one of its kind: what becomes of a packet is one kind. */
static void
put_action(struct line *line, struct list *list, const struct policy_action *action)
{
	struct policy_action *actions = list->items, *added;

	for (unsigned i = 0; i < list->count; i++)
		if (actions[i].act == action->act ||
		    (is_final(actions[i].act) && is_final(action->act))) {
			actions[i] = *action;
			return;
		}
	added = line_add(line, list, sizeof(*added));
	if (added)
		*added = *action;
}

static void
take_action(struct line *line, struct list *list, unsigned act)
{
	struct policy_action *actions = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (actions[i].act == act) {
			policy_remove(list, i, sizeof(*actions));
			return;
		}
	(void)line;
}

/* A number of 32 bits, decimal or 0x. */
static bool
read_word32(struct line *line, const char *what, uint32_t *value)
{
	return line_number(line, what, 0, UINT32_MAX, value);
}

static bool
read_mark(struct line *line, struct policy_action *action)
{
	action->mask = UINT32_MAX;
	if (!read_word32(line, "a mark", &action->value))
		return false;
	if (!line_accept(line, "mask"))
		return true;
	if (!read_word32(line, "a mask", &action->mask))
		return false;
	if (action->value & ~action->mask) {
		line->at--;
		line_fault(line, line_place(line), "the mark has bits that the mask has not");
	}
	return !line->lost;
}

static bool
read_log(struct line *line, struct policy_action *action)
{
	action->value = LOG_RATE;
	return !line_accept(line, "rate") ||
	       line_number(line, "lines a second", 1, LOG_MOST, &action->value);
}

static bool
read_value(struct line *line, struct policy_action *action)
{
	switch ((enum policy_act)action->act) {
	case POLICY_SET_DSCP: return policy_dscp(line, &action->value);
	case POLICY_SET_PRECEDENCE: return policy_precedence(line, &action->value);
	case POLICY_SET_COS:
		return line_number(line, "a class of service", 0, 7, &action->value);
	case POLICY_SET_QOS_GROUP:
		return line_number(line, "a QoS group", 0, GROUP_MOST, &action->value);
	case POLICY_SET_MARK: return read_mark(line, action);
	case POLICY_LOG: return read_log(line, action);
	case POLICY_MIRROR: return line_name(line, "a capture file", &action->name);
	case POLICY_TRANSMIT:
	case POLICY_DROP:
	case POLICY_REJECT:
	case POLICY_ACTS: break;
	}
	return !line->lost;
}

/* A line of a class. With `no`, its value may be left out. */
static void
read_action(struct line *line, struct policy_place place, unsigned act)
{
	struct policy_action action = { .act = (uint8_t)act, .place = place };
	struct policy_entry none, *entry = policy_map_entry(line, &none);

	if (line->lost)
		return;
	if ((!line->no || line_more(line)) && !read_value(line, &action))
		return;
	if (!line_end(line))
		return;
	if (line->no)
		take_action(line, &entry->actions, act);
	else
		put_action(line, &entry->actions, &action);
}

void
policy_action_drop(struct line *line)
{
	read_action(line, policy_here(line), POLICY_DROP);
}

void
policy_action_reject(struct line *line)
{
	read_action(line, policy_here(line), POLICY_REJECT);
}

void
policy_action_log(struct line *line)
{
	read_action(line, policy_here(line), POLICY_LOG);
}

void
policy_action_mirror(struct line *line)
{
	read_action(line, policy_here(line), POLICY_MIRROR);
}

void
policy_action_set(struct line *line)
{
	enum { IP = POLICY_ACTS };
	static const struct line_word words[] = {
		{ "ip", IP },
		{ "dscp", POLICY_SET_DSCP },
		{ "precedence", POLICY_SET_PRECEDENCE },
		{ "cos", POLICY_SET_COS },
		{ "qos-group", POLICY_SET_QOS_GROUP },
		{ "mark", POLICY_SET_MARK },
	};
	struct policy_place place = policy_here(line);
	unsigned act;

	if (!line_keyword(line, words, 6, &act))
		return;
	/* `set ip dscp` is how routers wrote it before IPv6. */
	if (act == IP && !line_keyword(line, words + 1, 2, &act))
		return;
	read_action(line, place, act);
}

static const struct line_word colour_words[] = {
	{ "transmit", POLICY_TRANSMIT },
	{ "drop", POLICY_DROP },
	{ "reject", POLICY_REJECT },
	{ "set-dscp-transmit", POLICY_SET_DSCP },
	{ "set-prec-transmit", POLICY_SET_PRECEDENCE },
	{ "set-cos-transmit", POLICY_SET_COS },
	{ "set-qos-transmit", POLICY_SET_QOS_GROUP },
	{ "set-mark-transmit", POLICY_SET_MARK },
	{ "log", POLICY_LOG },
	{ "mirror", POLICY_MIRROR },
};
enum { COLOUR_WORDS = sizeof(colour_words) / sizeof(colour_words[0]) };

bool
policy_action_is_colour(const struct line *line)
{
	struct line copy;
	unsigned value;

	if (!line_more(line))
		return false;
	copy = *line;
	return line_may(&copy, colour_words, COLOUR_WORDS, &value);
}

bool
policy_action_colour(struct line *line, struct list *actions)
{
	struct policy_action action = { .place = policy_here(line) };
	unsigned act;

	if (!line_keyword(line, colour_words, COLOUR_WORDS, &act))
		return false;
	action.act = (uint8_t)act;
	if ((!line->no || line_more(line)) && !read_value(line, &action))
		return false;
	if (line->no)
		take_action(line, actions, act);
	else
		put_action(line, actions, &action);
	return !line->lost;
}

static void
print_value(struct text *text, const struct policy_action *action)
{
	switch ((enum policy_act)action->act) {
	case POLICY_SET_DSCP:
		text_char(text, ' ');
		policy_dscp_print(text, action->value);
		break;
	case POLICY_SET_MARK:
		text_printf(text, " 0x%" PRIx32, action->value);
		if (action->mask != UINT32_MAX)
			text_printf(text, " mask 0x%" PRIx32, action->mask);
		break;
	case POLICY_LOG: text_printf(text, " rate %" PRIu32, action->value); break;
	case POLICY_MIRROR:
		text_char(text, ' ');
		nbar_word_print(text, action->name);
		break;
	case POLICY_SET_PRECEDENCE:
	case POLICY_SET_COS:
	case POLICY_SET_QOS_GROUP: text_printf(text, " %" PRIu32, action->value); break;
	case POLICY_TRANSMIT:
	case POLICY_DROP:
	case POLICY_REJECT:
	case POLICY_ACTS: break;
	}
}

void
policy_action_print(struct text *text, const struct policy_action *action, bool colour)
{
	static const char *const in_class[] = {
		[POLICY_DROP] = "drop",         [POLICY_REJECT] = "reject",
		[POLICY_SET_DSCP] = "set dscp", [POLICY_SET_PRECEDENCE] = "set precedence",
		[POLICY_SET_COS] = "set cos",   [POLICY_SET_QOS_GROUP] = "set qos-group",
		[POLICY_SET_MARK] = "set mark", [POLICY_LOG] = "log",
		[POLICY_MIRROR] = "mirror",
	};

	if (!colour)
		text_add(text, in_class[action->act]);
	for (unsigned i = 0; colour && i < COLOUR_WORDS; i++)
		if (colour_words[i].value == action->act)
			text_add(text, colour_words[i].word);
	print_value(text, action);
}
