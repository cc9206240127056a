#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# What must not hide a protocol: every byte in a segment of its own, IPv6 extension headers, IP
# fragments. Real clients and servers speak through a relay that sends as it is told.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need python3 python3
need curl curl
need nginx nginx
need vsftpd vsftpd
need exim4 exim4-daemon-light
need dnsmasq dnsmasq-base
need dig bind9-dnsutils
need kdig knot-dnsutils

# relay.py ADDRESS PORT TO-ADDRESS TO-PORT BYTES [HEADER...]: what comes from the near side leaves
# in pieces of so many bytes, with the named IPv6 extension headers.
cat >"$tmp/relay.py" <<'END'
import socket, sys, threading, time

near = (sys.argv[1], int(sys.argv[2]))
far = (sys.argv[3], int(sys.argv[4]))
size, headers = int(sys.argv[5]), sys.argv[6:]
OPTIONS = {"hop-by-hop": 54, "destination": 59}


def copy(source, sink, piece):
    while data := source.recv(4096):
        for at in range(0, len(data), piece):
            sink.sendall(data[at:at + piece])
            time.sleep(0.0005 if piece < 4096 else 0)
    sink.shutdown(socket.SHUT_WR)


def serve(one):
    other = socket.socket(socket.AF_INET6 if ":" in far[0] else socket.AF_INET)
    for header in headers:
        # Next header and length are the kernel's; one option: PadN over the other six bytes.
        other.setsockopt(socket.IPPROTO_IPV6, OPTIONS[header], b"\0\0\1\4\0\0\0\0")
    other.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    other.connect(far)
    back = threading.Thread(target=copy, args=(other, one, 4096))
    back.start()
    copy(one, other, size)
    back.join()


listener = socket.create_server(near)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
END

# relay PORT TO-ADDRESS TO-PORT BYTES [HEADER...]
relay()
{
	port=$1
	shift
	serve_client python3 "$tmp/relay.py" 127.0.0.1 "$port" "$@"
	wait_port tcp "$port" client
}

certificate www.example.com
mkdir "$tmp/www" "$tmp/empty" "$tmp/spool"
chown Debian-exim "$tmp/spool"
echo '<p>Hello.</p>' >"$tmp/www/index.html"
printf 'Minutes of the meeting\n' >"$tmp/alice/minutes.txt"
cat >"$tmp/nginx.conf" <<END
user www-data;
pid $tmp/nginx.pid;
error_log $tmp/nginx.log;
events { worker_connections 64; }
http {
	access_log off;
	types { text/html html; }
	root $tmp/www;
	ssl_certificate $tmp/www.example.com.crt;
	ssl_certificate_key $tmp/www.example.com.key;
	server {
		listen 80;
		listen [::]:80;
		listen 443 ssl;
		listen [::]:443 ssl;
	}
}
END
cat >"$tmp/vsftpd.conf" <<END
listen=YES
background=NO
anonymous_enable=NO
local_enable=YES
seccomp_sandbox=NO
secure_chroot_dir=$tmp/empty
pam_service_name=vsftpd
END
cat >"$tmp/exim.conf" <<END
primary_hostname = mail.example.com
spool_directory = $tmp/spool
log_file_path = $tmp/spool/%slog
local_interfaces = 0.0.0.0
daemon_smtp_ports = 25
exim_user = Debian-exim
exim_group = Debian-exim
never_users =
host_lookup =
rfc1413_query_timeout = 0s
tls_advertise_hosts =
acl_smtp_rcpt = accept
acl_smtp_data = accept
begin acl
begin routers
all:
	driver = redirect
	data = :blackhole:
END
{
	printf 'no-resolv\nno-hosts\nuser=root\npid-file=\nedns-packet-max=4096\n'
	printf 'host-record=www.example.com,%s,%s\nlocal=/example.com/\n' "$server4" "$server6"
	i=0
	while [ $i -lt 50 ]; do
		echo "txt-record=big.example.com,\"record number $i of a long answer\""
		i=$((i + 1))
	done
} >"$tmp/dnsmasq.conf"
serve nginx -c "$tmp/nginx.conf" -g 'daemon off;'
serve vsftpd "$tmp/vsftpd.conf"
serve exim4 -C "$tmp/exim.conf" -bdf -q1h
serve dnsmasq -k -C "$tmp/dnsmasq.conf"
for port in 80 443 21 25 53; do
	wait_port tcp $port
done
out=$tmp/out

relay 1080 $server4 80 1
capture http/one-byte
client curl -sS -o "$out" -H 'User-Agent: c' http://www.example.com/ \
	--connect-to ::127.0.0.1:1080
finish tcp:80=http
source_line "$(version curl nginx)" 'each byte of the request in a segment of its own'

relay 1443 $server4 443 9
capture ssl/nine-bytes
client curl -sS -k -o "$out" https://www.example.com/ --connect-to ::127.0.0.1:1443
finish tcp:443=ssl
source_line "$(version curl nginx)" 'what the client says in segments of nine bytes'

relay 1025 $server4 25 1
capture smtp/one-byte
printf 'Subject: Hi\r\n\r\nHi.\r\n' |
	client curl -sS --mail-from a@example.com --mail-rcpt b@example.com -T - \
		smtp://127.0.0.1:1025/client
finish tcp:25=smtp
source_line "$(version curl exim4-daemon-light)" 'each byte from the client in a segment of its own'

relay 1021 $server4 21 1
capture ftp/one-byte
client curl -sS -o "$out" --user alice:$alice_password --disable-epsv --no-ftp-skip-pasv-ip \
	ftp://127.0.0.1:1021/minutes.txt
finish tcp:21=ftp 'tcp:*=ftp-data'
source_line "$(version curl vsftpd)" 'each byte from the client in a segment of its own, PASV'

relay 1053 $server4 53 1
capture dns/one-byte
client dig @127.0.0.1 -p 1053 +tcp A www.example.com >"$out"
finish tcp:53=dns
source_line "$(version bind9-dnsutils dnsmasq-base)" 'a question over TCP in segments of one byte'

relay 1081 $server6 80 4096 destination
relay 1082 $server6 80 4096 hop-by-hop destination
relay 1083 $server6 443 4096 hop-by-hop
capture http/ipv6-options 'ip6 and not icmp6'
client curl -sS -o "$out" http://www.example.com/ --connect-to ::127.0.0.1:1081
client curl -sS -o "$out" http://www.example.com/ --connect-to ::127.0.0.1:1082
finish tcp:80=http
source_line "$(version curl nginx)" \
	'destination options; then hop-by-hop and destination options, from the client only'

capture ssl/ipv6-options 'ip6 and not icmp6'
client curl -sS -k -o "$out" https://www.example.com/ --connect-to ::127.0.0.1:1083
finish tcp:443=ssl
source_line "$(version curl nginx)" 'hop-by-hop options from the client'

capture dns/fragments 'ip or (ip6 and not icmp6)'
client dig @$server4 +bufsize=4096 +ignore TXT big.example.com >"$out"
client dig @$server6 +bufsize=4096 +ignore TXT big.example.com >"$out"
client kdig @$server4 +padding=3000 +bufsize=4096 www.example.com A >"$out"
client kdig @$server6 +padding=3000 +bufsize=4096 www.example.com A >"$out"
finish udp:53=dns
source_line "$(version bind9-dnsutils knot-dnsutils dnsmasq-base)" \
	'IPv4 and IPv6 fragments: of the answer, and of a padded question'
