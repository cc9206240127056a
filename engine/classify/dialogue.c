/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/work.h"

#include <arpa/inet.h>
#include <stdio.h>

/*
 * The lines that a module wants of a conversation, for as long as it lasts: values of fields,
 * announced flows (FTP's PORT and 227), and the words after which another protocol runs inside
 * (STARTTLS). Each line is looked at once, when its end has come.
 */

enum { LINE_MAX_BYTES = 2048 };

bool
dialogue_wanted(const struct protocol *protocol)
{
	const struct pdl_protocol *m = protocol ? protocol->module : NULL;

	if (!m)
		return false;
	for (unsigned i = 0; i < m->field_count; i++)
		if (m->fields[i].source.line)
			return true;
	return m->expect_count || m->upgrade_count;
}

static bool
matches(const struct step *s, const struct pdl_source *source, struct bytes line,
	struct bytes groups[REGEX_GROUPS])
{
	if (!source->line || (source->side != PDL_ANY && source->side != s->dir))
		return false;
	return regex_run(source->regex, s->c->regex, line, true, groups) == MATCH_YES;
}

static void
read_fields(struct step *s, struct bytes line)
{
	const struct protocol *p = s->w->owner;
	const struct pdl_protocol *m = p->module;
	uint16_t first = (uint16_t)(p->first_field + p->field_count - m->field_count);
	struct bytes groups[REGEX_GROUPS];

	for (unsigned i = 0; i < m->field_count; i++)
		if (matches(s, &m->fields[i].source, line, groups))
			sink_value(s, (uint16_t)(first + i),
				   regex_groups(m->fields[i].source.regex) ? groups[1]
									   : groups[0]);
}

/* Adds a captured piece of an address to text, with what stands behind it. */
static bool
add_piece(char *text, size_t room, struct bytes piece, const char *behind)
{
	size_t used = strlen(text), n = bytes_left(&piece);

	if (used + n + strlen(behind) >= room)
		return false;
	snprintf(text + used, room - used, "%.*s%s", (int)n, (const char *)piece.p, behind);
	return true;
}

/* An address as text in one capture, or dotted out of four. */
static bool
address_of(const struct pdl_expect *e, const struct bytes groups[REGEX_GROUPS],
	   struct expect_entry *entry)
{
	unsigned pieces = e->at == PDL_AT_DOTTED ? 4 : 1;
	char text[INET6_ADDRSTRLEN] = "";

	for (unsigned i = 0; i < pieces; i++)
		if (!add_piece(text, sizeof(text), groups[e->group[i]],
			       i + 1 < pieces ? "." : ""))
			return false;
	entry->ip_version = strchr(text, ':') ? 6 : 4;
	return inet_pton(entry->ip_version == 6 ? AF_INET6 : AF_INET, text, entry->to.b) == 1;
}

static void
announce(struct step *s, const struct pdl_expect *e, const struct bytes groups[REGEX_GROUPS])
{
	const struct flow *flow = s->flow;
	struct expect_entry entry = {
		.path = flow->key.path,
		.until_ns = s->packet->time_ns +
			    (e->life_s ? e->life_s : EXPECT_LIFE_S) * UINT64_C(1000000000),
		.by_flow = flow->id,
		.by_serial = s->packet->serial,
		.protocol = registry_find(s->c->registry, e->protocol),
		.by_protocol = s->w->owner->number,
		.ip_version = flow->key.ip_version,
		.many = e->many,
	};
	unsigned end = e->at == PDL_AT_CLIENT ? flow->client : !flow->client;
	uint32_t port;

	if (!pdl_sum_run(e->port, groups, &port) || port == 0 || port > UINT16_MAX)
		return;
	entry.port = (uint16_t)port;
	if (e->at == PDL_AT_CLIENT || e->at == PDL_AT_SERVER)
		entry.to = flow->key.addr[end];
	else if (!address_of(e, groups, &entry))
		return;
	for (unsigned t = PDL_TCP; t <= PDL_UDP; t <<= 1) {
		entry.ip_proto = t == PDL_TCP ? 6 : 17;
		if (e->transports & t)
			s->c->hooks.announce(s->c->hooks.self, &entry);
	}
}

static void
read_announcements(struct step *s, struct bytes line)
{
	const struct pdl_protocol *m = s->w->owner->module;
	struct bytes groups[REGEX_GROUPS];

	for (unsigned i = 0; i < m->expect_count; i++)
		if (matches(s, &m->expects[i].source, line, groups))
			announce(s, &m->expects[i], groups);
}

static void
read_upgrades(struct step *s, struct bytes line)
{
	const struct pdl_protocol *m = s->w->owner->module;
	struct work *w = s->w;

	for (unsigned i = 0; i < m->upgrade_count && i < WORK_UPGRADES; i++) {
		const struct pdl_upgrade *u = &m->upgrades[i];

		if (!matches(s, &u->steps[w->upgrade_step[i]], line, NULL))
			continue;
		if (++w->upgrade_step[i] < u->step_count)
			continue;
		s->hand_over = true;
		s->inner = u->protocol ? registry_find(s->c->registry, u->protocol) : 0;
		return;
	}
}

static void
read_line(struct step *s, struct bytes line)
{
	read_fields(s, line);
	read_announcements(s, line);
	read_upgrades(s, line);
}

static void
read_lines(struct step *s, uint8_t dir)
{
	struct work *w = s->w;
	struct stream *stream = &w->stream[dir];
	struct bytes data = bytes_of(stream->data, stream->len), line;

	if (w->line_at[dir] < stream->offset || stream->lost) {
		w->line_at[dir] = stream->offset;
		w->long_line[dir] = true; /* what follows a gap is the rest of some line */
	}
	s->dir = dir;
	bytes_skip(&data, (size_t)(w->line_at[dir] - stream->offset));
	while (!s->hand_over && bytes_line(&data, &line)) {
		w->line_at[dir] = stream->offset + (uint64_t)(data.p - stream->data);
		if (!w->long_line[dir])
			read_line(s, line);
		w->long_line[dir] = false;
	}
	if (!s->hand_over && bytes_left(&data) > LINE_MAX_BYTES) {
		w->line_at[dir] = work_end(stream);
		w->long_line[dir] = true;
	}
}

/*
 * Both directions, the other one first: what came before the verdict has not been read yet, and
 * the packet at hand answers it.
 */
void
dialogue_read(struct step *s)
{
	uint8_t dir = s->dir;

	read_lines(s, !dir);
	if (!s->hand_over)
		read_lines(s, dir);
	s->dir = dir;
}
