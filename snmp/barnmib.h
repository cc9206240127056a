/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_BARNMIB_H
#define SNMP_BARNMIB_H

/* Barn's own module, BARN-MIB.txt: what Cisco's has no room for. Read only. */

#include "snmp/table.h"

extern const struct mib barnmib_mib;

extern const struct table barnmib_engine_table, barnmib_pack_table, barnmib_worker_table,
	barnmib_module_table, barnmib_interface_table, barnmib_traffic_table,
	barnmib_host_table;

#endif
