/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_IMPL_H
#define CONF_IMPL_H

/* What a configuration consists of: a list for each family of directives, in their files. */

#include "base/arena.h"
#include "base/list.h"
#include "conf/conf.h"
#include "conf/service.h"
#include "policy/model.h"

struct conf {
	struct arena *arena;
	struct list pdlms;          /* struct nbar_pdlm */
	struct list port_maps;      /* struct nbar_port_map */
	struct list customs;        /* struct nbar_custom * */
	struct list attribute_maps; /* struct nbar_attribute_map * */
	struct list attribute_sets; /* struct nbar_attribute_set */
	uint32_t opaque;            /* tunnels, as wire_options */
	struct conf_service service;
	struct policy_model model;
	struct list interfaces;   /* struct conf_interface * */
	struct barn_faults notes; /* conf_notes */
};

#endif
