#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# One protocol inside another: STARTTLS of Dovecot and Prosody; SSH through tinyproxy's CONNECT;
# TLS, SMTP and SSH through dante; the PROXY protocol of HAProxy in front of HTTP, TLS and IMAP.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need dovecot dovecot-imapd
need prosody prosody
need tinyproxy tinyproxy
need danted dante-server
need haproxy haproxy
need nginx nginx
need sshd openssh-server
need exim4 exim4-daemon-light
need nc netcat-openbsd
need curl curl
need openssl openssl

certificate mail.example.com
certificate www.example.com
certificate example.com
mkdir "$tmp/mail" "$tmp/www" "$tmp/spool"
chmod 777 "$tmp/mail" "$tmp/spool"
echo 'Minutes of the meeting' >"$tmp/www/minutes.txt"

cat >"$tmp/dovecot.conf" <<END
base_dir = $tmp/dovecot
state_dir = $tmp/dovecot-state
log_path = $tmp/dovecot.log
protocols = imap pop3
listen = $server4, $server6
ssl = yes
ssl_cert = <$tmp/mail.example.com.crt
ssl_key = <$tmp/mail.example.com.key
disable_plaintext_auth = no
mail_location = maildir:$tmp/mail
haproxy_trusted_networks = 10.77.0.0/24
passdb {
	driver = static
	args = password=$alice_password
}
userdb {
	driver = static
	args = uid=7700 gid=7700 home=$tmp/alice
}
service imap-login {
	inet_listener imap {
		port = 143
	}
	inet_listener imap-proxied {
		port = 1143
		haproxy = yes
	}
	inet_listener imaps {
		port = 0
	}
}
service pop3-login {
	inet_listener pop3 {
		port = 110
	}
	inet_listener pop3s {
		port = 0
	}
}
END
serve dovecot -F -c "$tmp/dovecot.conf"
wait_port tcp 143
wait_port tcp 110

capture imap/dovecot-starttls
client curl -sS --insecure --ssl-reqd -u "alice:$alice_password" imap://mail.example.com/ \
	-X 'EXAMINE INBOX' >/dev/null
client curl -sS --insecure --ssl-reqd -u "alice:$alice_password" imap://mail6.example.com/ \
	-X 'EXAMINE INBOX' >/dev/null
finish tcp:143=imap/ssl
source_line "$(version curl dovecot-imapd)" 'STARTTLS, over IPv4 and IPv6'

capture pop3/dovecot-stls
client curl -sS --insecure --ssl-reqd -u "alice:$alice_password" pop3://mail.example.com/ \
	>/dev/null
finish tcp:110=pop3/ssl
source_line "$(version curl dovecot-pop3d)" 'STLS'

mkdir "$tmp/prosody"
cat >"$tmp/prosody.cfg.lua" <<END
pidfile = "$tmp/prosody.pid"
data_path = "$tmp/prosody"
run_as_root = true
interfaces = { "$server4" }
modules_enabled = { "tls", "saslauth" }
modules_disabled = { "s2s" }
c2s_require_encryption = true
log = { error = "$tmp/prosody.log" }
VirtualHost "example.com"
	ssl = { key = "$tmp/example.com.key", certificate = "$tmp/example.com.crt" }
END
serve prosody --root -F --config "$tmp/prosody.cfg.lua"
wait_port tcp 5222
capture xmpp/prosody-starttls
client openssl s_client -starttls xmpp -xmpphost example.com -servername example.com \
	-connect $server4:5222 </dev/null >/dev/null 2>&1
finish 'tcp:5222=xmpp/ssl xmpp.domain=example.com'
source_line "$(version openssl prosody)" 'STARTTLS of a client'

cat >"$tmp/nginx.conf" <<END
worker_processes 1;
user root;
pid $tmp/nginx.pid;
error_log $tmp/nginx.log;
events { worker_connections 64; }
http {
	access_log off;
	client_body_temp_path $tmp/body;
	ssl_certificate $tmp/www.example.com.crt;
	ssl_certificate_key $tmp/www.example.com.key;
	root $tmp/www;
	server { listen 80; listen 443 ssl; }
	server { listen 8081 proxy_protocol; listen 8443 ssl proxy_protocol; }
}
END
serve nginx -c "$tmp/nginx.conf" -g 'daemon off;'
wait_port tcp 80

ssh-keygen -q -t ed25519 -N '' -f "$tmp/host"
mkdir -p /run/sshd
cat >"$tmp/sshd.conf" <<END
Port 2022
HostKey $tmp/host
PidFile none
AuthorizedKeysFile none
PasswordAuthentication no
END
serve "$(command -v sshd)" -D -e -f "$tmp/sshd.conf"
wait_port tcp 2022
# It is refused, which comes after the keys are exchanged.
through()
{
	client ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \
		-o LogLevel=ERROR -o "ProxyCommand=$1" -p 2022 alice@$server4 true 2>/dev/null || :
}

cat >"$tmp/tinyproxy.conf" <<END
Port 8888
Listen $server4
Timeout 60
MaxClients 10
ConnectPort 2022
END
serve tinyproxy -d -c "$tmp/tinyproxy.conf"
wait_port tcp 8888
capture http/tinyproxy-ssh 'tcp port 8888'
through "nc -X connect -x $server4:8888 %h %p"
finish "tcp:8888=http/ssh http.method=CONNECT http.host=$server4"
source_line "$(version openssh-client netcat-openbsd tinyproxy openssh-server)" \
	'a CONNECT with SSH inside'

cat >"$tmp/exim.conf" <<END
primary_hostname = mail.example.com
spool_directory = $tmp/spool
log_file_path = $tmp/spool/%slog
local_interfaces = $server4
daemon_smtp_ports = 25
exim_user = Debian-exim
exim_group = Debian-exim
never_users =
host_lookup =
rfc1413_query_timeout = 0s
tls_advertise_hosts = *
tls_certificate = $tmp/mail.example.com.crt
tls_privatekey = $tmp/mail.example.com.key
acl_smtp_rcpt = accept
acl_smtp_data = accept
begin acl
begin routers
all:
	driver = redirect
	data = :blackhole:
END
chmod 644 "$tmp/exim.conf" "$tmp/mail.example.com.key"
serve exim4 -C "$tmp/exim.conf" -bdf -q1h
wait_port tcp 25
cat >"$tmp/danted.conf" <<END
logoutput: stderr
internal: $server4 port = 1080
internal: $server4 port = 1081
internal: $server4 port = 1082
internal: $server4 port = 1083
external: eth0
socksmethod: none
clientmethod: none
client pass { from: 0.0.0.0/0 to: 0.0.0.0/0 }
socks pass { from: 0.0.0.0/0 to: 0.0.0.0/0 protocol: tcp udp }
END
serve danted -f "$tmp/danted.conf"
wait_port tcp 1083

mail()
{
	printf 'Subject: Minutes\r\n\r\nAttached.\r\n' |
		client curl -sS --insecure "$@" --mail-from alice@client.example.com \
			--mail-rcpt bob@example.com -T - smtp://mail.example.com/client.example.com
}

capture socks/dante-inside 'tcp portrange 1080-1083'
for way in socks4 socks5 socks5h; do
	client curl -sS --insecure --proxy "$way://$server4:1080" \
		https://www.example.com/minutes.txt >/dev/null
done
mail --proxy "socks5h://$server4:1081"
mail --proxy "socks5h://$server4:1082" --ssl-reqd
through "nc -X 5 -x $server4:1083 %h %p"
finish tcp:1080=socks/ssl 'tcp:1081=socks/smtp socks.destination=mail.example.com' \
	'tcp:1082=socks/smtp/ssl socks.destination=mail.example.com' tcp:1083=socks/ssh
source_line "$(version dante-server curl openssh-client exim4-daemon-light)" \
	'versions 4 and 5 with TLS, SMTP, SMTP with STARTTLS, and SSH inside'

cat >"$tmp/haproxy.cfg" <<END
defaults
	mode tcp
	timeout connect 5s
	timeout client 5s
	timeout server 5s
listen web1
	bind 127.0.0.1:9001
	server s $server4:8081 send-proxy
listen web2
	bind 127.0.0.1:9002
	server s $server4:8081 send-proxy-v2
listen tls1
	bind 127.0.0.1:9003
	server s $server4:8443 send-proxy
listen tls2
	bind 127.0.0.1:9004
	server s $server4:8443 send-proxy-v2 proxy-v2-options unique-id
listen imap2
	bind 127.0.0.1:9005
	server s $server4:1143 send-proxy-v2
END
serve_client haproxy -db -f "$tmp/haproxy.cfg"
wait_port tcp 9005 client
capture proxy-protocol/haproxy
for port in 9001 9002; do
	client curl -sS "http://127.0.0.1:$port/minutes.txt" -H 'Host: www.example.com' >/dev/null
done
for port in 9003 9004; do
	client curl -sS --insecure --connect-to "www.example.com:443:127.0.0.1:$port" \
		https://www.example.com/minutes.txt >/dev/null
done
client curl -sS -u "alice:$alice_password" imap://127.0.0.1:9005/ -X NOOP >/dev/null
finish 'tcp:8081=proxy-protocol/http http.method=GET http.host=www.example.com' \
	'tcp:8443=proxy-protocol/ssl ssl.server-name=www.example.com' \
	tcp:1143=proxy-protocol/imap
source_line "$(version haproxy curl nginx dovecot-imapd)" \
	'both versions in front of HTTP and TLS, version 2 in front of IMAP'
