/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The list of ALPN (RFC 7301 section 3.1): as text, and what it says of the application. */
#include "inspect/tls.h"

/* Values that clients send to see whether servers bear what they do not know (RFC 8701). */
static bool
grease(struct bytes name)
{
	uint16_t value = bytes_be16(&name);

	return bytes_left(&name) == 0 && (value & 0x0f0f) == 0x0a0a &&
	       value >> 8 == (value & 0xff);
}

/* Takes the next name off the list; false at its end, or where it is cut. */
static bool
take_name(struct bytes *list, struct bytes *name)
{
	if (bytes_left(list) == 0)
		return false;
	*name = bytes_take(list, bytes_u8(list));
	return !list->bad;
}

size_t
tls_alpn_text(struct bytes extension, char text[TLS_ALPN_MAX])
{
	struct bytes list = bytes_take(&extension, bytes_be16(&extension)), name;
	size_t len = 0;

	while (take_name(&list, &name)) {
		size_t n = bytes_left(&name);

		if (len + n + 1 > TLS_ALPN_MAX)
			break;
		if (n == 0 || grease(name))
			continue;
		if (len > 0)
			text[len++] = ',';
		memcpy(text + len, name.p, n);
		len += n;
	}
	return len;
}

/*
 * IANA's registry of ALPN names. Drafts add a number: "h3-29", "doq-i03". Over TCP a name says
 * more than TLS only where the application cannot be told from the outside.
 */
static const struct {
	const char *name;
	const char *protocol;
	uint8_t transports; /* enum inspect_transport, or'd */
	bool drafts;
} names[] = {
	{ "h3", "http3", INSPECT_UDP, true }, /* RFC 9114 */
	{ "doq", "doq", INSPECT_UDP, true },  /* RFC 9250 */
	{ "dot", "dot", INSPECT_TCP, false }, /* RFC 7858 */
};

static bool
is_draft(struct bytes name, const char *of)
{
	size_t len = strlen(of);

	return bytes_starts(&name, of) && bytes_left(&name) > len && name.p[len] == '-';
}

const char *
tls_alpn_application(struct bytes extension, enum inspect_transport transport)
{
	struct bytes list = bytes_take(&extension, bytes_be16(&extension)), name;

	while (take_name(&list, &name))
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (names[i].transports & transport &&
			    (bytes_is(&name, names[i].name) ||
			     (names[i].drafts && is_draft(name, names[i].name))))
				return names[i].protocol;
	return NULL;
}
