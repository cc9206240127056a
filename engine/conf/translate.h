/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_TRANSLATE_H
#define CONF_TRANSLATE_H

/* From a configuration to the text of modules; what translate.c and translate_module.c share.
 */

#include "conf/nbar.h"

/* The modules that a port map or a set of attributes changes, in their canonical form. */
void translate_modules(const struct conf *conf, const struct pdl_set *modules,
		       struct text *text);

/* A custom protocol's: what it extends has, changed by its attribute map. */
void translate_attributes(const struct conf *conf, const struct pdl_set *modules,
			  const struct nbar_custom *custom, struct text *text);

/* `port` lines of a custom protocol that has a port map. */
void translate_custom_ports(const struct conf *conf, const struct nbar_custom *custom,
			    struct text *text);

#endif
