/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 32, WORD_LEN = 256 };

static void
push_hex(struct frame *f, const char *hex)
{
	uint8_t bytes[WORD_LEN];
	size_t n = 0;

	for (; hex[0] && hex[1]; hex += 2) {
		char two[3] = { hex[0], hex[1], 0 };

		bytes[n++] = (uint8_t)strtoul(two, NULL, 16);
	}
	frame_push(f, bytes, n);
}

static void
push_number(struct frame *f, uint16_t n)
{
	frame_push(f, (uint8_t[]){ (uint8_t)(n >> 8), (uint8_t)n }, 2);
}

static void
push_ip(struct frame *f, bool v4, enum words_ip ip)
{
	static const char *const ADDRESSES[][2][2] = {
		[WORDS_INNER] = { { "fd00::1", "fd00::2" }, { "10.0.0.1", "10.0.0.2" } },
		[WORDS_OUTER] = { { "2001:db8::1", "2001:db8::2" },
				  { "192.0.2.1", "192.0.2.2" } },
		[WORDS_BACK] = { { "2001:db8::2", "2001:db8::1" },
				 { "192.0.2.2", "192.0.2.1" } },
	};
	const char *const *pair = ADDRESSES[ip][v4];

	if (v4)
		frame_ipv4(f, frame_addr(pair[0]), frame_addr(pair[1]));
	else
		frame_ipv6(f, frame_addr(pair[0]), frame_addr(pair[1]));
}

/* Behind what is there; f's bytes end where its room does not. */
static void
append(struct frame *f, const uint8_t *bytes, size_t n)
{
	if ((size_t)(f->data - f->room) + f->len + n > sizeof(f->room))
		abort();
	memcpy(f->data + f->len, bytes, n);
	f->len += n;
}

/* RFC 4303 section 2.4: padding to 4 bytes, its length, next header, a check value of 12. */
static void
push_esp(struct frame *f, uint32_t spi)
{
	uint8_t trailer[3 + 2 + 12] = { 1, 2, 3 };
	size_t padding = (4 - (f->len + 2) % 4) % 4;
	uint8_t header[8] = { (uint8_t)(spi >> 24),
			      (uint8_t)(spi >> 16),
			      (uint8_t)(spi >> 8),
			      (uint8_t)spi,
			      0,
			      0,
			      0,
			      1 };

	trailer[padding] = (uint8_t)padding;
	trailer[padding + 1] = f->ethertype == 0x86dd ? 41 : 4;
	memset(trailer + padding + 2, 0x5a, 12);
	append(f, trailer, padding + 2 + 12);
	frame_push(f, header, sizeof(header));
	f->ip_proto = 50;
}

/* IEEE 802.1AE section 9: integrity alone; behind it a check value of 16 bytes. */
static void
push_macsec(struct frame *f)
{
	static const uint8_t CHECK[16] = { 0x5a };
	static const uint8_t TAG[6] = { 0, 0, 0, 0, 0, 1 };

	append(f, CHECK, sizeof(CHECK));
	push_number(f, f->ethertype);
	frame_push(f, TAG, sizeof(TAG));
	f->ethertype = 0x88e5;
}

/* IEEE 802.11 section 9.3.2.2.2: addresses, length, LLC; and a second one behind it. */
static void
push_amsdu(struct frame *f)
{
	static const uint8_t SECOND[14] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0, 0 };
	uint8_t header[14 + 6] = { 2, 0, 0, 0, 0,    1,    2, 0, 0, 0,
				   0, 2, 0, 0, 0xaa, 0xaa, 3, 0, 0, 0 };
	size_t len = f->len + 8, padding = (4 - (f->len + 22) % 4) % 4;

	header[12] = (uint8_t)(len >> 8);
	header[13] = (uint8_t)len;
	append(f, SECOND + 12, padding > 2 ? 2 : padding);
	append(f, SECOND + 12, padding > 2 ? padding - 2 : 0);
	append(f, SECOND, sizeof(SECOND));
	push_number(f, f->ethertype);
	frame_push(f, header, sizeof(header));
}

static bool
is(const char *word, const char *name, const char **argument)
{
	size_t n = strlen(name);

	*argument = word + n;
	return strncmp(word, name, n) == 0 && (name[n - 1] == ':' || word[n] == '\0');
}

/* Headers that frame.h makes. */
static bool
push_header(struct frame *f, const char *word, enum words_ip ip)
{
	const char *a;

	if (is(word, "eth", &a))
		frame_ether(f, NULL, NULL);
	else if (is(word, "vlan:", &a))
		frame_vlan(f, 0x8100, (uint16_t)atoi(a));
	else if (is(word, "svlan:", &a))
		frame_vlan(f, 0x88a8, (uint16_t)atoi(a));
	else if (is(word, "mpls:", &a))
		frame_mpls(f, (uint32_t)atoi(a));
	else if (is(word, "ip4", &a) || is(word, "ip6", &a))
		push_ip(f, word[2] == '4', ip);
	else if (is(word, "ext:", &a))
		frame_extension(f, (uint8_t)atoi(a), NULL, 0);
	else if (is(word, "udp:", &a))
		frame_udp(f, 50000, (uint16_t)atoi(a));
	else if (is(word, "tcp", &a))
		frame_tcp(f, &(struct frame_tcp){ .sport = 40000,
						  .dport = 80,
						  .seq = 1000,
						  .ack = 2000,
						  .flags = FRAME_PSH | FRAME_ACK });
	else
		return false;
	return true;
}

bool
words_push(struct frame *f, const char *word, enum words_ip ip)
{
	const char *a;

	if (push_header(f, word, ip))
		return true;
	if (is(word, "x:", &a))
		push_hex(f, a);
	else if (is(word, "len", &a))
		push_number(f, (uint16_t)f->len);
	else if (is(word, "etype", &a))
		push_number(f, f->ethertype);
	else if (is(word, "ppp", &a))
		push_number(f, f->ethertype == 0x86dd ? 0x0057 : 0x0021);
	else if (is(word, "ppp8", &a))
		frame_push(f, (uint8_t[]){ f->ethertype == 0x86dd ? 0x57 : 0x21 }, 1);
	else if (is(word, "esp:", &a))
		push_esp(f, (uint32_t)strtoul(a, NULL, 0));
	else if (is(word, "macsec", &a))
		push_macsec(f);
	else if (is(word, "amsdu", &a))
		push_amsdu(f);
	else if (is(word, "802.3", &a))
		f->ethertype = (uint16_t)f->len;
	else if (is(word, "proto:", &a))
		f->ip_proto = (uint8_t)atoi(a);
	else if (is(word, "type:", &a))
		f->ethertype = (uint16_t)strtoul(a, NULL, 16);
	else
		return false;
	return true;
}

bool
words_text(struct frame *f, const char *text, enum words_ip ip, bool innermost)
{
	char words[WORDS_MAX][WORD_LEN];
	int n = 0, used;

	while (n < WORDS_MAX && sscanf(text, "%255s%n", words[n], &used) == 1) {
		text += used;
		n++;
	}
	while (n > 0) {
		const char *word = words[--n];
		bool is_ip = strncmp(word, "ip", 2) == 0;

		if (!words_push(f, word, is_ip && innermost ? WORDS_INNER : ip))
			return false;
		if (is_ip)
			innermost = false;
	}
	return true;
}
