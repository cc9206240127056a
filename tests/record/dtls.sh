#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# DTLS: OpenSSL and GnuTLS; versions 1.0 and 1.2, a cookie exchange, hellos and certificates in
# fragments, a server name, a server that knows no name, use_srtp, IPv6.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need gnutls-serv gnutls-bin

certificate www.example.com shop.example.com
out=$tmp/out
openssl=$(version openssl)

# dtls_server PORT OPTION...
dtls_server()
{
	port=$1
	shift
	serve openssl s_server -quiet -dtls -accept "$port" -cert "$tmp/www.example.com.crt" \
		-key "$tmp/www.example.com.key" "$@"
	wait_port udp "$port"
}

# dtls_client OPTION...: says a word and goes.
dtls_client()
{
	{ echo hello; sleep 0.5; } | client timeout 5 openssl s_client -quiet -no_ign_eof -dtls \
		"$@" >"$out" 2>&1 || :
}

dtls_server 4433 -listen -naccept 1
capture dtls/openssl-1.2
dtls_client -connect $server4:4433 -servername www.example.com
finish 'udp:4433=dtls dtls.version=1.2'
source_line "$openssl on both sides" 'version 1.2 with a cookie exchange and a server name'

dtls_server 4434 -mtu 300
capture dtls/openssl-fragments
dtls_client -connect $server4:4434 -mtu 300 -noservername
finish 'udp:4434=dtls dtls.version=1.2 dtls.certificate-name=www.example.com'
source_line "$openssl on both sides" 'a certificate in fragments; no server name'

dtls_server 4435 -use_srtp SRTP_AES128_CM_SHA1_80
capture dtls/openssl-srtp
dtls_client -connect "[$server6]:4435" -use_srtp SRTP_AES128_CM_SHA1_80
finish 'udp:4435=dtls dtls.version=1.2 dtls.srtp=offered'
source_line "$openssl on both sides" 'use_srtp, over IPv6'

serve gnutls-serv --udp -q -p 4436 --x509certfile "$tmp/www.example.com.crt" \
	--x509keyfile "$tmp/www.example.com.key" --priority 'NORMAL:+VERS-DTLS1.0:%COMPAT'
wait_port udp 4436
capture dtls/gnutls-1.0
{ echo hello; sleep 0.5; } | client timeout 5 gnutls-cli --udp --insecure --no-ca-verification \
	--sni-hostname=shop.example.com --priority 'NORMAL:-VERS-DTLS-ALL:+VERS-DTLS1.0' \
	-p 4436 $server4 >"$out" 2>&1 || :
finish 'udp:4436=dtls dtls.version=1.0'
source_line "$(version gnutls-bin) on both sides" 'version 1.0 with a server name'
