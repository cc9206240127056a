#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# DNS: dnsmasq, unbound and knot's clients; the common record types, over UDP and TCP, IPv4 and
# IPv6, at another port.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need dnsmasq dnsmasq-base
need dig bind9-dnsutils
need host bind9-host

cat >"$tmp/dnsmasq.conf" <<END
no-resolv
no-hosts
user=root
pid-file=
address=/www.example.com/$server4
address=/www.example.com/$server6
host-record=mail.example.com,$server4,$server6
cname=shop.example.com,mail.example.com
mx-host=example.com,mail.example.com,10
txt-record=example.com,"v=spf1 mx -all"
srv-host=_sip._udp.example.com,mail.example.com,5060
local=/example.com/
local=/example.net/
END
i=0
while [ $i -lt 40 ]; do
	echo "txt-record=big.example.com,\"record number $i of a long answer\""
	i=$((i + 1))
done >>"$tmp/dnsmasq.conf"
serve dnsmasq -k -C "$tmp/dnsmasq.conf" --port=53
wait_port udp 53
serve dnsmasq -k -C "$tmp/dnsmasq.conf" --port=5300
wait_port udp 5300

# ask OPTION...: with the name last.
ask()
{
	client dig +tries=1 +time=2 "$@" >>"$tmp/log" || :
}

capture dns/dnsmasq-types
for query in 'A www.example.com' 'AAAA www.example.com' 'CNAME shop.example.com' 'A shop.example.com' \
	'MX example.com' 'TXT example.com' 'SRV _sip._udp.example.com' 'A nothing.example.com'; do
	# shellcheck disable=SC2086
	ask @$server4 $query
done
ask @$server4 -x $server4
finish udp:53=dns
source_line "$(version bind9-dnsutils dnsmasq-base)" \
	'A, AAAA, CNAME, MX, TXT, SRV, PTR, a name that does not exist; EDNS with a cookie'

capture dns/dnsmasq-plain
ask @$server4 +noedns A www.example.com
client host www.example.com $server4 >>"$tmp/log" || :
finish udp:53=dns
source_line "$(version bind9-dnsutils bind9-host dnsmasq-base)" 'without EDNS; host asks thrice'

capture dns/dnsmasq-truncated
ask @$server4 +noedns TXT big.example.com
finish '*:53=dns'
source_line "$(version bind9-dnsutils dnsmasq-base)" 'a truncated answer over UDP, then the same over TCP'

capture dns/dnsmasq-tcp
ask @$server4 +tcp A www.example.com
ask @$server4 +tcp +keepopen www.example.com A big.example.com TXT example.com MX
finish tcp:53=dns
source_line "$(version bind9-dnsutils dnsmasq-base)" 'TCP: one question, and three on one connection'

capture dns/dnsmasq-ipv6
ask @$server6 AAAA www.example.com
ask @$server6 +tcp A www.example.com
finish '*:53=dns'
source_line "$(version bind9-dnsutils dnsmasq-base)" 'IPv6, UDP and TCP'

capture dns/dnsmasq-5300
ask @$server4 -p 5300 A www.example.com
ask @$server4 -p 5300 +tcp A mail.example.com
ask @$server6 -p 5300 A shop.example.com
finish '*:5300=dns'
source_line "$(version bind9-dnsutils dnsmasq-base)" 'another port, UDP, TCP and IPv6'

if have kdig knot-dnsutils; then
	capture dns/kdig-dnsmasq
	client kdig @$server4 +dnssec +bufsize=4096 example.com ANY >>"$tmp/log"
	client kdig @$server4 +padding=128 www.example.com A >>"$tmp/log"
	finish udp:53=dns
	source_line "$(version knot-dnsutils dnsmasq-base)" 'DO bit, ANY, padding'
fi
stop_daemons

if have unbound unbound; then
	cat >"$tmp/unbound.conf" <<-END
		server:
			interface: 0.0.0.0
			interface: ::0
			access-control: 0.0.0.0/0 allow
			access-control: ::0/0 allow
			do-daemonize: no
			username: ""
			chroot: ""
			directory: "$tmp"
			pidfile: ""
			use-syslog: no
			module-config: "iterator"
			local-zone: "example.com." static
			local-data: "example.com. SOA ns.example.com. root.example.com. 1 2 3 4 5"
			local-data: "www.example.com. A $server4"
			local-data: "www.example.com. AAAA $server6"
			local-data-ptr: "$server6 www.example.com"
		remote-control:
			control-enable: no
	END
	serve unbound -d -c "$tmp/unbound.conf"
	wait_port udp 53
	capture dns/unbound
	ask @$server4 A www.example.com
	ask @$server4 A nothing.example.com
	ask @$server6 -x $server6
	ask @$server4 CH TXT version.bind
	ask @$server4 +tcp AAAA www.example.com
	finish '*:53=dns'
	source_line "$(version bind9-dnsutils unbound)" \
		'answers with authority; class CH; PTR over IPv6; TCP'
fi
