#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# Telnet: inetutils' telnetd with inetutils' telnet and with busybox's, driven by expect; a login
# and commands, every keystroke a segment of its own.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need telnetd inetutils-telnetd
need telnet inetutils-telnet
need expect expect
need python3 python3

printf 'Welcome to the server of the accounts department.\n' >"$tmp/alice/motd.txt"
seq -f 'invoice %04.0f' 1 40 >"$tmp/alice/invoices"
touch "$tmp/alice/.hushlogin"
chown -R 7700:7700 "$tmp/alice"

# telnetd speaks on its standard input and output: the super-server takes the connections.
cat >"$tmp/inetd.py" <<'END'
import socket, subprocess, sys

listener = socket.create_server(("::", int(sys.argv[1])), family=socket.AF_INET6,
                                dualstack_ipv6=True)
while True:
    connection, _ = listener.accept()
    subprocess.Popen(sys.argv[2:], stdin=connection, stdout=connection)
    connection.close()
END
serve python3 "$tmp/inetd.py" 23 telnetd -h
serve python3 "$tmp/inetd.py" 2323 telnetd -h
wait_port tcp 23
wait_port tcp 2323

# session COMMAND-LINE LINE...: logs in and types the lines.
session()
{
	command=$1
	shift
	{
		cat <<-END
			log_user 0
			set timeout 20
			set send_slow {1 .015}
			spawn $command
			expect -re {login: *$}
			send -s "alice\\r"
			expect -re {assword: *$}
			send -s "$alice_password\\r"
			expect -re {\\$ $}
		END
		for line; do
			cat <<-END
				send -s {$line}
				send "\\r"
				expect -re {\\$ $}
			END
		done
		cat <<-END
			send -s "exit\\r"
			expect eof
		END
	} >"$tmp/session.exp"
	client env TERM=xterm expect -f "$tmp/session.exp"
}

capture telnet/emix-source 'tcp port 23'
session "telnet $server4" 'cat motd.txt' 'ls -l' 'cat invoices' 'ls -l /usr' \
	'cat invoices' 'ls -l /etc/security' 'date' 'id' 'cat /etc/services'
finish tcp:23=telnet
source_line "$(version inetutils-telnet inetutils-telnetd)" 'a login and commands, over 158 packets'

capture telnet/inetutils-short
session "telnet $server4" 'pwd'
finish tcp:23=telnet
source_line "$(version inetutils-telnet inetutils-telnetd)" 'a login and one command'

capture telnet/inetutils-ipv6
session "telnet $server6" 'pwd' 'ls'
finish tcp:23=telnet
source_line "$(version inetutils-telnet inetutils-telnetd)" 'a login and two commands over IPv6'

capture telnet/inetutils-2323
session "telnet $server4 2323" 'pwd'
finish tcp:2323=telnet
source_line "$(version inetutils-telnet inetutils-telnetd)" \
	'another port: this client lets the server start the options'

if have busybox busybox; then
	capture telnet/busybox-client
	session "busybox telnet $server4" 'pwd' 'cat motd.txt'
	finish tcp:23=telnet
	source_line "$(version busybox inetutils-telnetd)" 'a small client that refuses most options'
fi
