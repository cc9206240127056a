/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_learned.h"
#include "cli/json_out.h"
#include "cli/value.h"
#include "program/learned_file.h"
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

/* NBAR prints these heads; its VRF is our encapsulation, of which only "-" (none) or "*" fits.
 */
static const char heads[] =
	"|server ip                               |vrf  |port |proto|application            "
	"|is   |is   |is   |max time |entry|hit    |\n"
	"|                                        |     |     |     |name                   "
	"|valid|black|learn|to expiry|type |count  |\n"
	"|                                        |     |     |     |                       "
	"|     |list |phase|(sec)    |     |       |\n"
	"|----------------------------------------|-----|-----|-----|-----------------------"
	"|-----|-----|-----|---------|-----|-------|\n";

/* What is said of one end. */
struct row {
	const struct learn_end *end;
	struct learn_entry first; /* whose it is, and what all agree on */
	bool valid;               /* it is what new flows are taken for */
	uint64_t until_ns;        /* the last of what holds; 0: nothing holds */
};

static struct row
row_of(const struct learn_end *end, uint64_t now_ns)
{
	struct row row = { .end = end };

	row.valid = learn_agree(end, now_ns, &row.first);
	for (unsigned i = 0; i < end->count; i++)
		if (end->entries[i].until_ns >= now_ns &&
		    end->entries[i].until_ns > row.until_ns)
			row.until_ns = end->entries[i].until_ns;
	return row;
}

static const char *
transport(uint8_t ip_proto)
{
	return ip_proto == IPPROTO_TCP ? "TCP" : ip_proto == IPPROTO_UDP ? "UDP" : "any";
}

static void
print_row(const struct registry *r, const struct row *row, uint64_t now_ns)
{
	const struct learn_entry *e = &row->first;
	struct text server = { 0 };
	char port[8] = "any";

	value_address(&server, e->ip_version, e->addr.b);
	if (e->port)
		snprintf(port, sizeof(port), "%u", e->port);
	/* Several names that disagree are what NBAR keeps in its black list. */
	printf("|%-40s|%5s|%5s|%-5s|%-23s|%-5s|%-5s|%-5s|%-9" PRIu64 "|%-5s|%-7" PRIu64 "|\n",
	       text_str(&server), e->path ? "*" : "-", port, transport(e->ip_proto),
	       registry_protocol(r, e->protocol)->name, row->valid ? "Yes" : "No",
	       !row->valid && row->end->count > 1 ? "Yes" : "No", e->ip_proto ? "No" : "Yes",
	       (row->until_ns - now_ns) / UINT64_C(1000000000),
	       e->ip_proto     ? "Infra"
	       : e->has_client ? "Query"
			       : "DNS",
	       row->end->hits);
	text_fini(&server);
}

void
read_learned_print(const struct barn_engine *engine, uint64_t now_ns)
{
	unsigned count = 0;
	struct learn_end *list = learned_file_list(engine, &count);

	printf("\n%s", heads);
	for (unsigned i = 0; list && i < count; i++) {
		struct row row = row_of(&list[i], now_ns);

		if (row.until_ns)
			print_row(engine->registry, &row, now_ns);
	}
	free(list);
}

static void
add_address(struct json_object *object, const char *name, uint8_t version,
	    const union packet_addr *addr)
{
	struct text text = { 0 };

	value_address(&text, version, addr->b);
	json_out_string(object, name, text_str(&text));
	text_fini(&text);
}

static struct json_object *
json_of(const struct registry *r, const struct row *row, uint64_t now_ns)
{
	struct json_object *object = json_object_new_object(), *list;
	const struct learn_entry *e = &row->first;

	add_address(object, "server", e->ip_version, &e->addr);
	json_out_number(object, "port", e->port);
	json_out_number(object, "ip_proto", e->ip_proto);
	if (e->has_client)
		add_address(object, "client", e->ip_version, &e->client);
	json_out_string(object, "source", e->ip_proto ? "flow" : "name");
	json_out_bool(object, "tunnel", e->path != 0);
	json_out_bool(object, "valid", row->valid);
	json_out_string(object, "protocol", registry_protocol(r, e->protocol)->name);
	json_out_number(object, "seconds", (row->until_ns - now_ns) / UINT64_C(1000000000));
	json_out_number(object, "hits", row->end->hits);
	list = json_out_list(object, "told");
	for (unsigned i = 0; i < row->end->count; i++) {
		const struct learn_entry *told = &row->end->entries[i];

		if (told->until_ns >= now_ns)
			json_object_array_add(
				list, json_object_new_string(
					      registry_protocol(r, told->protocol)->name));
	}
	return object;
}

struct json_object *
read_learned_json(const struct barn_engine *engine, uint64_t now_ns)
{
	struct json_object *array = json_object_new_array();
	unsigned count = 0;
	struct learn_end *list = learned_file_list(engine, &count);

	for (unsigned i = 0; list && i < count; i++) {
		struct row row = row_of(&list[i], now_ns);

		if (row.until_ns)
			json_object_array_add(array, json_of(engine->registry, &row, now_ns));
	}
	free(list);
	return array;
}

void
read_learned_line(const struct barn_engine *engine, uint64_t now_ns)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "learned", read_learned_json(engine, now_ns));
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
