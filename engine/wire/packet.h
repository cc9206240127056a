/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WIRE_PACKET_H
#define WIRE_PACKET_H

/*
 * What wire makes of a frame, and all that the rest of barn knows of it. A
 * packet points into the frame (or, for the packet that completes a datagram of
 * fragments, into the fragment table) and lives until the next one is decoded.
 *
 *	frame  | link | tags ... | IP | extension headers | TCP, UDP, ... | payload |
 *	       data                network                  transport       payload
 *
 * Lengths are those on the wire; the windows hold what was captured, which is
 * less when the capture was snapped.
 */

#include "base/bytes.h"

enum packet_dir { PACKET_IN, PACKET_OUT };

/* An IPv4 address stands in the first four bytes, in network order; the rest is 0. */
union packet_addr {
	uint8_t b[16];
	uint32_t w[4];
	uint64_t q[2];
};

/* One encapsulation around the innermost network packet. */
enum packet_layer {
	LAYER_NONE,
	LAYER_VLAN,  /* 802.1Q; id: VLAN identifier */
	LAYER_SVLAN, /* 802.1ad and its forerunners 0x9100, 0x9200; id: VLAN identifier */
	LAYER_PPP,
	LAYER_WLAN,  /* 802.11 */
	LAYER_MPLS,  /* id: label */
	LAYER_PPPOE, /* id: session */
	LAYER_IP4,   /* an IPv4 header with another network packet in it */
	LAYER_IP6,
	LAYER_GRE,   /* id: key */
	LAYER_VXLAN, /* id: network identifier */
	LAYER_GENEVE,
	LAYER_GTP, /* id: tunnel endpoint identifier */
	LAYER_TEREDO,
	LAYER_L2TP,     /* id: tunnel << 16 | session, or the session of version 3 */
	LAYER_PPTP,     /* id: call */
	LAYER_ERSPAN,   /* id: session */
	LAYER_ETHERNET, /* a frame in IP, with nothing between */
	LAYER_NSH,      /* id: service path */
	LAYER_LISP,     /* id: instance */
	LAYER_CAPWAP,
	LAYER_TZSP,
	LAYER_AYIYA,
	LAYER_ESP,      /* id: security parameters index */
	LAYER_BACKBONE, /* 802.1ah; id: service instance */
	LAYER_VNTAG,
	LAYER_TRILL,
	LAYER__COUNT
};

enum { PACKET_PATH_MAX = 8 };

struct packet_hop {
	uint8_t layer; /* enum packet_layer */
	uint32_t id;
};

/* Why a frame was not decoded to its end. PACKET_WHOLE is no fault. */
enum packet_fault {
	PACKET_WHOLE,
	PACKET_SHORT_LINK,      /* the frame ends in the link header or a tag */
	PACKET_SHORT_NETWORK,   /* ... in the network header or an extension header */
	PACKET_SHORT_TRANSPORT, /* ... in the transport header */
	PACKET_BAD_NETWORK,     /* version, header length or total length is impossible */
	PACKET_BAD_TRANSPORT,   /* data offset or length is impossible */
	PACKET_DEEP,            /* more encapsulations or extension headers than we follow */
	PACKET_FRAGMENT_LOST,   /* a later fragment whose first one is not known */
	PACKET_UNKNOWN_LINK,    /* a link type that barn does not decode */
	PACKET_FAULTS
};

/* The clock by which flows are ended: time in steps of a second, never back. */
static inline uint64_t
packet_clock(uint64_t clock_ns, uint64_t time_ns)
{
	const uint64_t step_ns = 1000000000;

	if (time_ns <= clock_ns || time_ns - clock_ns <= step_ns)
		return clock_ns;
	return time_ns - time_ns % step_ns;
}

enum packet_tcp_flag {
	TCP_FIN = 0x01,
	TCP_SYN = 0x02,
	TCP_RST = 0x04,
	TCP_PSH = 0x08,
	TCP_ACK = 0x10,
	TCP_URG = 0x20,
};

struct packet {
	/* Set by the caller of wire_decode. */
	struct bytes frame; /* as captured, from the link header on */
	uint32_t wire_len;  /* length on the wire, at least that of frame */
	uint64_t time_ns;   /* since 1970 */
	uint64_t clock_ns;  /* packet_clock of the latest time in the whole input so far */
	uint64_t serial;    /* number in the input, from 1; names a flow by its first packet */
	uint16_t linktype;  /* LINKTYPE_ number, http://www.tcpdump.org/linktypes.html */
	uint16_t iface;     /* the caller's interface number, from 0 */
	uint8_t dir; /* enum packet_dir, as seen from the interface; PACKET_IN if unknown */
	/* One more than the number of the interface by which it will leave, where it is
	 * forwarded; it counts there as well, as going out. 0: none. */
	uint16_t leaves;

	/* Set by wire_decode. */
	uint8_t fault;      /* enum packet_fault; what was decoded before it stands */
	uint8_t ip_version; /* 4, 6, or 0: no network packet, then ethertype names it */
	uint8_t ip_proto;   /* the transport: IANA's protocol number, after extension headers */
	uint16_t
		ethertype; /* of the innermost network packet; < 256: the LLC destination SAP */
	uint8_t tos;       /* DS field of the innermost IP header */
	uint8_t ttl;
	bool fragment;    /* part of a fragmented datagram */
	bool reassembled; /* transport and payload are those of the whole datagram */
	bool held; /* comes again, from wire_early, when its datagram's ports are known */
	union packet_addr src, dst;
	uint16_t src_port; /* TCP, UDP, SCTP, DCCP, UDP-Lite; for ICMP type << 8 | code */
	uint16_t dst_port;
	uint8_t tcp_flags; /* enum packet_tcp_flag */
	uint32_t tcp_seq, tcp_ack;
	struct bytes network; /* from the innermost IP header on (what nDPI wants) */
	/* Of the transport, as captured. A first fragment has its own part, later ones have
	 * none, and the one that completes the datagram has all of it again. */
	struct bytes payload;
	uint32_t payload_len; /* of the transport, on the wire, without padding */
	/*
	 * A digest of those ids of path that one direction alone has (MPLS labels, GTP's
	 * endpoints, ...); 0: there are none. Not part of path_key.
	 */
	uint32_t path_way;
	uint8_t path_len;
	struct packet_hop path[PACKET_PATH_MAX]; /* outermost first, without the innermost IP */
	/* A hash of path's layers, and of the ids that both directions share: part of a flow's
	 * identity; 0 for none. */
	uint64_t path_key;
};

/* The words for JSON and counters: "vlan", "short-network". Never NULL. */
const char *packet_layer_name(enum packet_layer layer);
const char *packet_fault_name(enum packet_fault fault);

#endif
