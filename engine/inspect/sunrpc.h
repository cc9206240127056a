/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_SUNRPC_H
#define INSPECT_SUNRPC_H

/*
 * What the files of the RPC inspector share (RFC 5531):
 *
 *	sunrpc.c          transactions: records, calls, replies, the names that they give
 *	sunrpc_bind.c     the port mapper's answers, and the flows that they announce (RFC 1833)
 *	sunrpc_address.c  universal addresses (RFC 5665)
 *	sunrpc_program.c  numbers of programs, and the protocols that they are
 */

#include "inspect/inspector.h"

enum {
	SUNRPC_PORTMAPPER = 100000,
	SUNRPC_NFS = 100003,
	SUNRPC_CALLBACK = 0x40000000, /* NFS version 4.0's; RFC 7530, section 16 */
};

/* A call whose reply has not come: as much of it as the reply's reader needs. */
struct sunrpc_call {
	uint32_t xid, program, version, procedure;
	uint32_t target;   /* the program that the port mapper is asked about */
	uint8_t transport; /* enum inspect_transport of its flows; 0: told by the reply */
	bool waits;
};

/* A server's end; ip_version 0: the address that answered. */
struct sunrpc_address {
	uint8_t ip_version;
	uint8_t address[16];
	uint16_t port;
};

/* The module of a program, or NULL. */
const char *sunrpc_program(uint32_t program);

/* "192.0.2.1.8.1": address and port. False if the text is none. */
bool sunrpc_address_read(struct bytes text, struct sunrpc_address *address);

/* "tcp", "udp6" and the like to enum inspect_transport; 0: another. */
uint8_t sunrpc_transport(struct bytes netid);

/* Of a call of the port mapper: what its arguments say of the answer. */
void sunrpc_bind_call(struct sunrpc_call *call, struct bytes arguments);

/*
 * Of the port mapper's answer to the call: announces what it tells. `host`: enum inspect_dir
 * of who answers.
 */
void sunrpc_bind_reply(const struct sunrpc_call *call, struct bytes results, uint8_t host,
		       const struct inspect_sink *sink);

#endif
