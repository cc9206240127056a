#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# What goes on at a port that only a dialogue tells, or inside another protocol: TFTP by atftp,
# DCC through ngircd, SOCKS 4 and 5 through dante, RDP between FreeRDP and xrdp.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need atftpd atftpd
need atftp atftp
need ngircd ngircd
need danted dante-server
need curl curl
need python3 python3

mkdir "$tmp/tftp"
head -c 3000 /dev/urandom >"$tmp/tftp/boot.img"
chmod -R a+rX "$tmp/tftp"
serve atftpd --daemon --no-fork --user root --group root --bind-address $server4 "$tmp/tftp"
wait_port udp 69
capture tftp/atftp-get
client atftp --get --remote-file boot.img --local-file /dev/null $server4
finish 'udp:69=tftp tftp.filename=boot.img tftp.mode=octet' 'udp:*=tftp'
source_line "$(version atftp atftpd)" 'the file comes from a port of its own'
stop_daemons

cat >"$tmp/ngircd.conf" <<END
[Global]
	Name = irc.example.com
	Info = Example
	Listen = $server4
	ServerUID = root
	ServerGID = root
	PidFile = $tmp/ngircd.pid
[Options]
	DNS = no
	Ident = no
	PAM = no
END
serve ngircd --nodaemon --config "$tmp/ngircd.conf"
wait_port tcp 6667
# bob sits beside the server; alice offers him a file, then he asks her to a conversation.
cat >"$tmp/dcc.py" <<'END'
import socket, struct, sys, threading

here, there, server = sys.argv[1:]


def join(name, address):
    s = socket.create_connection((server, 6667), source_address=(address, 0))
    f = s.makefile("rwb", buffering=0)
    f.write(f"NICK {name}\r\nUSER {name} 0 * :{name}\r\n".encode())
    while b" 376 " not in (line := f.readline()) and b" 422 " not in line:
        assert line
    return f


def number(address):
    return struct.unpack("!I", socket.inet_aton(address))[0]


alice = join("alice", here)
bob = threading.Thread(target=lambda: None)
listen = socket.create_server((here, 0))
port = listen.getsockname()[1]
alice.write(f"PRIVMSG bob :\1DCC SEND minutes.txt {number(here)} {port} 23\1\r\n".encode())
peer, _ = listen.accept()
peer.sendall(b"Minutes of the meeting\n")
assert peer.recv(4) == struct.pack("!I", 23)
peer.close()
while b"DCC CHAT" not in (line := alice.readline()):
    assert line
words = line.split()
chat = socket.create_connection((there, int(words[-1].rstrip(b"\1"))))
chat.sendall(b"hello\n")
chat.close()
alice.write(b"QUIT\r\n")
alice.readline()
END
cat >"$tmp/bob.py" <<'END'
import socket, struct, sys

server, = sys.argv[1:]
s = socket.create_connection((server, 6667))
f = s.makefile("rwb", buffering=0)
f.write(b"NICK bob\r\nUSER bob 0 * :bob\r\n")
while b"DCC SEND" not in (line := f.readline()):
    assert line
words = line.split()
address = socket.inet_ntoa(struct.pack("!I", int(words[-3])))
peer = socket.create_connection((address, int(words[-2])))
peer.recv(100)
peer.sendall(struct.pack("!I", 23))
listen = socket.create_server((server, 0))
number = struct.unpack("!I", socket.inet_aton(server))[0]
f.write(b"PRIVMSG alice :\1DCC CHAT chat %d %d\1\r\n" % (number, listen.getsockname()[1]))
chat, _ = listen.accept()
chat.recv(100)
END
serve python3 "$tmp/bob.py" $server4
sleep 1
capture irc/ngircd-dcc
client python3 "$tmp/dcc.py" $client4 $server4 $server4
finish 'tcp:6667=irc irc.nick=alice' 'tcp:*=irc-dcc'
source_line "$(version ngircd)" 'a file to the peer, and a conversation back, each announced as one number'
stop_daemons

cat >"$tmp/danted.conf" <<END
logoutput: stderr
internal: $server4 port = 1080
external: eth0
socksmethod: none
clientmethod: none
client pass { from: 0.0.0.0/0 to: 0.0.0.0/0 }
socks pass { from: 0.0.0.0/0 to: 0.0.0.0/0 protocol: tcp udp }
END
serve danted -f "$tmp/danted.conf"
printf 'Minutes of the meeting\n' >"$tmp/minutes.txt"
cat >"$tmp/web.py" <<'END'
import http.server, os, sys

os.chdir(sys.argv[1])
http.server.test(http.server.SimpleHTTPRequestHandler, port=8000, bind=sys.argv[2])
END
serve python3 "$tmp/web.py" "$tmp" $server4
wait_port tcp 1080
wait_port tcp 8000
capture socks/dante-curl
for way in socks4 socks5; do
	client curl -sS --proxy "$way://$server4:1080" http://www.example.com:8000/minutes.txt \
		>/dev/null
done
finish 'tcp:1080=socks/http http.url=/minutes.txt http.host=www.example.com:8000'
source_line "$(version dante-server curl)" 'versions 4 and 5, HTTP inside'

# RFC 1928, section 7, by hand: curl has no datagrams.
cat >"$tmp/udp.py" <<'END'
import socket, struct, sys

server = sys.argv[1]
s = socket.create_connection((server, 1080))
s.sendall(b"\5\1\0")
s.recv(2)
s.sendall(b"\5\3\0\1\0\0\0\0\0\0")
answer = s.recv(10)
host, port = socket.inet_ntoa(answer[4:8]), struct.unpack("!H", answer[8:])[0]
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(3):
    u.sendto(b"\0\0\0\1" + socket.inet_aton(server) + b"\x1f\x41" + b"datagram %d" % i,
             (host, port))
END
capture socks/dante-udp
client python3 "$tmp/udp.py" $server4
finish 'tcp:1080=socks socks.command=udp-associate' 'udp:*=socks'
source_line "$(version dante-server)" 'a relay of datagrams, announced in the dialogue'
stop_daemons

if have xrdp xrdp && have xfreerdp freerdp2-x11 && have Xvfb xvfb; then
	certificate server.example.com
	cat >"$tmp/xrdp.ini" <<-END
		[Globals]
		port=3389
		fork=false
		security_layer=negotiate
		certificate=$tmp/server.example.com.crt
		key_file=$tmp/server.example.com.key
		ssl_protocols=TLSv1.2, TLSv1.3
		[Logging]
		LogFile=$tmp/xrdp.log
		LogLevel=INFO
	END
	serve xrdp --nodaemon --config "$tmp/xrdp.ini"
	wait_port tcp 3389
	serve_client Xvfb :77 -screen 0 640x480x16
	sleep 2
	capture rdp/freerdp-tls
	client env DISPLAY=:77 timeout 5 xfreerdp /v:$server4 /u:alice "/p:$alice_password" /cert:ignore \
		+auth-only /sec:tls >/dev/null 2>&1 || :
	finish 'tcp:3389=rdp/ssl rdp.user=alice rdp.security=tls'
	source_line "$(version freerdp2-x11 xrdp)" 'TLS is negotiated; a login'
fi
