#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# SIP and what it announces: two baresip phones with sound in both directions, over UDP and TCP,
# over IPv6, with SRTP, with ICE.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need baresip baresip-core
modules=$(dirname "$(dpkg -L baresip-core | grep '/account\.so$')")
baresip=$(version baresip-core)

python3 - "$tmp/tone.wav" <<-END
	import math, struct, sys, wave
	with wave.open(sys.argv[1], "wb") as w:
	    w.setnchannels(1)
	    w.setsampwidth(2)
	    w.setframerate(8000)
	    w.writeframes(b"".join(struct.pack("<h", int(9000 * math.sin(i / 3))) for i in range(80000)))
END

# phone USER ADDRESS PORT ACCOUNT-PARAMETERS: its folder, with a tone for a microphone. It receives
# RTP at PORT and RTCP at the next one.
phone()
{
	mkdir -p "$tmp/$1"
	cat >"$tmp/$1/config" <<-END
		poll_method epoll
		sip_listen $2:5060
		audio_player aubridge,nobody
		audio_source aufile,$tmp/tone.wav
		audio_alert aubridge,nobody
		audio_srate 8000
		audio_channels 1
		rtp_ports $3-$(($3 + 1))
		net_interface eth0
		module_path $modules
		module aubridge.so
		module aufile.so
		module g711.so
		module srtp.so
		module dtls_srtp.so
		module ice.so
		module stun.so
		module turn.so
		module_app account.so
		module_app menu.so
	END
	echo "<sip:$1@$2>;regint=0;answermode=auto$4" >"$tmp/$1/accounts"
	: >"$tmp/$1/contacts"
}

# call CASE SHOWS URI RULE...: alice calls bob.
call()
{
	shows=$2 uri=$3
	capture "sip/$1" "${filter:-}"
	shift 3
	"$before"
	serve baresip -f "$tmp/bob" -t 12
	sleep 2
	client baresip -f "$tmp/alice" -t 1 -e "/dial $uri" >>"$tmp/log" 2>&1 || :
	sleep 0.5
	stop_daemons
	finish "$@"
	source_line "$baresip" "$shows"
}

before=:
media='udp:16400=rtp udp:16500=rtp udp:16401=rtcp udp:16501=rtcp'
methods=sip.method=INVITE,ACK,BYE

phone alice $client4 16400 ''
phone bob $server4 16500 ''
# shellcheck disable=SC2086
call baresip-udp 'a call whose sound SDP announces' "sip:bob@$server4" \
	"udp:5060=sip $methods sip.domain=$server4" $media
# shellcheck disable=SC2086
call baresip-tcp 'the same over TCP' "sip:bob@$server4;transport=tcp" \
	"tcp:*=sip $methods" $media

phone alice $client6 16400 ''
sed -i "s/@[^>]*>/@[$client6]>/" "$tmp/alice/accounts"
sed -i "s/^sip_listen.*/sip_listen [$client6]:5060/" "$tmp/alice/config"
phone bob $server6 16500 ''
sed -i "s/@[^>]*>/@[$server6]>/" "$tmp/bob/accounts"
sed -i "s/^sip_listen.*/sip_listen [$server6]:5060/" "$tmp/bob/config"
# shellcheck disable=SC2086
call baresip-ipv6 'signalling over IPv6 that announces media over IPv4' "sip:bob@[$server6]" "udp:5060=sip $methods" $media

phone alice $client4 16400 ';medianat=ice;mediaenc=dtls_srtp'
phone bob $server4 16500 ';medianat=ice;mediaenc=dtls_srtp'
# shellcheck disable=SC2086
call baresip-ice 'checks of ICE, then DTLS, then SRTP, in one flow' "sip:bob@$server4" \
	"udp:5060=sip $methods" \
	udp:16401=stun/dtls/rtcp udp:16501=stun/dtls/rtcp 'udp:*=stun/dtls/rtp'

phone alice $client4 16400 ';mediaenc=srtp-mandf'
phone bob $server4 16500 ';mediaenc=srtp-mandf'
# shellcheck disable=SC2086
call baresip-srtp 'SRTP, its keys in SDP' "sip:bob@$server4" "udp:5060=sip $methods" $media

# What alice receives and sends goes through a relay.
need turnserver coturn
serve_relay()
{
	serve turnserver -n --no-cli --no-tls --no-dtls --log-file=stdout \
		--pidfile="$tmp/turn.pid" --db="$tmp/turn.db" --listening-ip=$server4 \
		--relay-ip=$server4 --lt-cred-mech --user="alice:$alice_password" \
		--realm=example.com --min-port=50000 --max-port=50100
	wait_port udp 3478
}
turn="medianat=turn;stunserver=\"turn:$server4:3478\";stunuser=alice;stunpass=$alice_password"
phone alice $client4 16400 ";$turn"
phone bob $server4 16500 ''
before=serve_relay filter='udp and not port 16401'
baresip="$baresip, $(version coturn)"
call baresip-turn 'sound through a relay of coturn' "sip:bob@$server4" \
	"udp:5060=sip $methods" udp:3478=stun/turn/rtp
