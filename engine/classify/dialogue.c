/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/dialogue.h"
#include "classify/step.h"

#include <inttypes.h>
#include <stdio.h>

/*
 * What a module reads of a conversation once the flow is its own: values of fields, and
 * announced flows (FTP's PORT and 227); upgrade.c has the rest. A source is either each line of
 * a side, for as long as the flow lives, looked at when its end has come; or a place, read
 * once, when there is enough of it.
 */

enum { LINE_MAX_BYTES = 2048, SOURCES = 32 };

bool
dialogue_has_lines(const struct protocol *protocol)
{
	const struct pdl_protocol *m = protocol ? protocol->module : NULL;

	if (!m)
		return false;
	for (unsigned i = 0; i < m->field_count; i++)
		if (m->fields[i].source.line)
			return true;
	for (unsigned i = 0; i < m->expect_count; i++)
		if (m->expects[i].source.line)
			return true;
	for (unsigned i = 0; i < m->upgrade_count; i++)
		for (unsigned j = 0; j < m->upgrades[i].step_count; j++)
			if (m->upgrades[i].steps[j].line)
				return true;
	return false;
}

/* The fields' sources, then those of announcements; NULL past the last. */
static const struct pdl_source *
source_at(const struct pdl_protocol *m, unsigned i)
{
	if (i < m->field_count)
		return &m->fields[i].source;
	i -= m->field_count;
	return i < m->expect_count ? &m->expects[i].source : NULL;
}

bool
dialogue_waits(const struct work *w, unsigned dir)
{
	const struct pdl_protocol *m = w->owner ? w->owner->module : NULL;
	const struct pdl_source *source;

	for (unsigned i = 0; m && i < SOURCES && (source = source_at(m, i)); i++)
		if (!source->line && (source->side == PDL_ANY || source->side == dir) &&
		    !(w->placed[dir] & 1u << i))
			return true;
	return upgrade_waits(w, dir);
}

bool
dialogue_wanted(const struct work *w)
{
	return dialogue_has_lines(w->owner) || dialogue_waits(w, 0) || dialogue_waits(w, 1);
}

static void
take_field(struct step *s, uint16_t field, const struct pdl_field *f, struct bytes value)
{
	char decimal[24];
	uint64_t number = 0;
	size_t len = bytes_left(&value);

	if (!f->number) {
		sink_value(s, field, value);
		return;
	}
	if (len == 0 || len > sizeof(number))
		return;
	for (size_t i = 0; i < len; i++)
		number = number << 8 | bytes_u8(&value);
	snprintf(decimal, sizeof(decimal), "%" PRIu64, number);
	sink_value(s, field, bytes_of(decimal, strlen(decimal)));
}

/* Source number i has matched: a field's value, or an announcement. */
static void
take(struct step *s, unsigned i, unsigned dir, const struct bytes groups[REGEX_GROUPS])
{
	const struct protocol *p = s->w->owner;
	const struct pdl_protocol *m = p->module;

	if (i < m->field_count)
		take_field(s, p->fields[p->field_count - m->field_count + i], &m->fields[i],
			   regex_groups(m->fields[i].source.regex) ? groups[1] : groups[0]);
	else
		announce_flow(s, &m->expects[i - m->field_count], dir, groups);
}

static bool
matches(const struct step *s, const struct pdl_source *source, struct bytes line,
	struct bytes groups[REGEX_GROUPS])
{
	if (!source->line || (source->side != PDL_ANY && source->side != s->dir))
		return false;
	return regex_run(source->regex, rule_scratch_regex(s->w->wait.epoch->rules), line, true,
			 groups) == MATCH_YES;
}

static void
read_line(struct step *s, struct bytes line)
{
	const struct pdl_protocol *m = s->w->owner->module;
	struct bytes groups[REGEX_GROUPS];
	const struct pdl_source *source;

	for (unsigned i = 0; (source = source_at(m, i)); i++)
		if (matches(s, source, line, groups))
			take(s, i, s->dir, groups);
	upgrade_line(s, line);
}

/* Lines that end before `end`, a position in the stream. */
static void
read_lines(struct step *s, uint8_t dir, uint64_t end)
{
	struct work *w = s->w;
	struct stream *stream = &w->stream[dir];
	struct bytes data, line;

	if (w->line_at[dir] < stream->offset || stream->lost) {
		w->line_at[dir] = stream->offset;
		w->long_line[dir] = true; /* what follows a gap is the rest of some line */
	}
	s->dir = dir;
	data = work_from(stream, w->line_at[dir]);
	if (end < w->line_at[dir] + bytes_left(&data))
		data = bytes_take(&data, end > w->line_at[dir] ? end - w->line_at[dir] : 0);
	while (!s->hand_over && bytes_line(&data, &line)) {
		w->line_at[dir] = stream->offset + (uint64_t)(data.p - stream->data);
		if (!w->long_line[dir])
			read_line(s, line);
		w->long_line[dir] = false;
	}
	if (!s->hand_over && bytes_left(&data) > LINE_MAX_BYTES) {
		w->line_at[dir] += bytes_left(&data);
		w->long_line[dir] = true;
	}
}

/* A datagram's lines; the last one may lack its end. */
static void
read_datagram(struct step *s, struct bytes data)
{
	struct bytes line;

	while (!s->hand_over && bytes_line(&data, &line))
		read_line(s, line);
	if (!s->hand_over && bytes_left(&data))
		read_line(s, data);
}

/* Datagram number n of a direction, if it is at hand: kept, or the packet that just came. */
static bool
datagram_at(const struct step *s, unsigned dir, uint32_t n, struct bytes *data)
{
	const struct stream *stream = &s->w->stream[dir];
	uint32_t begin;

	if (n < stream->kept) {
		begin = n ? stream->ends[n - 1] : 0;
		*data = bytes_of(stream->data + begin, stream->ends[n] - begin);
		return true;
	}
	*data = s->packet->payload;
	return dir == s->dir && n + 1 == stream->datagrams;
}

enum match_answer
dialogue_place(const struct step *s, const struct pdl_source *source, unsigned dir,
	       struct bytes groups[REGEX_GROUPS])
{
	const struct stream *stream = &s->w->stream[dir];
	struct bytes data;
	bool closed;

	if (work_is_udp(s->flow)) {
		if (datagram_at(s, dir, source->place, &data))
			return regex_run(source->regex,
					 rule_scratch_regex(s->w->wait.epoch->rules), data,
					 true, groups);
		return source->place < stream->datagrams ? MATCH_NO : MATCH_LATER;
	}
	closed = stream->ended || stream->full;
	if (stream->offset != s->w->begin[dir])
		return MATCH_NO;
	if (stream->len < source->place)
		return closed ? MATCH_NO : MATCH_LATER;
	data = bytes_of(stream->data, stream->len);
	bytes_skip(&data, source->place);
	closed |= bytes_left(&data) >= REGEX_SUBJECT;
	return regex_run(source->regex, rule_scratch_regex(s->w->wait.epoch->rules), data,
			 closed, groups);
}

static void
read_places(struct step *s, unsigned dir)
{
	const struct pdl_protocol *m = s->w->owner->module;
	struct bytes groups[REGEX_GROUPS];
	const struct pdl_source *source;
	struct work *w = s->w;

	for (unsigned i = 0; i < SOURCES && (source = source_at(m, i)); i++) {
		enum match_answer answer;

		if (source->line || (source->side != PDL_ANY && source->side != dir) ||
		    w->placed[dir] & 1u << i)
			continue;
		answer = dialogue_place(s, source, dir, groups);
		if (answer != MATCH_LATER)
			w->placed[dir] |= 1u << i;
		if (answer == MATCH_YES)
			take(s, i, dir, groups);
	}
}

/* Over UDP: what was kept until the verdict, once; afterwards the datagram at hand. */
static void
read_datagrams(struct step *s)
{
	struct work *w = s->w;
	uint8_t dir = s->dir;
	struct bytes data;

	for (uint8_t d = 0; d < 2 && !s->hand_over; d++) {
		s->dir = d;
		for (uint32_t n = 0; n < w->stream[d].kept && !s->hand_over; n++)
			if (datagram_at(s, d, n, &data))
				read_datagram(s, data);
	}
	s->dir = dir;
	if (w->stream[dir].kept < w->stream[dir].datagrams && !s->hand_over)
		read_datagram(s, s->packet->payload);
}

/*
 * What came before the verdict in the order in which both sides spoke: a server's greeting is
 * not its answer to what the client said later.
 */
static void
read_turns(struct step *s)
{
	struct work *w = s->w;

	for (unsigned i = 0; i < w->turn_count && !s->hand_over; i++)
		read_lines(s, (w->first_dir + i) & 1, w->turn_end[i]);
	w->turn_count = 0;
}

/* The other direction first: the packet at hand answers it. */
void
dialogue_read(struct step *s)
{
	uint8_t dir = s->dir;

	read_places(s, !dir);
	read_places(s, dir);
	if (work_is_udp(s->flow)) {
		if (dialogue_has_lines(s->w->owner))
			read_datagrams(s);
		return;
	}
	if (dialogue_has_lines(s->w->owner)) {
		read_turns(s);
		for (unsigned i = 0; i < 2 && !s->hand_over; i++)
			read_lines(s, dir ^ !i, work_end(&s->w->stream[dir ^ !i]));
		s->dir = dir;
	}
	if (!s->hand_over)
		upgrade_places(s);
}
