# SPDX-License-Identifier: LGPL-3.0-or-later
# cli: the barn program, one file a command. All but main() is a library, for the tests.

barn_SOURCES += engine/cli/main.c
# Archives resolve from left to right.
BARN_CLI_LIBS = libbarncli.la libbarnprogram.la libbarnio.la libbarncore.la $(JSON_LIBS) $(CRYPTO_LIBS) $(LIBEDIT_LIBS) -lm
barn_LDADD = $(BARN_CLI_LIBS)

noinst_LTLIBRARIES += libbarncli.la
libbarncli_la_SOURCES = \
	engine/cli/ask.c \
	engine/cli/ask.h \
	engine/cli/change.c \
	engine/cli/commands.c \
	engine/cli/commands.h \
	engine/cli/community.c \
	engine/cli/community.h \
	engine/cli/conf.c \
	engine/cli/conf_tc.c \
	engine/cli/counters.c \
	engine/cli/counters.h \
	engine/cli/crew.c \
	engine/cli/crew.h \
	engine/cli/draft.c \
	engine/cli/draft.h \
	engine/cli/draft_bytes.c \
	engine/cli/draft_facts.c \
	engine/cli/draft_flow.c \
	engine/cli/draft_line.c \
	engine/cli/draft_number.c \
	engine/cli/draft_print.c \
	engine/cli/draft_rule.c \
	engine/cli/explain.c \
	engine/cli/explain_step.c \
	engine/cli/explain_step.h \
	engine/cli/flow_csv.c \
	engine/cli/flow_format.h \
	engine/cli/flow_json.c \
	engine/cli/flow_lines.c \
	engine/cli/flow_lines.h \
	engine/cli/flow_text.c \
	engine/cli/flows.c \
	engine/cli/flows.h \
	engine/cli/graph.c \
	engine/cli/graph.h \
	engine/cli/graph_print.c \
	engine/cli/help.c \
	engine/cli/inside.c \
	engine/cli/inside.h \
	engine/cli/json_out.c \
	engine/cli/json_out.h \
	engine/cli/next.c \
	engine/cli/next.h \
	engine/cli/packs_out.c \
	engine/cli/packs_out.h \
	engine/cli/pdlm.c \
	engine/cli/pdlm_check.c \
	engine/cli/pdlm_graph.c \
	engine/cli/pdlm_list.c \
	engine/cli/pdlm_new.c \
	engine/cli/pdlm_pack.c \
	engine/cli/pdlm_print.c \
	engine/cli/pdlm_stats.c \
	engine/cli/pdlm_test.c \
	engine/cli/pdlm_test.h \
	engine/cli/pdlm_test_json.c \
	engine/cli/pdlm_test_text.c \
	engine/cli/pdlm_verify.c \
	engine/cli/progress.c \
	engine/cli/progress.h \
	engine/cli/read.c \
	engine/cli/read_filter.c \
	engine/cli/read_filter.h \
	engine/cli/read_hold.c \
	engine/cli/read_hold.h \
	engine/cli/read_input.c \
	engine/cli/read_input.h \
	engine/cli/read_learned.c \
	engine/cli/read_learned.h \
	engine/cli/read_limits.c \
	engine/cli/read_limits.h \
	engine/cli/read_options.c \
	engine/cli/read_options.h \
	engine/cli/read_policy.c \
	engine/cli/read_policy.h \
	engine/cli/read_policy_json.c \
	engine/cli/read_policy_note.c \
	engine/cli/read_policy_print.c \
	engine/cli/read_run.c \
	engine/cli/read_run.h \
	engine/cli/read_select.c \
	engine/cli/read_select.h \
	engine/cli/read_spool.c \
	engine/cli/read_spool.h \
	engine/cli/read_stop.c \
	engine/cli/read_stop.h \
	engine/cli/read_table.c \
	engine/cli/read_table.h \
	engine/cli/read_workers.c \
	engine/cli/read_workers.h \
	engine/cli/read_write.c \
	engine/cli/read_write.h \
	engine/cli/shell.c \
	engine/cli/shell.h \
	engine/cli/shell_edit.c \
	engine/cli/shell_edit.h \
	engine/cli/shell_line.c \
	engine/cli/shell_line.h \
	engine/cli/shell_run.c \
	engine/cli/shell_run.h \
	engine/cli/show.c \
	engine/cli/show_common.c \
	engine/cli/show_common.h \
	engine/cli/show_discovery.c \
	engine/cli/show_flows.c \
	engine/cli/show_interfaces.c \
	engine/cli/show_pdlm.c \
	engine/cli/show_policy.c \
	engine/cli/show_port_map.c \
	engine/cli/show_resources.c \
	engine/cli/show_stats.c \
	engine/cli/show_version.c \
	engine/cli/table.c \
	engine/cli/table.h \
	engine/cli/talk.c \
	engine/cli/talk.h \
	engine/cli/talk_view.c \
	engine/cli/top.c \
	engine/cli/top_draw.c \
	engine/cli/top_sample.c \
	engine/cli/top_sample.h \
	engine/cli/top_screen.c \
	engine/cli/top_screen.h \
	engine/cli/trial.c \
	engine/cli/trial.h \
	engine/cli/value.c \
	engine/cli/value.h \
	engine/cli/version.c \
	engine/cli/walk.c \
	engine/cli/walk.h \
	engine/cli/words.c \
	engine/cli/words.h

libbarncli_la_CFLAGS = $(AM_CFLAGS) $(LIBEDIT_CFLAGS) $(CRYPTO_CFLAGS) -pthread

# What --flows=json and --json print.
dist_pkgdata_DATA += \
	engine/cli/flow.schema.json \
	engine/cli/policy.schema.json \
	engine/cli/table.schema.json

dist_man_MANS += engine/cli/barn.1 engine/cli/barn-pdlm.1

# bash looks completions up by the command's name.
bashcompdir = $(datadir)/bash-completion/completions
EXTRA_DIST += engine/cli/barn.bash

install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(bashcompdir)'
	$(INSTALL_DATA) '$(srcdir)/engine/cli/barn.bash' '$(DESTDIR)$(bashcompdir)/barn'

uninstall-local:
	rm -f '$(DESTDIR)$(bashcompdir)/barn'
