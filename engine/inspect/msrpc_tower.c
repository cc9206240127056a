/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/msrpc.h"

/*
 * The end-point mapper's answers (C706, appendix O) hold towers (appendix L): a number of
 * floors, each with a left side, its first byte a protocol, and a right side. Their numbers
 * have the least significant byte first, and the port and the address are in network order:
 *
 *	1  0d, UUID of the interface, version  │ minor version
 *	2  0d, UUID of the encoding, version   │ minor version
 *	3  0b with connections, 0a without     │ minor version
 *	4  07 TCP, 08 UDP                      │ port
 *	5  09 IP                               │ address, or 0.0.0.0
 *
 * What is around them depends on the encoding (NDR or NDR64) and on the call (ept_map or
 * ept_lookup), so they are looked for: the first two floors are some 2^-110.
 */

enum {
	PORT_MAPPER = 135,
	UUID_FLOOR = 19, /* length of the left side of floors 1 and 2 */
	BY_UUID = 0x0d,
	CONNECTIONS = 0x0b,
	DATAGRAMS = 0x0a,
	BY_TCP = 0x07,
	BY_UDP = 0x08,
	BY_IP = 0x09,
	TOWER_LEAST = 75, /* of five floors */
	TOWERS_MOST = 256,
	LIFE_S = 86400, /* as long as the server runs, mostly */
};

static bool
read_uuid_floor(struct bytes *b, char uuid[MSRPC_UUID])
{
	if (bytes_le16(b) != UUID_FLOOR || bytes_u8(b) != BY_UUID)
		return false;
	msrpc_interface_uuid(b, true, uuid);
	bytes_skip(b, 2);
	if (bytes_le16(b) != 2)
		return false;
	bytes_skip(b, 2);
	return !b->bad;
}

/* A floor whose left side is its protocol alone; the right side is of this length. */
static uint8_t
read_floor(struct bytes *b, uint16_t len, struct bytes *right)
{
	uint16_t left = bytes_le16(b);
	uint8_t protocol = bytes_u8(b);

	if (left != 1 || bytes_le16(b) != len)
		b->bad = true;
	*right = bytes_take(b, len);
	return b->bad ? 0 : protocol;
}

/* The tower that begins here. False if there is none that says of TCP or UDP. */
static bool
read_tower(struct bytes b, struct inspect_announcement *a)
{
	char uuid[MSRPC_UUID], encoding[MSRPC_UUID];
	struct bytes port, address, minor;
	uint16_t floors = bytes_le16(&b);

	if (floors < 5 || floors > 6 || !read_uuid_floor(&b, uuid) ||
	    !read_uuid_floor(&b, encoding))
		return false;
	uint8_t kind = read_floor(&b, 2, &minor);
	uint8_t transport = read_floor(&b, 2, &port);

	if (!(kind == CONNECTIONS && transport == BY_TCP) &&
	    !(kind == DATAGRAMS && transport == BY_UDP))
		return false;
	if (read_floor(&b, 4, &address) != BY_IP)
		return false;
	const struct msrpc_interface *it = msrpc_interface_find(uuid);

	a->protocol = it && it->application ? it->application : "msrpc";
	a->carrier = it && it->application ? "msrpc" : NULL;
	a->transport = transport == BY_TCP ? INSPECT_TCP : INSPECT_UDP;
	a->port = bytes_be16(&port);
	struct bytes any = address;

	a->ip_version = bytes_be32(&any) ? 4 : 0;
	memcpy(a->address, bytes_next(&address, 4), 4);
	return a->port != 0 && a->port != PORT_MAPPER;
}

/* Announces the towers of applications, or the others. */
static void
read_towers(struct bytes b, bool applications, uint8_t host, const struct inspect_sink *sink)
{
	for (unsigned found = 0; bytes_left(&b) >= TOWER_LEAST && found < TOWERS_MOST;) {
		struct inspect_announcement a = { .host = host,
						  .many = true,
						  .life_s = LIFE_S };

		if (!read_tower(b, &a)) {
			bytes_skip(&b, 1);
			continue;
		}
		found++;
		bytes_skip(&b, TOWER_LEAST);
		if ((a.carrier != NULL) == applications)
			sink->announce(sink->self, &a);
	}
}

/* A port may serve several interfaces. The last announcement stands: an application's. */
void
msrpc_tower_read(struct bytes body, uint8_t host, const struct inspect_sink *sink)
{
	read_towers(body, false, host, sink);
	read_towers(body, true, host, sink);
}
