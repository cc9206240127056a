#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# QUIC: ngtcp2's server with its client and Chromium; version 1, a draft of it and one of version 2, negotiated, after
# a Retry, resumed with 0-RTT, with a hello over several Initials, over IPv6.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need gtlsserver ngtcp2-server
need gtlsclient ngtcp2-client

certificate www.example.com shop.example.com www6.example.com
mkdir "$tmp/www"
echo '<p>Over datagrams.</p>' >"$tmp/www/index.html"
chmod 755 "$tmp/www"
ngtcp2=$(version ngtcp2-client ngtcp2-server)

# quic_server PORT ADDRESS OPTION...
quic_server()
{
	port=$1 address=$2
	shift 2
	serve gtlsserver -q -d "$tmp/www" "$@" "$address" "$port" \
		"$tmp/www.example.com.key" "$tmp/www.example.com.crt"
	wait_port udp "$port"
}

# get PORT HOST URI-HOST OPTION...
get()
{
	port=$1 host=$2 name=$3
	shift 3
	client timeout 10 gtlsclient -q --no-quic-dump --no-http-dump --exit-on-all-streams-close \
		--sni="$name" "$@" "$host" "$port" "https://$name/index.html" >>"$tmp/log" 2>&1
}

quic_server 443 $server4
quic_server 443 $server6
quic_server 4433 $server4 --validate-addr
quic_server 4434 $server4 --preferred-versions=0x709a50c4

capture quic/ngtcp2-1
get 443 www.example.com www.example.com
get 443 www.example.com shop.example.com --scid= --dcid=0102030405060708
finish udp:443=quic/http3
source_line "$ngtcp2" 'version 1; the second client has an empty connection id'

capture quic/ngtcp2-2
get 443 www.example.com www.example.com --version=0x709a50c4
get 443 www.example.com www.example.com --version=0xff00001d
finish udp:443=quic/http3
source_line "$ngtcp2" 'a draft of version 2, and draft 29 of version 1'

capture quic/ngtcp2-upgraded
get 4434 www.example.com www.example.com --other-versions=0x709a50c4,0x00000001
finish udp:4434=quic/http3
source_line "$ngtcp2" 'the client begins with version 1, both go on with a draft of 2 (RFC 9368)'

capture quic/ngtcp2-negotiation
get 443 www.example.com www.example.com --version=0x1a2a3a4a --preferred-versions=0x00000001
finish udp:443=quic/http3
source_line "$ngtcp2" 'a version that is there to be unknown, then a negotiation'

capture quic/ngtcp2-retry
get 4433 www.example.com shop.example.com
finish udp:4433=quic/http3
source_line "$ngtcp2" 'a Retry, after which keys come from another connection id'

get 443 www.example.com www.example.com --session-file="$tmp/session" --tp-file="$tmp/parameters"
capture quic/ngtcp2-0rtt
get 443 www.example.com www.example.com --session-file="$tmp/session" --tp-file="$tmp/parameters"
finish udp:443=quic/http3
source_line "$ngtcp2" 'resumed, with 0-RTT'

capture quic/ngtcp2-ipv6
get 443 www6.example.com www6.example.com
finish udp:443=quic/http3
source_line "$ngtcp2" 'IPv6'

if have chromium chromium; then
	hash=$(openssl x509 -in "$tmp/www.example.com.crt" -pubkey -noout |
		openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)
	capture quic/chromium 'udp port 443'
	HOME=$tmp client timeout 60 chromium --headless --no-sandbox --disable-gpu \
		--disable-background-networking --disable-component-update --no-first-run \
		--user-data-dir="$tmp/chromium" --virtual-time-budget=3000 \
		--origin-to-force-quic-on=www.example.com:443 \
		--ignore-certificate-errors-spki-list="$hash" \
		--dump-dom https://www.example.com/index.html >"$tmp/dom" 2>&1 || :
	finish udp:443=quic/http3
	source_line "$(version chromium ngtcp2-server)" \
		'a hello in two Initials, its CRYPTO frames in random pieces and order'
fi
