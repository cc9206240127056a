/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/community.h"
#include "cli/flow_format.h"
#include "cli/value.h"

enum { ICMP = 1, ICMPV6 = 58 };

static struct json_object *
string(const struct text *text)
{
	return json_object_new_string_len(text_str(text), (int)text->len);
}

static struct json_object *
time_of(uint64_t time_ns)
{
	struct text text = { 0 };
	struct json_object *object;

	value_time(&text, time_ns);
	object = string(&text);
	text_fini(&text);
	return object;
}

static struct json_object *
endpoint(uint8_t ip_version, const struct barn_endpoint *e)
{
	struct json_object *object = json_object_new_object();
	struct text ip = { 0 };

	value_address(&ip, ip_version, e->address);
	json_object_object_add(object, "ip", string(&ip));
	json_object_object_add(object, "port", json_object_new_int(e->port));
	text_fini(&ip);
	return object;
}

static struct json_object *
pair(const uint64_t counts[2])
{
	struct json_object *array = json_object_new_array_ext(2);

	json_object_array_add(array, json_object_new_uint64(counts[0]));
	json_object_array_add(array, json_object_new_uint64(counts[1]));
	return array;
}

static struct json_object *
path(const struct barn_flow_info *info)
{
	struct json_object *array = json_object_new_array();

	for (unsigned i = 0; i < info->path_len; i++) {
		struct json_object *hop = json_object_new_object();

		json_object_object_add(hop, "layer",
				       json_object_new_string(info->path[i].layer));
		json_object_object_add(hop, "id", json_object_new_int64(info->path[i].id));
		json_object_array_add(array, hop);
	}
	return array;
}

static struct json_object *
stack(const struct barn_flow_info *info)
{
	struct json_object *array = json_object_new_array();

	for (unsigned i = 0; i < info->stack_len; i++)
		json_object_array_add(array, json_object_new_string(info->stack[i]));
	return array;
}

/*
 * An ICMP flow is all that two hosts tell each other, of whatever type, and has no one ID: the
 * specification names each type apart.
 */
static struct json_object *
community(const struct barn_flow_info *info)
{
	struct community_flow flow = {
		.ip_version = info->ip_version,
		.ip_proto = info->ip_proto,
		.source_port = info->client.port,
		.destination_port = info->server.port,
	};
	char id[COMMUNITY_SIZE];

	memcpy(flow.source, info->client.address, sizeof(flow.source));
	memcpy(flow.destination, info->server.address, sizeof(flow.destination));
	if (info->ip_proto == ICMP || info->ip_proto == ICMPV6 || !community_id(&flow, id))
		return NULL;
	return json_object_new_string(id);
}

static void
add_value(struct json_object *fields, const char *name, struct json_object *value)
{
	struct json_object *old;

	if (!json_object_object_get_ex(fields, name, &old)) {
		json_object_object_add(fields, name, value);
	} else if (json_object_is_type(old, json_type_array)) {
		json_object_array_add(old, value);
	} else {
		struct json_object *array = json_object_new_array();

		json_object_array_add(array, json_object_get(old));
		json_object_array_add(array, value);
		json_object_object_add(fields, name, array);
	}
}

struct json_object *
flow_json_fields(const struct barn_flow *flow)
{
	struct json_object *fields = json_object_new_object();
	struct text text = { 0 };
	const char *name;
	const uint8_t *value;
	size_t len;
	uint32_t at = 0;

	while (barn_flow_field(flow, &at, &name, &value, &len)) {
		text_clear(&text);
		value_add(&text, bytes_of(value, len), VALUE_JSON);
		add_value(fields, name, string(&text));
	}
	text_fini(&text);
	return fields;
}

void
flow_json(const struct barn_flow *flow, const struct barn_flow_info *info, struct text *line)
{
	const uint8_t v = info->ip_version;
	struct {
		const char *name;
		struct json_object *value;
	} members[] = {
		{ "id", json_object_new_uint64(info->id) },
		{ "community_id", community(info) },
		{ "first", time_of(info->first_ns) },
		{ "last", time_of(info->last_ns) },
		{ "path", path(info) },
		{ "ip_proto", json_object_new_int(info->ip_proto) },
		{ "client", endpoint(v, &info->client) },
		{ "server", endpoint(v, &info->server) },
		{ "packets", pair(info->packets) },
		{ "bytes", pair(info->bytes) },
		{ "protocol", json_object_new_string(info->protocol) },
		{ "stack", stack(info) },
		{ "evidence", json_object_new_string(info->evidence) },
		{ "sure", json_object_new_boolean(info->sure) },
		{ "decided_at", json_object_new_int64(info->decided_at) },
		{ "by", json_object_new_string(info->by) },
		{ "fields", flow_json_fields(flow) },
		{ "end", json_object_new_string(info->end) },
	};
	struct json_object *object = json_object_new_object();

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		json_object_object_add_ex(object, members[i].name, members[i].value,
					  JSON_C_OBJECT_ADD_KEY_IS_NEW |
						  JSON_C_OBJECT_KEY_IS_CONSTANT);
	text_add(line,
		 json_object_to_json_string_ext(
			 object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
