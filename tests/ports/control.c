/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "control.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIENT(text)                        \
	{                                   \
		0, (text), sizeof(text) - 1 \
	}
#define SERVER(text)                        \
	{                                   \
		1, (text), sizeof(text) - 1 \
	}

#define SDP                                                                        \
	"v=0\r\no=- 1 1 IN IP$V $A\r\ns=-\r\nc=IN IP$V $A\r\nt=0 0\r\nm=audio $P " \
	"RTP/AVP 0\r\n"
#define INVITE(transport)                                                           \
	"INVITE sip:bob@example.com SIP/2.0\r\nVia: SIP/2.0/" transport             \
	" a.example.com;branch=z9hG4bK1\r\nFrom: <sip:a@example.com>;tag=1\r\nTo: " \
	"<sip:bob@example.com>\r\nCall-ID: 1\r\nCSeq: 1 INVITE\r\nContent-Type: "   \
	"application/sdp\r\nContent-Length: $L\r\n\r\n" SDP

const struct control control_table[] = {
	{ .name = "ftp PASV",
	  .port = 21,
	  .dir = 1,
	  .tells = true,
	  .alone = true,
	  .only4 = true,
	  .want = "ftp-data",
	  .message = { SERVER("220 ProFTPD FTP server\r\n"), CLIENT("USER alice\r\n"),
		       SERVER("230 in\r\n"), CLIENT("PASV\r\n"),
		       SERVER("227 Entering Passive Mode ($C,$p).\r\n") } },
	{ .name = "ftp EPSV",
	  .port = 21,
	  .dir = 1,
	  .alone = true,
	  .want = "ftp-data",
	  .message = { SERVER("220 ProFTPD FTP server\r\n"), CLIENT("USER alice\r\n"),
		       SERVER("230 in\r\n"), CLIENT("EPSV\r\n"),
		       SERVER("229 Extended Passive Mode OK (|||$P|)\r\n") } },
	{ .name = "ftp PORT",
	  .port = 21,
	  .tells = true,
	  .alone = true,
	  .only4 = true,
	  .want = "ftp-data",
	  .message = { SERVER("220 ProFTPD FTP server\r\n"), CLIENT("USER alice\r\n"),
		       SERVER("230 in\r\n"), CLIENT("PORT $C,$p\r\n"),
		       SERVER("200 good\r\n") } },
	{ .name = "ftp EPRT",
	  .port = 21,
	  .tells = true,
	  .alone = true,
	  .want = "ftp-data",
	  .message = { SERVER("220 ProFTPD FTP server\r\n"), CLIENT("USER alice\r\n"),
		       SERVER("230 in\r\n"), CLIENT("EPRT |$E|$A|$P|\r\n"),
		       SERVER("200 good\r\n") } },
	{ .name = "tftp",
	  .udp = true,
	  .port = 69,
	  .own_port = true,
	  .alone = true,
	  .flow_udp = true,
	  .want = "tftp",
	  .message = { CLIENT("\0\1boot/a-file-with-a-long-name.img\0octet\0"
			      "blksize\0"
			      "1428\0") } },
	{ .name = "rtsp",
	  .port = 554,
	  .dir = 1,
	  .flow_udp = true,
	  .want = "rtp",
	  .message = { CLIENT("SETUP rtsp://a.example.com/a RTSP/1.0\r\nCSeq: 1\r\n"
			      "Transport: RTP/AVP;unicast;client_port=5000-5001\r\n\r\n"),
		       SERVER("RTSP/1.0 200 OK\r\nCSeq: 1\r\nSession: 1\r\nTransport: RTP/AVP;"
			      "unicast;client_port=5000-5001;server_port=$P-$Q\r\n\r\n") } },
	{ .name = "sip",
	  .udp = true,
	  .port = 5060,
	  .tells = true,
	  .alone = true,
	  .flow_udp = true,
	  .want = "rtp",
	  .message = { CLIENT(INVITE("UDP")), SERVER("SIP/2.0 100 Trying\r\n\r\n") } },
	{ .name = "sip over TCP",
	  .port = 5060,
	  .tells = true,
	  .alone = true,
	  .flow_udp = true,
	  .want = "rtp",
	  .message = { CLIENT(INVITE("TCP")),
		       SERVER("SIP/2.0 100 Trying\r\nContent-Length: 0\r\n\r\n") } },
	{ .name = "sip for RTCP",
	  .udp = true,
	  .port = 5060,
	  .tells = true,
	  .alone = true,
	  .flow_udp = true,
	  .above = 1,
	  .want = "rtcp",
	  .message = { CLIENT(INVITE("UDP")) } },
	{ .name = "sip with rtcp-mux",
	  .udp = true,
	  .port = 5060,
	  .tells = true,
	  .alone = true,
	  .flow_udp = true,
	  .want = "rtp",
	  .message = { CLIENT(INVITE("UDP") "a=rtcp-mux\r\n") } },
	{ .name = "mgcp",
	  .udp = true,
	  .port = 2427,
	  .tells = true,
	  .alone = true,
	  .flow_udp = true,
	  .want = "rtp",
	  .message = { CLIENT("CRCX 1 a/1@gw.example.com MGCP 1.0\r\nC: 1\r\nM: sendrecv\r\n"
			      "\r\n" SDP),
		       SERVER("200 1 OK\r\nI: 1\r\n\r\n") } },
	{ .name = "portmapper",
	  .udp = true,
	  .port = 111,
	  .dir = 1,
	  .want = "nfs",
	  .message = { CLIENT("\x1a\x2b\x3c\x4d\0\0\0\0\0\0\0\2\0\1\x86\xa0\0\0\0\2\0\0\0\3"
			      "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
			      "\0\1\x86\xa3\0\0\0\3\0\0\0\6\0\0\0\0"),
		       SERVER("\x1a\x2b\x3c\x4d\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
			      "\0\0$b") } },
	{ .name = "sqlnet",
	  .port = 1521,
	  .dir = 1,
	  .tells = true,
	  .want = "sqlnet",
	  .message = { CLIENT("\0\x5a\0\0\1\0\0\0\1\x36\1\x2c\0\0\x08\0\x7f\xff\x7f\x08"
			      "\0\0\0\1\0\x20\0\x3a\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
			      "\0\0\0\0\0\0\0\0\0\0(CONNECT_DATA=(SID=ORCL)(CID=()))"),
		       SERVER("$T\0\0\5\0\0\0$t(ADDRESS=(PROTOCOL=tcp)(HOST=$A)(PORT=$P))") } },
	{ .name = "irc DCC",
	  .port = 6667,
	  .tells = true,
	  .alone = true,
	  .want = "irc-dcc",
	  .message = { CLIENT("NICK alice\r\nUSER alice 0 * :Alice\r\n"),
		       SERVER(":irc.example.com 001 alice :Welcome\r\n"),
		       CLIENT("PRIVMSG bob :\1DCC SEND a.txt $D $P 100\1\r\n") } },
	{ .name = "skinny",
	  .port = 2000,
	  .dir = 1,
	  .tells = true,
	  .only4 = true,
	  .flow_udp = true,
	  .want = "rtp",
	  .capture = "skinny/call.pcap",
	  .old_address = { 10, 77, 0, 3 },
	  .old_port = 17000,
	  .little = true },
	{ .name = "h323 RAS",
	  .udp = true,
	  .port = 1719,
	  .tells = true,
	  .only4 = true,
	  .want = "h323",
	  .capture = "h323/call.pcap",
	  .old_address = { 10, 77, 0, 1 },
	  .old_port = 1730 },
	{ .name = "msrpc",
	  .port = 135,
	  .dir = 1,
	  .only4 = true,
	  .want = "msrpc",
	  .capture = "msrpc/impacket-samr.pcap",
	  .old_address = { 10, 77, 0, 2 },
	  .old_port = 49152,
	  .port_only = true },
};

const unsigned control_count = sizeof(control_table) / sizeof(control_table[0]);

struct writer {
	struct talk *talk;
	const struct frame_end *end;
	uint32_t begin;
};

static void
put(struct writer *w, const void *bytes, size_t len)
{
	if (len > TALK_BYTES - w->talk->used)
		abort();
	memcpy(w->talk->bytes + w->talk->used, bytes, len);
	w->talk->used += (uint32_t)len;
}

static void
put_address(struct writer *w, char how)
{
	const uint8_t *a = w->end->addr.bytes;
	bool v4 = w->end->addr.family == 4;
	char text[INET6_ADDRSTRLEN];

	if (how == 'C')
		snprintf(text, sizeof(text), "%u,%u,%u,%u", a[0], a[1], a[2], a[3]);
	else if (how == 'D' && v4)
		snprintf(text, sizeof(text), "%u",
			 (unsigned)a[0] << 24 | (unsigned)a[1] << 16 | (unsigned)a[2] << 8 |
				 a[3]);
	else
		inet_ntop(v4 ? AF_INET : AF_INET6, a, text, sizeof(text));
	put(w, text, strlen(text));
}

static void
put_number(struct writer *w, char how)
{
	uint16_t port = w->end->port;
	bool v4 = w->end->addr.family == 4;
	char text[16] = "";

	switch (how) {
	case 'P': snprintf(text, sizeof(text), "%u", port); break;
	case 'Q': snprintf(text, sizeof(text), "%u", port + 1u); break;
	case 'p': snprintf(text, sizeof(text), "%u,%u", port / 256u, port % 256u); break;
	case 'V': snprintf(text, sizeof(text), "%d", v4 ? 4 : 6); break;
	case 'E': snprintf(text, sizeof(text), "%d", v4 ? 1 : 2); break;
	case 'L': snprintf(text, sizeof(text), "000"); break;
	default: abort();
	}
	put(w, text, strlen(text));
}

static void
put_bytes(struct writer *w, char how)
{
	uint8_t port[2] = { (uint8_t)(w->end->port >> 8), (uint8_t)w->end->port };

	if (how == 'b')
		put(w, port, 2);
	else
		put(w, how == 'T' ? "TT" : "tt", 2);
}

static void
put_be16(uint8_t *at, size_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

/* Lengths, when the message is there. */
static void
finish(struct writer *w, const char *text)
{
	uint8_t *begin = w->talk->bytes + w->begin;
	size_t len = w->talk->used - w->begin;
	uint8_t *length = memmem(begin, len, ": 000\r\n\r\n", 9);
	char digits[8];

	if (length) {
		snprintf(digits, sizeof(digits), "%03zu", len - (size_t)(length + 9 - begin));
		memcpy(length + 2, digits, 3);
	}
	if (text[0] == '$' && text[1] == 'T') {
		put_be16(begin, len);
		put_be16(begin + 8, len - 10);
	}
}

static void
say(struct writer *w, const struct control_message *m)
{
	struct talk_message *t = &w->talk->message[w->talk->count++];

	w->begin = w->talk->used;
	for (size_t i = 0; i < m->len; i++) {
		char c = m->text[i];

		if (c != '$') {
			put(w, &c, 1);
			continue;
		}
		c = m->text[++i];
		if (strchr("ACD", c))
			put_address(w, c);
		else if (strchr("bTt", c))
			put_bytes(w, c);
		else
			put_number(w, c);
	}
	finish(w, m->text);
	*t = (struct talk_message){ .dir = m->dir,
				    .at = w->begin,
				    .len = w->talk->used - w->begin };
}

/* The first `from` behind `at` becomes `to`, of the same length; where it ended, or NULL. */
static uint8_t *
change(struct talk *talk, uint8_t *at, const void *from, const void *to, size_t len)
{
	uint8_t *found = memmem(at, (size_t)(talk->bytes + talk->used - at), from, len);

	if (!found)
		return NULL;
	memcpy(found, to, len);
	return found + len;
}

static void
replay(const struct control *c, const struct frame_end *end, struct talk *talk)
{
	const char *top = getenv("srcdir") ? getenv("srcdir") : ".";
	uint8_t from[6], to[6];
	size_t skip = c->port_only ? 4 : 0;
	char path[512];

	snprintf(path, sizeof(path), "%s/captures/%s", top, c->capture);
	if (!talk_read(talk, path, 8000))
		exit(1);
	memcpy(from, c->old_address, 4);
	memcpy(to, end->addr.bytes, 4);
	put_be16(from + 4, c->old_port);
	put_be16(to + 4, end->port);
	if (c->little) {
		from[4] = (uint8_t)c->old_port;
		from[5] = (uint8_t)(c->old_port >> 8);
		to[4] = (uint8_t)end->port;
		to[5] = (uint8_t)(end->port >> 8);
	}
	if (!change(talk, talk->bytes, from + skip, to + skip, 6 - skip))
		abort();
}

void
control_say(const struct control *control, const struct frame_end *announced, struct talk *talk)
{
	struct writer w = { .talk = talk, .end = announced };

	*talk = (struct talk){ .udp = control->udp, .port = control->port };
	if (control->capture) {
		replay(control, announced, talk);
		talk->port = control->port;
		return;
	}
	for (unsigned i = 0; i < CONTROL_MESSAGES && control->message[i].text; i++)
		say(&w, &control->message[i]);
}
