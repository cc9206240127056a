# SPDX-License-Identifier: LGPL-3.0-or-later
# shellcheck shell=sh
#
# What the recording scripts share: two network namespaces joined by a veth pair, the processes in
# them, and tcpdump between them.
#
#	client 10.77.0.1 fd77::1  ------ eth0 ------  10.77.0.2 fd77::2 server
#
# A script sources this file, which makes the namespaces and a folder $tmp, and undoes everything at
# exit. It then records cases:
#
#	capture ftp/vsftpd-passive		(starts tcpdump)
#	serve vsftpd "$tmp/conf"		(a daemon in the server's namespace)
#	client curl ftp://10.77.0.2/		(a command in the client's namespace)
#	finish tcp:21=ftp 'tcp:*=ftp-data'	(stops tcpdump, writes .pcap and .flows)
#	source_line 'curl 7.88, vsftpd 3.0.3' 'passive transfers'
#
# Both namespaces see their own /etc/passwd, shadow, group, hosts and resolv.conf, made in
# $tmp/etc: the user alice exists there and nowhere else. Nothing is installed; need() names the
# Debian package of a missing program. RECORD_ROOT may name a folder into which packages that
# conflict with each other (the FTP servers) were unpacked with dpkg -x.
#
# Offloads are off, so that the capture holds the segments of a wire with an MTU of 1500, with
# their checksums.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
script=$(basename "$0")
captures=${RECORD_OUT:-$top/captures}
client4=10.77.0.1 server4=10.77.0.2 client6=fd77::1 server6=fd77::2
alice_password=wonderland
ns_client=barn-client-$$ ns_server=barn-server-$$
tmp=$(mktemp -d "${TMPDIR:-/tmp}/barn-record.XXXXXX")
daemons=
tcpdump_pid=
PATH=${RECORD_ROOT:+$RECORD_ROOT/usr/sbin:$RECORD_ROOT/usr/bin:}$PATH:/usr/sbin:/sbin
export LC_ALL=C PATH

die()
{
	echo "$script: $*" >&2
	exit 1
}

# need PROGRAM PACKAGE: the script cannot go on without it.
need()
{
	command -v "$1" >/dev/null || die "$1 is missing: apt-get install $2"
}

# have PROGRAM PACKAGE: false, and says so, where the case has to be left out.
have()
{
	command -v "$1" >/dev/null && return 0
	echo "$script: no $1 (Debian package $2): its cases are left out" >&2
	return 1
}

client()
{
	ip netns exec "$ns_client" "$tmp/enter" "$@"
}

server()
{
	ip netns exec "$ns_server" "$tmp/enter" "$@"
}

# The process keeps its own session, so that stopping it takes its children along.
start()
{
	where=$1
	shift
	setsid ip netns exec "$where" "$tmp/enter" "$@" >>"$tmp/log" 2>&1 &
	daemons="$daemons $!"
}

serve()
{
	start "$ns_server" "$@"
}

serve_client()
{
	start "$ns_client" "$@"
}

stop_one()
{
	kill -TERM -- "-$1" 2>/dev/null || kill -TERM "$1" 2>/dev/null || :
	wait "$1" 2>/dev/null || :
}

stop_daemons()
{
	for pid in $daemons; do
		stop_one "$pid"
	done
	daemons=
}

# wait_port tcp|udp PORT [server|client]: until somebody listens there.
wait_port()
{
	case $1 in
	tcp) socket=-ltn ;;
	*) socket=-lun ;;
	esac
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		"${3:-server}" ss $socket 2>/dev/null | grep -q ":$2 " && return 0
		sleep 0.25
	done
	tail -20 "$tmp/log" >&2
	die "nobody listens on $1 port $2 after $try tries"
}

# capture PROTOCOL/CASE [FILTER]
capture()
{
	case_name=$1
	mkdir -p "$captures/${case_name%/*}"
	ip netns exec "$ns_server" tcpdump -q -n -U -Z root --immediate-mode -s 0 -i eth0 \
		-w "$tmp/case.pcap" "${2:-tcp or udp}" 2>"$tmp/tcpdump" &
	tcpdump_pid=$!
	for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		grep -qs 'listening on' "$tmp/tcpdump" && return 0
		sleep 0.1
	done
	cat "$tmp/tcpdump" >&2
	die "tcpdump does not start after $try tries"
}

# finish RULE...: the rules say which application runs at which server port; see flows.
finish()
{
	sleep 0.5
	kill -INT "$tcpdump_pid"
	wait "$tcpdump_pid" || :
	tcpdump_pid=
	grep -q '^0 packets dropped by kernel' "$tmp/tcpdump" || die "$case_name: packets lost"
	mv "$tmp/case.pcap" "$captures/$case_name.pcap"
	"$here/flows" "$captures/$case_name.pcap" "$@" >"$captures/$case_name.flows"
	echo "$case_name: $(wc -c <"$captures/$case_name.pcap") bytes," \
		"$(grep -vc '^#' "$captures/$case_name.flows") flows"
}

# source_line SOFTWARE SHOWS: replaces the case's line in captures/SOURCES.
source_line()
{
	touch "$captures/SOURCES"
	{
		grep -v "^$case_name\.pcap	" "$captures/SOURCES" || :
		printf '%s\t%s\t%s\t%s\t%s\n' "$case_name.pcap" "$1" \
			"$(date -u +%Y-%m-%d)" "tests/record/$script" "$2"
	} | sort >"$tmp/sources"
	cat "$tmp/sources" >"$captures/SOURCES"
}

# version PACKAGE...: "name version, name version", from dpkg or from RECORD_ROOT.
version()
{
	for package; do
		v=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null || :)
		if [ -z "$v" ] && [ -n "${RECORD_ROOT:-}" ]; then
			for deb in "${RECORD_ROOT%/*}/$package"_*.deb; do
				v=$(dpkg-deb -f "$deb" Version)
			done
		fi
		printf '%s%s %s' "${sep:-}" "$package" "${v:-unknown}"
		sep=', '
	done
	sep=
}

# certificate NAME...: $tmp/NAME1.crt and .key, self-signed for all the names.
certificate()
{
	names=$(printf 'DNS:%s,' "$@")
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \
		-subj "/CN=$1" -addext "subjectAltName=${names%,}" \
		-keyout "$tmp/$1.key" -out "$tmp/$1.crt" 2>/dev/null
	chmod 644 "$tmp/$1.key"
}

cleanup()
{
	status=$?
	trap - EXIT INT TERM
	[ -z "$tcpdump_pid" ] || kill "$tcpdump_pid" 2>/dev/null || :
	stop_daemons
	# What a daemon left behind, such as the children of a super-server.
	for ns in "$ns_client" "$ns_server"; do
		for pid in $(ip netns pids "$ns" 2>/dev/null); do
			kill -KILL "$pid" 2>/dev/null || :
		done
		ip netns del "$ns" 2>/dev/null || :
	done
	if [ "$status" -ne 0 ] && [ -s "$tmp/log" ]; then
		echo "$script: the daemons said:" >&2
		tail -30 "$tmp/log" >&2
	fi
	[ -n "${RECORD_KEEP:-}" ] || rm -rf "$tmp"
	exit "$status"
}

make_etc()
{
	mkdir "$tmp/etc" "$tmp/alice"
	hash=$(openssl passwd -6 "$alice_password")
	for file in passwd shadow group; do
		grep -v '^alice:' "/etc/$file" >"$tmp/etc/$file"
	done
	echo "alice:x:7700:7700:Alice:$tmp/alice:/bin/sh" >>"$tmp/etc/passwd"
	echo "alice:$hash:19000:0:99999:7:::" >>"$tmp/etc/shadow"
	echo 'alice:x:7700:' >>"$tmp/etc/group"
	chmod 640 "$tmp/etc/shadow"
	chown 7700:7700 "$tmp/alice"
	cat >"$tmp/etc/hosts" <<-END
		127.0.0.1	localhost
		$client4	client.example.com client
		$server4	server.example.com server www.example.com mail.example.com
		$server6	server6.example.com www6.example.com mail6.example.com
	END
	: >"$tmp/etc/resolv.conf"
	cat >"$tmp/enter" <<-END
		#!/bin/sh
		for file in passwd shadow group hosts resolv.conf; do
			mount --bind "$tmp/etc/\$file" "/etc/\$file" || exit 1
		done
		exec "\$@"
	END
	chmod 755 "$tmp" "$tmp/enter"
}

# side NAMESPACE IPV4 IPV6 MAC
side()
{
	in="ip -n $1"
	$in link set lo up
	$in link set eth0 address "$4" addrgenmode none
	ip netns exec "$1" sysctl -q -w net.ipv6.conf.eth0.accept_ra=0
	ip netns exec "$1" ethtool -K eth0 tx off rx off tso off gso off gro off >/dev/null 2>&1
	$in addr add "$2/24" dev eth0
	$in addr add "$3/64" dev eth0 nodad
	$in link set eth0 up
}

need ip iproute2
need ethtool ethtool
need tcpdump tcpdump
need tshark tshark
need openssl openssl
[ "$(id -u)" = 0 ] || die 'network namespaces need root'
trap cleanup EXIT
trap 'exit 1' INT TERM
make_etc
ip netns add "$ns_client"
ip netns add "$ns_server"
ip -n "$ns_client" link add eth0 type veth peer name eth0 netns "$ns_server"
side "$ns_client" $client4 $client6 02:77:00:00:00:01
side "$ns_server" $server4 $server6 02:77:00:00:00:02
