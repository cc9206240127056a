/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/registry.h"
#include "classify/registry_impl.h"

#include <netinet/in.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct registry *
registry_hold(struct registry *registry)
{
	atomic_fetch_add_explicit(&registry->refs, 1, memory_order_relaxed);
	return registry;
}

void
registry_drop(struct registry *registry)
{
	atomic_fetch_sub_explicit(&registry->refs, 1, memory_order_release);
}

/* If not, then what others have read in it comes before what the caller does. */
bool
registry_is_held(const struct registry *registry)
{
	return atomic_load_explicit(&registry->refs, memory_order_acquire) != 0;
}

void
registry_own(struct registry *registry, struct pdl_set *modules, struct foreign *foreign)
{
	registry->foreign = foreign;
	registry->modules = modules;
}

const struct pdl_set *
registry_modules(const struct registry *registry)
{
	return registry->modules;
}

uint16_t
registry_unindexed(const struct registry *registry)
{
	return registry->unindexed;
}

uint16_t
registry_count(const struct registry *registry)
{
	return registry->protocol_count;
}

const struct protocol *
registry_protocol(const struct registry *registry, uint16_t number)
{
	return &registry->protocols[number < registry->protocol_count ? number : 0];
}

static int
compare_name(const void *key, const void *entry)
{
	return strcmp(key, ((const struct registry_name *)entry)->name);
}

uint16_t
registry_name_number(const struct registry_name *names, unsigned count, const char *name)
{
	const struct registry_name *found =
		count ? bsearch(name, names, count, sizeof(*names), compare_name) : NULL;

	return found ? found->number : 0;
}

uint16_t
registry_find(const struct registry *registry, const char *name)
{
	return registry_name_number(registry->names, registry->name_count, name);
}

uint16_t
registry_recall(const struct registry *registry, const char *name)
{
	uint16_t number = registry_find(registry, name);

	for (uint16_t i = 1; !number && i < registry->protocol_count; i++)
		if (strcmp(registry->protocols[i].name, name) == 0)
			number = i;
	return number;
}

uint16_t
registry_field_count(const struct registry *registry)
{
	return registry->field_count;
}

uint16_t
registry_rule_count(const struct registry *registry)
{
	return (uint16_t)registry->rule_count;
}

const struct field *
registry_field(const struct registry *registry, uint16_t field)
{
	bool loaded = field < registry->field_count && registry->fields[field].name;

	return loaded ? &registry->fields[field] : NULL;
}

const char *
registry_field_name(const struct registry *registry, uint16_t field)
{
	return catalog_name(registry->catalog, CATALOG_FIELDS, field);
}

const char *
registry_rule_name(const struct registry *registry, uint16_t rule)
{
	return catalog_name(registry->catalog, CATALOG_RULES, rule);
}

uint16_t
registry_field_find(const struct registry *registry, const char *name)
{
	for (uint16_t i = 0; i < registry->field_count; i++)
		if (registry->fields[i].name && strcmp(registry->fields[i].name, name) == 0)
			return i;
	return UINT16_MAX;
}

const struct registry_rule *
registry_rule(const struct registry *registry, uint16_t rule)
{
	bool loaded = rule < registry->rule_count && registry->rules[rule].rule;

	return loaded ? &registry->rules[rule] : NULL;
}

static unsigned
rules_of(unsigned transport)
{
	return transport == PDL_TCP ? RULES_TCP : RULES_UDP;
}

const struct rule_set *
registry_rules(const struct registry *registry, enum pdl_transport transport)
{
	return registry->rule_sets[rules_of(transport)];
}

const struct custom *
registry_custom(const struct registry *registry)
{
	return registry->custom;
}

enum barn_err
registry_scratch_new(const struct registry *registry, struct rule_scratch **scratch)
{
	const struct rule_set *sets[RULES__COUNT];
	unsigned count = custom_sieves(registry->custom, NULL);
	const struct sieve **sieves = calloc((size_t)count + 1, sizeof(const struct sieve *));
	struct rule_scratch_options options = { sets, RULES__COUNT, sieves, count };
	enum barn_err err;

	if (!sieves)
		return BARN_ERR_MEMORY;
	for (unsigned t = 0; t < RULES__COUNT; t++)
		sets[t] = registry->rule_sets[t];
	custom_sieves(registry->custom, sieves);
	err = rule_scratch_new(&options, scratch);
	free(sieves);
	return err;
}

const struct gate *
registry_gate(const struct registry *registry, uint8_t transport)
{
	return registry->gates[rules_of(transport)];
}

uint16_t
registry_ip_protocol(const struct registry *registry, uint8_t ip_proto)
{
	return registry->ip_protocols[ip_proto];
}

uint16_t
registry_ethertype(const struct registry *registry, uint16_t ethertype)
{
	for (unsigned i = 0; i < registry->ethertype_count; i++)
		if (registry->ethertypes[i].ethertype == ethertype)
			return registry->ethertypes[i].number;
	return 0;
}

uint16_t
registry_port(const struct registry *registry, uint8_t ip_proto, uint16_t port)
{
	switch (ip_proto) {
	case IPPROTO_TCP: return registry->ports[PORTS_TCP][port];
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE: return registry->ports[PORTS_UDP][port];
	case IPPROTO_SCTP: return registry->ports[PORTS_SCTP][port];
	default: return 0;
	}
}

uint16_t
registry_ndpi(const struct registry *registry, uint16_t ndpi)
{
	return ndpi < registry->ndpi_count ? registry->ndpi[ndpi] : 0;
}

/* What may carry a protocol that is known by its carrier and port; NULL: it is none. */
static const uint16_t *
port_carriers(const struct registry *registry, uint16_t protocol)
{
	const struct pdl_protocol *m = registry->protocols[protocol].module;

	return m && m->port_count && !m->host_count && !m->custom.value_count
		       ? registry->carriers[protocol]
		       : NULL;
}

uint16_t
registry_port_child(const struct registry *registry, uint16_t carrier, uint8_t ip_proto,
		    uint16_t port)
{
	uint16_t number = registry_port(registry, ip_proto, port);
	const uint16_t *over = port_carriers(registry, number);

	while (over && *over && *over != carrier)
		over++;
	return over && *over ? number : 0;
}

uint16_t
registry_port_carrier(const struct registry *registry, uint16_t protocol)
{
	const uint16_t *over = port_carriers(registry, protocol);

	return over ? *over : 0;
}

uint16_t
registry_host(const struct registry *registry, struct bytes name, uint16_t carrier)
{
	uint16_t number = suffix_find(registry->hosts, name);
	const uint16_t *over = number ? registry->carriers[number] : NULL;

	if (!over || !carrier)
		return number;
	while (*over && *over != carrier)
		over++;
	return *over ? number : 0;
}
