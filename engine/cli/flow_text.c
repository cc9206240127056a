/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/flow_format.h"
#include "cli/value.h"
#include <inttypes.h>
#include <string.h>

enum { VALUE_MAX = 60, FIELDS_MAX = 200 }; /* a line is for people; JSON has all */

const char flow_text_head[] =
	"FLOW\tSTART\tCLIENT\tSERVER\tPACKETS\tBYTES\tPROTOCOL\tBY\tFIELDS";
const char flow_text_align[] = "rlllrrlll";

static void
add_endpoint(struct text *line, uint8_t ip_version, const struct barn_endpoint *e)
{
	bool brackets = ip_version == 6 && e->port;

	if (brackets)
		text_char(line, '[');
	value_address(line, ip_version, e->address);
	if (brackets)
		text_char(line, ']');
	if (e->port)
		text_printf(line, ":%u", e->port);
	if (ip_version == 0)
		text_char(line, '-');
}

/* The encapsulation and the stack above the network layer; what was only guessed has a question
 * mark. */
static void
add_stack(struct text *line, const struct barn_flow_info *info)
{
	bool guess =
		strcmp(info->evidence, "port") == 0 || strcmp(info->evidence, "learned") == 0;

	for (unsigned i = 0; i < info->path_len; i++) {
		text_add(line, info->path[i].layer);
		if (info->path[i].id)
			text_printf(line, ":%" PRIu64, (uint64_t)info->path[i].id);
		text_char(line, '/');
	}
	for (unsigned i = 1; i < info->stack_len; i++)
		text_printf(line, "%s%s", i > 1 ? "/" : "", info->stack[i]);
	if (info->stack_len < 2 ||
	    strcmp(info->stack[info->stack_len - 1], info->protocol) != 0)
		text_printf(line, "%s%s", info->stack_len > 1 ? "/" : "", info->protocol);
	if (guess)
		text_char(line, '?');
}

/* In quotes where the end could not be seen otherwise. */
static void
add_value(struct text *line, const uint8_t *value, size_t len)
{
	bool quote = len == 0 || *value == '"' || memchr(value, ' ', len);

	if (quote)
		text_char(line, '"');
	value_add(line, bytes_of(value, len < VALUE_MAX ? len : VALUE_MAX), VALUE_PLAIN);
	if (len > VALUE_MAX)
		text_add(line, "...");
	if (quote)
		text_char(line, '"');
}

static void
add_fields(struct text *line, const struct barn_flow *flow)
{
	const size_t start = line->len;
	const char *name;
	const uint8_t *value;
	size_t len;
	uint32_t at = 0;

	while (barn_flow_field(flow, &at, &name, &value, &len)) {
		if (line->len - start > FIELDS_MAX) {
			text_add(line, " ...");
			return;
		}
		text_printf(line, "%s%s=", line->len > start ? " " : "", name);
		add_value(line, value, len);
	}
}

void
flow_text(const struct barn_flow *flow, const struct barn_flow_info *info, struct text *line)
{
	struct text time = { 0 };

	value_time(&time, info->first_ns);
	/* To the microsecond, without the letters between. */
	if (time.len > 26)
		text_printf(line, "%" PRIu64 "\t%.10s %.15s\t", info->id, time.s, time.s + 11);
	text_fini(&time);
	add_endpoint(line, info->ip_version, &info->client);
	text_char(line, '\t');
	add_endpoint(line, info->ip_version, &info->server);
	text_printf(line, "\t%" PRIu64 "+%" PRIu64 "\t%" PRIu64 "+%" PRIu64 "\t",
		    info->packets[0], info->packets[1], info->bytes[0], info->bytes[1]);
	add_stack(line, info);
	text_printf(line, "\t%s\t", *info->by ? info->by : "-");
	add_fields(line, flow);
}
