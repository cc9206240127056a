/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * emix-check CAPTURE FLOWS: holds an enterprise mix against Table 1 of the NBAR performance
 * report. Everything is counted in the capture; FLOWS only says which application a flow is.
 * The table stands here once more on purpose: emix's own is what is checked.
 *
 * Each flow: packets and bytes exactly; for TCP a handshake, continuous sequence numbers, ACKs
 * of what was sent, two FINs; all checksums. The whole: shares, number of flows, addresses,
 * order of time, interleaving. IPv6 flows are 20 bytes a packet longer.
 */
#include "../../lib/frame.h"

#include <arpa/inet.h>
#include <pcap/pcap.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
	const char *protocol;
	unsigned packets, percent, average;
	uint16_t port; /* of the server; 0: any */
} table[] = {
	{ "rtp", 217, 9, 81, 0 },         { "telnet", 158, 7, 114, 23 },
	{ "http", 473, 20, 452, 80 },     { "ftp", 216, 9, 72, 21 },
	{ "smtp", 96, 4, 101, 25 },       { "citrix", 360, 15, 254, 1494 },
	{ "sap-app", 216, 9, 358, 3300 }, { "winmx", 118, 5, 267, 6699 },
	{ "edonkey", 220, 9, 253, 4662 }, { "unknown", 300, 13, 256, 47731 },
};
enum { ROWS = sizeof(table) / sizeof(table[0]), FLOWS_MAX = 4096, FLOWS_LEAST = 50 };

struct flow {
	size_t row;
	uint8_t proto;
	struct frame_end end[2]; /* client, server */
	unsigned packets;
	uint64_t bytes, first_us, last_us;
	uint32_t next[2]; /* TCP */
	unsigned syns, fins;
};

static struct flow flows[FLOWS_MAX];
static size_t n_flows;
static int faults;

static void fault(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void
fault(const char *format, ...)
{
	va_list ap;

	if (faults++ >= 20)
		return;
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
}

static void
die(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(2);
}

static bool
parse_end(char *text, struct frame_end *end)
{
	char *colon = strrchr(text, ':');

	if (!colon)
		return false;
	*colon = '\0';
	end->port = (uint16_t)atoi(colon + 1);
	if (text[0] == '[' && colon[-1] == ']') {
		colon[-1] = '\0';
		text++;
	}
	return end->port && frame_addr_parse(text, &end->addr);
}

static void
read_flows(const char *path)
{
	char line[512], before[512] = "", transport[8], client[80], server[80], protocol[64];
	FILE *file = fopen(path, "r");

	if (!file)
		die("%s: cannot be read", path);
	while (fgets(line, sizeof(line), file)) {
		struct flow *f = &flows[n_flows];

		if (n_flows == FLOWS_MAX)
			die("%s: more than %d flows", path, FLOWS_MAX);
		if (strcmp(before, line) >= 0)
			fault("%s: not sorted at: %s", path, line);
		memcpy(before, line, sizeof(before));
		if (sscanf(line, "%7s %79s > %79s %63s", transport, client, server, protocol) !=
			    4 ||
		    !parse_end(client, &f->end[0]) || !parse_end(server, &f->end[1]))
			die("%s: not a flow: %s", path, line);
		f->proto = strcmp(transport, "tcp") == 0 ? 6 : 17;
		for (f->row = 0; f->row < ROWS; f->row++)
			if (strcmp(table[f->row].protocol, protocol) == 0)
				break;
		if (f->row == ROWS)
			die("%s: %s is not in the table", path, protocol);
		if (table[f->row].port && table[f->row].port != f->end[1].port)
			fault("%s at port %u", protocol, f->end[1].port);
		n_flows++;
	}
	fclose(file);
}

static uint16_t
be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t
be32(const uint8_t *p)
{
	return (uint32_t)be16(p) << 16 | be16(p + 2);
}

/* The one's complement sum over pseudo header and segment is zero: RFC 1071, RFC 8200 8.1. */
static bool
checksum_holds(uint8_t proto, const uint8_t *addrs, size_t addrs_len, const uint8_t *p,
	       size_t len)
{
	uint8_t bytes[2048] = { 0 };

	if (addrs_len + 8 + len > sizeof(bytes))
		return false;
	memcpy(bytes, addrs, addrs_len);
	bytes[addrs_len + 2] = (uint8_t)(len >> 8);
	bytes[addrs_len + 3] = (uint8_t)len;
	bytes[addrs_len + 7] = proto;
	memcpy(bytes + addrs_len + 8, p, len);
	return frame_checksum(bytes, addrs_len + 8 + len) == 0;
}

static bool
same_end(const struct frame_end *a, const struct frame_end *b)
{
	return a->port == b->port && memcmp(&a->addr, &b->addr, sizeof(a->addr)) == 0;
}

static struct flow *
find_flow(uint8_t proto, const struct frame_end *src, const struct frame_end *dst, int *side)
{
	for (size_t i = 0; i < n_flows; i++) {
		struct flow *f = &flows[i];

		for (*side = 0; *side < 2; ++*side)
			if (f->proto == proto && same_end(&f->end[*side], src) &&
			    same_end(&f->end[!*side], dst))
				return f;
	}
	return NULL;
}

static void
take_tcp(struct flow *f, int side, const uint8_t *p, size_t len)
{
	size_t header = (size_t)(p[12] >> 4) * 4;
	uint8_t flags = p[13];
	uint32_t seq = be32(p + 4), ack = be32(p + 8);
	static const uint8_t handshake[3] = { FRAME_SYN, FRAME_SYN | FRAME_ACK, FRAME_ACK };

	if (f->packets <= 3 &&
	    (flags != handshake[f->packets - 1] || side != (f->packets == 2)))
		fault("flow %zu: no handshake", (size_t)(f - flows));
	if (flags & FRAME_SYN) {
		f->syns++;
		f->next[side] = seq;
	}
	if (seq != f->next[side])
		fault("flow %zu, packet %u: sequence number is not the next",
		      (size_t)(f - flows), f->packets);
	if (flags & FRAME_ACK && ack != f->next[!side])
		fault("flow %zu, packet %u: does not acknowledge what was sent",
		      (size_t)(f - flows), f->packets);
	f->next[side] += (uint32_t)(len - header);
	if (flags & (FRAME_SYN | FRAME_FIN))
		f->next[side]++;
	f->fins += flags & FRAME_FIN;
}

/* A frame's flow, or NULL. */
static struct flow *
take(const uint8_t *p, size_t len, uint64_t time_us)
{
	struct frame_end src = { 0 }, dst = { 0 };
	bool v6 = len > 14 && p[12] == 0x86;
	size_t ip = v6 ? 40 : 20, addr = v6 ? 16 : 4;
	const uint8_t *addrs = p + 14 + (v6 ? 8 : 12), *l4 = p + 14 + ip;
	size_t l4_len = len - 14 - ip;
	struct flow *f;
	uint8_t proto;
	int side;

	if (len < 14 + ip + 8 || (!v6 && frame_checksum(p + 14, 20) != 0))
		return NULL;
	proto = v6 ? p[20] : p[23];
	src.addr.family = dst.addr.family = v6 ? 6 : 4;
	memcpy(src.addr.bytes, addrs, addr);
	memcpy(dst.addr.bytes, addrs + addr, addr);
	src.port = be16(l4);
	dst.port = be16(l4 + 2);
	f = find_flow(proto, &src, &dst, &side);
	if (!f)
		return NULL;
	if (!checksum_holds(proto, addrs, 2 * addr, l4, l4_len))
		fault("flow %zu, packet %u: checksum", (size_t)(f - flows), f->packets + 1);
	if (f->packets++ == 0)
		f->first_us = time_us;
	f->last_us = time_us;
	f->bytes += len - (v6 ? 20 : 0);
	if (proto == 6)
		take_tcp(f, side, l4, l4_len);
	return f;
}

static void
read_capture(const char *path)
{
	char why[PCAP_ERRBUF_SIZE];
	pcap_t *pcap = pcap_open_offline(path, why);
	struct pcap_pkthdr *h;
	const u_char *bytes;
	const struct flow *last = NULL;
	uint64_t before = 0, packets = 0, changes = 0;
	int status;

	if (!pcap)
		die("%s", why);
	while ((status = pcap_next_ex(pcap, &h, &bytes)) == 1) {
		uint64_t now = (uint64_t)h->ts.tv_sec * 1000000 + (uint64_t)h->ts.tv_usec;
		const struct flow *f = h->caplen == h->len ? take(bytes, h->len, now) : NULL;

		packets++;
		if (!f)
			fault("packet %llu is of no flow", (unsigned long long)packets);
		if (now < before)
			fault("packet %llu is earlier than the one before",
			      (unsigned long long)packets);
		changes += f != last;
		before = now;
		last = f;
	}
	if (status == PCAP_ERROR)
		die("%s: %s", path, pcap_geterr(pcap));
	pcap_close(pcap);
	if (changes * 10 < packets * 6)
		fault("flows are not interleaved: %llu changes in %llu packets",
		      (unsigned long long)changes, (unsigned long long)packets);
}

static void
check_rows(void)
{
	uint64_t packets[ROWS] = { 0 }, all = 0, bytes = 0;

	for (size_t i = 0; i < n_flows; i++) {
		const struct flow *f = &flows[i];
		const struct row *row = &table[f->row];

		packets[f->row] += f->packets;
		all += f->packets;
		bytes += f->bytes;
		if (f->packets != row->packets)
			fault("%s: a flow of %u packets, not %u", row->protocol, f->packets,
			      row->packets);
		if (f->bytes != (uint64_t)row->packets * row->average)
			fault("%s: a flow of %llu bytes in %u packets: not %u on average",
			      row->protocol, (unsigned long long)f->bytes, f->packets,
			      row->average);
		if (f->proto == 6 && (f->syns != 2 || f->fins != 2))
			fault("%s: %u SYNs, %u FINs", row->protocol, f->syns, f->fins);
	}
	for (size_t i = 0; i < ROWS && all; i++)
		if ((packets[i] * 200 + all) / (2 * all) != table[i].percent)
			fault("%s: %llu of %llu packets are not %u %%", table[i].protocol,
			      (unsigned long long)packets[i], (unsigned long long)all,
			      table[i].percent);
	if (all && (bytes + all / 2) / all != 256)
		fault("the average packet is %llu bytes", (unsigned long long)(bytes / all));
}

/* Each flow has its own client and server, the clients are in several /16. */
static void
check_addresses(void)
{
	unsigned subnets = 0;

	if (n_flows < FLOWS_LEAST)
		fault("%zu flows, not at least %d", n_flows, FLOWS_LEAST);
	for (size_t i = 0; i < n_flows; i++) {
		const struct frame_addr *client = &flows[i].end[0].addr;
		size_t net = client->family == 4 ? 2 : 14;
		bool seen = false;

		for (size_t k = 0; k < i; k++) {
			if (memcmp(client, &flows[k].end[0].addr, sizeof(*client)) == 0)
				fault("flows %zu and %zu have one client", k, i);
			if (memcmp(&flows[i].end[1].addr, &flows[k].end[1].addr,
				   sizeof(*client)) == 0)
				fault("flows %zu and %zu have one server", k, i);
			seen |= memcmp(client->bytes, flows[k].end[0].addr.bytes, net) == 0;
		}
		subnets += !seen;
	}
	if (subnets < 4)
		fault("clients in %u subnets", subnets);
}

/* At some moment most of the flows are open. */
static void
check_overlap(void)
{
	size_t most = 0;

	for (size_t i = 0; i < n_flows; i++) {
		size_t open = 0;

		for (size_t k = 0; k < n_flows; k++)
			open += flows[k].first_us <= flows[i].first_us &&
				flows[i].first_us <= flows[k].last_us;
		most = open > most ? open : most;
	}
	if (most * 2 <= n_flows)
		fault("never more than %zu of %zu flows are open", most, n_flows);
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		die("usage: emix-check CAPTURE FLOWS");
	read_flows(argv[2]);
	read_capture(argv[1]);
	check_rows();
	check_addresses();
	check_overlap();
	printf("%s: %zu flows, %d faults\n", argv[1], n_flows, faults);
	return faults != 0;
}
