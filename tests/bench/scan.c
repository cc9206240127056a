/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * What a new flow costs with few modules and with many, with few patterns of URLs and many.
 *
 *	scan [ROUNDS [FLOWS]]          all of it: a table, then JSON lines, one a figure
 *	scan count CASE FLOWS          only classifies so many flows in the case of this number,
 *	                               for callgrind: the difference of two runs with other
 *	                               FLOWS is the instructions of the flows between
 *
 * Flows of eight kinds come in turn (make_kinds): known by an inspector, by a
 * rule, or by nobody. Cases take turns within a round; a ratio is the median of the rounds'
 * ratios, to the case that the table names. Compare lines of one run only. $srcdir/pdlm has the
 * modules; the synthetic ones have rules like theirs, of made-up words and bytes.
 */
#include "config.h"

#include "../lib/frame.h"
#include "conf/words.h"
#include "policy/match_set.h"
#include "worker/engine.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FRAMES = 16, KINDS = 8, ROUNDS_MOST = 101 };

struct scan_case {
	const char *name;
	unsigned modules;   /* real ones; 0: all */
	unsigned synthetic; /* in times of the real ones with rules */
	unsigned patterns;  /* of URLs */
	bool ndpi, plain;   /* plain: without Hyperscan */
	unsigned base;      /* the case that it is compared with */
};

static const struct scan_case cases[] = {
	{ "10 modules", 10, 0, 0, false, false, 0 },
	{ "all modules", 0, 0, 0, false, false, 0 },
	{ "all, and as many made-up ones", 0, 1, 0, false, false, 0 },
	{ "all, and three times as many", 0, 3, 0, false, false, 0 },
	{ "10 modules, no Hyperscan", 10, 0, 0, false, true, 0 },
	{ "all modules, no Hyperscan", 0, 0, 0, false, true, 4 },
	{ "four times, no Hyperscan", 0, 3, 0, false, true, 4 },
	{ "10 modules, nDPI", 10, 0, 0, true, false, 7 },
	{ "all modules, nDPI", 0, 0, 0, true, false, 7 },
	{ "10 URL patterns", 0, 0, 10, false, false, 9 },
	{ "100 URL patterns", 0, 0, 100, false, false, 9 },
	{ "1,000 URL patterns", 0, 0, 1000, false, false, 9 },
	{ "10 URL patterns, no Hyperscan", 0, 0, 10, false, true, 12 },
	{ "1,000 URL patterns, no Hyperscan", 0, 0, 1000, false, true, 12 },
};

enum { CASES = sizeof(cases) / sizeof(cases[0]) };

/* The ten: what a small network has. */
static const char *const ten[] = { "http", "ssl",  "dns",    "ssh",        "smtp",
				   "pop3", "imap", "telnet", "bittorrent", "mqtt" };

struct rig {
	struct barn_engine *engine;
	struct worker *worker;
	struct match **matches;
	unsigned match_count;
	struct match_set *set;
	struct rule_scratch *scratch;
	double compile_ms;
	double ns[ROUNDS_MOST];
};

static struct rig rigs[CASES];
static uint64_t state = 1, serial, fitted;

static struct {
	struct frame *frame[FRAMES];
	unsigned count;
} kinds[KINDS];

static void
die(const char *why)
{
	fprintf(stderr, "scan: %s\n", why);
	exit(1);
}

static uint32_t
chance(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((state >> 32) * n >> 32);
}

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* From the client where `client`; addresses and ports are set for each flow. */
static void
add_frame(unsigned kind, bool udp, bool client, uint8_t flags, uint32_t seq, const void *data,
	  size_t len)
{
	static const uint16_t ports[2] = { 40000, 19999 };
	struct frame *f = malloc(sizeof(*f));

	if (!f)
		die("no memory");
	frame_init(f, data, len);
	if (udp)
		frame_udp(f, ports[!client], ports[client]);
	else
		frame_tcp(f, &(struct frame_tcp){ .sport = ports[!client],
						  .dport = ports[client],
						  .seq = seq,
						  .ack = 1,
						  .flags = flags });
	frame_ipv4(f, frame_addr(client ? "10.0.0.1" : "192.0.2.1"),
		   frame_addr(client ? "192.0.2.1" : "10.0.0.1"));
	frame_ether(f, NULL, NULL);
	kinds[kind].frame[kinds[kind].count++] = f;
}

struct message {
	bool client;
	const char *text; /* NULL: noise */
	size_t len;
};

static void
add_kind(unsigned kind, bool udp, const struct message *messages, unsigned count)
{
	uint32_t seq[2] = { 1, 1 };

	if (!udp) {
		add_frame(kind, udp, true, FRAME_SYN, 0, NULL, 0);
		add_frame(kind, udp, false, FRAME_SYN | FRAME_ACK, 0, NULL, 0);
	}
	for (unsigned i = 0; i < count; i++) {
		const struct message *m = &messages[i];
		size_t len = m->text ? strlen(m->text) : m->len;
		uint8_t noise[512];

		for (size_t k = 0; k < sizeof(noise); k++)
			noise[k] = (uint8_t)chance(256);
		add_frame(kind, udp, m->client, FRAME_PSH | FRAME_ACK, seq[m->client],
			  m->text ? (const void *)m->text : noise, len);
		seq[m->client] += (uint32_t)len;
	}
}

#define KIND(number, udp, ...)                                         \
	add_kind(number, udp, (const struct message[]){ __VA_ARGS__ }, \
		 sizeof((const struct message[]){ __VA_ARGS__ }) / sizeof(struct message))

static void
make_kinds(void)
{
	KIND(0, false,
	     { true,
	       "GET /images/holiday/beach-0815.jpg?size=large HTTP/1.1\r\nHost: "
	       "www.example.com\r\nUser-Agent: Mozilla/5.0\r\nAccept: */*\r\n\r\n",
	       0 },
	     { false,
	       "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: image/jpeg\r\n"
	       "Content-Length: 5\r\n\r\nhello",
	       0 });
	KIND(1, false, { false, "SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n", 0 },
	     { true, "SSH-2.0-OpenSSH_9.2p1\r\n", 0 });
	KIND(2, false, { false, "220 mail.example.com ESMTP Postfix\r\n", 0 },
	     { true, "EHLO client.example.com\r\n", 0 },
	     { false, "250-mail.example.com\r\n250 STARTTLS\r\n", 0 });
	KIND(3, false, { true, "HELLO there 17 and more words\r\n", 0 },
	     { false, "WELCOME to nowhere 4711\r\n", 0 }, { true, "DO something\r\n", 0 },
	     { false, "DONE something\r\n", 0 }, { true, "BYE\r\n", 0 },
	     { false, "BYE\r\n", 0 });
	KIND(4, false, { true, NULL, 200 }, { false, NULL, 400 }, { true, NULL, 100 },
	     { false, NULL, 300 }, { true, NULL, 100 }, { false, NULL, 300 });
	KIND(5, true, { true, NULL, 60 }, { false, NULL, 200 }, { true, NULL, 60 },
	     { false, NULL, 200 });
	KIND(6, true, { true, "who is there? tell me", 0 }, { false, "nobody: 12 12 1", 0 },
	     { true, "who is there? tell me", 0 }, { false, "nobody: 12 12 2", 0 });
	KIND(7, true, { true, "d1:ad2:id20:abcdefghij0123456789e1:q4:ping1:t2:aa1:y1:qe", 0 },
	     { false, "d1:rd2:id20:mnopqrstuvwxyz123456e1:t2:aa1:y1:re", 0 });
}

static bool
is_of_ten(const char *path)
{
	const char *name = strrchr(path, '/') + 1;

	for (unsigned i = 0; i < sizeof(ten) / sizeof(ten[0]); i++)
		if (strncmp(name, ten[i], strlen(ten[i])) == 0 &&
		    strcmp(name + strlen(ten[i]), ".pdlm") == 0)
			return true;
	return false;
}

static void
add_text(struct barn_engine *engine, const char *name, const char *text, size_t len)
{
	static struct barn_faults faults;

	if (!barn_engine_module(engine, name, text, len, &faults))
		return;
	fprintf(stderr, "scan: %s:%u: %s\n", name, faults.fault[0].line, faults.fault[0].text);
	exit(1);
}

static unsigned
add_real(struct barn_engine *engine, unsigned wanted)
{
	const char *srcdir = getenv("srcdir");
	unsigned rules = 0;
	char pattern[512];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/pdlm/*.pdlm", srcdir ? srcdir : ".");
	if (glob(pattern, 0, NULL, &found))
		die("no modules: set srcdir");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		static char text[1 << 20];
		FILE *file;

		if (wanted && !is_of_ten(found.gl_pathv[i]))
			continue;
		file = fopen(found.gl_pathv[i], "r");
		if (!file)
			die(found.gl_pathv[i]);
		add_text(engine, found.gl_pathv[i], text,
			 fread(text, 1, sizeof(text) - 1, file));
		rules += strstr(text, "    rule ") != NULL;
		memset(text, 0, sizeof(text));
		fclose(file);
	}
	globfree(&found);
	return rules;
}

static const char *
word(char *out, unsigned letters)
{
	for (unsigned i = 0; i < letters; i++)
		out[i] = (char)('a' + chance(26));
	out[letters] = '\0';
	return out;
}

/* Shapes of rules as the real ones have them; one in eight looks at lines. */
static void
add_synthetic(struct barn_engine *engine, unsigned number)
{
	char a[16], b[16], c[16], text[1024];
	unsigned x = chance(256), y = chance(256), z = chance(256);
	int len;

	word(a, 3 + chance(4));
	word(b, 3 + chance(5));
	word(c, 4 + chance(5));
	len = snprintf(
		text, sizeof(text),
		"protocol made-up-%u {\n"
		"rule one over tcp { client 0: /^(%s|%s) [\\w.-]{1,64} %s\\r\\n/i } => sure\n"
		"rule two over tcp {\n"
		"client 0: hex %02x ?? %02x at 4 hex (00|01) %02x u16be(2) in 4..4096\n"
		"} => sure\n"
		"rule three over udp {\n"
		"any 0: hex %02x [00-0f] %02x u8(4) & 0xf0 == 0x%02x\n"
		"} => likely\n",
		number, a, b, c, x, y, z, y, z, x & 0xf0);
	len += snprintf(text + len, sizeof(text) - (size_t)len,
			number % 8 ? "rule four over tcp { server 0: \"%s %s\" } => sure\n}\n"
				   : "rule four over tcp {\n"
				     "server line /^%s [0-9]{3} .{0,40}%s/\n"
				     "} => sure\n}\n",
			b, c);
	add_text(engine, "made-up", text, (size_t)len);
}

static void
add_pattern(struct rig *rig, const struct registry *registry, unsigned number)
{
	static struct words words;
	struct match_fault fault;
	char a[16], b[16], line[128];
	const char *why;
	uint32_t column;

	word(a, 5 + chance(5));
	word(b, 3 + chance(3));
	if (number == 0)
		snprintf(line, sizeof(line), "protocol http url \"*.jpg*\"");
	else if (number % 10 == 0)
		snprintf(line, sizeof(line), "protocol http url regex /%s\\d+\\.%s/", a, b);
	else
		snprintf(line, sizeof(line),
			 number % 3 ? "protocol http url \"*%s/*.%s\""
				    : "protocol http url \"%s*|*/%sx*\"",
			 a, b);
	if (words_split(&words, line, strlen(line), &column, &why) ||
	    match_new(registry, words.text, words.column, words.count, &rig->matches[number],
		      &fault))
		die(line);
}

static void
fits(void *self, uint32_t number)
{
	(void)self;
	fitted += number + 1;
}

static void
value(void *self, struct flow *flow, uint16_t field, struct bytes bytes)
{
	struct rig *rig = self;

	(void)flow;
	if (rig->set)
		match_set_value(rig->set, field, bytes, rig->scratch, fits, rig);
}

static void
make_patterns(struct rig *rig, const struct scan_case *c)
{
	const struct registry *registry = rig->engine->registry;

	rig->match_count = c->patterns;
	rig->matches = calloc(c->patterns, sizeof(struct match *));
	if (!rig->matches || match_set_new(registry_field_count(registry), &rig->set))
		die("no memory");
	for (unsigned i = 0; i < c->patterns; i++) {
		add_pattern(rig, registry, i);
		if (match_set_add(rig->set, rig->matches[i], i))
			die("no memory");
	}
	if (match_set_compile(rig->set, c->plain) || match_set_scratch(rig->set, &rig->scratch))
		die("no memory");
}

static void
open_rig(struct rig *rig, const struct scan_case *c)
{
	struct barn_engine_options options = { .size = sizeof(options),
					       .no_ndpi = !c->ndpi,
					       .no_hyperscan = c->plain };
	struct worker_options worker = { .interfaces = 1, .flows = 8192, .self = rig };
	struct barn_faults faults = { 0 };
	unsigned rules;
	double start;

	state = 1;
	if (barn_engine_new(&options, &rig->engine))
		die("no memory");
	rig->engine->untested = true;
	rules = add_real(rig->engine, c->modules);
	for (unsigned i = 0; i < rules * c->synthetic; i++)
		add_synthetic(rig->engine, i);
	start = now_ns();
	if (barn_engine_commit(rig->engine, &faults))
		die(faults.fault[0].text); /* one of the ten wants a module that is not there */
	if (c->patterns)
		make_patterns(rig, c);
	rig->compile_ms = (now_ns() - start) / 1e6;
	worker.current = &rig->engine->current;
	worker.shared = rig->engine->shared;
	worker.ndpi = c->ndpi;
	worker.value = value;
	if (worker_new(&worker, &rig->worker))
		die("no memory");
}

static void
close_rig(struct rig *rig)
{
	worker_free(rig->worker);
	rule_scratch_free(rig->scratch);
	match_set_free(rig->set);
	for (unsigned i = 0; i < rig->match_count; i++)
		match_free(rig->matches[i]);
	free(rig->matches);
	barn_engine_free(rig->engine);
}

/* A flow that was never seen: client's address by its number. */
static void
show_flow(struct rig *rig, struct wire *wire, uint32_t number)
{
	unsigned kind = number % KINDS;

	for (unsigned i = 0; i < kinds[kind].count; i++) {
		struct frame *f = kinds[kind].frame[i];
		bool client = f->data[26] != 192;
		struct packet packet = {
			.wire_len = (uint32_t)f->len,
			.time_ns = 1700000000000000000 + serial * 1000,
			.clock_ns = 1700000000000000000 + serial * 1000,
			.serial = serial + 1,
			.linktype = 1,
		};

		serial++;
		for (unsigned k = 0; k < 3; k++)
			f->data[(client ? 27 : 31) + k] = (uint8_t)(number >> 8 * k);
		packet.frame = bytes_of(f->data, f->len);
		wire_decode(wire, &packet);
		worker_packet(rig->worker, &packet);
	}
}

static double
run(struct rig *rig, struct wire *wire, uint32_t flows)
{
	static uint32_t number;
	double start = now_ns();

	for (uint32_t i = 0; i < flows; i++)
		show_flow(rig, wire, number++);
	return (now_ns() - start) / flows;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *values, unsigned count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2];
}

static double
ratio(unsigned number, unsigned rounds)
{
	double ratios[ROUNDS_MOST] = { 0 };

	for (unsigned i = 0; i < rounds; i++)
		ratios[i] = rigs[number].ns[i] / rigs[cases[number].base].ns[i];
	return median(ratios, rounds);
}

static void
print(unsigned rounds, uint32_t flows)
{
	double ns[CASES], ratios[CASES];

	for (unsigned i = 0; i < CASES; i++)
		ratios[i] = ratio(i, rounds);
	for (unsigned i = 0; i < CASES; i++)
		ns[i] = median(rigs[i].ns, rounds);
	printf("%-34s %8s %10s %10s  %s\n", "", "rules", "ns a flow", "compiled", "ratio");
	for (unsigned i = 0; i < CASES; i++) {
		const struct registry *r = rigs[i].engine->registry;
		unsigned rules = rule_set_info(registry_rules(r, PDL_TCP)).rules +
				 rule_set_info(registry_rules(r, PDL_UDP)).rules;

		printf("%-34s %8u %10.0f %7.1f ms  %.2f of \"%s\"\n", cases[i].name, rules,
		       ns[i], rigs[i].compile_ms, ratios[i], cases[cases[i].base].name);
	}
	for (unsigned i = 0; i < CASES; i++)
		printf("{\"bench\":\"scan\",\"case\":\"%s\",\"ns_per_flow\":%.0f,\"ratio\":%."
		       "3f,"
		       "\"to\":\"%s\",\"compile_ms\":%.1f,\"rounds\":%u,\"flows\":%u}\n",
		       cases[i].name, ns[i], ratios[i], cases[cases[i].base].name,
		       rigs[i].compile_ms, rounds, flows);
}

int
main(int argc, char **argv)
{
	bool count = argc == 4 && strcmp(argv[1], "count") == 0;
	unsigned only = count ? (unsigned)strtoul(argv[2], NULL, 10) : CASES;
	unsigned rounds = argc > 1 && !count ? (unsigned)strtoul(argv[1], NULL, 10) : 15;
	uint32_t flows = argc > 2 ? (uint32_t)strtoul(argv[count ? 3 : 2], NULL, 10) : 4000;
	struct wire *wire;

	if (rounds < 1 || rounds > ROUNDS_MOST || flows < 1 || (count && only >= CASES)) {
		fprintf(stderr, "usage: scan [ROUNDS [FLOWS]] | scan count CASE FLOWS\n");
		return 2;
	}
	make_kinds();
	if (wire_new(&(struct wire_options){ .seed = { 1, 2 } }, &wire))
		die("no memory");
	for (unsigned i = 0; i < CASES; i++)
		if (!count || i == only)
			open_rig(&rigs[i], &cases[i]);
	if (count) {
		run(&rigs[only], wire, flows);
	} else {
		for (unsigned round = 0; round < rounds + 1; round++)
			for (unsigned i = 0; i < CASES; i++) /* round 0 warms up */
				rigs[i].ns[round ? round - 1 : 0] = run(&rigs[i], wire, flows);
		print(rounds, flows);
	}
	for (unsigned i = 0; i < CASES; i++)
		if (!count || i == only)
			close_rig(&rigs[i]);
	wire_free(wire);
	return fitted == 1; /* what is found is used */
}
