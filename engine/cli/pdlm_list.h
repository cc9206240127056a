/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_PDLM_LIST_H
#define CLI_PDLM_LIST_H

/* The protocols that have a module, by name, on standard output. */

#include "classify/registry.h"

void pdlm_list(const struct registry *registry);
void pdlm_list_json(const struct registry *registry);

#endif
