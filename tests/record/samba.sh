#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# Samba: SMB of each version, named pipes, and MS-RPC over TCP with the end-point mapper, by
# smbclient, rpcclient and the scripts of impacket.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need smbd samba
need smbclient smbclient
need rpcclient smbclient
need python3 python3

mkdir "$tmp/samba" "$tmp/samba/run" "$tmp/samba/lock" "$tmp/public"
printf 'Minutes of the meeting\n' >"$tmp/public/minutes.txt"
chmod 755 "$tmp/public"
cat >"$tmp/smb.conf" <<END
[global]
	workgroup = EXAMPLE
	netbios name = SERVER
	server role = standalone server
	server min protocol = NT1
	client min protocol = NT1
	ntlm auth = yes
	passdb backend = tdbsam:$tmp/samba/passdb.tdb
	private dir = $tmp/samba
	state directory = $tmp/samba
	cache directory = $tmp/samba
	lock directory = $tmp/samba/lock
	pid directory = $tmp/samba/run
	ncalrpc dir = $tmp/samba/ncalrpc
	log file = $tmp/samba/log
	rpc start on demand helpers = no
	load printers = no
	disable netbios = no
	smb ports = 445 139
[public]
	path = $tmp/public
	guest ok = yes
END
printf '%s\n%s\n' "$alice_password" "$alice_password" |
	server smbpasswd -c "$tmp/smb.conf" -s -a alice >/dev/null
serve smbd --configfile="$tmp/smb.conf" --foreground --no-process-group
wait_port tcp 445
for helper in /usr/libexec/samba/samba-dcerpcd /usr/lib/*/samba/samba-dcerpcd; do
	[ -x "$helper" ] && dcerpcd=$helper
done
serve "${dcerpcd:-samba-dcerpcd}" --configfile="$tmp/smb.conf" --foreground \
	--no-process-group --libexec-rpcds
wait_port tcp 135

smb()
{
	client smbclient --configfile="$tmp/smb.conf" -U "alice%$alice_password" "$@" >/dev/null
}

for dialect in NT1 SMB2_10 SMB3_11; do
	share=public
	case $dialect in
	NT1) shown='NT LANMAN 1.0' share=PUBLIC ;;
	SMB2_10) shown=2.1.0 ;;
	*) shown=3.1.1 ;;
	esac
	capture "smb/smbclient-$(echo $dialect | tr 'A-Z_' 'a-z-')" 'tcp'
	smb -m $dialect "//$server4/public" -c 'ls; get minutes.txt /dev/null'
	finish tcp:445=smb
	sed "s/\$/ smb.dialect=\"$shown\" smb.domain=\"EXAMPLE\" smb.share=\"IPC\$,$share\" smb.user=\"alice\"/" \
		"$captures/$case_name.flows" >"$tmp/flows"
	cat "$tmp/flows" >"$captures/$case_name.flows"
	source_line "$(version samba smbclient)" "a listing and a download over $dialect"
done

capture smb/smbclient-139 'tcp'
smb -p 139 -m NT1 "//$server4/public" -c 'ls'
finish 'tcp:139=smb smb.share=IPC$,PUBLIC'
source_line "$(version samba smbclient)" 'a session of NetBIOS comes before'

capture smb/rpcclient-pipe 'tcp'
client rpcclient --configfile="$tmp/smb.conf" -U "alice%$alice_password" $server4 \
	-c srvinfo >/dev/null
finish 'tcp:445=smb smb.pipe=srvsvc'
source_line "$(version samba smbclient)" 'MS-RPC over a named pipe of IPC$'

capture msrpc/rpcclient-epmmap 'tcp'
client rpcclient --configfile="$tmp/smb.conf" -U "alice%$alice_password" \
	"ncacn_ip_tcp:$server4" -c srvinfo >/dev/null
finish 'tcp:135=msrpc msrpc.interface=epm' 'tcp:*=msrpc msrpc.interface=srvsvc'
source_line "$(version samba smbclient)" 'a port from the end-point mapper, then the service there'

if /usr/bin/python3 -c 'import impacket' 2>/dev/null; then
	capture msrpc/impacket-samr 'tcp'
	client /usr/bin/python3 - $server4 <<-'END'
		import sys
		from impacket.dcerpc.v5 import epm, samr, transport

		host = sys.argv[1]
		binding = epm.hept_map(host, samr.MSRPC_UUID_SAMR, protocol="ncacn_ip_tcp")
		dce = transport.DCERPCTransportFactory(binding).get_dce_rpc()
		dce.connect()
		dce.bind(samr.MSRPC_UUID_SAMR)
		dce.disconnect()
	END
	finish 'tcp:135=msrpc msrpc.interface=epm' 'tcp:*=msrpc msrpc.interface=samr'
	source_line "$(version python3-impacket samba)" 'a port from the end-point mapper; a bind there'
fi
