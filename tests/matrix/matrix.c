/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Conversations, each under every condition and in every encapsulation: protocol, name, packets
 * and bytes must come out right whatever happened on the way.
 *
 *	matrix [-v] [-w FILE] [WORD...]
 *
 * Without arguments all cases; with words those whose name contains all of them, or, with
 * "=NAME", is that. -v names each, -w writes their frames as a capture. BARN_PDLM_PATH: another
 * folder of modules.
 */
#include "../lib/pcapout.h"
#include "program/modules.h"
#include "send.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct known {
	const char *stack; /* behind the transport; "?": only guessed */
	const char *fact;  /* a field and its value; NULL: none is asked */
};

struct dialogue {
	const char *name, *capture;
	uint32_t limit; /* bytes of each side */
	bool server_first;
	struct known known[CHANGE_VIEWS];
};

static const struct dialogue DIALOGUES[] = {
	{ "http",
	  "http/nginx-gzip.pcap",
	  2000,
	  false,
	  { [VIEW_WHOLE] = { "http", "http.host=www.example.com" },
	    [VIEW_CLIENT] = { "http", "http.host=www.example.com" },
	    [VIEW_SERVER] = { "http", "http.mime=text/plain" },
	    [VIEW_MIDDLE] = { "http", "http.host=www.example.com" },
	    [VIEW_HOLE] = { "http", "http.method=GET" },
	    [VIEW_SNAPPED] = { "http", "http.method=GET" } } },
	{ "tls",
	  "ssl/nginx-1.2.pcap",
	  4000,
	  false,
	  { [VIEW_WHOLE] = { "ssl", "ssl.server-name=www.example.com" },
	    [VIEW_CLIENT] = { "ssl", "ssl.server-name=www.example.com" },
	    [VIEW_SERVER] = { "ssl", "ssl.version=1.2" },
	    [VIEW_MIDDLE] = { "ssl", NULL },
	    [VIEW_HOLE] = { "ssl", "ssl.version=1.2" },
	    [VIEW_SNAPPED] = { "ssl", NULL } } },
	{ "ssh",
	  "ssh/openssh.pcap",
	  4000,
	  false,
	  { [VIEW_WHOLE] = { "ssh", NULL },
	    [VIEW_CLIENT] = { "ssh", NULL },
	    [VIEW_SERVER] = { "ssh", NULL },
	    [VIEW_MIDDLE] = { "ssh", NULL }, /* by the exchange of keys */
	    [VIEW_HOLE] = { "ssh", NULL },
	    [VIEW_SNAPPED] = { "ssh", NULL } } },
	{ "smtp",
	  "smtp/exim-starttls.pcap",
	  4000,
	  true,
	  { [VIEW_WHOLE] = { "smtp/ssl", "ssl.server-name=mail.example.com" },
	    [VIEW_CLIENT] = { "smtp", NULL },
	    [VIEW_SERVER] = { "smtp", NULL },
	    [VIEW_MIDDLE] = { "smtp/ssl", "ssl.server-name=mail.example.com" },
	    /* STARTTLS waits behind the hole for longer than its answer takes. */
	    [VIEW_HOLE] = { "smtp", NULL },
	    [VIEW_SNAPPED] = { "smtp", NULL } } },
	{ "dns",
	  "dns/dnsmasq-plain.pcap",
	  0,
	  false,
	  { [VIEW_WHOLE] = { "dns", "dns.name=www.example.com" },
	    [VIEW_CLIENT] = { "dns", "dns.name=www.example.com" },
	    [VIEW_SERVER] = { "dns", "dns.name=www.example.com" },
	    [VIEW_SNAPPED] = { "dns", "dns.name=www.example.com" } } },
	{ "quic",
	  "quic/ngtcp2-1.pcap",
	  0,
	  false,
	  { [VIEW_WHOLE] = { "quic/http3", "quic.server-name=www.example.com" },
	    [VIEW_CLIENT] = { "quic/http3", "quic.server-name=www.example.com" },
	    [VIEW_SERVER] = { "quic", NULL },
	    [VIEW_SNAPPED] = { "quic", NULL } } },
};

enum { DIALOGUE_COUNT = sizeof(DIALOGUES) / sizeof(DIALOGUES[0]) };

/* What stands in front of the innermost IP header. */
static const char *const AROUND[] = {
	"eth",
	"eth vlan:7",
	"eth svlan:100 vlan:7",
	"eth type:9100 x:0064 x:9200 x:0065 x:8100 x:0007 etype",
	"eth type:88e7 x:0000002a eth vlan:7",
	"eth type:8926 x:00010002 etype",
	"eth mpls:16",
	"eth mpls:16 mpls:17 mpls:18 mpls:19",
	"eth mpls:16 eth",
	"eth vlan:7 mpls:16 mpls:17 x:00000001 eth vlan:8",
	"eth vlan:7 type:8864 x:1100 x:0005 len ppp",
	"eth type:8864 x:1100 x:0005 len x:003d x:c0000001 ppp",
	"eth type:8864 x:1100 x:0005 len x:003d x:c001 ppp8",
	"eth ip4",
	"eth ip6",
	"eth ip6 ext:43",
	"eth ip4 ip6",
	"eth ip4 proto:47 x:0000 etype",
	"eth ip4 proto:47 x:b000 etype x:12340000 x:0000002a x:00000001",
	"eth ip4 proto:47 x:2000 x:6558 x:00002a01 eth",
	"eth ip6 proto:47 x:0000 x:8847 mpls:16",
	"eth ip4 proto:47 x:3081 x:880b x:00310007 x:00000001 x:00000002 x:ff03 ppp",
	"eth ip4 proto:47 x:0000 x:88be eth",
	"eth ip4 proto:47 x:1000 x:88be x:00000001 x:1003002a x:00000000 eth vlan:3",
	"eth ip4 proto:47 x:1000 x:22eb x:00000001 x:2003002a x:00000000 x:00000000 eth",
	"eth ip4 proto:97 x:3000 eth",
	"eth ip4 proto:115 x:0000002a eth",
	"eth ip4 proto:137 mpls:16",
	"eth ip6 ext:43 proto:143 eth",
	"eth ip4 udp:1701 x:0002 x:0007 x:0009 x:ff03 ppp",
	"eth ip4 udp:1701 x:0003 x:0000 x:0000002a eth",
	"eth ip4 udp:2152 x:30ff002d x:00001234",
	"eth ip4 udp:2152 x:34ff0035 x:00001234 x:00000085 x:01100900",
	"eth ip4 udp:4341 x:88000001 x:00002a01",
	"eth ip4 udp:4754 x:2000 etype x:0000002a",
	"eth ip4 udp:4789 x:0800000000002a00 eth",
	"eth ip6 udp:4789 x:0800000000002a00 eth vlan:9",
	"eth ip4 udp:4790 x:0c000003 x:00002a00 eth",
	"eth ip4 udp:4790 x:0c000004 x:00002a00 x:0fc20203 x:00002bff eth",
	"eth ip4 udp:5247 x:00100200 x:00000000 eth",
	"eth ip4 udp:6081 x:0140655800002a00 x:01020304 eth",
	"eth ip4 udp:6635 mpls:16",
	"eth ip4 udp:37008 x:01000001 x:01 eth",
	"eth vlan:7 ip4 udp:4789 x:0800000000000100 eth ip4 udp:2152 x:30ff002d x:00000001",
	"eth ip4 proto:47 x:8000 etype x:00000000",
	"eth ip4 proto:47 x:0000 x:6558 eth svlan:5 vlan:7",
	"eth ip4 udp:1701 x:0002 x:0007 x:0009 x:ff03 ppp8",
	"eth macsec",
	"eth macsec vlan:7",
	"eth ip4 esp:7",
	"eth ip6 esp:7",
	"eth ip4 udp:4500 esp:7",
	"eth ip4 udp:5247 x:00100300 x:00000000 x:8802 x:0000 x:020000000001 x:020000000002"
	" x:020000000003 x:0000 x:8000 amsdu",
	"eth mpls:16 eth ip4 proto:47 x:0000 etype ip4 udp:4789 x:0800000000000100 eth",
	/* Identifiers of one direction. */
	"eth mpls:{16|17}",
	"eth mpls:{16|17} mpls:{20 mpls:21|22}",
	"eth mpls:{16|17} eth vlan:7",
	"eth type:8926 {x:00010002|x:80020001} etype",
	"eth ip4 udp:2152 x:30ff002d {x:00001234|x:00004321}",
	"eth ip4 udp:1701 x:0002 {x:0007 x:0009|x:0003 x:0004} x:ff03 ppp",
	"eth ip4 proto:115 {x:0000002a|x:0000002b} eth",
	"eth ip4 proto:47 x:3001 x:880b {x:00310007|x:00310008} x:00000001 x:ff03 ppp",
	"eth ip4 {esp:7|esp:8}",
	"eth ip4 proto:47 x:1000 x:88be x:00000001 {x:10030001|x:10030002} x:00000000 eth",
	"eth ip4 udp:4790 x:0c000004 x:00002a00 x:0fc20203 {x:00002bff|x:00002cff} eth",
	/* Two customers with the same addresses. */
	"eth vlan:7 & eth vlan:0 vlan:8",
	"eth ip4 udp:4789 x:0800000000002a00 eth & eth ip4 udp:4789 x:0800000000002b00 eth",
	"eth mpls:16 & eth mpls:17 mpls:18",
	"eth mpls:{16|17} & eth mpls:{17|18} mpls:19",
	"eth ip4 udp:2152 x:30ff002d {x:00000001|x:00000002} & "
	"eth ip4 udp:2152 x:32ff0031 {x:00000003|x:00000001} x:00000000",
	"eth ip4 udp:1701 x:0002 {x:0007 x:0009|x:0003 x:0004} x:ff03 ppp & "
	"eth ip4 udp:1701 x:0802 {x:0007 x:000a|x:0003 x:0005} x:00000000 x:ff03 ppp",
	"eth ip4 proto:47 x:3001 x:880b {x:00310007|x:00310008} x:00000001 x:ff03 ppp & "
	"eth ip4 proto:47 x:3081 x:880b {x:00310009|x:00310007} x:00000001 x:00000000 x:ff03 "
	"ppp",
	"eth ip4 {esp:7|esp:8} & eth vlan:0 ip4 {esp:9|esp:7}",
	/* Fragments of the packet around. */
	"eth / ip4 udp:4789 x:0800000000002a00 eth",
	"eth vlan:7 / ip6 udp:2152 x:30ff002d {x:00001234|x:00004321}",
	"eth / ip4 proto:47 x:0000 etype",
	"eth mpls:{16|17} / ip4",
};

enum { AROUND_COUNT = sizeof(AROUND) / sizeof(AROUND[0]), CASES = 512, AROUND_LEN = 512 };

struct result {
	bool run;
	char name[320];
	const struct known *known;
	unsigned flows, want_flows;
	bool single; /* all packets of a customer are one flow */
	unsigned customers;
	uint64_t packets[2], bytes[2], want_packets[2][2], want_bytes[2][2];
	char stack[128], fact[256];
	bool wrong;
};

struct matrix {
	struct barn_engine *engine;
	struct barn_worker *worker;
	struct talk talk[DIALOGUE_COUNT];
	struct result result[CASES]; /* of the encapsulation at hand */
	unsigned cases, passed, failed;
	struct pcapout *out;
	char *const *words;
	bool verbose;
};

/* The stack behind IP and transport, and "?" for a guess. */
static void
write_stack(char text[128], const struct barn_flow_info *info)
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < info->stack_len; i++)
		if (strcmp(info->stack[i], "ip") != 0 && strcmp(info->stack[i], "ipv6") != 0 &&
		    strcmp(info->stack[i], "tcp") != 0 && strcmp(info->stack[i], "udp") != 0)
			used += (size_t)snprintf(text + used, 128 - used, "%s%s",
						 used ? "/" : "", info->stack[i]);
	if (strcmp(info->evidence, "port") == 0 || strcmp(info->evidence, "learned") == 0)
		snprintf(text + used, 128 - used, "?");
}

static bool
has_fact(const struct barn_flow *flow, const char *fact)
{
	const char *name, *value = strchr(fact, '=') + 1;
	const uint8_t *p;
	size_t length;
	uint32_t at = 0;

	while (barn_flow_field(flow, &at, &name, &p, &length))
		if (strncmp(fact, name, strlen(name)) == 0 && fact[strlen(name)] == '=' &&
		    strlen(value) == length && memcmp(value, p, length) == 0)
			return true;
	return false;
}

/* A client's address holds the number of its case; 0xff in front of it: a third host. */
static unsigned
case_of(const struct barn_flow_info *info, unsigned *client)
{
	const uint8_t *a = info->client.address, *b = info->server.address;
	size_t host = info->ip_version == 4 ? 0 : 1, last = info->ip_version == 4 ? 2 : 14;

	*client = a[host] == 11 ? 1 : 0;
	if ((a[host] != 10 && a[host] != 11) || (host && a[0] != 0xfd))
		return CASES; /* the packet around */
	if (info->ip_version == 0 || a[host + 1] == 0xff || b[host + 1] == 0xff)
		return CASES;
	return (unsigned)a[last] << 8 | a[last + 1];
}

/* Its counts are those of one customer, in both directions. */
static bool
is_unmixed(const struct result *r, const struct barn_flow_info *info, unsigned client)
{
	for (unsigned c = 0; c < r->customers; c++)
		if (info->packets[client] == r->want_packets[c][0] &&
		    info->packets[!client] == r->want_packets[c][1] &&
		    info->bytes[client] == r->want_bytes[c][0] &&
		    info->bytes[!client] == r->want_bytes[c][1])
			return true;
	return false;
}

static void
flow_ended(void *self, const struct barn_flow *flow)
{
	struct matrix *m = self;
	struct barn_flow_info info;
	struct result *r;
	unsigned client, n;

	barn_flow_info(flow, &info);
	n = case_of(&info, &client);
	if (n >= CASES)
		return;
	r = &m->result[n];
	r->flows++;
	for (unsigned dir = 0; dir < 2; dir++) {
		r->packets[dir] += info.packets[dir ^ client];
		r->bytes[dir] += info.bytes[dir ^ client];
	}
	if (r->single && r->run && !is_unmixed(r, &info, client)) {
		snprintf(r->fact, sizeof(r->fact), "customers are mixed");
		r->wrong = true;
	}
	write_stack(r->stack, &info);
	if (strcmp(r->stack, r->known->stack) != 0)
		r->wrong = true;
	if (r->known->fact && !has_fact(flow, r->known->fact)) {
		snprintf(r->fact, sizeof(r->fact), "no %s", r->known->fact);
		r->wrong = true;
	}
}

static void
frame_sent(void *self, const struct frame *frame, size_t captured, uint64_t time_ns)
{
	struct matrix *m = self;

	if (m->out)
		pcapout_write(m->out, time_ns, frame->data, captured, frame->len);
	barn_worker_frame(m->worker, &(struct barn_frame){ .data = frame->data,
							   .captured = (uint32_t)captured,
							   .length = (uint32_t)frame->len,
							   .time_ns = time_ns,
							   .linktype = 1 });
}

static struct frame_end
end_of(unsigned version, unsigned host, unsigned n, unsigned third, uint16_t port)
{
	struct frame_end end = { .port = port };

	end.addr.family = (uint8_t)version;
	if (version == 4) {
		memcpy(end.addr.bytes,
		       (uint8_t[]){ (uint8_t)(10 + host), (uint8_t)third, (uint8_t)(n >> 8),
				    (uint8_t)n },
		       4);
	} else {
		end.addr.bytes[0] = 0xfd;
		end.addr.bytes[1] = (uint8_t)(10 + host);
		end.addr.bytes[2] = (uint8_t)third;
		end.addr.bytes[14] = (uint8_t)(n >> 8);
		end.addr.bytes[15] = (uint8_t)n;
	}
	return end;
}

static bool
is_wanted(const struct matrix *m, const char *name)
{
	for (char *const *word = m->words; *word; word++)
		if (**word == '=' ? strcmp(name, *word + 1) != 0 : !strstr(name, *word))
			return false;
	return true;
}

static bool
is_possible(const struct dialogue *d, const struct talk *talk, const struct change *change,
	    unsigned version)
{
	return change->for_what & (talk->udp ? FOR_UDP : FOR_TCP) &&
	       change->for_what & (version == 4 ? FOR_IP4 : FOR_IP6) &&
	       !(change->for_what & FOR_CLIENT_FIRST && d->server_first) &&
	       d->known[change->view].stack;
}

/*
 * ESP that encrypts nothing is known by its end, which must be there and at its place;
 * fragments that miss a part are not joined.
 */
static bool
is_possible_around(const struct change *change, const char *around)
{
	if (change->packet == PACKET_SNAPPED)
		return !strstr(around, "esp:") && !strchr(around, '/');
	return change->packet != PACKET_PADDED || !strstr(around, "esp:");
}

static void
run_case(struct matrix *m, unsigned i, const struct change *change, unsigned version,
	 const char *const around[3], struct script *script)
{
	const struct dialogue *d = &DIALOGUES[i];
	struct result *r = &m->result[m->cases];
	struct send send = { .around = { around[0], around[1] },
			     .packet = change->packet,
			     .now_ns = UINT64_C(1700000000000000000),
			     .frame = frame_sent,
			     .self = m };

	if (!is_possible(d, &m->talk[i], change, version) ||
	    !is_possible_around(change, around[2]))
		return;
	snprintf(r->name, sizeof(r->name), "%s v%u, %s, %s", d->name, version, change->name,
		 around[2]);
	if (!is_wanted(m, r->name))
		return;
	if (m->cases == CASES - 1)
		abort();
	r->known = &d->known[change->view];
	r->customers = around[1] ? 2 : 1;
	r->want_flows = (change->flows ? change->flows : 1) * r->customers;
	send.end[0] = end_of(version, 0, m->cases, 0, 40000);
	send.end[1] = end_of(version, 1, m->cases, 0, m->talk[i].port);
	send.other = end_of(version, 0, m->cases, 0xff, 40000);
	script_write(script, &m->talk[i]);
	if (change->rewrite)
		change->rewrite(script);
	send_script(&send, script);
	memcpy(r->want_packets, send.packets, sizeof(send.packets));
	memcpy(r->want_bytes, send.bytes, sizeof(send.bytes));
	r->single = r->want_flows == r->customers;
	r->run = true;
	m->cases++;
}

static void
judge(struct matrix *m, const struct result *r)
{
	bool counts = true;
	uint64_t packets[2], bytes[2];

	for (unsigned dir = 0; dir < 2; dir++) {
		packets[dir] = r->want_packets[0][dir] + r->want_packets[1][dir];
		bytes[dir] = r->want_bytes[0][dir] + r->want_bytes[1][dir];
		counts &= r->packets[dir] == packets[dir] && r->bytes[dir] == bytes[dir];
	}
	if (!r->wrong && counts && r->flows == r->want_flows) {
		m->passed++;
		if (m->verbose)
			printf("ok     %s\n", r->name);
		return;
	}
	m->failed++;
	printf("FAILED %s: %s, not %s; %s", r->name, r->stack, r->known->stack, r->fact);
	printf("; %u flows of %u, packets %llu+%llu of %llu+%llu, bytes %llu+%llu of "
	       "%llu+%llu\n",
	       r->flows, r->want_flows, (unsigned long long)r->packets[0],
	       (unsigned long long)r->packets[1], (unsigned long long)packets[0],
	       (unsigned long long)packets[1], (unsigned long long)r->bytes[0],
	       (unsigned long long)r->bytes[1], (unsigned long long)bytes[0],
	       (unsigned long long)bytes[1]);
}

/* All conversations and conditions in one encapsulation, through one worker. */
static bool
run_around(struct matrix *m, const char *text)
{
	char one[AROUND_LEN], *other;
	const char *around[3] = { one, NULL, text };
	struct barn_worker_options options = {
		.size = sizeof(options), .flows = 65536, .flow_ended = flow_ended, .self = m
	};
	struct script *script = script_new();

	snprintf(one, sizeof(one), "%s", text);
	other = strchr(one, '&');
	if (other) {
		*other++ = '\0';
		around[1] = other;
	}
	if (barn_worker_new(m->engine, &options, &m->worker) != BARN_OK)
		return false;
	memset(m->result, 0, sizeof(m->result));
	m->cases = 0;
	for (unsigned i = 0; i < DIALOGUE_COUNT; i++)
		for (size_t c = 0; c < change_count; c++) {
			run_case(m, i, &changes[c], 4, around, script);
			run_case(m, i, &changes[c], 6, around, script);
		}
	barn_worker_close(m->worker);
	barn_worker_free(m->worker);
	for (unsigned n = 0; n < m->cases; n++)
		judge(m, &m->result[n]);
	script_free(script);
	return true;
}

static bool
begin(struct matrix *m)
{
	const char *top = getenv("srcdir") ? getenv("srcdir") : ".";
	struct modules_options options = { .no_ndpi = true };
	char path[512];

	for (unsigned i = 0; i < DIALOGUE_COUNT; i++) {
		snprintf(path, sizeof(path), "%s/captures/%s", top, DIALOGUES[i].capture);
		if (!talk_read(&m->talk[i], path, DIALOGUES[i].limit))
			return false;
	}
	snprintf(path, sizeof(path), "%s/pdlm", top);
	options.folder = getenv("BARN_PDLM_PATH") ? getenv("BARN_PDLM_PATH") : path;
	return modules_load(&options, &m->engine) == BARN_OK;
}

int
main(int argc, char **argv)
{
	static struct matrix m;
	char **arg = argv + 1;

	for (; argc > 1 && *arg && **arg == '-'; arg++) {
		if (strcmp(*arg, "-v") == 0)
			m.verbose = true;
		else if (strcmp(*arg, "-w") == 0 && arg[1])
			m.out = pcapout_open(*++arg, PCAPOUT_ETHERNET, PCAPOUT_NANO);
	}
	m.words = arg;
	if (!begin(&m))
		return 1;
	for (unsigned i = 0; i < AROUND_COUNT; i++)
		if (!run_around(&m, AROUND[i]))
			return 1;
	barn_engine_free(m.engine);
	if (m.out && pcapout_close(m.out) != 0)
		return 1;
	printf("%u passed, %u failed\n", m.passed, m.failed);
	return m.failed || !m.passed;
}
