/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_NDPI_ISOLATE_H
#define INSPECT_NDPI_ISOLATE_H

/*
 * Keeps flows apart inside nDPI, for ndpi.c alone. nDPI remembers flows in
 * caches ("this address spoke BitTorrent") and asks them, and lists of addresses,
 * about others. Then a verdict would depend on which worker saw which other flow,
 * and on how old the lists are; barn has both on its own account, as evidence
 * of its own kind.
 *
 * From 4.10 on nDPI's configuration switches all of it off. 4.2 has no call for it,
 * but installs the description of its module struct, which is used here if, at run time, its
 * size is the library's. Between (4.4 to 4.8) nothing is done; what such a cache
 * says is then still no proof by content (ndpi.c).
 */

#include <stdbool.h>

struct ndpi_detection_module_struct;

/* Before the module's initialisation is finalised. */
void ndpi_isolate_setup(struct ndpi_detection_module_struct *module);

/* After each call that has looked at a packet. */
void ndpi_isolate_forget(struct ndpi_detection_module_struct *module);

/* Whether flows are kept apart with the library that runs. */
bool ndpi_isolate_works(void);

#endif
