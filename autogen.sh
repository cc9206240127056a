#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# ./autogen.sh        makes ./configure
# ./autogen.sh run    on Debian: installs what is missing, builds in ./build, and
#                     shows what barn finds in captures/emix.pcap
# ./autogen.sh check  on Debian: the same set-up, then all the tests and linters
# ./autogen.sh install KIND...  installs the packages of these kinds, no more
#
# Each can be repeated; what is there already is not done again.

set -eu

# Debian's packages: kind, name, why. The only list of them. KIND/ARCHITECTURE is for that one
# only: Hyperscan exists for amd64 alone. Elsewhere barn is built without it, or with
# libvectorscan-dev, which has the same interface, where that is installed.
packages='
build  autoconf            makes ./configure
build  automake            makes Makefile.in
build  libtool             makes the shared library
build  pkg-config          finds the libraries
build  gcc                 compiles
build  libc6-dev           the C library
build  make                builds
build  libpcap-dev         reads captures
build  libndpi-dev         knows the protocols that have no module
build  libpcre2-dev        regular expressions of the modules
build  libsnmp-dev         the agent library of the SNMP part
build  libjson-c-dev       JSON output
build  libssl-dev          SHA-1 for Community ID, keys of QUIC, signatures of packs
build/amd64  libhyperscan-dev  matches many patterns at once
build  libarchive-dev      protocol packs
build  libmnl-dev          packets from the queues of netfilter
build  libedit-dev         editing in the shell
build  zlib1g-dev          compressed captures
build  libzstd-dev         compressed captures
test   ccache              .ci/run compiles once what several builds share
build  libcap-ng-dev       barnd gives up its rights
build  libseccomp-dev      barnd limits what it may ask of the kernel
build  libsystemd-dev      barnd tells that it is ready
test   clang               the second compiler, and libFuzzer
test   libclang-rt-14-dev  its sanitizers
test   llvm                names in what they report
test   clang-format-14     tests/lint-format
test   clang-tidy-14       tests/lint-tidy
test   cppcheck            tests/lint-cppcheck
test   shellcheck          tests/lint-shell
test   mandoc              tests/lint-manual
test   codespell           tests/lint-spell
test   python3             tests that read JSON
test   python3-jsonschema  holds the JSON output against its schema
test   zstd                makes compressed captures
test   tshark              tests/counts
test   iproute2            tests in network namespaces: tests/io, tests/daemon
test   iputils-ping        tests/io
test   iptables            tests/io: the queues of netfilter
test   iperf3              tests/io: throughput
test   curl                tests/io
test   ethtool             tests/io: offloads
test   snmpd               tests/snmp
test   snmp                tests/snmp
test   snmptrapd           tests/snmp: notifications
test   smitools            tests/snmp: smilint
test   dnsmasq-base        tests/daemon: a server
test   nftables            tests/daemon: the queues of netfilter
test   openssl             tests/daemon: a server
test   procps              tests/daemon, tests/io: pgrep
test   tcpdump             tests/daemon
test   vsftpd              tests/daemon: a server
'

say() {
	printf 'autogen.sh: %s\n' "$*" >&2
}

die() {
	say "$@"
	exit 1
}

make_configure() {
	say "making ./configure"
	mkdir -p m4
	autoreconf --install >&2
}

# of_kinds KIND...: names of the packages of these kinds.
of_kinds() {
	arch=$(dpkg --print-architecture 2>/dev/null) || arch=
	for kind; do
		printf '%s' "$packages" | while read -r k name why; do
			[ -n "$why" ] || continue
			case $k in
			"$kind" | "$kind/$arch") echo "$name" ;;
			esac
		done
	done
}

is_installed() {
	[ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# apt_get OPTION...: as root, asking nothing.
apt_get() {
	$sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q -y "$@" </dev/null >&2
}

install_packages() {
	missing=
	if ! [ -e /etc/debian_version ] || ! command -v dpkg-query >/dev/null; then
		die "this is not Debian: install what gives these Debian packages, then" \
			"./autogen.sh && ./configure && make:" "$(of_kinds "$@" | tr '\n' ' ')"
	fi
	for name in $(of_kinds "$@"); do
		is_installed "$name" || missing="$missing $name"
	done
	[ -n "$missing" ] || return 0

	say "missing packages:$missing"
	if [ "$(id -u)" -eq 0 ]; then
		sudo=
	elif command -v sudo >/dev/null; then
		sudo=sudo
	else
		die "neither root nor sudo here; as root: apt-get install$missing"
	fi
	say "installing them with ${sudo:+sudo }apt-get"
	# shellcheck disable=SC2086 # names are words
	set -- install --no-install-recommends $missing
	# A package list that is absent or old does not know them, or not where they are now.
	if ! { LC_ALL=C apt-get -s "$@" >/dev/null 2>&1 && apt_get "$@"; }; then
		say "updating the package lists"
		apt_get update || die "apt-get update failed: is there a network?" \
			"is /etc/apt/sources.list right?"
		apt_get "$@" || die "apt-get could not install them (see above): is there a" \
			"network? is this Debian 12?"
	fi
}

# An earlier run that was cut short may have left ./configure without the rest; make
# renews all of it when its sources change.
build() {
	if ! [ -e configure ] || ! [ -e Makefile.in ] || ! [ -e build-aux/ltmain.sh ]; then
		make_configure
	fi
	mkdir -p build
	if ! [ -e build/Makefile ]; then
		say "configuring in ./build"
		(cd build && ../configure) >&2
	fi
	say "building in ./build"
	make -C build --no-print-directory -s -j"$(nproc)" >&2
}

cd "$(dirname "$0")"
case ${1-} in
'')
	make_configure
	say "now: ./configure && make"
	;;
run)
	install_packages build
	build
	say "build/barn read captures/emix.pcap"
	build/barn read captures/emix.pcap
	;;
check)
	install_packages build test
	build
	say "make check, make lint"
	status=0
	make -C build --no-print-directory -s -j"$(nproc)" VERBOSE=1 check || status=1
	make -C build --no-print-directory -s lint || status=1
	tests/sum build
	exit $status
	;;
install)
	shift
	install_packages "$@"
	;;
*)
	say "usage: ./autogen.sh [run | check | install build | install build test]"
	exit 2
	;;
esac
