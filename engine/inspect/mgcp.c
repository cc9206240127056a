/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * MGCP (RFC 3435 section 3): commands with a verb, a transaction, an endpoint and the version,
 * answers with a code and the transaction. Several may share a datagram, with a line that holds
 * a dot between them; each may be followed by an empty line and a session description. That of
 * an answer is its sender's, that of a command another gateway's.
 */
#include "inspect/sdp.h"

enum { MGCP_VERB, MGCP_ENDPOINT, MGCP_CALL, MGCP_FIELDS };

static const struct inspect_field fields[MGCP_FIELDS] = {
	[MGCP_VERB] = { "verb", INSPECT_TEXT },
	[MGCP_ENDPOINT] = { "endpoint", INSPECT_TEXT },
	[MGCP_CALL] = { "call-id", INSPECT_TEXT },
};

enum { PARTS_MOST = 16, TRANSACTION_MOST = 999999999, TEXT_MOST = 255 };

struct mgcp {
	uint32_t transaction; /* of the last command */
	bool asked;
	uint8_t answer; /* enum inspect_answer */
};

static const char verbs[][5] = { "EPCF", "CRCX", "MDCX", "DLCX", "RQNT",
				 "NTFY", "AUEP", "AUCX", "RSIP", "MESG" };

/* A line that ends with CR, LF, or both (section 3.1), or with the datagram. */
static bool
next_line(struct bytes *data, struct bytes *line)
{
	if (bytes_left(data) == 0)
		return false;
	*line = *data;
	while (bytes_left(data) > 0 && *data->p != '\r' && *data->p != '\n')
		bytes_skip(data, 1);
	line->end = data->p;
	if (bytes_starts(data, "\r\n"))
		bytes_skip(data, 1);
	if (bytes_left(data) > 0)
		bytes_skip(data, 1);
	return true;
}

/* "CRCX 1204 aaln/1@rgw-2567.whatever.net MGCP 1.0" (section 3.2.1) */
static bool
read_command(struct bytes line, struct mgcp *s, const struct inspect_sink *sink)
{
	struct bytes verb = sdp_word(&line), number = sdp_word(&line), end = sdp_word(&line);
	struct bytes name = sdp_word(&line), version = sdp_word(&line);
	uint32_t transaction;
	bool known = false;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		known |= bytes_is(&verb, verbs[i]);
	if (!known || !sdp_number(number, TRANSACTION_MOST, &transaction) ||
	    bytes_left(&end) == 0 || bytes_left(&end) > TEXT_MOST || !bytes_is(&name, "MGCP") ||
	    bytes_left(&version) != 3 || version.p[1] != '.')
		return false;
	s->transaction = transaction;
	s->asked = true;
	sink->field(sink->self, MGCP_VERB, verb);
	sink->field(sink->self, MGCP_ENDPOINT, end);
	return true;
}

/* "200 1204 OK" (section 3.2.2), and what parameter lines look like: "I: FDE234C8" */
static enum inspect_answer
read_answer(struct bytes line, struct bytes rest, const struct mgcp *s)
{
	struct bytes code = sdp_word(&line), number = sdp_word(&line), next;
	uint32_t n, transaction;

	if (bytes_left(&code) != 3 || !sdp_number(code, 899, &n) ||
	    !sdp_number(number, TRANSACTION_MOST, &transaction))
		return INSPECT_NO;
	if (s->asked && s->transaction == transaction)
		return INSPECT_SURE;
	if (!next_line(&rest, &next) || bytes_left(&next) < 2)
		return bytes_left(&rest) == 0 ? INSPECT_LIKELY : INSPECT_NO;
	return strchr("BCEFIKLMNOPQRSTXZ", *next.p) && next.p[1] == ':' ? INSPECT_LIKELY
									: INSPECT_NO;
}

/* The message's parameter lines; moves to the description, if there is one. */
static void
read_parameters(struct bytes *data, const struct inspect_sink *sink)
{
	struct bytes line;

	while (next_line(data, &line) && bytes_left(&line) > 0) {
		if (bytes_left(&line) == 1 && *line.p == '.')
			return;
		if (bytes_left(&line) < 3 || (line.p[0] | 0x20) != 'c' || line.p[1] != ':')
			continue;
		bytes_skip(&line, 2);
		line = bytes_trim(line);
		if (bytes_left(&line) <= TEXT_MOST)
			sink->field(sink->self, MGCP_CALL, line);
	}
}

/* Up to a line that holds but a dot. */
static struct bytes
next_message(struct bytes *data)
{
	struct bytes message = *data, line;

	while (next_line(data, &line))
		if (bytes_left(&line) == 1 && *line.p == '.') {
			message.end = line.p;
			return message;
		}
	data->p = data->end;
	return message;
}

static enum inspect_answer
read_message(struct mgcp *s, struct bytes message, uint8_t dir, const struct inspect_sink *sink)
{
	struct bytes line;
	struct sdp sdp = { .sink = sink, .from = INSPECT_NOBODY };
	enum inspect_answer answer;

	while (bytes_left(&message) > 0 && (*message.p == '\r' || *message.p == '\n'))
		bytes_skip(&message, 1);
	if (!next_line(&message, &line))
		return INSPECT_NO;
	if (read_command(line, s, sink)) {
		answer = INSPECT_NAMED;
	} else {
		answer = read_answer(line, message, s);
		sdp.from = dir;
	}
	if (answer == INSPECT_NO)
		return INSPECT_NO;
	if (answer > INSPECT_LIKELY || s->answer > INSPECT_LIKELY) {
		read_parameters(&message, sink);
		sdp_read(&sdp, message);
	}
	return answer >= INSPECT_SURE ? INSPECT_NAMED : answer;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct mgcp *s = state;
	struct bytes data = view->data;

	for (unsigned i = 0; i < PARTS_MOST && bytes_left(&data) > 0; i++) {
		enum inspect_answer found =
			read_message(s, next_message(&data), view->dir, sink);

		if (found > s->answer)
			s->answer = (uint8_t)found;
		if (found == INSPECT_NO)
			break;
	}
	return (enum inspect_answer)s->answer;
}

/* A verb or a code, with blanks and empty lines before it. */
static const struct inspect_start starts[] = {
	{ .count = 1, .bytes = { { '\t', '\r' } } },
	{ .count = 1, .bytes = { INSPECT_IS(' ') } },
	{ .count = 1, .bytes = { { '0', '9' } } },
	{ .count = 1, .bytes = { { 'A', 'z' } } },
};

const struct inspector inspect_mgcp = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "mgcp",
	.state_size = sizeof(struct mgcp),
	.transports = INSPECT_UDP,
	.fields = fields,
	.field_count = MGCP_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
