#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# eDonkey: two aMule daemons. They meet through Kad (a nodes.dat made here names the server's side),
# then the client's side is given an ed2k link with the other as its source and fetches the file.
# With and without protocol obfuscation: the obfuscated flows cannot be told from noise.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need amuled amule-daemon
need amulecmd amule-utils
need alcc amule-utils
need python3 python3
tcp_port=4662 udp_port=4672
ec_password=$(printf secret | md5sum | cut -d' ' -f1)

# Bootstrap nodes: 0, version 3, edition 1, count; then id, address, UDP port, TCP port, version.
python3 - "$tmp/nodes.dat" $server4 $udp_port $tcp_port <<'END'
import ipaddress, struct, sys

name, address, udp, tcp = sys.argv[1], *sys.argv[2:]
with open(name, "wb") as out:
    out.write(struct.pack("<4I", 0, 3, 1, 1))
    out.write(bytes(range(16)))
    out.write(struct.pack("<IHHB", int(ipaddress.ip_address(address)), int(udp), int(tcp), 8))
END

# mule NAME OBFUSCATION UPLOAD-KB: the daemon's folder, new.
mule()
{
	home=$tmp/$1
	rm -rf "$home"
	mkdir -p "$home/Incoming" "$home/Temp"
	cat >"$home/amule.conf" <<-END
		[eMule]
		AppVersion=2.3.3
		Nick=$1.example.com
		Port=$tcp_port
		UDPPort=$udp_port
		UDPEnable=1
		ConnectToKad=1
		ConnectToED2K=0
		Autoconnect=1
		Reconnect=1
		FilterLanIPs=0
		ParanoidFiltering=0
		IPFilterAutoLoad=0
		UPnPEnabled=0
		MaxUpload=$3
		SlotAllocation=2
		MaxDownload=0
		TempDir=$home/Temp
		IncomingDir=$home/Incoming
		OSDirectory=$home/
		KadNodesUrl=
		Ed2kServersUrl=
		NewVersionCheck=0
		GeoIPEnabled=0
		[ExternalConnect]
		AcceptExternalConnections=1
		ECPort=4712
		ECPassword=$ec_password
		IpFilterClients=0
		IpFilterServers=0
		[Obfuscation]
		IsClientCryptLayerSupported=$2
		IsCryptLayerRequested=$2
		IsClientCryptLayerRequired=$2
		CryptoPaddingLenght=254
	END
}

# command SIDE COMMAND
command_mule()
{
	"$1" amulecmd -h 127.0.0.1 -P secret -c "$2" >>"$tmp/log" 2>&1
}

# record CASE OBFUSCATION RULE...
record()
{
	name=$1 obfuscation=$2
	shift 2
	mule server "$obfuscation" 20
	head -c 60000 /dev/urandom >"$tmp/server/Incoming/holiday.jpg"
	mule client "$obfuscation" 20
	cp "$tmp/nodes.dat" "$tmp/client/nodes.dat"
	link=$(alcc "$tmp/server/Incoming/holiday.jpg" | grep '^ed2k://' | head -1)
	capture "$name" 'tcp or udp'
	serve env HOME="$tmp/server" amuled -c "$tmp/server"
	wait_port tcp $tcp_port
	sleep 8
	serve_client env HOME="$tmp/client" amuled -c "$tmp/client"
	wait_port tcp $tcp_port client
	sleep 15
	command_mule client status
	command_mule client "add ${link}|sources,$server4:$tcp_port|/" || :
	for try in $(seq 1 60); do
		[ -e "$tmp/client/Incoming/holiday.jpg" ] && break
		sleep 2
	done
	echo "$name: transfer seen after $try tries" >>"$tmp/log"
	sleep 3
	command_mule client 'show dl'
	command_mule client status
	command_mule server status
	stop_daemons
	finish "$@"
}

record edonkey/emix-source 0 '*:*=edonkey'
