/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "talk.h"

#include "wire/wire.h"

#include <netinet/in.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>

struct reader {
	struct talk *talk;
	struct packet first; /* of the flow, from the client */
	bool started;
	uint32_t next[2]; /* sequence numbers */
	uint32_t said[2]; /* bytes */
	uint32_t limit;
};

static bool
is_from_client(const struct reader *r, const struct packet *p)
{
	return p->src_port == r->first.src_port &&
	       memcmp(&p->src, &r->first.src, sizeof(p->src)) == 0;
}

static bool
is_of_flow(const struct reader *r, const struct packet *p)
{
	return p->ip_proto == r->first.ip_proto &&
	       ((p->src_port == r->first.src_port && p->dst_port == r->first.dst_port) ||
		(p->src_port == r->first.dst_port && p->dst_port == r->first.src_port));
}

/* Adds bytes to the last message, or as one of their own. */
static void
add(struct reader *r, unsigned dir, const uint8_t *p, uint32_t len)
{
	struct talk *t = r->talk;
	struct talk_message *m = t->count ? &t->message[t->count - 1] : NULL;

	if (!t->udp && len > r->limit - r->said[dir])
		len = r->limit - r->said[dir];
	if (len == 0 || len > TALK_BYTES - t->used)
		return;
	if (t->udp || !m || m->dir != dir) {
		if (t->count == TALK_MESSAGES)
			return;
		m = &t->message[t->count++];
		m->dir = (uint8_t)dir;
		m->at = t->used;
		m->len = 0;
	}
	memcpy(t->bytes + t->used, p, len);
	t->used += len;
	m->len += len;
	r->said[dir] += len;
}

static void
take(struct reader *r, const struct packet *p)
{
	uint32_t len = (uint32_t)bytes_left(&p->payload);
	unsigned dir;

	if (!r->started) {
		if (p->ip_proto == IPPROTO_TCP && !(p->tcp_flags & TCP_SYN))
			return;
		r->first = *p;
		r->started = true;
		r->talk->udp = p->ip_proto == IPPROTO_UDP;
		r->talk->port = p->dst_port;
	}
	if (!is_of_flow(r, p))
		return;
	dir = is_from_client(r, p) ? 0 : 1;
	if (!r->talk->udp) {
		if (p->tcp_flags & TCP_SYN)
			r->next[dir] = p->tcp_seq + 1;
		if (len == 0 || p->tcp_seq != r->next[dir])
			return;
		r->next[dir] += len;
	}
	add(r, dir, p->payload.p, len);
}

bool
talk_read(struct talk *talk, const char *path, uint32_t limit)
{
	char error[PCAP_ERRBUF_SIZE];
	struct reader r = { .talk = talk, .limit = limit };
	pcap_t *pcap = pcap_open_offline(path, error);
	struct pcap_pkthdr *header;
	const u_char *data;
	struct wire *wire;

	*talk = (struct talk){ 0 };
	if (!pcap) {
		printf("%s\n", error);
		return false;
	}
	if (wire_new(NULL, &wire) != BARN_OK) {
		pcap_close(pcap);
		return false;
	}
	while (pcap_next_ex(pcap, &header, &data) == 1) {
		struct packet p = { .frame = bytes_of(data, header->caplen),
				    .wire_len = header->len,
				    .linktype = (uint16_t)pcap_datalink(pcap) };

		wire_decode(wire, &p);
		if (p.ip_proto == IPPROTO_TCP || p.ip_proto == IPPROTO_UDP)
			take(&r, &p);
	}
	wire_free(wire);
	pcap_close(pcap);
	if (talk->count == 0)
		printf("%s: nothing is said in it\n", path);
	return talk->count > 0;
}
