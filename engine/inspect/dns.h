/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_DNS_H
#define INSPECT_DNS_H

/*
 * A DNS message (RFC 1035 section 4), shared by the DNS inspector's files: dns.c
 * follows datagrams and streams, dns_message.c checks a message, dns_name.c reads
 * names, dns_answer.c learns addresses.
 *
 * A message is one window, from its header on; places in it are offsets, as in
 * its own compression pointers. Nothing here keeps state.
 */

#include "inspect/inspector.h"

enum dns_field { DNS_NAME, DNS_TYPE, DNS_RCODE, DNS_FIELDS };

enum { DNS_HEADER = 12, DNS_TEXT_MAX = 1024 };

enum dns_type {
	DNS_A = 1,
	DNS_NS = 2,
	DNS_CNAME = 5,
	DNS_SOA = 6,
	DNS_PTR = 12,
	DNS_MX = 15,
	DNS_TXT = 16,
	DNS_AAAA = 28,
	DNS_SRV = 33,
	DNS_DNAME = 39,
	DNS_OPT = 41,  /* RFC 6891 */
	DNS_SVCB = 64, /* RFC 9460 */
	DNS_HTTPS = 65,
	DNS_IXFR = 251,
	DNS_ANY = 255
};

enum dns_opcode { DNS_QUERY = 0, DNS_NOTIFY = 4, DNS_UPDATE = 5 };

struct dns_message {
	struct bytes whole;
	uint16_t id;
	bool response;
	bool has_question;
	bool multicast;
	uint8_t opcode;
	uint8_t rcode;
	uint16_t questions, answers, authorities, additionals;
	uint16_t type, class; /* of the first question */
	size_t answer_at;     /* where the answer section begins */
};

struct dns_record {
	size_t owner; /* offset of its name */
	uint16_t type, class;
	uint32_t ttl;
	struct bytes data;
};

/*
 * How a message is to be read: it was cut, or is multicast DNS (RFC 6762: several questions,
 * answers without any, and a bit of the class for other purposes).
 */
enum { DNS_CUT = 1, DNS_MULTICAST = 2 };

/*
 * What a message is: NO, LIKELY (well-formed, but for something unusual; or cut before its
 * end, where DNS_CUT says that this can be), or SURE: every name, length and count agrees with
 * every other up to the last byte.
 */
enum inspect_answer dns_message_read(struct bytes whole, unsigned how, struct dns_message *m);

/* The next resource record; false, and bad, where there is none. Rdata is not looked at. */
bool dns_message_record(struct bytes whole, struct bytes *b, struct dns_record *record);

/* Skips a name and checks it on the way, compression and all. */
bool dns_name_skip(struct bytes whole, struct bytes *b);

/* A name as master files write it (RFC 1035 section 5.1), without the dot at its end; length.
 */
size_t dns_name_text(struct bytes whole, size_t at, char text[DNS_TEXT_MAX]);

/* Whether two names of a message are equal (RFC 4343: in ASCII without regard to case). */
bool dns_name_equal(struct bytes whole, size_t a, size_t b);

/* Whether this is a NetBIOS name (RFC 1001 section 14.1): 32 letters from A to P. */
bool dns_name_netbios(struct bytes whole, size_t at);

/* "AAAA", "NXDOMAIN"; as RFC 3597 where there is no word: "TYPE1234", "RCODE15". */
size_t dns_name_type(uint16_t type, char text[16]);
size_t dns_name_rcode(uint8_t rcode, char text[16]);

/*
 * Tells the addresses that a response gives for its question, through aliases, services
 * (RFC 2782) and bindings with their hints (RFC 9460), under the name that was asked for.
 */
void dns_answer_learn(const struct dns_message *m, const struct inspect_sink *sink);

#endif
