/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_LDAP_H
#define INSPECT_LDAP_H

/*
 * Messages of LDAP in BER (RFC 4511, section 4.1.1); ldap.c reads the connection.
 *
 *	30 length │ 02 length number │ operation length │ its contents │ controls
 */

#include "inspect/inspector.h"

/* Operations, by their tags. */
enum {
	LDAP_BIND = 0x60,
	LDAP_BIND_RESULT = 0x61,
	LDAP_UNBIND = 0x42,
	LDAP_SEARCH = 0x63,
	LDAP_ENTRY = 0x64,
	LDAP_SEARCH_DONE = 0x65,
	LDAP_MODIFY = 0x66,
	LDAP_MODIFY_RESULT = 0x67,
	LDAP_ADD = 0x68,
	LDAP_ADD_RESULT = 0x69,
	LDAP_DELETE = 0x4a,
	LDAP_DELETE_RESULT = 0x6b,
	LDAP_RENAME = 0x6c,
	LDAP_RENAME_RESULT = 0x6d,
	LDAP_COMPARE = 0x6e,
	LDAP_COMPARE_RESULT = 0x6f,
	LDAP_ABANDON = 0x50,
	LDAP_REFERENCE = 0x73,
	LDAP_EXTENDED = 0x77,
	LDAP_EXTENDED_RESULT = 0x78,
	LDAP_INTERMEDIATE = 0x79,
};

struct ldap_message {
	uint32_t length; /* of all of it */
	uint32_t number;
	uint8_t operation;
	uint8_t result;    /* of those that have one */
	bool whole;        /* all of it is there */
	bool sure;         /* its contents are right as well */
	bool starttls;     /* asks for TLS (section 4.14.1) */
	struct bytes name; /* who binds, or where is searched; may be empty */
};

/* The message that begins here. NO, MORE (so far right), or SURE: its head is right. */
enum inspect_answer ldap_message_read(struct bytes data, struct ldap_message *message);

#endif
