#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# MGCP: osmo-mgw is the gateway, and what a call agent sends comes from here: two connections of an
# endpoint, sound to one of them, which it sends on to the other.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need osmo-mgw osmo-mgw
cat >"$tmp/mgw.cfg" <<-END
	mgcp
	 bind ip $server4
	 bind port 2427
	 rtp port-range 4002 4099
	 rtp bind-ip $server4
	 rtp ip-probing
	 number endpoints 31
END
serve osmo-mgw -s -c "$tmp/mgw.cfg"
wait_port udp 2427

cat >"$tmp/agent.py" <<'END'
import re
import socket
import struct
import sys
import time

gateway, own = sys.argv[1:]
control = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
control.bind((own, 2727))
control.settimeout(3)
number = 1000


def ask(verb, endpoint, lines, sdp=""):
    global number
    number += 1
    text = "\r\n".join([f"{verb} {number} {endpoint} MGCP 1.0"] + lines) + "\r\n"
    control.sendto((text + ("\r\n" + sdp if sdp else "")).encode(), (gateway, 2427))
    return control.recv(2000).decode()


def describe(port):
    return (f"v=0\r\no=- 1 1 IN IP4 {own}\r\ns=-\r\nc=IN IP4 {own}\r\nt=0 0\r\n"
            f"m=audio {port} RTP/AVP 0\r\n")


def phone(port):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind((own, port))
    return s


phones, ports, ids = [phone(5000), phone(5002)], [], []
endpoint = "rtpbridge/*@mgw"
for i in range(2):
    answer = ask("CRCX", endpoint, ["C: 2a", "L: p:20, a:PCMU", "M: sendrecv"],
                 describe(5000 + 2 * i))
    ports.append(int(re.search(r"m=audio (\d+)", answer)[1]))
    ids.append(re.search(r"I: (\S+)", answer)[1])
    endpoint = re.search(r"Z: (\S+)", answer)[1] if "Z: " in answer else endpoint
for n in range(12):
    for i in range(2):
        phones[i].sendto(struct.pack(">BBHII", 0x80, 0, n, n * 160, 7 + i) + b"\xd5" * 160,
                         (gateway, ports[i]))
    time.sleep(0.02)
ask("DLCX", endpoint, ["C: 2a"])
END
capture mgcp/osmo
client python3 "$tmp/agent.py" $server4 $client4 >>"$tmp/log" 2>&1 || cat "$tmp/log"
finish 'udp:2427=mgcp mgcp.verb=CRCX,DLCX' udp:5001=rtcp udp:5003=rtcp \
	udp:5000=rtp udp:5002=rtp
source_line "$(version osmo-mgw), a call agent of the script" \
	'two connections and the sound between them, announced by both sides'
