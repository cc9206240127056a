/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "config.h"

#ifndef HAVE_NDPI_INPUT_INFO
/* 4.2: the insides, without the library's config.h, whose names are also those of ours. */
#define NDPI_LIB_COMPILATION
#define _NDPI_CONFIG_H_
#endif
#include <ndpi_api.h>

#include "inspect/ndpi_isolate.h"

#if defined(HAVE_NDPI_GLOBAL_CONTEXT)

static const struct {
	const char *protocol, *name, *value;
} settings[] = {
	{ NULL, "lru.ookla.size", "0" },
	{ NULL, "lru.bittorrent.size", "0" },
	{ NULL, "lru.stun.size", "0" },
	{ NULL, "lru.stun_zoom.size", "0" },
	{ NULL, "lru.tls_cert.size", "0" },
	{ NULL, "lru.mining.size", "0" },
	{ NULL, "lru.msteams.size", "0" },
	{ NULL, "lru.fpc_dns.size", "0" },
	{ NULL, "lru.signal.size", "0" },
	{ NULL, "dpi.address_cache_size", "0" },
	{ NULL, "dpi.guess_on_giveup", "0" },
	{ NULL, "fpc", "0" },
	{ NULL, "flow_risk_lists.load", "0" },
	{ "any", "ip_list.load", "0" },
	/* What costs a tenth of the time and is not asked for. */
	{ NULL, "dpi.compute_entropy", "0" },
	{ NULL, "metadata.tcp_fingerprint", "0" },
};

/* A name that this version does not know is no error: then there is nothing to switch off. */
void
ndpi_isolate_setup(struct ndpi_detection_module_struct *module)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		(void)ndpi_set_config(module, settings[i].protocol, settings[i].name,
				      settings[i].value);
}

void
ndpi_isolate_forget(struct ndpi_detection_module_struct *module)
{
	(void)module;
}

bool
ndpi_isolate_works(void)
{
	return true;
}

#elif !defined(HAVE_NDPI_INPUT_INFO)

bool
ndpi_isolate_works(void)
{
	return ndpi_get_ndpi_detection_module_size() ==
	       sizeof(struct ndpi_detection_module_struct);
}

static void
keep(void *data)
{
	(void)data;
}

/* An empty tree in the place of the addresses: the library looks into it unasked. */
void
ndpi_isolate_setup(struct ndpi_detection_module_struct *module)
{
	ndpi_patricia_tree_t *empty = ndpi_isolate_works() ? ndpi_patricia_new(32) : NULL;

	if (!empty)
		return;
	if (module->protocols_ptree)
		ndpi_patricia_destroy(module->protocols_ptree, keep);
	module->protocols_ptree = empty;
}

static void
forget(struct ndpi_lru_cache **cache)
{
	if (*cache)
		ndpi_lru_free_cache(*cache);
	*cache = NULL;
}

/*
 * Each cache is made when something is put into it, which few flows do; so as a rule this
 * looks at seven pointers. The cache of tinc, whose destructor is not exported, stays: what
 * comes from it is marked as such.
 */
void
ndpi_isolate_forget(struct ndpi_detection_module_struct *module)
{
	if (!ndpi_isolate_works())
		return;
	forget(&module->ookla_cache);
	forget(&module->bittorrent_cache);
	forget(&module->zoom_cache);
	forget(&module->stun_cache);
	forget(&module->tls_cert_cache);
	forget(&module->mining_cache);
	forget(&module->msteams_cache);
}

#else

void
ndpi_isolate_setup(struct ndpi_detection_module_struct *module)
{
	(void)module;
}

void
ndpi_isolate_forget(struct ndpi_detection_module_struct *module)
{
	(void)module;
}

bool
ndpi_isolate_works(void)
{
	return false;
}

#endif
