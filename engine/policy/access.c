/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/compile.h"

static uint32_t
add_flow_test(struct policy *p, const struct policy_rule *rule, const struct access *access)
{
	struct flow_test *test = list_add(&p->flows, p->arena, sizeof(*test));

	if (!test)
		return UINT32_MAX;
	*test = (struct flow_test){ rule, access };
	return p->flows.count - 1;
}

static bool
asks_headers(const struct policy_rule *rule)
{
	return rule->established || rule->flags_set || rule->flags_clear || rule->fragments ||
	       rule->dscps.count || rule->icmp.count;
}

static enum barn_err
add_part(struct compile *c, struct access_rule *rule, const struct header_test *test)
{
	return compile_header_test(c, test, &rule->parts[rule->part_count++]);
}

static enum barn_err
compile_parts(struct compile *c, const struct policy_rule *from, struct access_rule *rule)
{
	enum barn_err err = BARN_OK;

	if (from->established || from->flags_set || from->flags_clear)
		err = add_part(c, rule,
			       &(struct header_test){ .field = HEADER_FLAGS,
						      .established = from->established,
						      .set = from->flags_set,
						      .clear = from->flags_clear });
	if (!err && from->fragments)
		err = add_part(c, rule, &(struct header_test){ .field = HEADER_FRAGMENT });
	if (!err && from->dscps.count)
		err = add_part(
			c, rule,
			&(struct header_test){ .field = HEADER_DS, .ranges = from->dscps });
	if (!err && from->icmp.count)
		err = add_part(
			c, rule,
			&(struct header_test){ .field = HEADER_ICMP, .ranges = from->icmp });
	return err;
}

static enum barn_err
compile_rules(struct compile *c, struct access *access)
{
	const struct policy_rule *rules = access->list->rules.items;
	enum barn_err err = BARN_OK;

	access->count = access->list->rules.count;
	access->rules = arena_array(c->policy->arena, access->count, sizeof(*access->rules));
	if (!access->rules)
		return BARN_ERR_MEMORY;
	for (unsigned i = 0; i < access->count && !err; i++) {
		access->rules[i].permit = rules[i].permit;
		access->rules[i].flow = add_flow_test(c->policy, &rules[i], NULL);
		if (access->rules[i].flow == UINT32_MAX)
			return BARN_ERR_MEMORY;
		err = compile_parts(c, &rules[i], &access->rules[i]);
	}
	return err;
}

enum barn_err
access_compile(struct compile *c, const struct policy_access *list,
	       const struct access **access)
{
	struct policy *p = c->policy;
	struct access **known = p->accesses.items, *a;
	const struct policy_rule *rules = list->rules.items;

	for (unsigned i = 0; i < p->accesses.count; i++) {
		*access = known[i];
		if (known[i]->list == list)
			return BARN_OK;
	}
	a = arena_alloc(p->arena, sizeof(*a));
	known = list_add(&p->accesses, p->arena, sizeof(*known));
	if (!a || !known)
		return BARN_ERR_MEMORY;
	*known = a;
	*access = a;
	a->list = list;
	a->whole = true;
	for (unsigned i = 0; i < list->rules.count; i++)
		a->whole = a->whole && !asks_headers(&rules[i]);
	if (!a->whole)
		return compile_rules(c, a);
	a->flow = add_flow_test(p, NULL, a);
	return a->flow == UINT32_MAX ? BARN_ERR_MEMORY : BARN_OK;
}

static bool
address_is(const union packet_addr *addr, unsigned size, const uint8_t *value,
	   const uint8_t *mask)
{
	for (unsigned i = 0; i < size; i++)
		if ((addr->b[i] & mask[i]) != value[i])
			return false;
	return true;
}

static bool
port_is(uint16_t port, const struct list *ranges, bool not )
{
	const struct policy_range *range = ranges->items;

	if (!ranges->count)
		return true;
	for (unsigned i = 0; i < ranges->count; i++)
		if (port >= range[i].low && port <= range[i].high)
			return !not ;
	return not ;
}

static bool
rule_holds(const struct policy_rule *rule, const struct flow_key *key, unsigned from)
{
	unsigned size = rule->ip6 ? 16 : 4;

	if (key->ip_version != (rule->ip6 ? 6 : 4))
		return false;
	if (!rule->any_protocol && rule->protocol != key->ip_proto)
		return false;
	return address_is(&key->addr[from], size, rule->source, rule->source_mask) &&
	       address_is(&key->addr[!from], size, rule->destination, rule->destination_mask) &&
	       port_is(key->port[from], &rule->source_ports, rule->source_ports_not) &&
	       port_is(key->port[!from], &rule->destination_ports, rule->destination_ports_not);
}

/* The first rule that holds says whether the list does; none: it does not. */
bool
access_flow_holds(const struct flow_test *test, const struct flow_key *key, unsigned from)
{
	const struct policy_rule *rules;

	if (test->rule)
		return rule_holds(test->rule, key, from);
	rules = test->access->list->rules.items;
	for (unsigned i = 0; i < test->access->list->rules.count; i++)
		if (rule_holds(&rules[i], key, from))
			return rules[i].permit;
	return false;
}
