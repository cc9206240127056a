/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/talk.h"
#include "program/say.h"
#include <netinet/in.h>
#include <stdlib.h>

static struct talk *
find(const struct talks *t, uint64_t id)
{
	unsigned low = 0, high = t->count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (t->list[middle].info.id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->count && t->list[low].info.id == id ? &t->list[low] : NULL;
}

/* Numbers of flows are those of their first packets, so that a new one is the last. */
static struct talk *
add(struct talks *t, uint64_t id, const struct packet *packet)
{
	struct talk *list;

	if (t->count == TALKS || id != packet->serial) {
		t->left_out += id == packet->serial;
		return NULL;
	}
	if (t->count == t->room) {
		t->room = t->room ? 2 * t->room : 64;
		list = realloc(t->list, t->room * sizeof(*list));
		if (!list) {
			t->failed = true;
			t->room = t->count;
			return NULL;
		}
		t->list = list;
	}
	list = &t->list[t->count++];
	*list = (struct talk){ .info.id = id, .first_port = packet->src_port };
	memcpy(list->first_src, packet->src.b, sizeof(list->first_src));
	return list;
}

/* As the engine: what it does not show to rules is no part of a talk. */
static bool
is_shown(const struct packet *p)
{
	if (p->fragment && !p->reassembled)
		return false;
	if (p->ip_proto != IPPROTO_TCP)
		return bytes_left(&p->payload) > 0;
	if ((p->fault != PACKET_WHOLE && p->fault != PACKET_FRAGMENT_LOST) ||
	    p->tcp_flags & TCP_RST)
		return false;
	return p->payload_len > 0 || p->tcp_flags & (TCP_SYN | TCP_FIN);
}

static void
keep(struct talks *t, struct talk *talk, const struct packet *p)
{
	size_t len = bytes_left(&p->payload);
	struct talk_packet *packets = talk->packets;
	uint8_t *copy;

	if (talk->count == TALK_PACKETS || talk->bytes + len > TALK_BYTES ||
	    t->bytes + len > TALKS_BYTES) {
		talk->more = true;
		return;
	}
	if (talk->count == talk->room) {
		talk->room = talk->room ? 2 * talk->room : 8;
		packets = arena_array(t->arena, talk->room, sizeof(*packets));
		if (packets && talk->count)
			memcpy(packets, talk->packets, talk->count * sizeof(*packets));
	}
	copy = arena_copy(t->arena, len ? p->payload.p : (const uint8_t *)"", len);
	if (!packets || !copy) {
		t->failed = true;
		talk->room = talk->count;
		return;
	}
	talk->packets = packets;
	talk->bytes += (uint32_t)len;
	t->bytes += (uint32_t)len;
	packets[talk->count++] = (struct talk_packet){
		.frame = p->serial,
		.number = talk->seen,
		.dir = memcmp(p->src.b, talk->first_src, sizeof(talk->first_src)) != 0 ||
		       p->src_port != talk->first_port,
		.tcp_flags = p->tcp_flags,
		.seq = p->tcp_seq,
		.length = p->payload_len,
		.payload = bytes_of(copy, len),
	};
}

static void
see_packet(void *self, const struct packet *packet, uint64_t flow)
{
	struct talks *t = self;
	struct talk *talk = find(t, flow);

	if (!talk)
		talk = add(t, flow, packet);
	if (!talk)
		return;
	talk->seen++;
	if (packet->ip_version && is_shown(packet))
		keep(t, talk, packet);
}

/* What children are looked up by: the first of the flow. */
static void
keep_host(const struct barn_flow *flow, struct talk *talk)
{
	const struct registry *registry = worker_registry(flow->worker);
	const struct field *field;
	const char *name;
	const uint8_t *value;
	size_t len;
	uint32_t at = 0;

	while (barn_flow_field(flow, &at, &name, &value, &len)) {
		field = registry_field(registry, registry_field_find(registry, name));
		if (!field || !field->server_name || len >= sizeof(talk->host))
			continue;
		memcpy(talk->host, value, len);
		talk->host[len] = '\0';
		return;
	}
}

/* Until now a packet's direction was told by who sent the first. */
static void
see_end(void *self, const struct barn_flow *flow)
{
	struct barn_flow_info info;
	struct talk *talk;
	bool turned;

	barn_flow_info(flow, &info);
	talk = find(self, info.id);
	if (!talk)
		return;
	talk->info = info;
	talk->ended = true;
	keep_host(flow, talk);
	turned = memcmp(info.client.address, talk->first_src, sizeof(talk->first_src)) != 0 ||
		 info.client.port != talk->first_port;
	for (unsigned i = 0; turned && i < talk->count; i++)
		talk->packets[i].dir ^= 1;
}

/* Those that were reported; a flow may give way to another before it is. */
static void
drop_unfinished(struct talks *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->count; i++)
		if (t->list[i].ended)
			t->list[n++] = t->list[i];
	t->count = n;
}

int
talk_read(const struct walk_options *options, struct talks *talks)
{
	struct walk_options o = *options;
	uint64_t frames;
	int status;

	*talks = (struct talks){ .count = 0 };
	if (arena_new(0, &talks->arena)) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	o.packet = see_packet;
	o.ended = see_end;
	o.self = talks;
	status = walk(&o, &frames);
	drop_unfinished(talks);
	if (talks->failed) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	if (talks->left_out)
		say_error("only the first %u flows are looked at; %ju more are not", TALKS,
			  (uintmax_t)talks->left_out);
	return status;
}

void
talk_free(struct talks *talks)
{
	free(talks->list);
	arena_free(talks->arena);
	*talks = (struct talks){ .count = 0 };
}

enum barn_err
talk_of_test(const struct pdl_test *test, struct arena *arena, struct talk *talk)
{
	uint32_t seq[2] = { 0 };

	*talk = (struct talk){ .info.ip_version = 4, .count = test->message_count };
	talk->info.ip_proto = test->transport == PDL_TCP ? IPPROTO_TCP : IPPROTO_UDP;
	talk->packets = arena_array(arena, test->message_count, sizeof(*talk->packets));
	if (!talk->packets)
		return BARN_ERR_MEMORY;
	for (unsigned i = 0; i < test->message_count; i++) {
		const struct pdl_message *message = &test->messages[i];
		uint32_t len = (uint32_t)bytes_left(&message->data);

		talk->packets[i] = (struct talk_packet){
			.number = i + 1,
			.dir = message->dir,
			.seq = seq[message->dir],
			.length = len,
			.payload = message->data,
		};
		seq[message->dir] += len;
	}
	return BARN_OK;
}
