#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# RPC of Sun: rpcbind, NFS by nfs-ganesha at dynamic ports for all but NFS itself, and what asks
# them: rpcinfo, showmount, and libnfs for files, over versions 3 and 4, IPv4 and IPv6.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need rpcbind rpcbind
need rpcinfo rpcbind
need showmount nfs-common
need ganesha.nfsd nfs-ganesha-vfs
need nfs-cat libnfs-utils

mkdir "$tmp/export" /run/rpcbind 2>/dev/null || :
printf 'Minutes of the meeting\n' >"$tmp/export/minutes.txt"
chmod -R a+rX "$tmp/export"
cat >"$tmp/ganesha.conf" <<END
NFS_CORE_PARAM {
	Protocols = 3, 4;
	Enable_NLM = true;
	Enable_RQUOTA = true;
	MNT_Port = 0;
	NLM_Port = 0;
	Rquota_Port = 0;
}
NFSv4 { Graceless = true; }
EXPORT {
	Export_Id = 1;
	Path = $tmp/export;
	Pseudo = /export;
	Access_Type = RW;
	Squash = No_Root_Squash;
	SecType = sys;
	PrivilegedPort = false;
	FSAL { Name = VFS; }
}
END
serve rpcbind -f -w
wait_port tcp 111
serve ganesha.nfsd -F -L "$tmp/ganesha.log" -f "$tmp/ganesha.conf" -p "$tmp/ganesha.pid"
wait_port tcp 2049
versions=$(version rpcbind nfs-ganesha)

# port PROGRAM TRANSPORT VERSION: where the server has it.
port()
{
	server rpcinfo -p 127.0.0.1 | awk -v program="$1" -v transport="$2" -v v="$3" \
		'$1 == program && $3 == transport && $2 == v { print $4; exit }'
}

for try in 1 2 3 4 5 6 7 8 9 10 11 12; do
	[ -n "$(port 100005 tcp 3)" ] && break
	[ "$try" -lt 12 ] || die 'mountd is not registered'
	sleep 0.5
done
mount=$(port 100005 tcp 3)
sunrpc='udp:111=sunrpc'

capture sunrpc/rpcinfo
client rpcinfo -p $server4 >/dev/null
client rpcinfo $server4 >/dev/null
client rpcinfo -T tcp $server4 nfs 3 >/dev/null
client rpcinfo -T udp $server4 nlockmgr 4 >/dev/null
finish tcp:111=sunrpc "$sunrpc" "udp:$(port 100021 udp 4)=sunrpc/nlm sunrpc.program=100021" \
	'tcp:2049=sunrpc/nfs sunrpc.program=100003 sunrpc.procedure=0'
source_line "$versions" 'DUMP of versions 2 to 4, GETADDR; calls of nothing to NFS and NLM'

capture mount/showmount
client showmount -e $server4 >/dev/null
finish tcp:111=sunrpc "$sunrpc" \
	"tcp:$mount=sunrpc/mount sunrpc.program=100005 sunrpc.version=3" \
	"udp:$(port 100005 udp 3)=sunrpc/mount sunrpc.program=100005"
source_line "$(version nfs-common nfs-ganesha)" 'the list of exports, at a port that rpcbind tells'

capture nfs/libnfs-3
client nfs-cat "nfs://$server4$tmp/export/minutes.txt" >/dev/null
finish tcp:111=sunrpc "tcp:$mount=sunrpc/mount sunrpc.program=100005" \
	'tcp:2049=sunrpc/nfs sunrpc.program=100003 sunrpc.version=3'
source_line "$(version libnfs-utils nfs-ganesha)" 'version 3: a file is mounted and read'

capture nfs/libnfs-4
client nfs-cat "nfs://$server4/export/minutes.txt?version=4" >/dev/null
finish 'tcp:2049=sunrpc/nfs sunrpc.program=100003 sunrpc.version=4 sunrpc.auth=sys'
source_line "$(version libnfs-utils nfs-ganesha)" 'version 4: a file is read, without a port mapper'
