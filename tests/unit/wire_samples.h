/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_WIRE_SAMPLES_H
#define BARN_TESTS_WIRE_SAMPLES_H

/* A frame of each kind that wire decodes, all around the same packet: see wire_rig.h. */

#include <stddef.h>
#include <stdint.h>

struct wire_sample {
	uint16_t linktype;
	uint8_t version;
	const char *text;
	const char *path;
};

#define WLAN_ADDRS "020000000001020000000002020000000003"
#define NUL_10     "00000000000000000000"
#define NUL_70     NUL_10 NUL_10 NUL_10 NUL_10 NUL_10 NUL_10 NUL_10

static const struct wire_sample WIRE_SAMPLES[] = {
	/* Ethernet and its tags */
	{ 1, 4, "eth ip4 tcp", "" },
	{ 1, 6, "eth ip6 tcp", "" },
	{ 1, 4, "eth vlan:7 ip4 tcp", "vlan:7" },
	{ 1, 6, "eth svlan:100 vlan:4095 ip6 tcp", "svlan:100 vlan:4095" },
	{ 1, 4, "eth type:9100 x:0064 x:0800 ip4 tcp", "svlan:100" },
	{ 1, 4, "eth type:9200 x:0064 x:0800 ip4 tcp", "svlan:100" },
	{ 1, 4, "eth type:8100 x:e007 x:0800 ip4 tcp", "vlan:7" },
	{ 1, 4, "eth vlan:1 vlan:2 vlan:3 vlan:4 vlan:5 vlan:6 vlan:7 vlan:8 ip4 tcp",
	  "vlan:1 vlan:2 vlan:3 vlan:4 vlan:5 vlan:6 vlan:7 vlan:8" },
	/* 802.3 */
	{ 1, 4, "eth 802.3 x:aaaa03 x:0000000800 ip4 tcp", "" },
	{ 1, 6, "eth 802.3 x:aaaa03 x:0000f886dd ip6 tcp", "" },
	{ 1, 4, "eth 802.3 x:060603 ip4 tcp", "" },
	{ 1, 4, "eth 802.3 x:fefe03cc ip4 tcp", "" },
	{ 1, 4, "eth type:8100 x:0009 len x:aaaa03 x:0000000800 ip4 tcp", "vlan:9" },
	{ 1, 4, "eth 802.3 x:aaaa03 x:0000008100 x:0009 x:0800 ip4 tcp", "vlan:9" },
	/* Linux cooked */
	{ 113, 4, "x:0000 x:0001 x:0006 x:0200000000010000 x:0800 ip4 tcp", "" },
	{ 113, 6, "x:0004 x:0304 x:0000 x:0000000000000000 x:86dd ip6 tcp", "" },
	{ 113, 4, "x:0000 x:0001 x:0006 x:0200000000010000 x:8100 x:0005 x:0800 ip4 tcp",
	  "vlan:5" },
	{ 113, 4,
	  "x:0000 x:0001 x:0006 x:0200000000010000 x:0004 x:aaaa03 x:0000000800 ip4 tcp", "" },
	{ 276, 4, "x:0800 x:0000 x:00000002 x:0001 x:00 x:06 x:0200000000010000 ip4 tcp", "" },
	{ 276, 6, "x:86dd x:0000 x:00000002 x:0001 x:04 x:06 x:0200000000010000 ip6 tcp", "" },
	{ 113, 4,
	  "x:0000 x:0323 x:0000 x:0000000000000000 x:0003 x:0000080000000000 "
	  "x:08010000" WLAN_ADDRS "1000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	/* raw and loopback */
	{ 101, 4, "ip4 tcp", "" },
	{ 101, 6, "ip6 tcp", "" },
	{ 12, 4, "ip4 tcp", "" },
	{ 14, 6, "ip6 tcp", "" },
	{ 228, 4, "ip4 tcp", "" },
	{ 229, 6, "ip6 tcp", "" },
	{ 0, 4, "x:02000000 ip4 tcp", "" },
	{ 0, 4, "x:00000002 ip4 tcp", "" },
	{ 0, 6, "x:0a000000 ip6 tcp", "" },
	{ 0, 6, "x:17000000 ip6 tcp", "" },
	{ 0, 6, "x:18000000 ip6 tcp", "" },
	{ 0, 6, "x:1c000000 ip6 tcp", "" },
	{ 0, 6, "x:1e000000 ip6 tcp", "" },
	{ 0, 6, "x:0000001e ip6 tcp", "" },
	{ 108, 4, "x:00000002 ip4 tcp", "" },
	{ 108, 6, "x:00000018 ip6 tcp", "" },
	{ 239, 4, "x:02000000 x:0800010008000000 x:0500020041000000 x:31000900 ip4 tcp", "" },
	/* serial lines */
	{ 9, 4, "x:ff03 x:0021 ip4 tcp", "ppp:0" },
	{ 9, 6, "x:0057 ip6 tcp", "ppp:0" },
	{ 9, 4, "x:21 ip4 tcp", "ppp:0" },
	{ 9, 4, "x:ff03 x:0281 mpls:16 ip4 tcp", "ppp:0 mpls:16" },
	{ 50, 4, "x:ff03 x:0021 ip4 tcp", "ppp:0" },
	{ 50, 4, "x:0f00 x:0800 ip4 tcp", "" },
	{ 104, 4, "x:0f00 x:0800 ip4 tcp", "" },
	{ 104, 6, "x:8f00 x:86dd ip6 tcp", "" },
	{ 204, 4, "x:01 x:ff03 x:0021 ip4 tcp", "ppp:0" },
	{ 51, 4, "x:1100 x:0123 len x:0021 ip4 tcp", "pppoe:291" },
	{ 1, 4, "eth type:8864 x:1100 x:0005 len x:0021 ip4 tcp", "pppoe:5" },
	{ 1, 6, "eth vlan:7 type:8864 x:1100 x:0005 len x:0057 ip6 tcp", "vlan:7 pppoe:5" },
	{ 107, 4, "x:0401 x:03cc ip4 tcp", "" },
	{ 107, 6, "x:0401 x:038e ip6 tcp", "" },
	{ 107, 4, "x:0401 x:030080 x:0000000800 ip4 tcp", "" },
	{ 107, 4, "x:0401 x:0800 ip4 tcp", "" },
	{ 107, 4, "x:04000401 x:03cc ip4 tcp", "" },
	/* IEEE 802.11: plain, QoS, between access points, HT control, several in one */
	{ 105, 4, "x:08010000" WLAN_ADDRS "1000 x:aaaa03 x:0000000800 ip4 tcp", "wlan:0" },
	{ 105, 6, "x:88020000" WLAN_ADDRS "10000000 x:aaaa03 x:00000086dd ip6 tcp", "wlan:0" },
	{ 105, 4, "x:08030000" WLAN_ADDRS "1000020000000004 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 105, 4, "x:88030000" WLAN_ADDRS "10000200000000040000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 105, 4, "x:88810000" WLAN_ADDRS "1000000000000000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 105, 4,
	  "x:88020000" WLAN_ADDRS "10008000 x:020000000001020000000002 len x:aaaa03 "
	  "x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 127, 4,
	  "x:0000080000000000 x:08010000" WLAN_ADDRS "1000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 127, 4,
	  "x:0000110003000000 x:0000000000000000 x:20 x:88010000" WLAN_ADDRS
	  "10000000 x:0000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 127, 4,
	  "x:00000d0002000080 x:0000000020 x:88010000" WLAN_ADDRS
	  "10000000 x:0000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 163, 4,
	  "x:8021100100000008 x:08010000" WLAN_ADDRS "1000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 119, 4,
	  "x:8021100100000008 x:08010000" WLAN_ADDRS "1000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 119, 4,
	  "x:00000044" NUL_70 " x:" NUL_70 " x:08010000" WLAN_ADDRS
	  "1000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	{ 192, 4,
	  "x:0000080069000000 x:08010000" WLAN_ADDRS "1000 x:aaaa03 x:0000000800 ip4 tcp",
	  "wlan:0" },
	/* IP extension headers */
	{ 1, 6, "eth ip6 ext:0 ext:43 ext:60 tcp", "" },
	{ 1, 6, "eth ip6 ext:60 ext:135 ext:139 ext:140 ext:0 tcp", "" },
	{ 1, 6, "eth ip6 proto:51 x:060400000000010000000001000000000000000000000000 tcp", "" },
	{ 1, 4, "eth ip4 proto:51 x:060400000000010000000001000000000000000000000000 tcp", "" },
	{ 1, 6, "eth ip6 proto:44 x:0600000012345678 tcp", "" },
	/* IP in IP, GRE */
	{ 1, 4, "eth ip4 ip4 tcp", "ip4:0" },
	{ 1, 4, "eth ip6 ip4 tcp", "ip6:0" },
	{ 1, 6, "eth ip4 ip6 tcp", "ip4:0" },
	{ 1, 6, "eth ip6 ext:60 ip6 tcp", "ip6:0" },
	{ 101, 4, "ip4 ip6 ip4 ip4 tcp", "ip4:0 ip6:0 ip4:0" },
	{ 1, 4, "eth ip4 proto:47 x:00000800 ip4 tcp", "ip4:0 gre:0" },
	{ 1, 6, "eth ip6 proto:47 x:2000 x:86dd x:0000002a ip6 tcp", "ip6:0 gre:42" },
	{ 1, 4, "eth ip4 proto:47 x:b000 x:0800 x:12340000 x:0000002a x:00000001 ip4 tcp",
	  "ip4:0 gre:42" },
	{ 1, 4, "eth ip4 proto:47 x:00006558 eth vlan:3 ip4 tcp", "ip4:0 gre:0 vlan:3" },
	{ 1, 4, "eth ip4 proto:47 x:00008847 mpls:18 ip4 tcp", "ip4:0 gre:0 mpls:18" },
	{ 1, 4,
	  "eth ip4 proto:47 x:3081 x:880b x:00310007 x:00000001 x:00000002 x:ff030021 ip4 tcp",
	  "ip4:0 gre:0 ppp:0" },
	{ 1, 4, "eth ip4 proto:97 x:3000 eth ip4 tcp", "ip4:0" },
	/* MPLS */
	{ 1, 4, "eth mpls:16 ip4 tcp", "mpls:16" },
	{ 1, 6, "eth vlan:7 mpls:1048575 mpls:0 mpls:17 ip6 tcp",
	  "vlan:7 mpls:1048575 mpls:0 mpls:17" },
	{ 1, 4, "eth type:8848 x:00010140 ip4 tcp", "mpls:16" },
	{ 1, 4, "eth mpls:16 x:00000001 eth ip4 tcp", "mpls:16" },
	{ 1, 6, "eth mpls:16 eth vlan:7 ip6 tcp", "mpls:16 vlan:7" },
	{ 1, 4, "eth ip4 proto:137 mpls:16 ip4 tcp", "ip4:0 mpls:16" },
	{ 1, 4, "eth ip4 udp:6635 mpls:16 ip4 tcp", "ip4:0 mpls:16" },
	/* over UDP */
	{ 1, 4, "eth ip4 udp:4789 x:0800000000002a00 eth ip4 tcp", "ip4:0 vxlan:42" },
	{ 1, 6, "eth ip6 udp:8472 x:0800000000002a00 eth vlan:7 ip6 tcp",
	  "ip6:0 vxlan:42 vlan:7" },
	{ 1, 4, "eth ip4 udp:6081 x:0000655800002a00 eth ip4 tcp", "ip4:0 geneve:42" },
	{ 1, 4, "eth ip4 udp:6081 x:0140080000002a00 x:01020304 ip4 tcp", "ip4:0 geneve:42" },
	{ 1, 4, "eth ip4 udp:2152 x:30ff002d x:00001234 ip4 tcp", "ip4:0 gtp:4660" },
	{ 1, 6, "eth ip4 udp:2152 x:32ff0045 x:00001234 x:00010000 ip6 tcp", "ip4:0 gtp:4660" },
	{ 1, 4, "eth ip4 udp:2152 x:34ff0035 x:00001234 x:00000085 x:01100900 ip4 tcp",
	  "ip4:0 gtp:4660" },
	{ 1, 6, "eth ip4 udp:3544 ip6 tcp", "ip4:0 teredo:0" },
	{ 1, 6, "eth ip4 udp:3544 x:0000 x:1234567890ab ip6 tcp", "ip4:0 teredo:0" },
	{ 1, 6,
	  "eth ip4 udp:3544 x:00010000 x:0000000000000000 x:00 x:0000 x:1234567890ab ip6 tcp",
	  "ip4:0 teredo:0" },
	{ 1, 4,
	  "eth ip4 udp:4789 x:0800000000000100 eth ip4 udp:2152 x:30ff002d x:00000001 ip4 tcp",
	  "ip4:0 vxlan:1 ip4:0 gtp:1" },
};

enum { WIRE_SAMPLE_COUNT = sizeof(WIRE_SAMPLES) / sizeof(WIRE_SAMPLES[0]) };

#endif
