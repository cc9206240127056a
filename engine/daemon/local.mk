# SPDX-License-Identifier: LGPL-3.0-or-later
# daemon: barnd. All but main() is a library, for the tests.

sbin_PROGRAMS += barnd
barnd_SOURCES = engine/daemon/main.c
barnd_CPPFLAGS = $(AM_CPPFLAGS) -DBARN_SYSCONFDIR='"$(sysconfdir)"'
barnd_LDADD = libbarndaemon.la $(BARN_CLI_LIBS) $(CAPNG_LIBS) $(SECCOMP_LIBS) $(SYSTEMD_LIBS) \
	-lpthread

noinst_LTLIBRARIES += libbarndaemon.la
libbarndaemon_la_SOURCES = \
	engine/daemon/act.c \
	engine/daemon/act.h \
	engine/daemon/bundle.c \
	engine/daemon/bundle.h \
	engine/daemon/calls.c \
	engine/daemon/calls.h \
	engine/daemon/child.c \
	engine/daemon/child.h \
	engine/daemon/commands.c \
	engine/daemon/lane.c \
	engine/daemon/lane.h \
	engine/daemon/link.c \
	engine/daemon/link.h \
	engine/daemon/load.c \
	engine/daemon/load.h \
	engine/daemon/log.c \
	engine/daemon/log.h \
	engine/daemon/mirror.c \
	engine/daemon/mirror.h \
	engine/daemon/notify.c \
	engine/daemon/notify.h \
	engine/daemon/open.c \
	engine/daemon/open.h \
	engine/daemon/parent.c \
	engine/daemon/parent.h \
	engine/daemon/privilege.c \
	engine/daemon/privilege.h \
	engine/daemon/publish.c \
	engine/daemon/publish.h \
	engine/daemon/publish_impl.h \
	engine/daemon/publish_policies.c \
	engine/daemon/publish_policies.h \
	engine/daemon/publish_state.c \
	engine/daemon/pulse.c \
	engine/daemon/pulse.h \
	engine/daemon/rules.c \
	engine/daemon/rules.h \
	engine/daemon/saver.c \
	engine/daemon/saver.h \
	engine/daemon/serve.h \
	engine/daemon/settings.c \
	engine/daemon/settings.h \
	engine/daemon/show_policies.c \
	engine/daemon/show_flows.c \
	engine/daemon/ways.c \
	engine/daemon/ways.h
libbarndaemon_la_CFLAGS = $(AM_CFLAGS) $(CAPNG_CFLAGS) $(SECCOMP_CFLAGS) $(SYSTEMD_CFLAGS) \
	-pthread

dist_man_MANS += engine/daemon/barnd.8
dist_pkgdata_DATA += engine/daemon/barnd.conf
EXTRA_DIST += engine/daemon/barnd.service.in engine/daemon/barn.sysusers

# Where systemd looks, below the prefix.
unitdir = $(prefix)/lib/systemd/system
sysusersdir = $(prefix)/lib/sysusers.d
nodist_unit_DATA = engine/daemon/barnd.service
CLEANFILES += engine/daemon/barnd.service

engine/daemon/barnd.service: engine/daemon/barnd.service.in
	$(AM_V_GEN)$(MKDIR_P) engine/daemon && \
		$(SED) -e 's|@sbindir[@]|$(sbindir)|' -e 's|@sysconfdir[@]|$(sysconfdir)|' \
		'$(srcdir)/engine/daemon/barnd.service.in' >$@

install-data-hook:
	$(MKDIR_P) '$(DESTDIR)$(sysusersdir)'
	$(INSTALL_DATA) '$(srcdir)/engine/daemon/barn.sysusers' '$(DESTDIR)$(sysusersdir)/barn.conf'

uninstall-hook:
	rm -f '$(DESTDIR)$(sysusersdir)/barn.conf'
