/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/packet.h"

const char *
packet_layer_name(enum packet_layer layer)
{
	static const char *const NAMES[LAYER__COUNT] = {
		[LAYER_NONE] = "none",         [LAYER_VLAN] = "vlan",
		[LAYER_SVLAN] = "svlan",       [LAYER_PPP] = "ppp",
		[LAYER_WLAN] = "wlan",         [LAYER_MPLS] = "mpls",
		[LAYER_PPPOE] = "pppoe",       [LAYER_IP4] = "ip4",
		[LAYER_IP6] = "ip6",           [LAYER_GRE] = "gre",
		[LAYER_VXLAN] = "vxlan",       [LAYER_GENEVE] = "geneve",
		[LAYER_GTP] = "gtp",           [LAYER_TEREDO] = "teredo",
		[LAYER_L2TP] = "l2tp",         [LAYER_PPTP] = "pptp",
		[LAYER_ERSPAN] = "erspan",     [LAYER_ETHERNET] = "ethernet",
		[LAYER_NSH] = "nsh",           [LAYER_LISP] = "lisp",
		[LAYER_CAPWAP] = "capwap",     [LAYER_TZSP] = "tzsp",
		[LAYER_AYIYA] = "ayiya",       [LAYER_ESP] = "esp",
		[LAYER_BACKBONE] = "backbone", [LAYER_VNTAG] = "vntag",
		[LAYER_TRILL] = "trill",
	};

	return (unsigned int)layer < LAYER__COUNT ? NAMES[layer] : "unknown";
}

const char *
packet_fault_name(enum packet_fault fault)
{
	static const char *const NAMES[PACKET_FAULTS] = {
		[PACKET_WHOLE] = "whole",
		[PACKET_SHORT_LINK] = "short-link",
		[PACKET_SHORT_NETWORK] = "short-network",
		[PACKET_SHORT_TRANSPORT] = "short-transport",
		[PACKET_BAD_NETWORK] = "bad-network",
		[PACKET_BAD_TRANSPORT] = "bad-transport",
		[PACKET_DEEP] = "deep",
		[PACKET_FRAGMENT_LOST] = "fragment-lost",
		[PACKET_UNKNOWN_LINK] = "unknown-link",
	};

	return (unsigned int)fault < PACKET_FAULTS ? NAMES[fault] : "unknown";
}
