#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# FTP: vsftpd and pure-ftpd with curl, lftp, tnftp and Python's ftplib; active and passive, over
# IPv4 and IPv6, and one session that goes over to TLS. The two servers' packages conflict with
# each other: install one, unpack the other for RECORD_ROOT.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need vsftpd vsftpd
need curl curl
need python3 python3

head -c 5000 /dev/urandom | base64 >"$tmp/alice/readings.csv"
printf 'Minutes of the meeting\n' >"$tmp/alice/minutes.txt"
mkdir "$tmp/alice/reports"
head -c 2000 /dev/urandom | base64 >"$tmp/alice/reports/march.txt"
printf 'A new report\n' >"$tmp/april.txt"
chown -R 7700:7700 "$tmp/alice"
chmod 755 "$tmp/alice"
mkdir "$tmp/empty"
certificate server.example.com
login=alice:$alice_password

cat >"$tmp/vsftpd.conf" <<END
listen=NO
listen_ipv6=YES
background=NO
anonymous_enable=NO
local_enable=YES
write_enable=YES
connect_from_port_20=YES
use_localtime=NO
seccomp_sandbox=NO
secure_chroot_dir=$tmp/empty
pam_service_name=vsftpd
pasv_min_port=50000
pasv_max_port=50999
ssl_enable=YES
allow_anon_ssl=NO
force_local_data_ssl=NO
force_local_logins_ssl=NO
require_ssl_reuse=NO
rsa_cert_file=$tmp/server.example.com.crt
rsa_private_key_file=$tmp/server.example.com.key
END
serve vsftpd "$tmp/vsftpd.conf"
wait_port tcp 21
versions=$(version curl vsftpd)

get()
{
	client curl -sS --user $login "$@" >/dev/null
}

capture ftp/vsftpd-pasv
get --disable-epsv "ftp://$server4/readings.csv"
get --disable-epsv "ftp://$server4/reports/"
finish tcp:21=ftp 'tcp:*=ftp-data'
source_line "$versions" 'PASV: a download, a listing'

capture ftp/vsftpd-port
get --ftp-port - --disable-eprt "ftp://$server4/readings.csv"
client curl -sS --user $login --ftp-port - --disable-eprt -T "$tmp/april.txt" "ftp://$server4/"
finish tcp:21=ftp 'tcp:*=ftp-data'
source_line "$versions" 'PORT: a download and an upload, data from port 20 to the client'

capture ftp/vsftpd-epsv
get "ftp://$server4/readings.csv"
client curl -sS --user $login -T "$tmp/april.txt" "ftp://$server4/reports/"
finish tcp:21=ftp 'tcp:*=ftp-data'
source_line "$versions" 'EPSV over IPv4: a download, an upload'

capture ftp/vsftpd-eprt
get --ftp-port - "ftp://$server4/readings.csv"
finish tcp:21=ftp 'tcp:*=ftp-data'
source_line "$versions" 'EPRT over IPv4'

capture ftp/vsftpd-ipv6-epsv
get "ftp://[$server6]/readings.csv"
client curl -sS --user $login -T "$tmp/april.txt" "ftp://[$server6]/"
finish tcp:21=ftp 'tcp:*=ftp-data'
source_line "$versions" 'EPSV over IPv6: a download, an upload'

capture ftp/vsftpd-ipv6-eprt
get --ftp-port $client6 "ftp://[$server6]/readings.csv"
finish tcp:21=ftp 'tcp:*=ftp-data'
source_line "$versions" 'EPRT over IPv6'

capture ftp/vsftpd-auth-tls
get --ssl-reqd --insecure "ftp://$server4/minutes.txt"
# Where the data connection was announced cannot be seen: it is a TLS session like any other.
finish tcp:21=ftp/ssl 'tcp:*=ssl'
source_line "$versions" 'AUTH TLS; the data connection is TLS too, announced inside'

if have lftp lftp; then
	capture ftp/vsftpd-lftp
	client lftp -c "set ftp:ssl-allow no; open -u alice,$alice_password $server4; ls; cd reports; \
		get -c march.txt -o /dev/null; rels; mirror --parallel=2 . $tmp/mirror" >/dev/null
	finish tcp:21=ftp 'tcp:*=ftp-data'
	source_line "$(version lftp vsftpd)" 'two parallel sessions, FEAT, OPTS, several transfers'
fi

if have tnftp tnftp; then
	capture ftp/vsftpd-tnftp
	client sh -c "cd $tmp && tnftp -n -i $server4" >/dev/null <<-END
		user alice $alice_password
		passive off
		epsv off
		dir
		passive on
		get minutes.txt /dev/null
		cd reports
		put april.txt
		delete april.txt
		quit
	END
	finish tcp:21=ftp 'tcp:*=ftp-data'
	source_line "$(version tnftp vsftpd)" 'active and passive data connections in one session'
fi

# One long control connection; what belongs to its data connections is filtered out.
capture ftp/emix-source 'tcp port 21'
client python3 - $server4 $alice_password >/dev/null <<'END'
import ftplib, io, sys

ftp = ftplib.FTP(sys.argv[1])
ftp.login("alice", sys.argv[2])
ftp.sendcmd("SYST")
ftp.sendcmd("FEAT")
for turn in range(7):
    ftp.cwd("reports")
    ftp.pwd()
    ftp.retrlines("LIST")
    ftp.voidcmd("TYPE I")
    ftp.size("march.txt")
    ftp.sendcmd("MDTM march.txt")
    ftp.retrbinary("RETR march.txt", lambda data: None)
    ftp.storbinary("STOR copy-%d.txt" % turn, io.BytesIO(b"another copy\n" * 20))
    ftp.nlst()
    ftp.delete("copy-%d.txt" % turn)
    ftp.cwd("..")
ftp.quit()
END
finish tcp:21=ftp
source_line "ftplib of $(python3 -V), $(version vsftpd)" 'one control connection of over 216 packets, its data left out'
stop_daemons

if have pure-ftpd pure-ftpd; then
	# A chroot is not needed to be seen from outside; -c, -C and -I keep it small.
	serve pure-ftpd -H -4 -S $server4,21 -p 51000:51999 -l unix -u 100 -c 10 -E
	wait_port tcp 21
	capture ftp/pureftpd-pasv
	get --disable-epsv "ftp://$server4/readings.csv"
	get --disable-epsv --ftp-method singlecwd "ftp://$server4/reports/march.txt"
	finish tcp:21=ftp 'tcp:*=ftp-data'
	source_line "$(version curl pure-ftpd)" 'PASV, a greeting of several lines'

	capture ftp/pureftpd-port
	get --ftp-port - --disable-eprt "ftp://$server4/reports/march.txt"
	finish tcp:21=ftp 'tcp:*=ftp-data'
	source_line "$(version curl pure-ftpd)" 'PORT, a greeting of several lines'
	stop_daemons

	serve pure-ftpd -H -6 -S $server6,2121 -p 51000:51999 -l unix -u 100 -c 10 -E
	wait_port tcp 2121
	capture ftp/pureftpd-ipv6-2121
	get "ftp://[$server6]:2121/readings.csv"
	finish tcp:2121=ftp 'tcp:*=ftp-data'
	source_line "$(version curl pure-ftpd)" 'EPSV over IPv6, control connection at port 2121'
fi
