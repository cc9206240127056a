# SPDX-License-Identifier: LGPL-3.0-or-later
# shellcheck shell=sh
# For the linters, which read it with `.` after setting LINT to their name.
#
# A linter runs from any folder, looks at the tree above it (or, for its own
# test, at the tree in LINT_ROOT), prints `file:line: message` for each fault
# and how many files it saw. With arguments it looks at those files only.

set -u
LC_ALL=C
export LC_ALL
cd "${LINT_ROOT:-$(dirname "$0")/..}" || exit 2

# files NAME-PATTERN...: the tree's own files of these names, never the build's, nor what
# was made to be wrong.
files() {
	for pattern; do
		find engine pdlm snmp captures tests .ci autogen.sh configure.ac Makefile.am \
			-name "$pattern" -type f ! -path engine/inspect/inspectors.c \
			! -path '*/corpus/*' 2>/dev/null
	done | sort
}

c_files() {
	files '*.c' '*.h'
}

# Shell scripts: by name or by their first line.
scripts() {
	files '*' | while read -r f; do
		case $f in
		*.sh) echo "$f" ;;
		*.*) [ "$f" = .ci/run ] && echo "$f" ;;
		*) head -n 1 "$f" | grep -aq '^#!.*sh\>' && echo "$f" ;;
		esac
	done
}

# need TOOL PACKAGE: without the tool a developer's run skips, and CI's fails.
need() {
	command -v "$1" >/dev/null && return
	if [ -n "${CI:-}" ]; then
		echo "$LINT: $1 is missing: apt install $2"
		exit 1
	fi
	echo "$LINT: skipped: $1 is missing: apt install $2"
	exit 77
}

# each COMMAND...: runs it on every file named on standard input; a file for
# which it fails or prints something is a failure.
each() {
	passed=0 failed=0
	while read -r f; do
		if out=$("$@" "$f" 2>&1) && [ -z "$out" ]; then
			passed=$((passed + 1))
		else
			failed=$((failed + 1))
			printf '%s\n' "${out:-$f: $1 failed}"
		fi
	done
	summary
}

# batch COMMAND...: the same, with one run of the command for all the files; what
# it prints begins with the file's name.
batch() {
	list=$(cat)
	total=$(printf '%s' "$list" | grep -c .)
	# shellcheck disable=SC2086 # no file of the tree has a blank in its name
	out=$("$@" $list 2>&1)
	status=$?
	failed=$(printf '%s\n' "$out" | sed -n 's/^\([^: ]*\):.*/\1/p' | sort -u | grep -c .)
	if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
		failed=1
	fi
	[ -z "$out" ] || printf '%s\n' "$out"
	passed=$((total - failed))
	summary
}

# A linter that found no file to look at has not passed.
summary() {
	echo "$((passed + failed)) files, $failed with faults"
	[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
