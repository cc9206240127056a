/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_CBQOS_H
#define SNMP_CBQOS_H

/*
 * CISCO-CLASS-BASED-QOS-MIB, 1.3.6.1.4.1.9.9.166: the tables that network managers discover
 * policies with and poll. Policies and objects have the numbers that the daemon gives them,
 * which stay over reloads and restarts; the number of a policy is that of its policy map's
 * object, which one popular poller takes for granted. Read only, as on a router.
 */

#include "snmp/table.h"

extern const struct mib cbqos_mib;

#endif
