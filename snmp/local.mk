# SPDX-License-Identifier: LGPL-3.0-or-later
# snmp: barn-snmp, an AgentX subagent. All but main() and what knows net-snmp is a library, for
# the tests.

sbin_PROGRAMS += barn-snmp
barn_snmp_SOURCES = \
	snmp/agent.c \
	snmp/agent.h \
	snmp/control.c \
	snmp/control.h \
	snmp/main.c
barn_snmp_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
barn_snmp_CFLAGS = $(AM_CFLAGS) $(SNMP_CFLAGS)
barn_snmp_LDADD = libbarnsnmp.la libbarnpeer.la $(SNMP_LIBS)

noinst_LTLIBRARIES += libbarnsnmp.la
libbarnsnmp_la_SOURCES = \
	snmp/barnmib.c \
	snmp/barnmib.h \
	snmp/barnmib_traffic.c \
	snmp/cbqos.c \
	snmp/cbqos.h \
	snmp/cnpd.c \
	snmp/cnpd.h \
	snmp/records.c \
	snmp/records.h \
	snmp/rows.c \
	snmp/rows.h \
	snmp/set.c \
	snmp/set.h \
	snmp/snapshot.c \
	snmp/snapshot.h \
	snmp/table.c \
	snmp/table.h \
	snmp/threshold.c \
	snmp/threshold.h \
	snmp/topn.c \
	snmp/topn.h \
	snmp/view.h
libbarnsnmp_la_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)

dist_man_MANS += snmp/barn-snmp.8
dist_pkgdata_DATA += snmp/BARN-MIB.txt snmp/snmpd.conf.example
EXTRA_DIST += snmp/barn-snmp.service.in
nodist_unit_DATA += snmp/barn-snmp.service
CLEANFILES += snmp/barn-snmp.service

snmp/barn-snmp.service: snmp/barn-snmp.service.in
	$(AM_V_GEN)$(MKDIR_P) snmp && \
		$(SED) -e 's|@sbindir[@]|$(sbindir)|' '$(srcdir)/snmp/barn-snmp.service.in' >$@
