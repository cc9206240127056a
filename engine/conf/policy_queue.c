/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/policy.h"

#include <inttypes.h>

/* bandwidth, priority and shape: what the kernel's queues are told. */

enum { LEVELS = 2, RATIO_MOST = 65536 };

static const uint64_t most_kbps = 1000000000;
static const uint64_t most_burst = 512000000;

static void
put_queue(struct line *line, const struct policy_queue *queue)
{
	struct policy_entry none, *entry = policy_map_entry(line, &none);
	struct policy_queue *queues = entry->queues.items, *added;

	if (!line_end(line))
		return;
	for (unsigned i = 0; i < entry->queues.count; i++) {
		if (queues[i].kind != queue->kind)
			continue;
		if (line->no)
			policy_remove(&entry->queues, i, sizeof(*queue));
		else
			queues[i] = *queue;
		return;
	}
	added = line->no ? NULL : line_add(line, &entry->queues, sizeof(*added));
	if (added)
		*added = *queue;
}

/* With `no`, the rest may be left out, and says nothing. */
static bool
is_removed(struct line *line, const struct policy_queue *queue)
{
	if (!line->no)
		return false;
	line->at = line->words.count;
	put_queue(line, queue);
	return true;
}

static bool
read_percent(struct line *line, struct policy_queue *queue)
{
	uint32_t percent;

	if (!line_number(line, "a percentage", 1, 100, &percent))
		return false;
	queue->rate = percent;
	return true;
}

static bool
read_ratio(struct line *line, struct policy_queue *queue)
{
	uint32_t ratio;

	if (!line_number(line, "a ratio", 1, RATIO_MOST, &ratio))
		return false;
	queue->rate = ratio;
	return true;
}

static bool
read_kbps(struct line *line, struct policy_queue *queue)
{
	return policy_amount(line, "kbit/s", 1, most_kbps, &queue->rate);
}

void
policy_queue_bandwidth(struct line *line)
{
	static const struct line_word words[] = { { "percent", POLICY_PERCENT },
						  { "remaining", POLICY_REMAINING } };
	static const struct line_word parts[] = { { "percent", POLICY_PERCENT },
						  { "ratio", POLICY_RATIO } };
	struct policy_queue queue = { .kind = POLICY_BANDWIDTH, .place = policy_here(line) };
	unsigned unit = POLICY_KBPS;

	if (is_removed(line, &queue))
		return;
	if (!line_is_number(line) && line_more(line) && !line_keyword(line, words, 2, &unit))
		return;
	queue.unit = (uint8_t)unit;
	if (unit == POLICY_REMAINING && !line_keyword(line, parts, 2, &unit))
		return;
	if (queue.unit == POLICY_REMAINING && unit == POLICY_RATIO)
		queue.unit = POLICY_RATIO;
	if (queue.unit == POLICY_KBPS    ? read_kbps(line, &queue)
	    : queue.unit == POLICY_RATIO ? read_ratio(line, &queue)
					 : read_percent(line, &queue))
		put_queue(line, &queue);
}

void
policy_queue_priority(struct line *line)
{
	struct policy_queue queue = { .kind = POLICY_PRIORITY, .place = policy_here(line) };
	uint32_t level;

	if (is_removed(line, &queue))
		return;
	if (line_accept(line, "level")) {
		if (!line_number(line, "a level", 1, LEVELS, &level))
			return;
		queue.level = (uint8_t)level;
	}
	if (line_accept(line, "percent")) {
		queue.unit = POLICY_PERCENT;
		if (!read_percent(line, &queue))
			return;
	} else if (line_more(line) && !read_kbps(line, &queue)) {
		return;
	}
	if (queue.rate && line_more(line) &&
	    !policy_amount(line, "a burst in bytes", 32, most_burst, &queue.burst))
		return;
	put_queue(line, &queue);
}

/* On routers bc is bits that are sent at once, and be follows it; bytes are what is kept. */
void
policy_queue_shape(struct line *line)
{
	struct policy_queue queue = { .kind = POLICY_SHAPE, .place = policy_here(line) };
	uint64_t bits;

	if (is_removed(line, &queue))
		return;
	line_accept(line, "average");
	if (line_accept(line, "percent")) {
		queue.unit = POLICY_PERCENT;
		if (!read_percent(line, &queue))
			return;
	} else if (!policy_rate(line, &queue.rate)) {
		return;
	}
	if (line_more(line)) {
		if (!policy_amount(line, "a burst in bits", 256, most_burst * 8, &bits))
			return;
		queue.burst = (bits + 7) / 8;
	}
	put_queue(line, &queue);
}

void
policy_queue_print(struct text *text, const struct policy_queue *queue)
{
	static const char *const kinds[] = { [POLICY_NO_QUEUE] = "",
					     [POLICY_BANDWIDTH] = "bandwidth",
					     [POLICY_PRIORITY] = "priority",
					     [POLICY_SHAPE] = "shape average" };
	static const char *const units[] = { [POLICY_KBPS] = "",
					     [POLICY_PERCENT] = " percent",
					     [POLICY_REMAINING] = " remaining percent",
					     [POLICY_RATIO] = " remaining ratio" };

	text_add(text, kinds[queue->kind]);
	if (queue->level)
		text_printf(text, " level %u", queue->level);
	text_add(text, units[queue->unit]);
	if (queue->rate)
		text_printf(text, " %" PRIu64, queue->rate);
	if (queue->burst)
		text_printf(text, " %" PRIu64,
			    queue->kind == POLICY_SHAPE ? queue->burst * 8 : queue->burst);
}
