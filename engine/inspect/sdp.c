/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/sdp.h"

#include "inspect/sdp_text.h"

enum { PORTS_MOST = 8, DESCRIPTIONS_MOST = 8, MEDIA_MOST = 32 };

/* What a transport (RFC 8866 section 8.2.4) runs, by the end of its name. */
static const struct {
	const char *name;
	const char *protocol;
	uint8_t transport;
} transports[] = {
	{ "RTP/AVP", "rtp", INSPECT_UDP },
	{ "RTP/AVPF", "rtp", INSPECT_UDP },
	{ "RTP/SAVP", "rtp", INSPECT_UDP },
	{ "RTP/SAVPF", "rtp", INSPECT_UDP },
	{ "UDP/TLS/RTP/SAVP", "rtp", INSPECT_UDP },
	{ "UDP/TLS/RTP/SAVPF", "rtp", INSPECT_UDP },
	{ "TCP/RTP/AVP", "rtp", INSPECT_TCP },
	{ "TCP/RTP/AVPF", "rtp", INSPECT_TCP },
	{ "TCP/RTP/SAVP", "rtp", INSPECT_TCP },
	{ "TCP/RTP/SAVPF", "rtp", INSPECT_TCP },
	{ "udptl", "t38", INSPECT_UDP },
	{ "UDP/UDPTL", "t38", INSPECT_UDP },
	{ "UDP/TLS/UDPTL", "t38", INSPECT_UDP },
	{ "TCP/MSRP", "msrp", INSPECT_TCP },
	{ "TCP/TLS/MSRP", "msrp", INSPECT_TCP },
	{ "UDP/BFCP", "bfcp", INSPECT_UDP },
	{ "UDP/TLS/BFCP", "bfcp", INSPECT_UDP },
	{ "TCP/BFCP", "bfcp", INSPECT_TCP },
	{ "TCP/TLS/BFCP", "bfcp", INSPECT_TCP },
	{ "UDP/DTLS/SCTP", "dtls", INSPECT_UDP },
	{ "DTLS/SCTP", "dtls", INSPECT_UDP },
};

static const char *const media_names[] = { "audio", "video",   "image",
					   "text",  "message", "application" };

struct media {
	struct inspect_announcement at; /* where it is received */
	const char *protocol;
	uint16_t port;
	uint16_t count;
	uint16_t rtcp_port;
	struct inspect_announcement rtcp_at; /* ip_version 0: the same as at */
	bool has_address, mux, ice;
};

const char *
sdp_media_name(unsigned bit)
{
	for (unsigned i = 0; i < sizeof(media_names) / sizeof(media_names[0]); i++)
		if (bit == 1u << i)
			return media_names[i];
	return "";
}

/*
 * A private address means nothing behind a translator: what the other side of it sees comes
 * from the signalling's own address, at that port if the translator keeps it, as most do.
 */
static void
announce(struct sdp *sdp, struct inspect_announcement a, const char *protocol, uint32_t port)
{
	if (port == 0 || port > UINT16_MAX)
		return;
	a.protocol = protocol;
	a.port = (uint16_t)port;
	a.life_s = SDP_LIFE_S;
	a.many = true;
	sdp->sink->announce(sdp->sink->self, &a);
	if (sdp->from == INSPECT_NOBODY || !sdp_is_private(&a))
		return;
	a.ip_version = 0;
	a.host = sdp->from;
	memset(a.address, 0, sizeof(a.address));
	sdp->sink->announce(sdp->sink->self, &a);
}

/*
 * Media that is ready for ICE is not announced: its flows begin with checks of STUN
 * (RFC 8445 section 7), which name themselves and hand over to what follows; announced, a flow
 * of failed checks would count as media.
 */
static void
end_media(struct sdp *sdp, const struct media *m)
{
	struct inspect_announcement rtcp = m->rtcp_at.ip_version ? m->rtcp_at : m->at;
	unsigned step = strcmp(m->protocol ? m->protocol : "", "rtp") == 0 ? 2 : 1;

	if (!m->protocol || !m->has_address || m->ice || m->port == 0)
		return;
	rtcp.transport = m->at.transport;
	for (unsigned i = 0; i < m->count; i++) {
		announce(sdp, m->at, m->protocol, m->port + i * step);
		if (step == 2 && !m->mux && m->at.transport == INSPECT_UDP)
			announce(sdp, rtcp, "rtcp",
				 m->rtcp_port ? m->rtcp_port + i * step
					      : m->port + i * step + 1u);
	}
}

/* "IN IP4 192.0.2.1/127/3": an address, for multicast with its reach (RFC 8866 section 5.7). */
static bool
read_connection(struct bytes line, struct inspect_announcement *a)
{
	struct bytes net = sdp_word(&line), family = sdp_word(&line), text = sdp_word(&line);
	const uint8_t *slash =
		bytes_left(&text) ? memchr(text.p, '/', bytes_left(&text)) : NULL;

	if (!bytes_is(&net, "IN") || (!bytes_is(&family, "IP4") && !bytes_is(&family, "IP6")))
		return false;
	if (slash)
		text.end = slash;
	return sdp_address(text, a);
}

/* "audio 49170/2 RTP/AVP 0 8" (section 5.14). */
static void
begin_media(struct sdp *sdp, struct bytes line, const struct media *session, struct media *m)
{
	struct bytes kind = sdp_word(&line), port = sdp_word(&line), proto = sdp_word(&line);
	const uint8_t *slash =
		bytes_left(&port) ? memchr(port.p, '/', bytes_left(&port)) : NULL;
	uint32_t number = 0, count = 1;

	*m = *session;
	if (slash) {
		struct bytes after = { .p = slash + 1, .end = port.end };

		port.end = slash;
		if (!sdp_number(after, PORTS_MOST, &count))
			count = 1;
	}
	if (!sdp_number(port, UINT16_MAX, &number) || (number == 0 && !sdp->any_port))
		return;
	m->port = (uint16_t)number;
	m->count = (uint16_t)count;
	for (unsigned i = 0; i < sizeof(media_names) / sizeof(media_names[0]); i++)
		if (bytes_is(&kind, media_names[i]))
			sdp->media |= (uint8_t)(1u << i);
	for (size_t i = 0; i < sizeof(transports) / sizeof(transports[0]); i++)
		if (bytes_is(&proto, transports[i].name)) {
			m->protocol = transports[i].protocol;
			m->at.transport = transports[i].transport;
		}
}

/* "rtcp:53020 IN IP4 126.16.64.4" (RFC 3605), and what shares the port (RFC 5761). */
static void
read_attribute(struct bytes line, struct media *m)
{
	const uint8_t *colon =
		bytes_left(&line) ? memchr(line.p, ':', bytes_left(&line)) : NULL;
	struct bytes name = line, value = { .p = line.end, .end = line.end };
	uint32_t port;

	if (colon) {
		name.end = colon;
		value.p = colon + 1;
	}
	if (bytes_is(&name, "rtcp-mux") || bytes_is(&name, "rtcp-mux-only"))
		m->mux = true;
	else if (bytes_is(&name, "candidate") || bytes_is(&name, "ice-ufrag"))
		m->ice = true;
	else if (bytes_is(&name, "rtcp") && sdp_number(sdp_word(&value), UINT16_MAX, &port)) {
		m->rtcp_port = (uint16_t)port;
		(void)read_connection(value, &m->rtcp_at);
	}
}

/* One description; `body` moves to the line that is none of it. */
static void
read_one(struct sdp *sdp, struct bytes *body)
{
	struct media session = { .count = 1 }, media = session;
	unsigned parts = 0;
	bool begun = false;
	struct bytes line, value;
	struct bytes rest = *body;

	while (sdp_text_line(&rest, &line)) {
		uint8_t type = sdp_text_type(line, &value);
		struct media *m = parts ? &media : &session;

		if (type == 0 || (type == 'v' && begun))
			break;
		*body = rest;
		begun = true;
		if (type == 'c') {
			m->has_address = read_connection(value, &m->at);
		} else if (type == 'm' && parts < MEDIA_MOST) {
			if (parts++)
				end_media(sdp, &media);
			begin_media(sdp, value, &session, &media);
		} else if (type == 'a') {
			read_attribute(value, m);
		}
	}
	if (parts)
		end_media(sdp, &media);
}

void
sdp_read(struct sdp *sdp, struct bytes body)
{
	for (unsigned i = 0; i < DESCRIPTIONS_MOST && sdp_text_find(&body); i++) {
		const uint8_t *at = body.p;

		read_one(sdp, &body);
		if (body.p == at)
			return;
	}
}
