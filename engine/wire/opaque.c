/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/opaque.h"

#include "wire/packet.h"

#include <string.h>

#define BIT_OF(layer) (UINT32_C(1) << (layer))

struct word {
	const char *word;
	uint32_t mask;
};

/* The names of layers, and NBAR's words for IPv4 and IPv6 in IP. */
static const struct word WORDS[] = {
	{ "ayiya", BIT_OF(LAYER_AYIYA) },
	{ "backbone", BIT_OF(LAYER_BACKBONE) },
	{ "capwap", BIT_OF(LAYER_CAPWAP) },
	{ "erspan", BIT_OF(LAYER_ERSPAN) },
	{ "esp", BIT_OF(LAYER_ESP) },
	{ "ethernet", BIT_OF(LAYER_ETHERNET) },
	{ "geneve", BIT_OF(LAYER_GENEVE) },
	/* All of protocol 47. */
	{ "gre", BIT_OF(LAYER_GRE) | BIT_OF(LAYER_ERSPAN) | BIT_OF(LAYER_PPTP) },
	{ "gtp", BIT_OF(LAYER_GTP) },
	{ "ipinip", BIT_OF(LAYER_IP4) },
	{ "ipv6inip", BIT_OF(LAYER_IP6) },
	{ "l2tp", BIT_OF(LAYER_L2TP) },
	{ "lisp", BIT_OF(LAYER_LISP) },
	{ "mpls", BIT_OF(LAYER_MPLS) },
	{ "nsh", BIT_OF(LAYER_NSH) },
	{ "ppp", BIT_OF(LAYER_PPP) },
	{ "pppoe", BIT_OF(LAYER_PPPOE) },
	{ "pptp", BIT_OF(LAYER_PPTP) },
	{ "svlan", BIT_OF(LAYER_SVLAN) },
	{ "teredo", BIT_OF(LAYER_TEREDO) },
	{ "trill", BIT_OF(LAYER_TRILL) },
	{ "tzsp", BIT_OF(LAYER_TZSP) },
	{ "vlan", BIT_OF(LAYER_VLAN) },
	{ "vntag", BIT_OF(LAYER_VNTAG) },
	{ "vxlan", BIT_OF(LAYER_VXLAN) },
	{ "wlan", BIT_OF(LAYER_WLAN) },
};

enum { COUNT = sizeof(WORDS) / sizeof(WORDS[0]) };

/* The tunnels: what IP carries. Links and their tags are none. */
static const uint32_t ALL =
	BIT_OF(LAYER_AYIYA) | BIT_OF(LAYER_CAPWAP) | BIT_OF(LAYER_ERSPAN) | BIT_OF(LAYER_ESP) |
	BIT_OF(LAYER_ETHERNET) | BIT_OF(LAYER_GENEVE) | BIT_OF(LAYER_GRE) | BIT_OF(LAYER_GTP) |
	BIT_OF(LAYER_IP4) | BIT_OF(LAYER_IP6) | BIT_OF(LAYER_L2TP) | BIT_OF(LAYER_LISP) |
	BIT_OF(LAYER_PPTP) | BIT_OF(LAYER_TEREDO) | BIT_OF(LAYER_TZSP) | BIT_OF(LAYER_VXLAN);

const char *
opaque_word(unsigned n)
{
	return n < COUNT ? WORDS[n].word : NULL;
}

uint32_t
opaque_mask(unsigned n)
{
	return n < COUNT ? WORDS[n].mask : 0;
}

uint32_t
opaque_find(const char *word)
{
	if (strcmp(word, "all") == 0)
		return ALL;
	for (unsigned i = 0; i < COUNT; i++)
		if (strcmp(word, WORDS[i].word) == 0)
			return WORDS[i].mask;
	return 0;
}
