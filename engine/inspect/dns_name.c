/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/dns.h"
#include <stdio.h>

enum { NAME_MAX_WIRE = 255 }; /* RFC 1035 section 2.3.4, with the length bytes */

/*
 * Goes through a name label by label. A pointer must point before the place where
 * this stretch of the name began ("a prior occurrence", RFC 1035 section 4.1.4),
 * so that the places only ever decrease, and the walk ends.
 */
struct walk {
	struct bytes whole;
	struct bytes at;
	size_t stretch; /* where the labels under way began */
	size_t used;    /* of NAME_MAX_WIRE */
	bool jumped;
	const uint8_t *after; /* end of the name in its own place, once known */
};

static size_t
offset(const struct walk *w)
{
	return (size_t)(w->at.p - w->whole.p);
}

static struct walk
walk_from(struct bytes whole, size_t at)
{
	struct walk w = { .whole = whole, .at = whole, .stretch = at };

	bytes_skip(&w.at, at);
	return w;
}

/* The next label; false at the root, and where the name is bad. */
static bool
next_label(struct walk *w, struct bytes *label)
{
	for (;;) {
		size_t here = offset(w);
		uint8_t first = bytes_u8(&w->at);

		if (first < 0x40) {
			*label = bytes_take(&w->at, first);
			w->used += 1u + first;
			if (w->used > NAME_MAX_WIRE)
				w->at.bad = true;
			if (first == 0 && !w->jumped)
				w->after = w->at.p;
			return first > 0 && !w->at.bad;
		}
		size_t target = (size_t)(first & 0x3fu) << 8 | bytes_u8(&w->at);

		if (first < 0xc0 || target >= w->stretch || target < DNS_HEADER) {
			w->at.bad = true;
			return false;
		}
		if (!w->jumped)
			w->after = w->whole.p + here + 2;
		w->jumped = true;
		w->stretch = target;
		if (w->at.bad)
			return false;
		w->at = w->whole;
		bytes_skip(&w->at, target);
	}
}

bool
dns_name_skip(struct bytes whole, struct bytes *b)
{
	struct walk w = walk_from(whole, (size_t)(b->p - whole.p));
	struct bytes label;

	w.at.end = b->end; /* in its own place it keeps within what it is part of */
	if (b->bad)
		return false;
	while (next_label(&w, &label))
		;
	if (w.at.bad || !w.after) {
		b->bad = true;
		return false;
	}
	b->p = w.after;
	return true;
}

static bool
plain(uint8_t c)
{
	return c > ' ' && c < 0x7f && !strchr(".\\\"();@$", c);
}

size_t
dns_name_text(struct bytes whole, size_t at, char text[DNS_TEXT_MAX])
{
	struct walk w = walk_from(whole, at);
	struct bytes label;
	size_t len = 0;

	while (next_label(&w, &label) && len + 4 * 64 < DNS_TEXT_MAX) {
		if (len > 0)
			text[len++] = '.';
		while (label.p < label.end) {
			uint8_t c = bytes_u8(&label);

			if (!plain(c)) {
				text[len++] = '\\';
				text[len++] = (char)('0' + c / 100);
				text[len++] = (char)('0' + c / 10 % 10);
				c = (uint8_t)('0' + c % 10);
			}
			text[len++] = (char)c;
		}
	}
	return len;
}

static uint8_t
lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
}

static bool
same_label(struct bytes a, struct bytes b)
{
	if (bytes_left(&a) != bytes_left(&b))
		return false;
	while (a.p < a.end)
		if (lower(bytes_u8(&a)) != lower(bytes_u8(&b)))
			return false;
	return true;
}

bool
dns_name_equal(struct bytes whole, size_t a, size_t b)
{
	struct walk wa = walk_from(whole, a), wb = walk_from(whole, b);
	struct bytes la, lb;

	for (;;) {
		bool more = next_label(&wa, &la);

		if (next_label(&wb, &lb) != more || wa.at.bad || wb.at.bad)
			return false;
		if (!more)
			return true;
		if (!same_label(la, lb))
			return false;
	}
}

bool
dns_name_netbios(struct bytes whole, size_t at)
{
	struct walk w = walk_from(whole, at);
	struct bytes label;

	if (!next_label(&w, &label) || bytes_left(&label) != 32)
		return false;
	while (label.p < label.end) {
		uint8_t c = bytes_u8(&label);

		if (c < 'A' || c > 'P')
			return false;
	}
	return true;
}

/* From IANA's registry of RR types: those that are met. */
static const struct {
	uint16_t number;
	const char *text;
} types[] = {
	{ 1, "A" },        { 2, "NS" },          { 5, "CNAME" },  { 6, "SOA" },
	{ 10, "NULL" },    { 12, "PTR" },        { 13, "HINFO" }, { 15, "MX" },
	{ 16, "TXT" },     { 17, "RP" },         { 18, "AFSDB" }, { 24, "SIG" },
	{ 25, "KEY" },     { 28, "AAAA" },       { 29, "LOC" },   { 33, "SRV" },
	{ 35, "NAPTR" },   { 36, "KX" },         { 37, "CERT" },  { 38, "A6" },
	{ 39, "DNAME" },   { 41, "OPT" },        { 42, "APL" },   { 43, "DS" },
	{ 44, "SSHFP" },   { 45, "IPSECKEY" },   { 46, "RRSIG" }, { 47, "NSEC" },
	{ 48, "DNSKEY" },  { 49, "DHCID" },      { 50, "NSEC3" }, { 51, "NSEC3PARAM" },
	{ 52, "TLSA" },    { 53, "SMIMEA" },     { 55, "HIP" },   { 59, "CDS" },
	{ 60, "CDNSKEY" }, { 61, "OPENPGPKEY" }, { 62, "CSYNC" }, { 63, "ZONEMD" },
	{ 64, "SVCB" },    { 65, "HTTPS" },      { 99, "SPF" },   { 249, "TKEY" },
	{ 250, "TSIG" },   { 251, "IXFR" },      { 252, "AXFR" }, { 253, "MAILB" },
	{ 255, "ANY" },    { 256, "URI" },       { 257, "CAA" },
};

/* RFC 6895 section 2.3, as far as a header can hold them. */
static const char *const rcodes[] = { "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN",
				      "NOTIMP",  "REFUSED", "YXDOMAIN", "YXRRSET",
				      "NXRRSET", "NOTAUTH", "NOTZONE" };

size_t
dns_name_type(uint16_t type, char text[16])
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].number == type)
			return (size_t)snprintf(text, 16, "%s", types[i].text);
	return (size_t)snprintf(text, 16, "TYPE%u", type);
}

size_t
dns_name_rcode(uint8_t rcode, char text[16])
{
	if (rcode < sizeof(rcodes) / sizeof(rcodes[0]))
		return (size_t)snprintf(text, 16, "%s", rcodes[rcode]);
	return (size_t)snprintf(text, 16, "RCODE%u", rcode);
}
