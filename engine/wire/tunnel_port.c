/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/* Tunnels in UDP, by IANA's port numbers. */

struct port {
	uint16_t number;
	bool either; /* of source or destination; otherwise the destination */
	struct next next;
};

static const struct port PORTS[] = {
	{ 1701, true, { tunnel_l2tp } },    { 2152, true, { tunnel_gtp } },
	{ 3386, false, { tunnel_gtp_0 } },  { 3544, true, { tunnel_teredo } },
	{ 4341, false, { tunnel_lisp } },   { 4500, true, { tunnel_esp } },
	{ 4754, false, { tunnel_gre } }, /* RFC 8086 */
	{ 4789, false, { tunnel_vxlan } },  { 4790, false, { tunnel_vxlan_gpe } },
	{ 5072, true, { tunnel_ayiya } },   { 5247, true, { tunnel_capwap } },
	{ 6081, false, { tunnel_geneve } }, { 6635, false, { tunnel_mpls_ip } },
	{ 8472, false, { tunnel_vxlan } }, /* Linux's default */
	{ 37008, false, { tunnel_tzsp } },
};

uint64_t
tunnel_port_bits(void)
{
	uint64_t ports = 0;

	for (size_t i = 0; i < sizeof(PORTS) / sizeof(PORTS[0]); i++)
		ports |= UINT64_C(1) << tunnel_port_bit(PORTS[i].number);
	return ports;
}

struct next
tunnel_port_either(uint16_t src_port, uint16_t dst_port)
{
	for (size_t i = 0; i < sizeof(PORTS) / sizeof(PORTS[0]); i++)
		if (PORTS[i].number == dst_port ||
		    (PORTS[i].either && PORTS[i].number == src_port))
			return PORTS[i].next;
	return NEXT_NONE;
}
