# SPDX-License-Identifier: LGPL-3.0-or-later
# conf: the IOS-like configuration text.

libbarncore_la_SOURCES += \
	engine/conf/access_list.c \
	engine/conf/access_rule.c \
	engine/conf/access_words.c \
	engine/conf/class_map.c \
	engine/conf/class_match.c \
	engine/conf/conf.c \
	engine/conf/directive.c \
	engine/conf/inert.c \
	engine/conf/interface.c \
	engine/conf/line.c \
	engine/conf/nbar_attribute.c \
	engine/conf/nbar_custom.c \
	engine/conf/nbar_custom_print.c \
	engine/conf/nbar_pdlm.c \
	engine/conf/nbar_port_map.c \
	engine/conf/nbar_transport.c \
	engine/conf/nbar_tunnel.c \
	engine/conf/service.c \
	engine/conf/police.c \
	engine/conf/police_print.c \
	engine/conf/policy.c \
	engine/conf/policy_action.c \
	engine/conf/policy_check.c \
	engine/conf/policy_map.c \
	engine/conf/policy_print.c \
	engine/conf/policy_queue.c \
	engine/conf/report.c \
	engine/conf/report_place.c \
	engine/conf/translate.c \
	engine/conf/translate_module.c \
	engine/conf/words.c

noinst_HEADERS += \
	engine/conf/access.h \
	engine/conf/conf.h \
	engine/conf/directive.h \
	engine/conf/impl.h \
	engine/conf/inert.h \
	engine/conf/line.h \
	engine/conf/nbar.h \
	engine/conf/place.h \
	engine/conf/service.h \
	engine/conf/policy.h \
	engine/conf/report.h \
	engine/conf/translate.h \
	engine/conf/words.h

dist_man_MANS += engine/conf/barn.conf.5

# The example.
dist_pkgdata_DATA = engine/conf/barn.conf
