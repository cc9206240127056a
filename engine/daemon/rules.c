/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/rules.h"

#include <string.h>

enum barn_err
rules_init(struct rules *rules, const struct ways *ways)
{
	*rules = (struct rules){ .ways = ways };
	return slot_new(&rules->slot);
}

void
rules_fini(struct rules *rules)
{
	slot_free(rules->slot);
	for (unsigned i = 0; i < rules->old_count; i++)
		conf_free(rules->old[i]);
	if (!rules->borrowed)
		conf_free(rules->conf);
	*rules = (struct rules){ .slot = NULL };
}

static enum barn_err
compile(const struct conf *conf, const struct ways *ways, struct barn_engine *engine,
	struct policy **policy, struct barn_faults *faults)
{
	struct policy_interface interfaces[WAYS_INTERFACES];
	struct policy_options options = { .interfaces = interfaces,
					  .interface_count = ways->interfaces,
					  .no_hyperscan = engine->no_hyperscan };

	for (uint16_t i = 0; i < ways->interfaces; i++) {
		const struct conf_interface *said = conf_interface_named(conf, ways->names[i]);

		interfaces[i] = (struct policy_interface){ ways->names[i], ways->speed_bps[i] };
		if (said && said->bandwidth_kbps)
			interfaces[i].speed_bps = said->bandwidth_kbps * 1000;
	}
	return policy_new(conf_model(conf), engine->registry, &options, policy, faults);
}

/* The configuration before is kept until its policy is freed. */
static void
retire(struct rules *rules, struct conf *conf)
{
	if (conf == rules->conf)
		return;
	if (rules->conf && !rules->borrowed && rules->old_count < RULES_OLD)
		rules->old[rules->old_count++] = rules->conf;
	rules->borrowed = !rules->conf;
	rules->conf = conf;
}

enum barn_err
rules_apply(struct rules *rules, struct conf *conf, struct barn_engine *engine,
	    struct barn_faults *faults)
{
	const struct policy *before = slot_policy(rules->slot);
	bool any = conf_model(conf)->attaches.count > 0;
	struct policy *policy = NULL;
	enum barn_err err = BARN_OK;

	rules_collect(rules);
	if (rules->old_count == RULES_OLD)
		return BARN_ERR_MEMORY; /* a worker is stuck in an old one */
	if (any)
		err = compile(conf, rules->ways, engine, &policy, faults);
	if (err)
		return err;
	if (before && policy)
		policy_carry(before, policy);
	err = slot_publish(rules->slot, policy);
	if (err) {
		policy_free(policy);
		return err;
	}
	retire(rules, conf);
	return BARN_OK;
}

void
rules_collect(struct rules *rules)
{
	if (slot_collect(rules->slot) > 1)
		return;
	for (unsigned i = 0; i < rules->old_count; i++)
		conf_free(rules->old[i]);
	rules->old_count = 0;
}

enum barn_err
rules_check(struct conf *conf, struct barn_engine *engine, struct barn_faults *faults)
{
	struct policy_options options = { .check = true, .no_hyperscan = engine->no_hyperscan };
	struct policy *policy;
	enum barn_err err =
		policy_new(conf_model(conf), engine->registry, &options, &policy, faults);

	if (!err)
		policy_free(policy);
	return err;
}
