# SPDX-License-Identifier: LGPL-3.0-or-later
# shellcheck shell=sh
#
# What the tests of barnd share: hosts A and B in network namespaces, M between them, where
# barnd runs, and a folder $tmp. All ends with the script.
#
#	A 10.99.0.1 fd99::1 ---- ma M mb ---- B 10.99.0.2 fd99::2
#
#	name=bridge; . lib.sh
#	configure <<END			(behind it come the folder's own paths)
#	start; ...; stop
#	finish_tests

set -u
# shellcheck disable=SC2034 # the scripts use it
here=$(cd "$(dirname "$0")" && pwd)
top=$PWD
peek=$top/tests/daemon/peek
export PATH="$PATH:/usr/sbin:/sbin"
unset http_proxy https_proxy
# shellcheck disable=SC2154 # the script's
a=dt-$name-a-$$ b=dt-$name-b-$$ m=dt-$name-m-$$
tmp=$(mktemp -d) && chmod 755 "$tmp"
passed=0 failed=0 pids='' outer='' peer=10.99.0.2
# Turns of until_true; and what a sanitizer slows down may take longer.
patience=100 slower=1
! grep -q __asan_init "$top/barnd" 2>/dev/null || patience=300 slower=3

skip() {
	echo "skipped: $*"
	rm -r "$tmp"
	[ -z "${CI:-}" ] || exit 1
	exit 77
}

[ "$(id -u)" = 0 ] || skip "needs root"
[ -x "$top/barnd" ] || skip "barnd is not built"
for tool in ip ping curl iptables python3 ${tools:-}; do
	command -v "$tool" >/dev/null || skip "no $tool"
done
ip netns add "$m" 2>/dev/null || skip "the kernel has no network namespaces, or forbids them"

# shellcheck disable=SC2317,SC2086 # called by trap; pids are words
clean() {
	[ -z "$pids$outer" ] || kill -9 $pids $outer 2>/dev/null
	for n in $a $b $m; do
		left=$(ip netns pids "$n" 2>/dev/null)
		[ -z "$left" ] || kill -9 $left 2>/dev/null
		ip netns del "$n" 2>/dev/null
	done
	umount "$tmp/full" 2>/dev/null
	rm -rf "$tmp"
}
trap clean EXIT
trap 'exit 1' INT TERM

in_a() { ip netns exec "$a" "$@"; }
in_b() { ip netns exec "$b" "$@"; }
in_m() { ip netns exec "$m" "$@"; }
not() { ! "$@"; }

# check CLAIM COMMAND...: holds if the command succeeds.
check() {
	claim=$1
	shift
	if "$@" >"$tmp/check" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $claim: $*"
		sed 's/^/    /' "$tmp/check"
	fi
}

# until_true COMMAND...: in five seconds at most, or fifteen.
until_true() {
	n=0
	until "$@" >/dev/null 2>&1; do
		n=$((n + 1))
		[ $n -lt $patience ] || return 1
		sleep 0.05
	done
}

# hosts bridge | router: the namespaces anew.
hosts() {
	for n in $a $b $m; do
		ip netns del "$n" 2>/dev/null
		ip netns add "$n"
		ip netns exec "$n" sysctl -qw net.ipv6.conf.default.accept_dad=0 \
			net.ipv6.conf.all.accept_dad=0 \
			net.ipv6.conf.default.router_solicitations=0
		ip -n "$n" link set lo up
	done
	ip -n "$m" link add name ma mtu 9100 type veth peer name eth0 mtu 9100 netns "$a"
	ip -n "$m" link add name mb mtu 9100 type veth peer name eth0 mtu 9100 netns "$b"
	if [ "$1" = bridge ]; then
		in_m sysctl -qw net.ipv6.conf.ma.disable_ipv6=1 \
			net.ipv6.conf.mb.disable_ipv6=1
	fi
	for n in $a $b; do
		ip -n "$n" link set eth0 up
	done
	ip -n "$m" link set dev ma up
	ip -n "$m" link set dev mb up
	if [ "$1" = bridge ]; then
		ip -n "$a" addr add 10.99.0.1/24 dev eth0
		ip -n "$b" addr add 10.99.0.2/24 dev eth0
		ip -n "$a" addr add fd99::1/64 dev eth0 nodad
		ip -n "$b" addr add fd99::2/64 dev eth0 nodad
		return
	fi
	peer=10.99.2.1
	in_m sysctl -qw net.ipv4.ip_forward=1
	ip -n "$m" addr add 10.99.1.254/24 dev ma
	ip -n "$m" addr add 10.99.2.254/24 dev mb
	ip -n "$a" addr add 10.99.1.1/24 dev eth0
	ip -n "$b" addr add 10.99.2.1/24 dev eth0
	ip -n "$a" route add default via 10.99.1.254
	ip -n "$b" route add default via 10.99.2.254
}

# configure <lines: $tmp/barn.conf, with paths of its own, and a user that there is everywhere.
configure() {
	{
		printf ' %s\n' 'user nobody' 'workers 2' 'flows 16384' \
			"control-socket $tmp/run/control" "segment $tmp/run/stats" \
			"state-file $tmp/state/state" 'log stderr debugging'
		cat
	} | sed '1i barnd' >"$tmp/barn.conf"
}

# said TEXT [TIMES]: in the log.
said() { [ "$(grep -c -- "$1" "$tmp/log")" -ge "${2:-1}" ]; }

# start: barnd in M, until it is ready.
start() {
	: >"$tmp/log"
	ip netns exec "$m" "$top/barnd" -F -c "$tmp/barn.conf" >>"$tmp/log" 2>&1 &
	outer=$!
	until_true said 'ready:' && until_true "$peek" age "$tmp/run/stats" && return
	echo "FAIL: barnd is not ready:"
	cat "$tmp/log"
	exit 1
}

stop() {
	kill "$outer"
	wait "$outer"
	status=$?
	outer=
	check "barnd ends as it was told" test $status = 0
}

# The process that looks at packets.
inner() { pgrep -P "$outer" | head -n 1; }

# reload: in force, or FAILED.
reload() {
	before=$(grep -c -e 'in force:' -e 'nothing was changed' "$tmp/log")
	kill -HUP "$outer"
	until_true said 'in force:\|nothing was changed' $((before + 1))
}

# counted INTERFACE FIELD [PROTOCOL]: 1 packets in, 2 out, 3 bytes in, 4 out.
counted() {
	"$peek" count "$tmp/run/stats" "$1" ${3:+"$3"} | cut -d ' ' -f "$2"
}

# has_counted INTERFACE FIELD PROTOCOL LEAST
has_counted() { [ "$(counted "$1" "$2" "$3")" -ge "$4" ]; }

# kernel INTERFACE COUNTER: M's own.
kernel() { in_m cat "/sys/class/net/$1/statistics/$2"; }

# beyond INTERFACE: what the kernel has counted more than barnd: packets in, out, bytes in, out.
# After some traffic it is what it was before, or a packet was lost or counted twice.
beyond() {
	set -- $(($(kernel "$1" rx_packets) - $(counted "$1" 1))) \
		$(($(kernel "$1" tx_packets) - $(counted "$1" 2))) \
		$(($(kernel "$1" rx_bytes) - $(counted "$1" 3))) \
		$(($(kernel "$1" tx_bytes) - $(counted "$1" 4)))
	echo "$*"
}

# quiet INTERFACE: beyond, when it has come to rest.
quiet() {
	then=
	until now=$(beyond "$1") && [ "$now" = "$then" ]; do
		then=$now
		sleep 0.45
	done
	echo "$now"
}

# serve HOST COMMAND...: in the background.
serve() {
	host=$1
	shift
	ip netns exec "$host" "$@" >>"$tmp/servers" 2>&1 &
	pids="$pids $!"
}

# listening tcp|udp PORT: somebody is, in B.
listening() {
	state=0A
	[ "$1" = tcp ] || state=07
	in_b cat "/proc/net/$1" "/proc/net/${1}6" |
		grep -qi "$(printf ':%04X [0-9A-F:]* %s' "$2" $state)"
}

# web PORT: B serves $tmp/www there, by both families.
web() {
	mkdir -p "$tmp/www"
	[ -e "$tmp/www/file" ] || head -c 3000000 /dev/urandom >"$tmp/www/file"
	cp "$tmp/www/file" "$tmp/www/secret.html"
	serve "$b" python3 -m http.server -b :: -d "$tmp/www" "$1"
	check "the web server is up" until_true listening tcp "$1"
}

# fetch URL: the whole file comes.
fetch() { in_a curl -ksS -m 10 -o "$tmp/got" "$@" && cmp "$tmp/got" "$tmp/www/file"; }

# fails_with STATUS CURL'S ARGUMENTS: 28 is silence, 56 a reset, 7 one at the SYN.
fails_with() {
	want=$1
	shift
	in_a curl -ksS -o /dev/null "$@"
	got=$?
	echo "curl ended with $got, expected $want"
	[ $got = "$want" ]
}

pings() { in_a ping -q -c 3 -i 0.05 -W 2 "$@"; }

# flood COUNT: pings a hundred times a second, in the background, for the next.
flood() {
	in_a ping -D -n -i 0.01 -c "$1" -W 2 $peer >"$tmp/ping" 2>&1 &
	flooding=$!
}

# outage: waits for the pings; $lost is how many were, and the longest silence in ms.
outage() {
	wait "$flooding"
	lost=$(awk '/bytes from/ {
			t = substr($1, 2) + 0
			if (last && t - last > longest) longest = t - last
			last = t
			came++
		}
		/transmitted/ { sent = $1 }
		END { printf "%d %d\n", sent - came, longest * 1000 }' "$tmp/ping")
}

# short LOST MS: the last outage was no more than that.
short() {
	echo "lost and ms of silence: $lost, at most $1 and $(($2 * slower))"
	[ "${lost% *}" -ge 0 ] && [ "${lost% *}" -le "$1" ] &&
		[ "${lost#* }" -le $(($2 * slower)) ]
}

finish_tests() {
	if [ $failed -gt 0 ] && [ -s "$tmp/log" ]; then
		echo "barnd said last:"
		tail -n 20 "$tmp/log"
	fi
	echo "$passed passed, $failed failed"
	[ $failed = 0 ]
}
