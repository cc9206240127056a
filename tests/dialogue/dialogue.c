/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * dialogue FILE.dialogue FILE.pcap: makes the capture of a conversation from its description,
 * for protocols whose software cannot be had any more. The same description always gives the
 * same bytes; tests/dialogue/check holds each capture against its description. help.c describes
 * the language: `dialogue --help`. It has each statement of the table below.
 */
#include "../lib/convo.h"
#include "../lib/pcapout.h"
#include "help.h"
#include "item.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOWS_MAX = 256, FILE_MAX = 16 << 20 };

struct script {
	struct lex lex;
	convo_sink *sink;
	void *sink_ctx;

	uint64_t now_ns, gap_ns;
	size_t mss; /* 0: what fits Ethernet */
	unsigned ack_every;
	bool handshake;
	uint16_t tags[CONVO_TAGS_MAX];
	unsigned n_tags;

	struct convo *flows[FLOWS_MAX];
	unsigned n_flows;
	struct convo *flow; /* the current one; NULL before the first */
	struct item_bytes message;
};

static uint64_t
read_time(struct lex *l)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	char *unit = NULL;
	unsigned long long n;

	errno = 0;
	n = strtoull(l->text, &unit, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (unit == l->text || l->text[0] == '-' || strcmp(unit, units[i].name) != 0)
			continue;
		if (errno || n > 1000000000000000000u / units[i].ns) {
			lex_fail(l, "time too long");
			return 0;
		}
		lex_next(l);
		return n * units[i].ns;
	}
	lex_fail(l, "expected a time like 20ms or 1s, not %s", lex_show(l));
	return 0;
}

static struct frame_end
read_end(struct lex *l)
{
	struct frame_end end = { { 0 }, 0 };
	char addr[64];
	char *colon = strrchr(l->text, ':'), *rest;
	size_t len = colon ? (size_t)(colon - l->text) : 0;
	const char *from = l->text;

	if (l->kind == LEX_WORD && len >= 2 && from[0] == '[' && from[len - 1] == ']') {
		from++;
		len -= 2;
	} else if (memchr(from, ':', len)) {
		len = 0; /* IPv6 without brackets */
	}
	if (l->kind == LEX_WORD && len > 0 && len < sizeof(addr) && colon[1] >= '0' &&
	    colon[1] <= '9') {
		unsigned long port = strtoul(colon + 1, &rest, 10);

		memcpy(addr, from, len);
		addr[len] = '\0';
		if (*rest == '\0' && port <= 65535 && frame_addr_parse(addr, &end.addr)) {
			end.port = (uint16_t)port;
			lex_next(l);
			return end;
		}
	}
	lex_fail(l, "expected ADDRESS:PORT or [ADDRESS]:PORT, not %s", lex_show(l));
	return end;
}

static enum convo_from
read_side(struct lex *l)
{
	bool server = lex_is(l, "server");

	if (!server && !lex_is(l, "client"))
		lex_fail(l, "expected client or server, not %s", lex_show(l));
	lex_next(l);
	return server ? CONVO_SERVER : CONVO_CLIENT;
}

/* Takes the clock and the settings over to the current flow. */
static struct convo *
enter(struct script *s)
{
	struct convo *c = s->flow;

	c->now_ns = s->now_ns;
	c->gap_ns = s->gap_ns;
	c->ack_every = s->ack_every;
	if (s->mss)
		c->mss = s->mss;
	return c;
}

static void
leave(struct script *s)
{
	s->now_ns = s->flow->now_ns;
}

static void
open_flow(struct script *s, uint8_t proto)
{
	struct lex *l = &s->lex;
	unsigned line = l->token_line, column = l->token_column;
	struct frame_end client, server;
	struct convo *c;

	client = read_end(l);
	if (!lex_is(l, ">"))
		lex_fail(l, "expected > between the client and the server, not %s",
			 lex_show(l));
	lex_next(l);
	server = read_end(l);
	if (l->failed)
		return;
	l->token_line = line;
	l->token_column = column;
	if (client.addr.family != server.addr.family) {
		lex_fail(l, "one address is IPv4, the other IPv6");
		return;
	}
	c = s->n_flows < FLOWS_MAX ? malloc(sizeof(*c)) : NULL;
	if (!c) {
		lex_fail(l, "more than %d flows", FLOWS_MAX);
		return;
	}
	s->flow = s->flows[s->n_flows++] = c;
	convo_init(c, proto, client, server, s->sink, s->sink_ctx);
	/* Numbers that differ from flow to flow, as those of real hosts do. */
	c->seq[CONVO_CLIENT] += 0x01234567u * s->n_flows;
	c->seq[CONVO_SERVER] += 0x0fedcba9u * s->n_flows;
	memcpy(c->tags, s->tags, sizeof(c->tags));
	c->n_tags = s->n_tags;
	enter(s);
	if (s->handshake)
		convo_open(c);
	leave(s);
}

static void
do_flow(struct script *s)
{
	struct lex *l = &s->lex;
	uint8_t proto = lex_is(l, "tcp") ? 6 : lex_is(l, "udp") ? 17 : 0;
	uint64_t n;

	if (proto) {
		lex_next(l);
		open_flow(s, proto);
		return;
	}
	if (s->n_flows == 0) {
		lex_fail(l, "expected tcp or udp, not %s", lex_show(l));
		return;
	}
	if (lex_is(l, "0"))
		lex_fail(l, "flows are numbered from 1");
	n = lex_number(l, s->n_flows, "tcp, udp or the number of an open flow");
	if (!l->failed)
		s->flow = s->flows[n - 1];
}

static void
do_message(struct script *s, enum convo_from from)
{
	struct convo *c;

	item_read_line(&s->lex, &s->message);
	if (s->lex.failed)
		return;
	c = enter(s);
	if (c->proto == 17 && s->message.len > 65000)
		lex_fail(&s->lex, "datagram longer than 65000 bytes");
	else
		convo_send(c, from, s->message.data, s->message.len);
	leave(s);
}

static void
do_client(struct script *s)
{
	do_message(s, CONVO_CLIENT);
}

static void
do_server(struct script *s)
{
	do_message(s, CONVO_SERVER);
}

static void
do_wait(struct script *s)
{
	s->now_ns += read_time(&s->lex);
}

static void
do_ack(struct script *s)
{
	enum convo_from from = read_side(&s->lex);

	if (s->lex.failed)
		return;
	convo_ack(enter(s), from);
	leave(s);
}

static void
do_close(struct script *s)
{
	enum convo_from from = CONVO_CLIENT;

	if (s->lex.kind == LEX_WORD)
		from = read_side(&s->lex);
	if (s->lex.failed)
		return;
	convo_close(enter(s), from);
	leave(s);
}

static void
do_reset(struct script *s)
{
	enum convo_from from = read_side(&s->lex);

	if (s->lex.failed)
		return;
	convo_reset(enter(s), from);
	leave(s);
}

static void
do_start(struct script *s)
{
	if (s->n_flows)
		lex_fail(&s->lex, "start stands before the first flow");
	s->now_ns = lex_number(&s->lex, UINT32_MAX, "the seconds since 1970") * 1000000000;
}

static void
do_gap(struct script *s)
{
	s->gap_ns = read_time(&s->lex);
}

static void
do_handshake(struct script *s)
{
	s->handshake = lex_is(&s->lex, "yes");
	if (!s->handshake && !lex_is(&s->lex, "no"))
		lex_fail(&s->lex, "expected yes or no, not %s", lex_show(&s->lex));
	lex_next(&s->lex);
}

static void
do_mss(struct script *s)
{
	if (lex_is(&s->lex, "0"))
		lex_fail(&s->lex, "a segment has at least 1 byte");
	s->mss = (size_t)lex_number(&s->lex, 65000, "the size of a segment");
}

static void
do_acks(struct script *s)
{
	s->ack_every = (unsigned)lex_number(&s->lex, 1000, "the number of segments");
}

static void
do_vlan(struct script *s)
{
	s->n_tags = 0;
	if (lex_is(&s->lex, "none")) {
		lex_next(&s->lex);
		return;
	}
	do {
		if (s->n_tags == CONVO_TAGS_MAX) {
			lex_fail(&s->lex, "more than %d tags", CONVO_TAGS_MAX);
			return;
		}
		s->tags[s->n_tags++] = (uint16_t)lex_number(&s->lex, 4095, "a VLAN number");
	} while (s->lex.kind == LEX_WORD);
}

static const struct statement {
	const char *name;
	bool needs_flow;
	void (*run)(struct script *s);
} statements[] = {
	{ "ack", true, do_ack },
	{ "acks", false, do_acks },
	{ "client", true, do_client },
	{ "close", true, do_close },
	{ "flow", false, do_flow },
	{ "gap", false, do_gap },
	{ "handshake", false, do_handshake },
	{ "mss", false, do_mss },
	{ "reset", true, do_reset },
	{ "server", true, do_server },
	{ "start", false, do_start },
	{ "vlan", false, do_vlan },
	{ "wait", false, do_wait },
};

static void
run_statement(struct script *s)
{
	struct lex *l = &s->lex;

	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
		if (!lex_is(l, statements[i].name))
			continue;
		if (statements[i].needs_flow && !s->flow)
			lex_fail(l, "%s before the first flow", statements[i].name);
		lex_next(l);
		statements[i].run(s);
		if (!l->failed && l->kind != LEX_NEWLINE && l->kind != LEX_END)
			lex_fail(l, "expected the end of the line, not %s", lex_show(l));
		return;
	}
	lex_fail(l, "unknown statement %s", lex_show(l));
}

static void
discard(void *ctx, uint64_t time_ns, const struct frame *frame)
{
	(void)ctx, (void)time_ns, (void)frame;
}

/* Runs the whole text; true without a fault. */
static bool
run(struct script *s, const char *text, size_t len, convo_sink *sink, void *ctx)
{
	memset(s, 0, offsetof(struct script, message));
	s->sink = sink;
	s->sink_ctx = ctx;
	s->now_ns = (uint64_t)1767225600 * 1000000000;
	s->gap_ns = 1000000;
	s->ack_every = 2;
	s->handshake = true;
	lex_init(&s->lex, text, len);
	while (s->lex.kind != LEX_END) {
		if (s->lex.kind == LEX_NEWLINE)
			lex_next(&s->lex);
		else
			run_statement(s);
	}
	for (unsigned i = 0; i < s->n_flows; i++)
		free(s->flows[i]);
	return !s->lex.failed;
}

static char *
read_file(const char *path, size_t *len)
{
	FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
	char *text = file ? malloc(FILE_MAX) : NULL;

	if (!text) {
		fprintf(stderr, "dialogue: %s: %s\n", path, strerror(errno));
		exit(1);
	}
	*len = fread(text, 1, FILE_MAX, file);
	if (ferror(file) || *len == FILE_MAX) {
		fprintf(stderr, "dialogue: %s: %s\n", path,
			ferror(file) ? strerror(errno) : "too long");
		exit(1);
	}
	if (file != stdin)
		fclose(file);
	return text;
}

int
main(int argc, char **argv)
{
	static struct script script;
	struct pcapout *out;
	size_t len;
	char *text;

	if (argc == 2 && strcmp(argv[1], "--help") == 0) {
		fputs(help_text, stdout);
		return 0;
	}
	if (argc != 3) {
		fprintf(stderr,
			"usage: dialogue FILE.dialogue FILE.pcap, or dialogue --help\n");
		return 2;
	}
	text = read_file(argv[1], &len);
	/* Once without output, so that a fault never leaves half a capture. */
	if (!run(&script, text, len, discard, NULL)) {
		fprintf(stderr, "%s:%u:%u: %s\n", argv[1], script.lex.error_line,
			script.lex.error_column, script.lex.error);
		return 1;
	}
	out = pcapout_open(argv[2], PCAPOUT_ETHERNET, PCAPOUT_MICRO);
	if (out)
		run(&script, text, len, pcapout_sink, out);
	if (!out || pcapout_close(out) < 0) {
		fprintf(stderr, "dialogue: %s: %s\n", argv[2], strerror(errno));
		return 1;
	}
	free(text);
	return 0;
}
