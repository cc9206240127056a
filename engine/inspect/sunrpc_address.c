/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/sunrpc.h"

#include <arpa/inet.h>

/* RFC 5665, section 5.2.3: the address as text, then the port's two bytes in decimal. */

/* Takes the number behind the text's last dot off it. False if it is no byte. */
static bool
take_octet(struct bytes *text, unsigned *octet)
{
	unsigned value = 0, place = 1, digits = 0;

	while (bytes_left(text) > 0 && digits < 3) {
		uint8_t c = text->end[-1];

		if (c < '0' || c > '9')
			break;
		value += place * (unsigned)(c - '0');
		place *= 10;
		digits++;
		text->end--;
	}
	if (digits == 0 || value > 255 || bytes_left(text) == 0 || text->end[-1] != '.')
		return false;
	text->end--;
	*octet = value;
	return true;
}

static bool
is_zero(const struct sunrpc_address *a)
{
	for (unsigned i = 0; i < (a->ip_version == 4 ? 4u : 16u); i++)
		if (a->address[i])
			return false;
	return true;
}

bool
sunrpc_address_read(struct bytes text, struct sunrpc_address *address)
{
	char host[INET6_ADDRSTRLEN] = "";
	unsigned low, high;

	*address = (struct sunrpc_address){ 0 };
	if (!take_octet(&text, &low) || !take_octet(&text, &high))
		return false;
	if (bytes_left(&text) >= sizeof(host))
		return false;
	memcpy(host, text.p, bytes_left(&text));
	address->ip_version = strchr(host, ':') ? 6 : 4;
	if (inet_pton(address->ip_version == 6 ? AF_INET6 : AF_INET, host, address->address) !=
	    1)
		return false;
	if (is_zero(address))
		address->ip_version = 0; /* any of the server's */
	address->port = (uint16_t)(high << 8 | low);
	return true;
}

uint8_t
sunrpc_transport(struct bytes netid)
{
	if (bytes_is(&netid, "tcp") || bytes_is(&netid, "tcp6"))
		return INSPECT_TCP;
	if (bytes_is(&netid, "udp") || bytes_is(&netid, "udp6"))
		return INSPECT_UDP;
	return 0;
}
