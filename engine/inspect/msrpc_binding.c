/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/msrpc.h"

#include <arpa/inet.h>
#include <stdlib.h>

/*
 * Where an object of DCOM is (MS-DCOM, section 2.2.19.3): in the answers of
 * RemoteCreateInstance, RemoteActivation and ResolveOxid stands a list of string bindings, each
 * 07 00 for TCP, then a text of 16-bit letters that a zero ends: "server.example.com[49664]" or
 * "192.0.2.1[49664]". They are looked for, as what is around them varies with the call. A name
 * is the server's own.
 */

enum { BY_TCP = 7, TEXT_MOST = 128, BINDINGS_MOST = 32, LIFE_S = 86400 };

/* The text behind the kind of transport. False if it is none. */
static bool
take_text(struct bytes *b, char text[TEXT_MOST])
{
	for (unsigned i = 0; i < TEXT_MOST; i++) {
		uint16_t c = bytes_le16(b);

		if (b->bad || (c != 0 && (c <= ' ' || c > '~')))
			return false;
		text[i] = (char)c;
		if (c == 0)
			return i > 0;
	}
	return false;
}

/* "host[port]". False if the text is something else. */
static bool
read_binding(char *text, struct inspect_announcement *a)
{
	char *bracket = strchr(text, '['), *end;

	if (!bracket || bracket == text || bracket[1] < '1' || bracket[1] > '9')
		return false;
	unsigned long port = strtoul(bracket + 1, &end, 10);

	if (strcmp(end, "]") != 0 || port > UINT16_MAX)
		return false;
	*bracket = 0;
	a->port = (uint16_t)port;
	if (inet_pton(AF_INET, text, a->address) == 1)
		a->ip_version = 4;
	else if (inet_pton(AF_INET6, text, a->address) == 1)
		a->ip_version = 6;
	return true;
}

void
msrpc_binding_read(struct bytes body, uint8_t host, const struct inspect_sink *sink)
{
	for (unsigned found = 0; bytes_left(&body) > 4 && found < BINDINGS_MOST;) {
		struct inspect_announcement a = { .protocol = "msrpc",
						  .host = host,
						  .transport = INSPECT_TCP,
						  .many = true,
						  .life_s = LIFE_S };
		struct bytes b = body;
		char text[TEXT_MOST];

		if (bytes_le16(&b) == BY_TCP && take_text(&b, text) && read_binding(text, &a)) {
			sink->announce(sink->self, &a);
			body = b;
			found++;
		} else {
			bytes_skip(&body, 1);
		}
	}
}
