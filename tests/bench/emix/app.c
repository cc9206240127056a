/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "app.h"

#include <stdio.h>
#include <string.h>

#define TEXT(literal)                          \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}

/* Every place of the text in the message becomes the other text. */
static void
replace(struct message *m, const char *text, const char *with)
{
	size_t len = strlen(text), at = 0;

	while ((at = message_find(m, at, text, len)) < m->len) {
		message_splice(m, at, len, with, strlen(with));
		at += strlen(with);
	}
}

/* The address that a 227 reply announces is the flow's server (an IPv6 flow keeps the old). */
static void
vary_ftp(struct messages *list, const struct variation *v)
{
	const uint8_t *a = v->server.bytes;
	char with[24];

	if (v->server.family != 4)
		return;
	snprintf(with, sizeof(with), "(%u,%u,%u,%u,", a[0], a[1], a[2], a[3]);
	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].from == CONVO_SERVER)
			replace(&list->at[i], "(10,77,0,2,", with);
}

static void
vary_http(struct messages *list, const struct variation *v)
{
	static const char *const hosts[] = { "www", "intranet", "images", "shop", "static" };
	static const char *const folders[] = { "/products/",         "/team/",
					       "/news/2026/",        "/img/",
					       "/catalogue/spring/", "/maps/" };
	struct rng rng = v->rng;
	const char *folder = folders[rng_below(&rng, sizeof(folders) / sizeof(folders[0]))];
	char host[64];

	snprintf(host, sizeof(host), "Host: %s.site%u.example",
		 hosts[rng_below(&rng, sizeof(hosts) / sizeof(hosts[0]))], v->flow);
	for (size_t i = 0; i < list->n; i++) {
		if (list->at[i].from != CONVO_CLIENT)
			continue;
		replace(&list->at[i], "Host: www.example.com", host);
		replace(&list->at[i], "/many/", folder);
	}
}

static void
put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> (24 - 8 * i));
}

static uint32_t
get32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/*
 * RFC 3550 section 5.1: SSRC, first sequence number and first timestamp are random. One of each
 * for a direction; the steps between packets stay as recorded.
 */
static void
vary_rtp(struct messages *list, const struct variation *v)
{
	struct rng rng = v->rng;
	uint32_t ssrc[2], sequence[2], timestamp[2];

	for (int i = 0; i < 2; i++) {
		ssrc[i] = (uint32_t)rng_next(&rng);
		sequence[i] = (uint32_t)rng_next(&rng);
		timestamp[i] = (uint32_t)rng_next(&rng);
	}
	for (size_t i = 0; i < list->n; i++) {
		struct message *m = &list->at[i];
		uint32_t number;

		if (m->len < 12)
			continue;
		number = (uint32_t)(m->bytes[2] << 8 | m->bytes[3]) + sequence[m->from];
		m->bytes[2] = (uint8_t)(number >> 8);
		m->bytes[3] = (uint8_t)number;
		put32(m->bytes + 4, get32(m->bytes + 4) + timestamp[m->from]);
		put32(m->bytes + 8, ssrc[m->from]);
	}
}

/* All but the four bytes of the header are the flow's own noise. */
static void
vary_unknown(struct messages *list, const struct variation *v)
{
	struct rng rng = v->rng;

	for (size_t i = 0; i < list->n; i++)
		for (size_t k = 4; k < list->at[i].len; k++)
			list->at[i].bytes[k] = (uint8_t)rng_next(&rng);
}

bool
app_says(const struct message *m, const struct saying *what)
{
	size_t at = what->at, len = what->text.len;

	return m->from == what->from && m->len >= at + len &&
	       (len == 0 || memcmp(m->bytes + at, what->text.at, len) == 0);
}

/* packets and average are Table 1's. */
const struct app app_table[] = {
	{
		.name = "rtp",
		.source = "rtp/emix-video.pcap",
		.truth = "rtp rtp.media=\"video\" rtp.payload-type=\"34\"",
		.packets = 217,
		.average = 81,
		.exchange = { CONVO_CLIENT, { 0 }, 0 },
		.elastic = { { .prefix = { CONVO_CLIENT, { 0 }, 0 },
			       .keep = 16,
			       .least = 4,
			       .most = 1400 } }, /* RFC 2190: 4 bytes behind RTP's 12 */
		.vary = vary_rtp,
	},
	{
		.name = "telnet",
		.source = "telnet/emix-source.pcap",
		.truth = "telnet",
		.packets = 158,
		.average = 114,
		.port = 23,
		.prompt = TEXT("$ "),
		.elastic = { { .prefix = { CONVO_SERVER, { 0 }, 0 },
			       .suffix = TEXT("\r\n$ "),
			       .least = 20 } },
	},
	{
		.name = "http",
		.source = "http/emix-source.pcap",
		.truth = "http",
		.packets = 473,
		.average = 452,
		.port = 80,
		.exchange = { CONVO_CLIENT, TEXT("GET "), 0 },
		.elastic = { {
			.prefix = { CONVO_SERVER, TEXT("HTTP/1.1 200"), 0 },
			.behind = TEXT("\r\n\r\n"),
			.least = 32,
			.number = TEXT("Content-Length: "),
		} },
		.vary = vary_http,
	},
	{
		.name = "ftp",
		.source = "ftp/emix-source.pcap",
		.truth = "ftp",
		.packets = 216,
		.average = 72,
		.port = 21,
		.exchange = { CONVO_CLIENT, TEXT("TYPE "), 0 },
		.elastic = { {
			.prefix = { CONVO_SERVER, TEXT("226 "), 0 },
			.keep = 4,
			.suffix = TEXT("\r\n"),
			.least = 1,
			.filler = TEXT("."),
		} },
		.vary = vary_ftp,
	},
	{
		.name = "smtp",
		.source = "smtp/emix-source.pcap",
		.truth = "smtp",
		.packets = 96,
		.average = 101,
		.port = 25,
		.exchange = { CONVO_CLIENT, TEXT("mail FROM:"), 0 },
		.elastic = { {
			.prefix = { CONVO_CLIENT, TEXT("From: "), 0 },
			.behind = TEXT("\r\n\r\n"),
			.suffix = TEXT("\r\n.\r\n"),
			.least = 1,
			.most = 900, /* RFC 5321 section 4.5.3.1.6: lines of 1000 */
			.filler = TEXT(" and so on"),
		} },
	},
	{
		.name = "citrix",
		.source = "citrix/emix-source.pcap",
		.truth = "citrix citrix.app=\"Order Entry\"",
		.packets = 360,
		.average = 254,
		.port = 1494,
		.head = 5, /* the greetings, then what client and server can do */
		.exchange = { CONVO_CLIENT, { 0 }, 0 },
		/* 14 bits of length; the two upper ones, the ICA tag, stay */
		.elastic = { { .prefix = { CONVO_SERVER, { 0 }, 0 },
			       .keep = 4,
			       .least = 64,
			       .most = 8000,
			       .lengths = { { 0, 2, true } } } },
	},
	{
		.name = "sap",
		.source = "sap/emix-source.pcap",
		.truth = "sap-app",
		.packets = 216,
		.average = 358,
		.port = 3300,
		.framing = { { 0, 4, false }, 4 }, /* NI */
		.head = 4, /* the gateway's greetings, the conversation's start */
		.exchange = { CONVO_CLIENT, { 0 }, 0 },
		.elastic = { { .prefix = { CONVO_SERVER, TEXT("\x06\xcb"), 4 },
			       .keep = 56, /* NI's header, APPC's, and the first field's */
			       .least = 64,
			       .lengths = { { 0, 4, false } } } },
	},
	{
		.name = "winmx",
		.source = "winmx/emix-source.pcap",
		.truth = "winmx",
		.packets = 118,
		.average = 267,
		.port = 6699,
		.head = 4, /* 1, GET, the wish, the size */
		.exchange = { CONVO_SERVER, { 0 }, 0 },
		.elastic = { { .prefix = { CONVO_SERVER, { 0 }, 0 }, .least = 128 } },
	},
	{
		.name = "edonkey",
		.source = "edonkey/emix-source.pcap",
		.truth = "edonkey",
		.packets = 220,
		.average = 253,
		.port = 4662,
		/* e3, length, opcode, ...; 46: a file's hash, the block's start and end, data
		 */
		.framing = { { 1, 4, true }, 5 },
		.exchange = { CONVO_SERVER, TEXT("\x46"), 5 },
		.elastic = { {
			.prefix = { CONVO_SERVER, TEXT("\x46"), 5 },
			.keep = 30,
			.least = 5000,
			.lengths = { { 1, 4, true }, { 26, 4, true } },
		} },
	},
	{
		.name = "unknown",
		.source = "unknown/emix-source.pcap",
		.truth = "unknown",
		.packets = 300,
		.average = 256,
		.port = 47731,
		.framing = { { 2, 2, true }, 0 },
		.exchange = { CONVO_CLIENT, { 0 }, 0 },
		.elastic = { { .prefix = { CONVO_SERVER, { 0 }, 0 },
			       .keep = 4,
			       .least = 8,
			       .most = 1400,
			       .lengths = { { 2, 2, true } } } },
		.vary = vary_unknown,
	},
};
const size_t app_count = sizeof(app_table) / sizeof(app_table[0]);
