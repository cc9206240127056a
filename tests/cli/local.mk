# SPDX-License-Identifier: LGPL-3.0-or-later
# The command line as a user meets it.

CLI_TESTS = \
	tests/cli/display \
	tests/cli/draft \
	tests/cli/graph \
	tests/cli/input \
	tests/cli/learned \
	tests/cli/manual \
	tests/cli/modules \
	tests/cli/pack \
	tests/cli/policy \
	tests/cli/readme \
	tests/cli/shell \
	tests/cli/show \
	tests/cli/stats \
	tests/cli/top \
	tests/cli/trial \
	tests/cli/usage \
	tests/cli/write

TESTS += $(CLI_TESTS)
dist_check_SCRIPTS += $(CLI_TESTS)
EXTRA_DIST += \
	tests/cli/common.sh \
	tests/cli/daemon.sh \
	tests/cli/discovery.py \
	tests/cli/pack.py \
	tests/cli/pdlm/guess.pdlm \
	tests/cli/pdlm/talk.pdlm \
	tests/cli/policy.py \
	tests/cli/table.expected \
	tests/cli/terminal.py

# In place of barnd.
check_PROGRAMS += tests/cli/daemon
tests_cli_daemon_SOURCES = tests/cli/daemon.c
tests_cli_daemon_LDADD = libbarnpeer.la
