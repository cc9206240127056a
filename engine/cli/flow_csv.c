/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/flow_format.h"
#include "cli/value.h"
#include <inttypes.h>
#include <string.h>

const char flow_csv_head[] =
	"id,first,last,path,ip_proto,client_ip,client_port,server_ip,server_port,"
	"client_packets,server_packets,client_bytes,server_bytes,"
	"protocol,stack,evidence,sure,decided_at,by,fields,end";

/* A cell that may need quotes, with the comma before it. */
static void
cell(struct text *line, const char *value)
{
	text_char(line, ',');
	if (!strpbrk(value, ",\"\r\n")) {
		text_add(line, value);
		return;
	}
	text_char(line, '"');
	for (const char *c = value; *c; c++) {
		if (*c == '"')
			text_char(line, '"');
		text_char(line, *c);
	}
	text_char(line, '"');
}

static void
number(struct text *line, uint64_t value)
{
	text_printf(line, ",%" PRIu64, value);
}

static void
add_time(struct text *line, uint64_t time_ns)
{
	text_char(line, ',');
	value_time(line, time_ns);
}

static void
add_endpoint(struct text *line, uint8_t ip_version, const struct barn_endpoint *e)
{
	text_char(line, ',');
	value_address(line, ip_version, e->address);
	number(line, e->port);
}

static void
add_path(struct text *line, const struct barn_flow_info *info)
{
	text_char(line, ',');
	for (unsigned i = 0; i < info->path_len; i++)
		text_printf(line, "%s%s:%" PRIu32, i ? "/" : "", info->path[i].layer,
			    info->path[i].id);
}

static void
add_stack(struct text *line, const struct barn_flow_info *info)
{
	text_char(line, ',');
	for (unsigned i = 0; i < info->stack_len; i++)
		text_printf(line, "%s%s", i ? "/" : "", info->stack[i]);
}

void
flow_csv(const struct barn_flow *flow, const struct barn_flow_info *info, struct text *line)
{
	struct json_object *fields = flow_json_fields(flow);

	text_printf(line, "%" PRIu64, info->id);
	add_time(line, info->first_ns);
	add_time(line, info->last_ns);
	add_path(line, info);
	number(line, info->ip_proto);
	add_endpoint(line, info->ip_version, &info->client);
	add_endpoint(line, info->ip_version, &info->server);
	number(line, info->packets[0]);
	number(line, info->packets[1]);
	number(line, info->bytes[0]);
	number(line, info->bytes[1]);
	cell(line, info->protocol);
	add_stack(line, info);
	cell(line, info->evidence);
	cell(line, info->sure ? "true" : "false");
	number(line, info->decided_at);
	cell(line, info->by);
	cell(line, json_object_to_json_string_ext(
			   fields, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
	cell(line, info->end);
	json_object_put(fields);
}
