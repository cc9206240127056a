/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_MSRPC_H
#define INSPECT_MSRPC_H

/*
 * What the files of the DCE RPC inspector share (C706, MS-RPCE):
 *
 *	msrpc.c            packets over TCP: fragments, contexts, and the answers
 *	msrpc_datagram.c   packets over UDP
 *	msrpc_interface.c  interfaces by their UUIDs
 *	msrpc_tower.c      towers: where an interface is, by the end-point mapper
 *	msrpc_binding.c    string bindings: where an object is, by DCOM
 */

#include "inspect/inspector.h"

enum { MSRPC_INTERFACE, MSRPC_TRANSPORT, MSRPC_FIELDS };

/* What an interface's answers announce. */
enum msrpc_kind { MSRPC_OTHER, MSRPC_MAPPER, MSRPC_OBJECTS };

enum { MSRPC_UUID = 37, MSRPC_INTERFACES = 4 };

struct msrpc_interface {
	const char *uuid;        /* lower case */
	const char *name;        /* as its document calls it */
	const char *application; /* the module that it names; NULL: none */
	uint8_t kind;            /* enum msrpc_kind */
};

/* Those of a flow that were told, by where they are in the table; 0: not in it. */
struct msrpc_told {
	uint8_t seen[MSRPC_INTERFACES];
	uint8_t count;
};

/* Reads a UUID into text; little: its numbers have their least significant byte first. */
void msrpc_interface_uuid(struct bytes *b, bool little, char text[MSRPC_UUID]);

/* By that text; NULL: none that is known. */
const struct msrpc_interface *msrpc_interface_find(const char *uuid);

/* Tells the interface as a field, and the application that it is; each once. */
enum msrpc_kind msrpc_interface_tell(struct msrpc_told *told, const char *uuid,
				     const struct inspect_sink *sink);

/* Announces what an answer of the mapper's tells, whatever encodes it. */
void msrpc_tower_read(struct bytes body, uint8_t host, const struct inspect_sink *sink);

/* Announces the string bindings in an answer of DCOM's. */
void msrpc_binding_read(struct bytes body, uint8_t host, const struct inspect_sink *sink);

/* A datagram. NO; NAMED: more may announce flows; DONE. */
enum inspect_answer msrpc_datagram_read(struct msrpc_told *told, struct inspect_view *view,
					const struct inspect_sink *sink);

#endif
