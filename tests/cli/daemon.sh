# SPDX-License-Identifier: LGPL-3.0-or-later
# shellcheck shell=sh
# shellcheck disable=SC2154 # $tmp is of common.sh
# For tests that need a daemon, after common.sh: tests/cli/daemon in a folder of its own, and
# barn's commands lead there.

# start_daemon; daemon_mode may be "once" or "grow", see daemon.c.
start_daemon() {
	mkdir -p "$tmp/run"
	rm -f "$tmp/run/in" "$tmp/run/out"
	mkfifo "$tmp/run/in" "$tmp/run/out"
	"${DAEMON:-tests/cli/daemon}" "$tmp/run" ${daemon_mode:+"$daemon_mode"} <"$tmp/run/in" >"$tmp/run/out" &
	exec 8>"$tmp/run/in"
	read -r ready <"$tmp/run/out"
	[ "$ready" = ready ] || exit 1
	BARN_STATS=$tmp/run/stats BARN_CONTROL=$tmp/run/control
	export BARN_STATS BARN_CONTROL
}

# Its standard input ends.
stop_daemon() {
	exec 8>&-
	wait
}
