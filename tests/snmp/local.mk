# SPDX-License-Identifier: LGPL-3.0-or-later
# barn-snmp behind a real snmpd; without one it says so and is skipped.

check_PROGRAMS += tests/snmp/standin
tests_snmp_standin_SOURCES = tests/snmp/standin.c
tests_snmp_standin_LDADD = libbarnpeer.la
TESTS += tests/snmp/run
dist_check_SCRIPTS += tests/snmp/run
