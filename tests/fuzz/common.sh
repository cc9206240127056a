# SPDX-License-Identifier: LGPL-3.0-or-later
# shellcheck shell=sh
# For tests/fuzz/seeds and run, which read it with `.`.

set -u
: "${srcdir:=.}" "${FUZZERS:?a list of fuzz targets}"

# seeds_of TARGET: the files that it starts from.
seeds_of() {
	case ${1##*/} in
	capture | engine) find "$srcdir/captures" -name '*.pcap*' -size -256k ;;
	conf) find "$srcdir/engine/conf" "$srcdir/tests/conf" -name '*.conf' ;;
	pdl | rules) find "$srcdir/pdlm" "$srcdir/tests/pdl" -name '*.pdlm' ;;
	esac
	find "$srcdir/tests/fuzz/corpus/${1##*/}" -type f 2>/dev/null
}
