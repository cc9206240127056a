/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/sunrpc.h"

/*
 * The port mapper, program 100000. Version 2 (RFC 1833, section 3) has ports, versions 3 and 4
 * (section 2) universal addresses:
 *
 *	2  GETPORT   program, version, 6 or 17      ─►  port
 *	2  CALLIT    program, version, procedure    ─►  port, result
 *	   DUMP                                     ─►  list of programs with their ends
 *	3  GETADDR   program, version, netid, ...   ─►  address
 *	4  GETADDRLIST  the same                    ─►  list of addresses
 *
 * An end that is told once serves for long: clients keep it.
 */

enum {
	PROC_GETPORT = 3, /* GETADDR from version 3 on */
	PROC_DUMP = 4,
	PROC_CALLIT = 5, /* BCAST */
	PROC_GETVERSADDR = 9,
	PROC_INDIRECT = 10,
	PROC_GETADDRLIST = 11,
	IP_TCP = 6,
	IP_UDP = 17,
	LIST_MOST = 512, /* entries of a list; those of real machines are about 50 */
	LIFE_S = 86400,
	ADDRESS_LEN = 64,
};

static uint8_t
transport_of(uint32_t ip_proto)
{
	return ip_proto == IP_TCP ? INSPECT_TCP : ip_proto == IP_UDP ? INSPECT_UDP : 0;
}

/* A string of XDR: its length, the bytes, and up to three of zero (RFC 4506, section 4.11). */
static struct bytes
take_string(struct bytes *b)
{
	uint32_t len = bytes_be32(b);
	struct bytes text = bytes_take(b, len);

	if (!b->bad && len % 4)
		bytes_skip(b, 4 - len % 4);
	return text;
}

static void
announce(uint32_t program, uint8_t transport, const struct sunrpc_address *to, uint8_t host,
	 const struct inspect_sink *sink)
{
	const char *protocol = sunrpc_program(program);
	struct inspect_announcement a = {
		.protocol = protocol ? protocol : "sunrpc",
		.carrier = protocol ? "sunrpc" : NULL,
		.ip_version = to->ip_version,
		.host = host,
		.port = to->port,
		.transport = transport,
		.many = true,
		.life_s = LIFE_S,
	};

	/* The port mapper itself is there already, and inspected. */
	if (to->port == 0 || transport == 0 || program == SUNRPC_PORTMAPPER)
		return;
	memcpy(a.address, to->address, sizeof(a.address));
	sink->announce(sink->self, &a);
}

void
sunrpc_bind_call(struct sunrpc_call *call, struct bytes b)
{
	bool port = call->version == 2 && call->procedure == PROC_GETPORT;

	call->target = bytes_be32(&b);
	bytes_be32(&b); /* its version */
	if (port)
		call->transport = transport_of(bytes_be32(&b));
	else if (call->version == 2 || call->procedure == PROC_CALLIT ||
		 call->procedure == PROC_INDIRECT)
		call->transport = INSPECT_UDP; /* what is called so answers over UDP */
	else
		call->transport = sunrpc_transport(take_string(&b));
	if (b.bad) {
		call->target = 0;
		call->transport = 0;
	}
}

/* Version 2's list: one, program, version, protocol of IP, port; a zero ends it. */
static void
read_ports(struct bytes b, uint8_t host, const struct inspect_sink *sink)
{
	for (unsigned i = 0; i < LIST_MOST && bytes_be32(&b) == 1; i++) {
		uint32_t program = bytes_be32(&b);
		struct sunrpc_address to = { 0 };

		bytes_be32(&b);
		uint8_t transport = transport_of(bytes_be32(&b));
		uint32_t port = bytes_be32(&b);

		if (b.bad || port > UINT16_MAX)
			return;
		to.port = (uint16_t)port;
		announce(program, transport, &to, host, sink);
	}
}

/* Version 3's: one, program, version, netid, address, owner. */
static void
read_addresses(struct bytes b, uint8_t host, const struct inspect_sink *sink)
{
	for (unsigned i = 0; i < LIST_MOST && bytes_be32(&b) == 1; i++) {
		uint32_t program = bytes_be32(&b);
		struct sunrpc_address to;

		bytes_be32(&b);
		uint8_t transport = sunrpc_transport(take_string(&b));
		struct bytes address = take_string(&b);

		take_string(&b);
		if (b.bad)
			return;
		if (sunrpc_address_read(address, &to))
			announce(program, transport, &to, host, sink);
	}
}

/* Of one program: one, address, netid, kind of transport, family, protocol. */
static void
read_entries(uint32_t program, struct bytes b, uint8_t host, const struct inspect_sink *sink)
{
	for (unsigned i = 0; i < LIST_MOST && bytes_be32(&b) == 1; i++) {
		struct bytes address = take_string(&b);
		uint8_t transport = sunrpc_transport(take_string(&b));
		struct sunrpc_address to;

		bytes_be32(&b);
		take_string(&b);
		take_string(&b);
		if (b.bad)
			return;
		if (sunrpc_address_read(address, &to))
			announce(program, transport, &to, host, sink);
	}
}

void
sunrpc_bind_reply(const struct sunrpc_call *call, struct bytes b, uint8_t host,
		  const struct inspect_sink *sink)
{
	struct sunrpc_address to = { 0 };

	if (call->procedure == PROC_DUMP) {
		if (call->version == 2)
			read_ports(b, host, sink);
		else
			read_addresses(b, host, sink);
	} else if (call->version == 2) {
		uint32_t port = bytes_be32(&b);

		if (b.bad || port > UINT16_MAX ||
		    (call->procedure != PROC_GETPORT && call->procedure != PROC_CALLIT))
			return;
		to.port = (uint16_t)port;
		announce(call->target, call->transport, &to, host, sink);
	} else if (call->procedure == PROC_GETADDRLIST) {
		read_entries(call->target, b, host, sink);
	} else if (call->procedure == PROC_GETPORT || call->procedure == PROC_CALLIT ||
		   call->procedure == PROC_GETVERSADDR || call->procedure == PROC_INDIRECT) {
		struct bytes address = take_string(&b);

		if (bytes_left(&address) <= ADDRESS_LEN && sunrpc_address_read(address, &to))
			announce(call->target, call->transport, &to, host, sink);
	}
}
