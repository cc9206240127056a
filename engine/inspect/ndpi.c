/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "config.h"

#include "inspect/ndpi.h"
#include "inspect/ndpi_isolate.h"

#include <ctype.h>
#include <ndpi_api.h>
#include <stdlib.h>

enum { PACKETS_MAX = 32 }; /* nDPI looks at no more of a flow (its packets_limit_per_flow) */

struct ndpi_bridge {
	struct ndpi_detection_module_struct *module;
	size_t flow_size; /* the library's, not the header's */
};

struct ndpi_flow {
	uint32_t packets;
	/* struct ndpi_flow_struct follows, as large as the library says. */
};

/* Where the library's struct begins: behind ours, aligned for anything. */
enum { FLOW_AT = 16 };

_Static_assert(sizeof(struct ndpi_flow) <= FLOW_AT, "the library's struct stands behind ours");

static struct ndpi_flow_struct *
inside(struct ndpi_flow *flow)
{
	return (struct ndpi_flow_struct *)(void *)((char *)flow + FLOW_AT);
}

enum barn_err
ndpi_bridge_new(struct ndpi_bridge **bridge)
{
	struct ndpi_bridge *b = calloc(1, sizeof(*b));

	if (!b)
		return BARN_ERR_MEMORY;
#ifdef HAVE_NDPI_GLOBAL_CONTEXT
	b->module = ndpi_init_detection_module(NULL);
#else
	b->module = ndpi_init_detection_module(ndpi_dont_load_tor_hosts);
#endif
	if (!b->module) {
		free(b);
		return BARN_ERR_LIBRARY;
	}
#ifdef HAVE_NDPI_BITMASK
	NDPI_PROTOCOL_BITMASK all;

	NDPI_BITMASK_SET_ALL(all);
	ndpi_set_protocol_detection_bitmask2(b->module, &all);
#endif
#ifndef HAVE_NDPI_INPUT_INFO
	ndpi_set_detection_preferences(b->module, ndpi_pref_direction_detect_disable, 1);
#endif
	ndpi_isolate_setup(b->module);
	ndpi_finalize_initialization(b->module);
	b->flow_size = ndpi_detection_get_sizeof_ndpi_flow_struct();
	*bridge = b;
	return BARN_OK;
}

void
ndpi_bridge_free(struct ndpi_bridge *bridge)
{
	if (!bridge)
		return;
	ndpi_exit_detection_module(bridge->module);
	free(bridge);
}

const char *
ndpi_bridge_name(const struct ndpi_bridge *bridge, uint16_t number)
{
	return number < ndpi_bridge_count(bridge) ? ndpi_get_proto_name(bridge->module, number)
						  : NULL;
}

uint16_t
ndpi_bridge_count(const struct ndpi_bridge *bridge)
{
	return (uint16_t)ndpi_get_num_supported_protocols(bridge->module);
}

const char *
ndpi_bridge_version(void)
{
	return ndpi_revision();
}

enum barn_err
ndpi_bridge_flow_new(struct ndpi_bridge *bridge, struct ndpi_flow **flow)
{
	*flow = calloc(1, FLOW_AT + bridge->flow_size);
	return *flow ? BARN_OK : BARN_ERR_MEMORY;
}

void
ndpi_bridge_flow_free(struct ndpi_bridge *bridge, struct ndpi_flow *flow)
{
	(void)bridge;
	if (!flow)
		return;
	ndpi_free_flow_data(inside(flow));
	free(flow);
}

/*
 * Protocols that 4.2 names from a few bits of a single packet: Skype by a nibble, RTP by a byte
 * of its header (rtp.c looks at several packets), FTP's data by how files begin, NATS by a word
 * such as PING. On a corpus of labelled captures these were wrong more often than right, or
 * wrong at all where we know better. Newer versions look closer.
 */
static bool
is_weak(uint16_t protocol)
{
#ifdef HAVE_NDPI_INPUT_INFO
	(void)protocol;
	return false;
#else
	return protocol == NDPI_PROTOCOL_SKYPE_CALL || protocol == NDPI_PROTOCOL_SKYPE_TEAMS ||
	       protocol == NDPI_PROTOCOL_RTP || protocol == NDPI_PROTOCOL_FTP_DATA ||
	       protocol == NDPI_PROTOCOL_NATS || protocol == NDPI_PROTOCOL_CASSANDRA ||
	       protocol == NDPI_PROTOCOL_TARGUS_GETDATA;
#endif
}

/*
 * Only what nDPI found by its own dissection counts as content: not what it half knew, or
 * took from a port or an address. What it calls remembered does where flows are kept apart,
 * as then it comes from this very packet (4.2 says so of all BitTorrent); but for tinc,
 * whose memory cannot be emptied.
 */
static bool
is_content(const struct ndpi_flow_struct *flow, uint16_t protocol)
{
	if (protocol == NDPI_PROTOCOL_UNKNOWN || is_weak(protocol))
		return false;
	if (flow->confidence == NDPI_CONFIDENCE_DPI_CACHE)
		return protocol != NDPI_PROTOCOL_TINC && ndpi_isolate_works();
	return flow->confidence == NDPI_CONFIDENCE_DPI;
}

/* nDPI puts what runs over another into app, and that other into master; one alone into app. */
static struct ndpi_answer
answer_of(struct ndpi_flow *flow, ndpi_protocol verdict)
{
#ifdef HAVE_NDPI_NESTED_PROTOCOL
	uint16_t master = verdict.proto.master_protocol, app = verdict.proto.app_protocol;
#else
	uint16_t master = verdict.master_protocol, app = verdict.app_protocol;
#endif
	struct ndpi_answer answer = { .master = master, .app = app };

	if (master == NDPI_PROTOCOL_UNKNOWN) {
		answer.master = app;
		answer.app = NDPI_PROTOCOL_UNKNOWN;
	} else if (app == master) {
		answer.app = NDPI_PROTOCOL_UNKNOWN;
	}
	answer.by_content = is_content(inside(flow), answer.master);
	return answer;
}

struct ndpi_answer
ndpi_bridge_flow_packet(struct ndpi_bridge *bridge, struct ndpi_flow *flow,
			struct bytes network, uint64_t time_ns, bool from_client)
{
	struct ndpi_flow_struct *inner = inside(flow);
	size_t left = bytes_left(&network);
	unsigned short len = left < UINT16_MAX ? (unsigned short)left : UINT16_MAX;
	struct ndpi_answer answer;

#ifdef HAVE_NDPI_INPUT_INFO
	struct ndpi_flow_input_info info = {
		.in_pkt_dir = from_client ? NDPI_IN_PKT_DIR_C_TO_S : NDPI_IN_PKT_DIR_S_TO_C,
		.seen_flow_beginning = NDPI_FLOW_BEGINNING_UNKNOWN,
	};

	answer = answer_of(flow, ndpi_detection_process_packet(bridge->module, inner, network.p,
							       len, time_ns / 1000000, &info));
#else
	inner->packet_direction = !from_client;
	answer = answer_of(flow, ndpi_detection_process_packet(bridge->module, inner, network.p,
							       len, time_ns / 1000000));
#endif
	ndpi_isolate_forget(bridge->module);
	flow->packets++;
	answer.final =
		flow->packets >= PACKETS_MAX ||
		(answer.master && !ndpi_extra_dissection_possible(bridge->module, inner));
	return answer;
}

struct ndpi_answer
ndpi_bridge_flow_giveup(struct ndpi_bridge *bridge, struct ndpi_flow *flow)
{
	ndpi_protocol verdict;

#ifdef HAVE_NDPI_GIVEUP_ENABLE
	u_int8_t guessed;

	verdict = ndpi_detection_giveup(bridge->module, inside(flow), 0, &guessed);
#elif defined(HAVE_NDPI_GIVEUP_GUESSED)
	u_int8_t guessed;

	verdict = ndpi_detection_giveup(bridge->module, inside(flow), &guessed);
#else
	verdict = ndpi_detection_giveup(bridge->module, inside(flow));
#endif
	ndpi_isolate_forget(bridge->module);
	struct ndpi_answer answer = answer_of(flow, verdict);

	answer.final = true;
	return answer;
}

uint16_t
ndpi_bridge_host(struct ndpi_bridge *bridge, struct bytes name)
{
	ndpi_protocol_match_result match;
	char text[256];
	size_t n = bytes_left(&name);
	int found;

	if (n == 0 || n >= sizeof(text))
		return 0;
	for (size_t i = 0; i < n; i++)
		text[i] = (char)tolower(name.p[i]);
	text[n] = '\0';
	found = ndpi_match_string_subprotocol(bridge->module, text, (u_int)n, &match);
	return found > 0 && found < ndpi_bridge_count(bridge) ? (uint16_t)found : 0;
}
