#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# BitTorrent: two peers (libtorrent), one of which has a small file that the other fetches: over
# TCP, over uTP, encrypted (MSE), through a tracker over UDP and over HTTP (opentracker), and
# through the DHT.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need opentracker opentracker
python=/usr/bin/python3
$python -c 'import libtorrent' || die 'libtorrent is missing: apt-get install python3-libtorrent'
tracker_port=6969 server_port=51413 client_port=51414
software=$(version python3-libtorrent opentracker)

cat >"$tmp/peer.py" <<'END'
"""peer.py FOLDER seed|leech ADDRESS PORT WAYS [CONNECT-TO]: a peer for one torrent."""
import os, sys, time
import libtorrent as lt

folder, role, address, port, ways = sys.argv[1:6]
ways = ways.split(",")
settings = {
    "listen_interfaces": f"{address}:{port}", "enable_upnp": False, "enable_natpmp": False,
    "enable_lsd": "lsd" in ways, "enable_dht": "dht" in ways, "dht_bootstrap_nodes": "",
    "dht_restrict_routing_ips": False, "dht_restrict_search_ips": False,
    "dht_enforce_node_id": False, "allow_multiple_connections_per_ip": True,
    "enable_incoming_tcp": "utp" not in ways, "enable_outgoing_tcp": "utp" not in ways,
    "enable_incoming_utp": "utp" in ways, "enable_outgoing_utp": "utp" in ways,
    "in_enc_policy": 0 if "mse" in ways else 2, "out_enc_policy": 0 if "mse" in ways else 2,
    "allowed_enc_level": 2, "prefer_rc4": True, "alert_mask": 0,
}
session = lt.session(settings)
info = lt.torrent_info(f"{folder}/{next((w[1:] for w in ways if w[0] == '='), 'plain')}.torrent")
p = lt.add_torrent_params()
p.ti = info
p.save_path = f"{folder}/{role}"
p.flags &= ~lt.torrent_flags.auto_managed & ~lt.torrent_flags.paused
if role == "seed":
    p.flags |= lt.torrent_flags.seed_mode
torrent = session.add_torrent(p)
if len(sys.argv) > 6:
    to = (sys.argv[6], int(sys.argv[7]))
    if "dht" in ways:
        session.add_dht_node(to)
    else:
        torrent.connect_peer(to)
end = time.monotonic() + 60
while time.monotonic() < end:
    time.sleep(0.3)
    status = torrent.status()
    if "dht" in ways:
        torrent.force_dht_announce()
    if role == "leech" and status.is_seeding:
        time.sleep(1)
        os._exit(0)
os._exit(1)
END
mkdir "$tmp/seed" "$tmp/leech"
head -c 6000 /usr/share/common-licenses/GPL-3 >"$tmp/seed/file.txt" ||
	die 'no file to share'
$python - "$tmp" $server4 $tracker_port <<'END'
import sys
import libtorrent as lt

folder, address, port = sys.argv[1:4]
for name, tracker in (("plain", None), ("udp", f"udp://{address}:{port}/announce"),
                      ("http", f"http://{address}:{port}/announce")):
    storage = lt.file_storage()
    lt.add_files(storage, folder + "/seed/file.txt")
    torrent = lt.create_torrent(storage, 16384, flags=lt.create_torrent.v1_only)
    if tracker:
        torrent.add_tracker(tracker)
    lt.set_piece_hashes(torrent, folder + "/seed")
    with open(f"{folder}/{name}.torrent", "wb") as out:
        out.write(lt.bencode(torrent.generate()))
    with open(folder + "/allowed", "a") as out:
        out.write(f"{lt.torrent_info(torrent.generate()).info_hash()}\n")
END

# exchange WAYS [yes]: with yes the client is told where the other is.
exchange()
{
	rm -f "$tmp/leech/file.txt"
	serve $python "$tmp/peer.py" "$tmp" seed $server4 $server_port "$1"
	sleep 2
	# shellcheck disable=SC2086
	client $python "$tmp/peer.py" "$tmp" leech $client4 $client_port "$1" \
		${2:+$server4 $server_port} || die "$case_name: the file did not come"
	cmp "$tmp/seed/file.txt" "$tmp/leech/file.txt"
	sleep 0.5
}

capture bittorrent/tcp
exchange tcp yes
finish 'tcp:*=bittorrent' 'udp:*=bittorrent'
source_line "$software" 'a file over TCP'
stop_daemons

capture bittorrent/utp
exchange utp yes
finish 'udp:*=bittorrent'
source_line "$software" 'a file over uTP'
stop_daemons

capture bittorrent/encrypted
exchange mse yes
finish 'tcp:*=unknown'
source_line "$software" 'the same encrypted (MSE), which nothing announced'
stop_daemons

capture bittorrent/dht
exchange dht,mse yes
finish 'tcp:*=bittorrent' 'udp:*=bittorrent'
source_line "$software" 'the DHT tells a peer, which is then spoken to encrypted'
stop_daemons

capture bittorrent/neighbour
exchange lsd,mse
finish 'tcp:*=bittorrent' 'udp:*=bittorrent'
source_line "$software" 'local service discovery tells a peer, which is spoken to encrypted'
stop_daemons

# Debian's tracker takes only what it is allowed to.
serve opentracker -i $server4 -p $tracker_port -P $tracker_port -d "$tmp" -w allowed
wait_port tcp $tracker_port
capture bittorrent/tracker-udp
exchange '=udp,mse'
finish 'udp:*=bittorrent' 'tcp:*=bittorrent'
source_line "$software" 'a tracker over UDP tells a peer, which is spoken to encrypted'
stop_daemons

serve opentracker -i $server4 -p $tracker_port -P $tracker_port -d "$tmp" -w allowed
wait_port tcp $tracker_port
capture bittorrent/tracker-http
exchange '=http,tcp'
finish "tcp:$tracker_port=http/bittorrent" 'tcp:*=bittorrent' 'udp:*=bittorrent'
source_line "$software" 'a tracker over HTTP, and a file over TCP'
stop_daemons
