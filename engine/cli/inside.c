/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/inside.h"
#include <arpa/inet.h>
#include <stdlib.h>

bool
inside_parse(const char *text, struct inside *inside)
{
	size_t len = strcspn(text, "/");
	char address[INET6_ADDRSTRLEN], *end;
	unsigned long bits;

	*inside = (struct inside){ 0 };
	if (len >= sizeof(address))
		return false;
	memcpy(address, text, len);
	address[len] = '\0';
	if (inet_pton(AF_INET, address, inside->address.b) == 1)
		inside->version = 4;
	else if (inet_pton(AF_INET6, address, inside->address.b) == 1)
		inside->version = 6;
	else
		return false;
	inside->bits = inside->version == 4 ? 32 : 128;
	if (!text[len])
		return true;
	if (text[len + 1] < '0' || text[len + 1] > '9')
		return false;
	bits = strtoul(text + len + 1, &end, 10);
	if (*end || bits > inside->bits)
		return false;
	inside->bits = (uint8_t)bits;
	return true;
}

static bool
holds(const struct inside *inside, const union packet_addr *address)
{
	unsigned whole = inside->bits / 8, rest = inside->bits % 8;

	if (memcmp(inside->address.b, address->b, whole) != 0)
		return false;
	return rest == 0 || (inside->address.b[whole] ^ address->b[whole]) >> (8 - rest) == 0;
}

static bool
any_holds(const struct inside *list, unsigned count, uint8_t version,
	  const union packet_addr *address)
{
	for (unsigned i = 0; i < count; i++)
		if (list[i].version == version && holds(&list[i], address))
			return true;
	return false;
}

enum packet_dir
inside_dir(const struct inside *list, unsigned count, const struct packet *packet)
{
	if (any_holds(list, count, packet->ip_version, &packet->src))
		return PACKET_IN;
	return any_holds(list, count, packet->ip_version, &packet->dst) ? PACKET_OUT
									: PACKET_IN;
}
