# SPDX-License-Identifier: LGPL-3.0-or-later
# shellcheck shell=sh
# For the tests of the command line, which read it with `.`: the program, the captures, and how
# a claim is checked. Each claim that fails prints what was wrong; `finish` sums up.

set -u
# shellcheck disable=SC2034 # the tests use them
barn=${BARN:-./barn}
source=${srcdir:-$(dirname "$0")/../..}
# shellcheck disable=SC2034
captures=$source/captures
# shellcheck disable=SC2034
here=$source/tests/cli
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

pass() {
	passed=$((passed + 1))
}

fail() {
	failed=$((failed + 1))
	printf 'FAILED %s\n' "$1"
	shift
	[ $# -eq 0 ] || printf '       %s\n' "$@"
}

# run COMMAND...: its status in $status, what it printed in $tmp/out and $tmp/err.
run() {
	status=0
	"$@" >"$tmp/out" 2>"$tmp/err" || status=$?
}

# few MODULE...: the folder $tmp/few, with links to these of the modules that are shipped. To load
# all of them takes longer than to read a capture.
few() {
	mkdir -p "$tmp/few"
	for module; do
		ln -s "$(realpath "$source")/pdlm/$module.pdlm" "$tmp/few"
	done
}

# exits CLAIM STATUS COMMAND...
exits() {
	claim=$1 want=$2
	shift 2
	run "$@"
	if [ "$status" -eq "$want" ]; then
		pass
	else
		fail "$claim" "exit status $status, not $want: $*" "$(head -c 300 "$tmp/err")"
	fi
}

# equal CLAIM WANTED GOT
equal() {
	if [ "$2" = "$3" ]; then
		pass
	else
		fail "$1" "wanted: $2" "got:    $3"
	fi
}

# same CLAIM FILE FILE
same() {
	if cmp -s "$2" "$3"; then
		pass
	else
		fail "$1" "$(diff "$2" "$3" | head -n 20)"
	fi
}

# says CLAIM PATTERN FILE: a line fits the basic regular expression.
says() {
	if grep -q -e "$2" "$3"; then
		pass
	else
		fail "$1" "no line fits: $2" "$(head -n 5 "$3")"
	fi
}

lines() {
	wc -l <"$1" | tr -d ' '
}

finish() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
	exit
}
