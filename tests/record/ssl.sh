#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# TLS: nginx with curl, wget, openssl s_client and gnutls-cli; versions 1.2 and 1.3 (and 1.1), with
# and without a server name and ALPN, resumed, at odd ports, in small segments, over IPv6.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need nginx nginx
need curl curl
need wget wget

certificate www.example.com shop.example.com
mkdir "$tmp/www"
echo '<p>Private.</p>' >"$tmp/www/index.html"
chmod 755 "$tmp/www"
cat >"$tmp/nginx.conf" <<END
worker_processes 1;
user www-data;
pid $tmp/nginx.pid;
error_log $tmp/nginx.log;
events { worker_connections 64; }
http {
	access_log off;
	ssl_certificate $tmp/www.example.com.crt;
	ssl_certificate_key $tmp/www.example.com.key;
	ssl_session_cache shared:tls:1m;
	ssl_ciphers DEFAULT:@SECLEVEL=0;
	root $tmp/www;
	server {
		listen 443 ssl http2 default_server;
		listen [::]:443 ssl http2 default_server;
		listen 8443 ssl;
		listen 27443 ssl;
		ssl_protocols TLSv1.1 TLSv1.2 TLSv1.3;
	}
}
END
serve nginx -c "$tmp/nginx.conf" -g 'daemon off;'
wait_port tcp 443
out=$tmp/out
curl_nginx=$(version curl nginx)
openssl_nginx=$(version openssl nginx)

fetch()
{
	client curl -sS -k -o "$out" "$@"
}

# s_client OPTION...: asks for the page and waits for the end.
s_client()
{
	printf 'GET / HTTP/1.0\r\n\r\n' | client openssl s_client -quiet -no_ign_eof "$@" >"$out" 2>&1 || :
}

capture ssl/nginx-1.3
fetch https://www.example.com/
fetch --http1.1 https://shop.example.com/ --connect-to "::$server4:443"
finish tcp:443=ssl
source_line "$curl_nginx" 'TLS 1.3 with a server name; ALPN with and without h2'

capture ssl/nginx-1.2
fetch --tls-max 1.2 https://www.example.com/
fetch --tls-max 1.2 --no-alpn https://www.example.com/
finish tcp:443=ssl
source_line "$curl_nginx" 'TLS 1.2 with and without ALPN'

capture ssl/nginx-1.1
s_client -connect $server4:443 -tls1_1 -cipher 'DEFAULT:@SECLEVEL=0' -servername www.example.com
finish tcp:443=ssl
source_line "$openssl_nginx" 'TLS 1.1'

capture ssl/nginx-no-name
fetch "https://$server4/"
s_client -connect $server4:443 -noservername
s_client -connect $server4:443 -noservername -tls1_2
finish tcp:443=ssl
source_line "$(version curl openssl nginx)" 'no server name, TLS 1.3 and 1.2'

capture ssl/nginx-8443
fetch --connect-to "::$server4:8443" https://shop.example.com/
fetch --connect-to "::$server4:27443" https://shop.example.com/
finish '*:*=ssl'
source_line "$curl_nginx" 'ports 8443 and 27443'

capture ssl/nginx-ipv6
fetch https://www6.example.com/
fetch --tls-max 1.2 "https://[$server6]/"
finish tcp:443=ssl
source_line "$curl_nginx" 'IPv6; the second has no server name'

capture ssl/nginx-resumed
for version in -tls1_2 -tls1_3; do
	s_client -connect $server4:443 $version -servername www.example.com -sess_out "$tmp/session"
	s_client -connect $server4:443 $version -servername www.example.com -sess_in "$tmp/session"
done
finish tcp:443=ssl
source_line "$openssl_nginx" 'full and resumed, TLS 1.2 (no certificate the second time) and 1.3'

capture ssl/nginx-wget
client wget -q --no-check-certificate -O "$out" https://www.example.com/
finish tcp:443=ssl
source_line "$(version wget nginx)" "GnuTLS's ClientHello"

if have gnutls-cli gnutls-bin; then
	capture ssl/nginx-gnutls
	printf 'GET / HTTP/1.0\r\n\r\n' | client gnutls-cli --insecure --no-ca-verification \
		--sni-hostname=shop.example.com --alpn=http/1.1 -p 8443 $server4 >"$out" 2>&1 || :
	printf 'GET / HTTP/1.0\r\n\r\n' | client gnutls-cli --insecure --disable-sni \
		--priority 'NORMAL:-VERS-TLS1.3' -p 8443 $server4 >"$out" 2>&1 || :
	finish tcp:8443=ssl
	source_line "$(version gnutls-bin nginx)" 'a name with ALPN over 1.3; no name over 1.2'
fi

# Both hellos need several segments; the server name falls into a later one.
ip -n "$ns_client" route add $server4/32 dev eth0 advmss 120
ip -n "$ns_server" route add $client4/32 dev eth0 advmss 120
capture ssl/nginx-split
fetch https://www.example.com/
fetch --tls-max 1.2 https://www.example.com/
finish tcp:443=ssl
source_line "$curl_nginx" 'a ClientHello over several segments, TLS 1.3 and 1.2'

# A certificate request, an answer to it, and a server that speaks no HTTP.
ip -n "$ns_client" route del $server4/32 dev eth0
ip -n "$ns_server" route del $client4/32 dev eth0
certificate client.example.com
serve openssl s_server -quiet -accept 5061 -cert "$tmp/www.example.com.crt" \
	-key "$tmp/www.example.com.key" -verify 1 -alpn sip -naccept 1
wait_port tcp 5061
capture ssl/openssl-client-certificate
printf 'hello\n' | client openssl s_client -quiet -no_ign_eof -connect $server4:5061 -alpn sip,xmpp-client \
	-servername www.example.com -cert "$tmp/client.example.com.crt" -tls1_2 \
	-key "$tmp/client.example.com.key" >"$out" 2>&1
finish tcp:5061=ssl
source_line "$(version openssl) on both sides" 'TLS 1.2 with a client certificate, other ALPN names'
