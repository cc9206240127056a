/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * What inspectors say of their first bytes, held against themselves: a state that is new says
 * NO to all that begins otherwise.
 */
#include "io/pcapfile.h"
#include "starts_rig.h"
#include "unit.h"
#include "wire/wire.h"

#include <glob.h>
#include <stdlib.h>

enum { ROUNDS = 20000, FRAMES_MOST = 200, PREFIXES = 24, FAULTS_TOLD = 40, STATE_MOST = 16384 };

static void
no_field(void *self, unsigned field, struct bytes value)
{
	(void)self;
	(void)field;
	(void)value;
}

static void
no_number(void *self, unsigned field, uint64_t value)
{
	(void)self;
	(void)field;
	(void)value;
}

static void
no_announcement(void *self, const struct inspect_announcement *announcement)
{
	(void)self;
	(void)announcement;
}

static void
no_name(void *self, uint8_t ip_version, const uint8_t *address, struct bytes name,
	uint32_t ttl_s)
{
	(void)self;
	(void)ip_version;
	(void)address;
	(void)name;
	(void)ttl_s;
}

static void
no_protocol(void *self, const char *protocol)
{
	(void)self;
	(void)protocol;
}

static const struct inspect_sink none = { .field = no_field,
					  .number = no_number,
					  .announce = no_announcement,
					  .name = no_name,
					  .inner = no_protocol,
					  .application = no_protocol };

static uint64_t refused, asked, wrong;

static void
try(const struct inspector *inspector, struct inspect_view view)
{
	static uint64_t state[STATE_MOST / 8];
	struct bytes data = view.data;
	enum inspect_answer answer;

	if (!inspector->starts)
		return;
	if (inspector_may(inspector, &view)) {
		asked++;
		return;
	}
	refused++;
	memset(state, 0, inspector->state_size);
	answer = inspector->feed(state, &view, &none);
	if (answer != INSPECT_NO && wrong++ < FAULTS_TOLD) {
		fprintf(stderr, "%s says %d over %s from %s to:", inspector->name, answer,
			view.transport == INSPECT_TCP ? "tcp" : "udp",
			view.dir ? "the server" : "the client");
		for (size_t i = 0; i < PREFIXES && data.p + i < data.end; i++)
			fprintf(stderr, " %02x", data.p[i]);
		fprintf(stderr, " (%zu bytes)\n", bytes_left(&data));
	}
}

TEST(starts_are_well_formed)
{
	for (size_t i = 0; i < inspectors_count; i++)
		for (unsigned k = 0; k < inspectors[i]->start_count; k++) {
			const struct inspect_start *start = &inspectors[i]->starts[k];

			CHECK(start->count <= INSPECT_START_BYTES);
			CHECK(start->most == 0 || start->most >= start->least);
			CHECK((start->transports & ~inspectors[i]->transports) == 0);
			CHECK(start->from <= (INSPECT_FROM_CLIENT | INSPECT_FROM_SERVER));
			for (unsigned b = 0; b < start->count; b++)
				CHECK(start->bytes[b][0] <= start->bytes[b][1]);
		}
}

TEST(most_inspectors_that_are_tried_tell_their_starts)
{
	size_t silent = 0;

	for (size_t i = 0; i < inspectors_count; i++) {
		if (inspectors[i]->transports && !inspectors[i]->starts) {
			printf("%s is asked about each new flow\n", inspectors[i]->name);
			silent++;
		}
		CHECK(inspectors[i]->state_size <= STATE_MOST);
	}
	CHECK(silent * 2 < inspectors_count);
}

TEST(what_does_not_begin_so_is_refused_by_chance)
{
	struct rig rig = { .seed = 4711 };

	refused = asked = wrong = 0;
	for (unsigned round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < inspectors_count; i++)
			for (uint8_t t = INSPECT_TCP; t <= INSPECT_UDP; t++)
				if (inspectors[i]->transports & t)
					try(inspectors[i], rig_view(&rig, inspectors[i], t));
	CHECK_EQ(wrong, 0);
	CHECK(refused > ROUNDS && asked > ROUNDS);
}

static void
try_packet(const struct packet *packet)
{
	struct inspect_view view = { .data = packet->payload,
				     .time_ns = packet->time_ns,
				     .port = { packet->src_port, packet->dst_port },
				     .transport = packet->ip_proto == 6 ? INSPECT_TCP
									: INSPECT_UDP };
	size_t len = bytes_left(&packet->payload);

	if ((packet->ip_proto != 6 && packet->ip_proto != 17) || len == 0)
		return;
	for (size_t i = 0; i < inspectors_count; i++) {
		if (!(inspectors[i]->transports & view.transport))
			continue;
		for (size_t n = 1; n <= len; n = n < PREFIXES || n == len ? n + 1 : len) {
			view.data = bytes_of(packet->payload.p, n);
			view.dir = n & 1;
			try(inspectors[i], view);
			view.dir = !view.dir;
			try(inspectors[i], view);
		}
	}
}

static void
try_capture(const char *path, struct wire *wire)
{
	struct pcapfile *file = NULL;
	struct io_frame frame;

	CHECK_EQ(pcapfile_open(path, &file, NULL), BARN_OK);
	for (unsigned i = 0; i < FRAMES_MOST && !pcapfile_next(file, &frame); i++) {
		struct packet packet = { .frame = frame.data,
					 .wire_len = frame.length,
					 .time_ns = frame.time_ns,
					 .clock_ns = frame.time_ns,
					 .serial = i + 1,
					 .linktype = frame.linktype };

		wire_decode(wire, &packet);
		try_packet(&packet);
	}
	pcapfile_close(file);
}

TEST(what_does_not_begin_so_is_refused_in_all_captures)
{
	const char *srcdir = getenv("srcdir");
	struct wire *wire = NULL;
	char pattern[512];
	glob_t found;

	refused = asked = wrong = 0;
	snprintf(pattern, sizeof(pattern), "%s/captures/*/*.pcap", srcdir ? srcdir : ".");
	CHECK_EQ(glob(pattern, 0, NULL, &found), 0);
	CHECK_EQ(wire_new(&(struct wire_options){ .seed = { 1, 2 } }, &wire), BARN_OK);
	for (size_t i = 0; i < found.gl_pathc; i++)
		try_capture(found.gl_pathv[i], wire);
	globfree(&found);
	wire_free(wire);
	CHECK_EQ(wrong, 0);
	/* A gate that lets most pass is none. */
	CHECK(asked > 1000 && refused > 5 * asked);
}
