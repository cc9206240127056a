/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "dialogue.h"

#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A packet of one of the flows, decoded just far enough for our own recordings. */
struct packet {
	uint64_t time_ns;
	uint8_t proto;
	struct frame_end src, dst;
	uint8_t flags; /* TCP */
	uint32_t seq;
	const uint8_t *payload; /* into the frame */
	size_t len;
};

/* One conversation of the capture while it is read. */
struct reader {
	struct frame_end client, server;
	uint8_t proto;
	size_t packets, segments, bare_acks;
	uint64_t last_ns;
	uint32_t next[2];
	bool started[2], pushed, closed, gap;
	struct dialogue dialogue;
};

enum { READERS_MAX = 16 };

static uint16_t
be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static bool
same_end(const struct frame_end *a, const struct frame_end *b)
{
	return a->port == b->port && memcmp(&a->addr, &b->addr, sizeof(a->addr)) == 0;
}

static bool
decode_transport(struct packet *p, const uint8_t *at, size_t len)
{
	size_t header = p->proto == 17 ? 8 : len >= 20 ? (size_t)(at[12] >> 4) * 4 : 20;

	if ((p->proto != 6 && p->proto != 17) || len < header || header < 8)
		return false;
	p->src.port = be16(at);
	p->dst.port = be16(at + 2);
	if (p->proto == 6) {
		p->seq = (uint32_t)be16(at + 4) << 16 | be16(at + 6);
		p->flags = at[13];
	}
	p->payload = at + header;
	p->len = len - header;
	return true;
}

/* Ethernet, then IPv4 or IPv6 without extension headers. */
static bool
decode(struct packet *p, const uint8_t *at, size_t len)
{
	size_t header, whole;

	memset(p, 0, sizeof(*p));
	if (len < 14 + 20)
		return false;
	if (be16(at + 12) == 0x0800) {
		header = (size_t)(at[14] & 15) * 4;
		whole = be16(at + 16);
		p->proto = at[23];
		p->src.addr.family = p->dst.addr.family = 4;
		memcpy(p->src.addr.bytes, at + 26, 4);
		memcpy(p->dst.addr.bytes, at + 30, 4);
	} else if (be16(at + 12) == 0x86dd && len >= 14 + 40) {
		header = 40;
		whole = 40u + be16(at + 18);
		p->proto = at[20];
		p->src.addr.family = p->dst.addr.family = 6;
		memcpy(p->src.addr.bytes, at + 22, 16);
		memcpy(p->dst.addr.bytes, at + 38, 16);
	} else {
		return false;
	}
	return whole >= header && whole <= len - 14 &&
	       decode_transport(p, at + 14 + header, whole - header);
}

static void
add_payload(struct reader *r, const struct packet *p, enum convo_from from)
{
	struct messages *list = &r->dialogue.messages;
	struct message *last = list->n ? &list->at[list->n - 1] : NULL;
	struct message m = {
		.from = from,
		.gap_ns = p->time_ns - r->last_ns,
		.len = p->len,
		.bytes = (uint8_t *)(uintptr_t)p->payload, /* only read, and copied */
	};

	if (p->proto == 6 && last && last->from == from && !r->pushed)
		message_splice(last, last->len, 0, p->payload, p->len);
	else
		message_add(list, &m);
	r->pushed = p->flags & FRAME_PSH;
	/* A segment that does not end a message is full. */
	if (p->proto == 6 && !r->pushed && p->len > r->dialogue.mss)
		r->dialogue.mss = p->len;
	r->last_ns = p->time_ns;
}

static void
take_tcp(struct reader *r, const struct packet *p, enum convo_from from)
{
	if (p->flags & FRAME_SYN || !r->started[from]) {
		r->next[from] = p->seq + (p->flags & FRAME_SYN ? 1 : 0);
		r->started[from] = true;
	}
	if (p->flags & FRAME_FIN && !r->closed) {
		r->closed = true;
		r->dialogue.closer = from;
	}
	if (p->len == 0) {
		r->bare_acks += !(p->flags & (FRAME_SYN | FRAME_FIN | FRAME_RST));
		return;
	}
	r->segments++;
	if (p->seq != r->next[from]) {
		r->gap |= (int32_t)(p->seq - r->next[from]) > 0; /* before it: repeated */
		return;
	}
	r->next[from] += (uint32_t)p->len;
	add_payload(r, p, from);
}

static void
take(struct reader *r, const struct packet *p)
{
	enum convo_from from = same_end(&p->src, &r->client) ? CONVO_CLIENT : CONVO_SERVER;

	if (r->packets++ == 0)
		r->last_ns = p->time_ns;
	if (p->proto == 6)
		take_tcp(r, p, from);
	else
		add_payload(r, p, from);
}

/* The conversation of this packet; its first packet comes from the client. */
static struct reader *
find(struct reader *readers, size_t *n, const struct packet *p)
{
	struct reader *r;

	for (size_t i = 0; i < *n; i++) {
		r = &readers[i];
		if (r->proto == p->proto &&
		    ((same_end(&p->src, &r->client) && same_end(&p->dst, &r->server)) ||
		     (same_end(&p->dst, &r->client) && same_end(&p->src, &r->server))))
			return r;
	}
	if (*n == READERS_MAX)
		return NULL;
	r = &readers[(*n)++];
	*r = (struct reader){ .proto = p->proto, .client = p->src, .server = p->dst };
	r->dialogue.proto = p->proto;
	return r;
}

static bool
read_all(pcap_t *pcap, struct reader *readers, size_t *n, char error[DIALOGUE_ERROR_MAX])
{
	struct pcap_pkthdr *header;
	const u_char *bytes;
	struct packet p;
	int status;

	while ((status = pcap_next_ex(pcap, &header, &bytes)) == 1) {
		struct reader *r;

		if (!decode(&p, bytes, header->caplen))
			continue;
		p.time_ns =
			(uint64_t)header->ts.tv_sec * 1000000000 + (uint64_t)header->ts.tv_usec;
		r = find(readers, n, &p);
		if (r)
			take(r, &p);
	}
	if (status == PCAP_ERROR)
		snprintf(error, DIALOGUE_ERROR_MAX, "%s", pcap_geterr(pcap));
	return status != PCAP_ERROR;
}

bool
dialogue_read(struct dialogue *d, const char *path, char error[DIALOGUE_ERROR_MAX])
{
	struct reader *readers = calloc(READERS_MAX, sizeof(*readers)), *best;
	char why[PCAP_ERRBUF_SIZE];
	size_t n = 0;
	bool ok = false;
	pcap_t *pcap =
		pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, why);

	best = readers;
	if (!pcap) {
		snprintf(error, DIALOGUE_ERROR_MAX, "%.200s", why);
	} else if (!readers || pcap_datalink(pcap) != DLT_EN10MB) {
		snprintf(error, DIALOGUE_ERROR_MAX, "%s: not Ethernet", path);
	} else if (read_all(pcap, readers, &n, error)) {
		for (size_t i = 1; i < n; i++)
			if (readers[i].packets > best->packets)
				best = &readers[i];
		ok = best->dialogue.messages.n > 0 && !best->gap;
		snprintf(error, DIALOGUE_ERROR_MAX, "%s: %s", path,
			 best->gap ? "bytes of a TCP stream are missing" : "no messages");
	}
	for (size_t i = 0; i < n; i++)
		if (!ok || &readers[i] != best)
			message_clear(&readers[i].dialogue.messages);
	if (ok) {
		*d = best->dialogue;
		d->acks = best->segments ? (double)best->bare_acks / (double)best->segments : 0;
	}
	if (pcap)
		pcap_close(pcap);
	free(readers);
	return ok;
}

/* Cuts what stands in this message into framed ones. False: its end does not fit. */
static bool
cut(struct messages *to, const struct message *turn, const struct length *length, size_t add)
{
	size_t at = 0;

	while (at < turn->len) {
		struct message m = *turn;
		size_t left = turn->len - at;

		if (left < length->offset + length->width)
			return false;
		m.bytes += at;
		m.len = message_integer(m.bytes, length) + add;
		if (m.len == 0 || m.len > left)
			return false;
		message_add(to, &m);
		at += m.len;
	}
	return true;
}

bool
dialogue_frame(struct dialogue *d, const struct length *length, size_t add)
{
	struct messages turns = { 0 }, framed = { 0 };
	bool ok = true;

	for (size_t i = 0; i < d->messages.n; i++) {
		const struct message *m = &d->messages.at[i];
		struct message *last = turns.n ? &turns.at[turns.n - 1] : NULL;

		if (last && last->from == m->from)
			message_splice(last, last->len, 0, m->bytes, m->len);
		else
			message_add(&turns, m);
	}
	for (size_t i = 0; ok && i < turns.n; i++)
		ok = cut(&framed, &turns.at[i], length, add);
	message_clear(&turns);
	if (ok) {
		message_clear(&d->messages);
		d->messages = framed;
	} else {
		message_clear(&framed);
	}
	return ok;
}

void
dialogue_free(struct dialogue *d)
{
	message_clear(&d->messages);
}
