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

# aMule's Kad takes no node with a private address, so the two get a second one each, of those that
# RFC 5737 keeps for examples; nothing leaves the namespaces.
client4=198.51.100.10 server4=203.0.113.20
ip -n "$ns_client" addr add $client4/32 dev eth0
ip -n "$ns_client" route add $server4/32 dev eth0 src $client4
ip -n "$ns_server" addr add $server4/32 dev eth0
ip -n "$ns_server" route add $client4/32 dev eth0 src $server4

# The server's identity in Kad, and a list of nodes that names it: 0, version 2, count; then id,
# address, UDP port, TCP port, Kad version, key for its datagrams, who it is for, verified.
# Bytes 5 and 14 of a user hash say that the program is an eMule.
user=00112233440e66778899aabbccdd6fff
python3 - "$tmp" $server4 $udp_port $tcp_port $user <<'END'
import ipaddress, struct, sys

folder, address, udp, tcp = sys.argv[1:5]
identity = bytes(range(1, 17))
user = bytes.fromhex(sys.argv[5])
with open(folder + "/preferencesKad.dat", "wb") as out:
    out.write(struct.pack("<IH", 0, 0) + identity + b"\0")
with open(folder + "/preferences.dat", "wb") as out:
    out.write(b"\x14" + user)
with open(folder + "/nodes.dat", "wb") as out:
    out.write(struct.pack("<3I", 0, 2, 1) + identity)
    out.write(struct.pack("<IHHBIIB", int(ipaddress.ip_address(address)), int(udp), int(tcp), 8,
                          0, 0, 1))
END

# mule NAME OBFUSCATION: the daemon's folder, new.
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
		MaxUpload=50
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

# ask SIDE COMMAND
ask()
{
	"$1" amulecmd -h 127.0.0.1 -P secret -c "$2" >>"$tmp/log" 2>&1 || :
}

# exchange CASE OBFUSCATION BYTES FILTER: a file of so many bytes goes from the server to the client.
exchange()
{
	case_name=$1
	source=$server4:$tcp_port
	[ "$2" = 0 ] || source=$source:$((0x80 | 7)):$user
	mule server "$2"
	mule client "$2"
	cp "$tmp/preferencesKad.dat" "$tmp/preferences.dat" "$tmp/server/"
	cp "$tmp/nodes.dat" "$tmp/client/"
	head -c "$3" /dev/urandom >"$tmp/server/Incoming/holiday.jpg"
	head -c 700 /dev/urandom >"$tmp/server/Incoming/beach.jpg"
	link=$(alcc "$tmp/server/Incoming/holiday.jpg" | grep '^ed2k://')
	capture "$case_name" "$4"
	serve env HOME="$tmp/server" amuled -c "$tmp/server"
	wait_port tcp $tcp_port
	sleep 5
	serve_client env HOME="$tmp/client" amuled -c "$tmp/client"
	wait_port tcp $tcp_port client
	for _ in $(seq 1 20); do
		grep -q 'Connected to Kad' "$tmp/client/logfile" && break
		sleep 1
	done
	ask client 'search kad holiday'
	ask client "add ${link}|sources,$source|/"
	for _ in $(seq 1 60); do
		[ ! -e "$tmp/client/Incoming/holiday.jpg" ] || break
		sleep 1
	done
	[ -e "$tmp/client/Incoming/holiday.jpg" ] || {
		cat "$tmp/client/logfile" >&2
		die "$case_name: no transfer"
	}
	sleep 3
	stop_daemons
}

versions=$(version amule-daemon)

exchange edonkey/amule 0 20000 'tcp or udp'
finish '*:*=edonkey'
source_line "$versions on both sides" 'Kad bootstrap and search, a client dialogue, a file of 20,000 bytes'

exchange edonkey/amule-obfuscated 1 20000 'tcp or udp'
finish '*:*=unknown'
source_line "$versions on both sides" 'the same with protocol obfuscation in TCP and UDP'

# Three of them: what Kad says when nobody fetches anything. The third one, behind the server's
# link, has other ports.
third4=198.51.100.130
ip -n "$ns_server" addr add $third4/32 dev eth0
ip -n "$ns_client" route add $third4/32 dev eth0 src $client4
for name in server third client; do
	mule $name 0
	cp "$tmp/nodes.dat" "$tmp/$name/"
done
cp "$tmp/preferencesKad.dat" "$tmp/preferences.dat" "$tmp/server/"
rm "$tmp/server/nodes.dat"
sed "s/^Port=.*/Port=14662/; s/^UDPPort=.*/UDPPort=14672/; s/^ECPort=.*/ECPort=4713/
	s/^UDPEnable/Address=$third4\n&/" "$tmp/third/amule.conf" >"$tmp/third.conf"
cp "$tmp/third.conf" "$tmp/third/amule.conf"
sed "s/^UDPEnable/Address=$server4\n&/" "$tmp/server/amule.conf" >"$tmp/server.conf"
cp "$tmp/server.conf" "$tmp/server/amule.conf"
head -c 3000 /dev/urandom >"$tmp/client/Incoming/holiday-pictures.jpg"
capture edonkey/kad
for name in server third; do
	serve env HOME="$tmp/$name" amuled -c "$tmp/$name"
	sleep 5
done
serve_client env HOME="$tmp/client" amuled -c "$tmp/client"
wait_port tcp $tcp_port client
sleep 60
ask client 'search kad holiday'
sleep "${RECORD_KAD_SECONDS:-150}"
stop_daemons
finish '*:*=edonkey'
source_line "$versions, three of them" 'Kad: hello, look-ups, firewall checks over TCP and UDP'

# Small segments, as over a tunnel of that time: the connection becomes long in packets, not bytes.
ip -n "$ns_server" route change $client4/32 dev eth0 src $server4 advmss 400
ip -n "$ns_client" route change $server4/32 dev eth0 src $client4 advmss 400
exchange edonkey/emix-source 0 60000 "tcp port $tcp_port"
finish '*:*=edonkey'
source_line "$versions on both sides" 'one client dialogue of over 220 packets with small segments'
