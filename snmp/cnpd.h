/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_CNPD_H
#define SNMP_CNPD_H

/*
 * Cisco's module of protocol discovery at 1.3.6.1.4.1.9.9.244, which pollers of NBAR read. Its
 * module text is Cisco's; barn-snmp.8 says what barn decided where that leaves a choice.
 */

#include "snmp/table.h"

enum { TRUTH_TRUE = 1, TRUTH_FALSE = 2 };

/* CiscoPdDataType: of bit rates, bytes, packets; in, out, or their sum. */
enum cnpd_select {
	CNPD_BIT_RATE_IN = 1,
	CNPD_BIT_RATE_OUT,
	CNPD_BIT_RATE_SUM,
	CNPD_BYTES_IN,
	CNPD_BYTES_OUT,
	CNPD_BYTES_SUM,
	CNPD_PACKETS_IN,
	CNPD_PACKETS_OUT,
	CNPD_PACKETS_SUM,
};

/* Of the two directions, what is selected. Bit rates are in kbit/s. */
uint64_t cnpd_pick(enum cnpd_select select, const uint64_t pair[2]);
struct barn_stats_row;
uint64_t cnpd_amount(enum cnpd_select select, const struct barn_stats_row *counts);

extern const struct mib cnpd_mib;

/* Others have files of their own: topn.h, threshold.h. */
extern const struct table cnpd_status_table, cnpd_stats_table, cnpd_supported_table,
	cnpd_notify_table;

#endif
