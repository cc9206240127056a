/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/header.h"

#include <stdlib.h>

enum {
	LINK_ETHERNET = 1,
	LINK_RAW = 101,
	LINK_COOKED = 113,
	LINK_IP4 = 228,
	LINK_IP6 = 229,
	TAGS_MOST = 4,
	/* The domains. */
	NO_IP = 512,
	NO_COS = 8,
	NO_VLAN = 4096,
	LENGTH_MOST = 65535,
	NO_FLAGS = 256,
	NO_ICMP = 65536,
};

static const uint32_t domains[HEADER_FIELDS] = {
	[HEADER_DS] = NO_IP + 1,       [HEADER_COS] = NO_COS + 1,
	[HEADER_VLAN] = NO_VLAN + 1,   [HEADER_LENGTH] = LENGTH_MOST + 1,
	[HEADER_FLAGS] = NO_FLAGS + 1, [HEADER_FRAGMENT] = 2,
	[HEADER_ICMP] = NO_ICMP + 1,
};

static bool
is_tag(uint16_t type)
{
	return type == 0x8100 || type == 0x88a8 || type == 0x9100 || type == 0x9200;
}

/* Behind the ethertype that is read next. */
static uint16_t
behind_tags(struct bytes *b, const uint8_t *frame, struct header_place *place)
{
	uint16_t type = bytes_be16(b);

	for (unsigned i = 0; i < TAGS_MOST && is_tag(type); i++) {
		if (place->tag == HEADER_NONE && bytes_left(b) >= 4)
			place->tag = (uint16_t)(b->p - frame);
		bytes_skip(b, 2);
		type = bytes_be16(b);
	}
	if (type == 0x8864) { /* PPPoE session: version and code, session, length, protocol */
		bytes_skip(b, 6);
		type = bytes_be16(b);
		return type == 0x0021 ? 0x0800 : type == 0x0057 ? 0x86dd : 0;
	}
	return type;
}

struct header_place
header_find(const struct packet *packet)
{
	struct header_place place = { HEADER_NONE, HEADER_NONE, 0 };
	struct bytes b = packet->frame;
	const uint8_t *frame = b.p;
	uint16_t type = 0x0800;
	uint8_t first;

	if (bytes_left(&b) < 20 || bytes_left(&b) > HEADER_NONE)
		return place;
	if (packet->linktype == LINK_ETHERNET) {
		bytes_skip(&b, 12);
		type = behind_tags(&b, frame, &place);
	} else if (packet->linktype == LINK_COOKED) {
		bytes_skip(&b, 14);
		type = behind_tags(&b, frame, &place);
	} else if (packet->linktype != LINK_RAW && packet->linktype != LINK_IP4 &&
		   packet->linktype != LINK_IP6) {
		if (packet->path_len || !packet->network.p || packet->network.p < frame ||
		    packet->network.p >= packet->frame.end)
			return place;
		b.p = packet->network.p;
	}
	if (type != 0x0800 && type != 0x86dd)
		return place;
	first = bytes_left(&b) >= 20 ? *b.p >> 4 : 0;
	if (first == 4 || (first == 6 && bytes_left(&b) >= 40)) {
		place.ip = (uint16_t)(b.p - frame);
		place.ip_version = first;
	}
	return place;
}

static uint32_t
ds_index(const struct packet *packet, const struct header_place *place)
{
	struct bytes b = packet->frame;

	if (!place->ip_version)
		return NO_IP;
	bytes_skip(&b, place->ip);
	if (place->ip_version == 6)
		return 256u + (bytes_be16(&b) >> 4 & 0xff);
	bytes_skip(&b, 1);
	return bytes_u8(&b);
}

static uint32_t
tag_index(const struct packet *packet, const struct header_place *place, bool cos)
{
	struct bytes b = packet->frame;
	uint16_t tag;

	if (place->tag == HEADER_NONE)
		return cos ? NO_COS : NO_VLAN;
	bytes_skip(&b, place->tag);
	tag = bytes_be16(&b);
	return cos ? tag >> 13 : tag & 0xfff;
}

/* Of the network packet on the wire. One without IP: what lies behind the link header. */
static uint32_t
length_index(const struct packet *packet, const struct header_place *place)
{
	struct bytes b = packet->frame;
	uint32_t length;

	if (!place->ip_version)
		return packet->wire_len < 14                 ? 0
		       : packet->wire_len - 14 > LENGTH_MOST ? LENGTH_MOST
							     : packet->wire_len - 14;
	bytes_skip(&b, place->ip + (place->ip_version == 4 ? 2u : 4u));
	length = bytes_be16(&b);
	if (place->ip_version == 6)
		length += 40;
	return length > LENGTH_MOST ? LENGTH_MOST : length;
}

/* Later fragments alone: they have no transport header. */
static uint32_t
fragment_index(const struct packet *packet, const struct header_place *place)
{
	struct bytes b = packet->frame;

	if (!packet->fragment)
		return 0;
	if (place->ip_version != 4)
		return bytes_left(&packet->payload) == 0;
	bytes_skip(&b, place->ip + 6u);
	return (bytes_be16(&b) & 0x1fff) != 0;
}

static uint32_t
mac_index(const struct header_tables *tables, const struct packet *packet, bool destination)
{
	const struct list *macs = &tables->macs[destination];
	const uint8_t(*mac)[6] = macs->items;
	struct bytes b = packet->frame;

	if (packet->linktype != LINK_ETHERNET || bytes_left(&b) < 14)
		return macs->count;
	bytes_skip(&b, destination ? 0 : 6);
	for (unsigned i = 0; i < macs->count; i++)
		if (memcmp(mac[i], b.p, 6) == 0)
			return i;
	return macs->count;
}

static uint32_t
index_of(const struct header_tables *tables, enum header_field field,
	 const struct packet *packet, const struct header_place *place)
{
	switch (field) {
	case HEADER_DS: return ds_index(packet, place);
	case HEADER_COS: return tag_index(packet, place, true);
	case HEADER_VLAN: return tag_index(packet, place, false);
	case HEADER_LENGTH: return length_index(packet, place);
	case HEADER_FLAGS: return packet->ip_proto == 6 ? packet->tcp_flags : NO_FLAGS;
	case HEADER_FRAGMENT: return fragment_index(packet, place);
	case HEADER_ICMP:
		return packet->ip_proto == 1 || packet->ip_proto == 58 ? packet->src_port
								       : NO_ICMP;
	case HEADER_INPUT:
		return packet->iface < tables->interfaces ? packet->iface : tables->interfaces;
	case HEADER_SOURCE: return mac_index(tables, packet, false);
	case HEADER_DESTINATION: return mac_index(tables, packet, true);
	case HEADER_FIELDS: break;
	}
	return 0;
}

static bool
in_ranges(const struct list *ranges, uint32_t value)
{
	const struct policy_range *range = ranges->items;

	for (unsigned i = 0; i < ranges->count; i++)
		if (value >= range[i].low && value <= range[i].high)
			return true;
	return false;
}

static bool
flags_hold(const struct header_test *test, uint32_t flags)
{
	if (flags >= NO_FLAGS)
		return false;
	if (test->established && !(flags & (TCP_ACK | TCP_RST)))
		return false;
	return (flags & test->set) == test->set && !(flags & test->clear);
}

static bool
mac_holds(const struct header_tables *tables, const struct header_test *test, uint32_t index)
{
	const struct list *macs = &tables->macs[test->field == HEADER_DESTINATION];
	const uint8_t(*mac)[6] = macs->items;

	return index < macs->count && memcmp(mac[index], test->mac, 6) == 0;
}

static bool
holds(const struct header_tables *tables, const struct header_test *test, uint32_t index)
{
	switch ((enum header_field)test->field) {
	case HEADER_DS:
		if (index == NO_IP || (test->ip4_only && index >= 256))
			return false;
		return in_ranges(&test->ranges, (index & 0xff) >> (test->precedence ? 5 : 2));
	case HEADER_COS: return index != NO_COS && in_ranges(&test->ranges, index);
	case HEADER_VLAN: return index != NO_VLAN && in_ranges(&test->ranges, index);
	case HEADER_LENGTH: return in_ranges(&test->ranges, index);
	case HEADER_FLAGS: return flags_hold(test, index);
	case HEADER_FRAGMENT: return index != 0;
	case HEADER_ICMP: return index != NO_ICMP && in_ranges(&test->ranges, index);
	case HEADER_INPUT: return index == test->iface;
	case HEADER_SOURCE:
	case HEADER_DESTINATION: return mac_holds(tables, test, index);
	case HEADER_FIELDS: break;
	}
	return false;
}

bool
header_holds(const struct header_tables *tables, const struct header_test *test,
	     const struct packet *packet)
{
	struct header_place place = header_find(packet);

	return holds(tables, test, index_of(tables, test->field, packet, &place));
}

uint64_t
header_kinds(const struct header_tables *tables, const struct packet *packet)
{
	struct header_place place = { HEADER_NONE, HEADER_NONE, 0 };
	uint64_t kinds = 0;

	if (!tables->wanted)
		return 0;
	if (tables->placed)
		place = header_find(packet);
	for (unsigned f = 0; f < HEADER_FIELDS; f++)
		if (tables->field[f].kinds)
			kinds |= (uint64_t)tables->field[f]
					 .kinds[index_of(tables, f, packet, &place)]
				 << tables->field[f].shift;
	return kinds;
}

/* Splits each kind into those that pass the test and those that do not. */
static enum barn_err
split(struct header_tables *tables, const struct header_test *test, uint32_t *count)
{
	uint16_t *kinds = tables->field[test->field].kinds;
	uint32_t *names = calloc(*count * 2 + 1, sizeof(*names)), next = 0;

	if (!names)
		return BARN_ERR_MEMORY;
	for (uint32_t i = 0; i < tables->field[test->field].size; i++) {
		uint32_t *name = &names[kinds[i] * 2u + holds(tables, test, i)];

		if (!*name)
			*name = ++next;
		kinds[i] = (uint16_t)(*name - 1);
	}
	free(names);
	*count = next;
	return BARN_OK;
}

static enum barn_err
compile_field(struct header_tables *tables, struct arena *arena, unsigned field,
	      unsigned *shift)
{
	uint32_t size = domains[field], count = 1;
	enum barn_err err = BARN_OK;
	unsigned bits = 0;

	if (field == HEADER_INPUT)
		size = tables->interfaces + 1u;
	else if (field >= HEADER_SOURCE)
		size = tables->macs[field == HEADER_DESTINATION].count + 1u;
	tables->field[field].kinds = arena_array(arena, size, sizeof(uint16_t));
	if (!tables->field[field].kinds)
		return BARN_ERR_MEMORY;
	tables->field[field].size = size;
	for (unsigned i = 0; i < tables->test_count && !err; i++)
		if (tables->tests[i].field == field)
			err = split(tables, &tables->tests[i], &count);
	while (1u << bits < count)
		bits++;
	if (*shift + bits > 64)
		return BARN_ERR_ARGUMENT;
	tables->field[field].shift = (uint8_t)(bits ? *shift : 0);
	*shift += bits;
	return err;
}

static enum barn_err
add_mac(struct header_tables *tables, struct arena *arena, const struct header_test *test)
{
	struct list *macs = &tables->macs[test->field == HEADER_DESTINATION];
	uint8_t(*mac)[6] = macs->items;

	for (unsigned i = 0; i < macs->count; i++)
		if (memcmp(mac[i], test->mac, 6) == 0)
			return BARN_OK;
	mac = list_add(macs, arena, sizeof(*mac));
	if (!mac)
		return BARN_ERR_MEMORY;
	memcpy(*mac, test->mac, 6);
	return BARN_OK;
}

enum barn_err
header_compile(struct header_tables *tables, struct arena *arena,
	       const struct header_test *tests, unsigned count, uint16_t interfaces)
{
	enum barn_err err = BARN_OK;
	bool asked[HEADER_FIELDS] = { false };
	unsigned shift = 0;

	*tables = (struct header_tables){ .tests = tests,
					  .test_count = count,
					  .interfaces = interfaces,
					  .wanted = count > 0 };
	for (unsigned i = 0; i < count && !err; i++) {
		asked[tests[i].field] = true;
		if (tests[i].field >= HEADER_SOURCE)
			err = add_mac(tables, arena, &tests[i]);
	}
	tables->placed = asked[HEADER_DS] || asked[HEADER_COS] || asked[HEADER_VLAN] ||
			 asked[HEADER_LENGTH] || asked[HEADER_FRAGMENT];
	for (unsigned f = 0; f < HEADER_FIELDS && !err; f++)
		if (asked[f])
			err = compile_field(tables, arena, f, &shift);
	return err;
}
