#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# STUN and TURN: coturn's server and its clients; a binding, an allocation with what is relayed, over
# UDP and over TCP; and a client of RFC 3489, without a cookie.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need turnserver coturn
need turnutils_uclient coturn
need stun stun-client
coturn=$(version coturn)

serve turnserver -n --no-cli --no-tls --no-dtls --log-file=stdout --pidfile="$tmp/turn.pid" \
	--listening-ip=$server4 --relay-ip=$server4 --allow-loopback-peers --lt-cred-mech \
	--user=alice:$alice_password --realm=example.com --min-port=50000 --max-port=50100 \
	--db="$tmp/turn.db"
wait_port udp 3478
serve turnutils_peer -L $server4 -p 3480
wait_port udp 3480

capture stun/coturn-binding
client turnutils_stunclient -p 3478 $server4 >>"$tmp/log" 2>&1 || :
finish udp:3478=stun 'udp:*=stun'
source_line "$coturn" 'a binding'

# relay CASE SHOWS OPTION...: ten packets through the relay to a peer that sends them back.
relay()
{
	capture "stun/$1" 'host 10.77.0.1 and port 3478'
	shows=$2
	shift 2
	client turnutils_uclient -e $server4 -r 3480 -u alice -w "$alice_password" -n 4 -m 1 -l 120 \
		"$@" -X $server4 >>"$tmp/log" 2>&1 || :
	finish udp:3478=stun/turn tcp:3478=stun/turn
	source_line "$coturn" "$shows"
}

relay coturn-channel 'an allocation, its channel, and what goes through it' -c
relay coturn-send 'Send and Data indications' -c -s
relay coturn-tcp 'the same over TCP' -c -t

capture stun/classic
client timeout 20 stun $server4 1 >>"$tmp/log" 2>&1 || :
finish udp:3478=stun 'udp:*=stun'
source_line "$(version stun-client)" 'a client of RFC 3489, which has no cookie'
