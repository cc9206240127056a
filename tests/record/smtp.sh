#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# SMTP: exim and aiosmtpd with swaks, curl, msmtp and Python's smtplib; plain, pipelined, with
# STARTTLS, at the submission port, over IPv6.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need exim4 exim4-daemon-light
need swaks swaks
need curl curl
need python3 python3

certificate mail.example.com
mkdir "$tmp/spool"
chown Debian-exim "$tmp/spool"
cat >"$tmp/exim.conf" <<END
primary_hostname = mail.example.com
spool_directory = $tmp/spool
log_file_path = $tmp/spool/%slog
local_interfaces = <; 0.0.0.0 ; ::0
daemon_smtp_ports = 25 : 587
exim_user = Debian-exim
exim_group = Debian-exim
never_users =
host_lookup =
rfc1413_query_timeout = 0s
smtp_enforce_sync = false
smtp_accept_max_per_connection = 50
pipelining_advertise_hosts = *
prdr_enable = false
tls_advertise_hosts = *
tls_certificate = $tmp/mail.example.com.crt
tls_privatekey = $tmp/mail.example.com.key
acl_smtp_rcpt = accept
acl_smtp_data = accept
begin acl
begin routers
all:
	driver = redirect
	data = :blackhole:
END
chmod 644 "$tmp/exim.conf"
serve exim4 -C "$tmp/exim.conf" -bdf -q1h
wait_port tcp 25
wait_port tcp 587
from='--from alice@client.example.com --to bob@example.com'

# mail HOST PORT MESSAGES PIPELINED: several messages on one connection, with Python's smtplib.
cat >"$tmp/mail.py" <<'END'
import smtplib, sys

host, port, messages = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with smtplib.SMTP(host, port, local_hostname="client.example.com") as smtp:
    smtp.ehlo()
    for number in range(messages):
        body = "".join("Line %d of message %d.\r\n" % (line, number) for line in range(4))
        smtp.sendmail("alice@client.example.com", ["bob@example.com", "carol@example.com"],
                      "From: Alice <alice@client.example.com>\r\nTo: bob@example.com\r\n"
                      "Subject: Message %d\r\n\r\n%s" % (number, body))
        if number % 4 == 0:
            smtp.noop()
END
versions="smtplib of $(python3 -V), $(version exim4-daemon-light)"

capture smtp/emix-source 'tcp port 25'
client python3 "$tmp/mail.py" $server4 25 10
finish tcp:25=smtp
source_line "$versions" 'ten messages on one connection, over 96 packets'

capture smtp/exim-ipv6
client python3 "$tmp/mail.py" $server6 25 2
finish tcp:25=smtp
source_line "$versions" 'two messages on one connection over IPv6'

capture smtp/exim-swaks
# shellcheck disable=SC2086
client swaks $from --server $server4 --pipeline --hide-all --body 'Pipelined.'
# shellcheck disable=SC2086
client swaks $from --server $server4 --hide-all --quit-after RCPT
finish tcp:25=smtp
source_line "$(version swaks exim4-daemon-light)" 'MAIL, RCPT and DATA in one segment; one dialogue ends early'

capture smtp/exim-starttls
# shellcheck disable=SC2086
client swaks $from --server $server4 --tls --tls-sni mail.example.com --hide-all --body 'Secret.'
finish tcp:25=smtp/ssl
source_line "$(version swaks exim4-daemon-light)" 'STARTTLS, server name'

capture smtp/exim-starttls-ipv6
printf 'Subject: Secret\r\n\r\nOver IPv6.\r\n' |
	client curl -sS --ssl-reqd --insecure --mail-from alice@client.example.com \
		--mail-rcpt bob@example.com -T - "smtp://mail6.example.com/client.example.com"
finish tcp:25=smtp/ssl
source_line "$(version curl exim4-daemon-light)" 'STARTTLS over IPv6'

capture smtp/exim-587
printf 'Subject: Hello\r\n\r\nSubmitted.\r\n' |
	client curl -sS --mail-from alice@client.example.com \
		--mail-rcpt bob@example.com -T - "smtp://$server4:587/client.example.com"
finish tcp:587=smtp
source_line "$(version curl exim4-daemon-light)" 'the submission port'

if have msmtp msmtp; then
	capture smtp/exim-587-starttls
	printf 'Subject: Hello\n\nSubmitted.\n' |
		client msmtp --host=mail.example.com --port=587 --tls=on --tls-starttls=on \
			--tls-certcheck=off --from=alice@client.example.com bob@example.com
	finish tcp:587=smtp/ssl
	source_line "$(version msmtp exim4-daemon-light)" 'the submission port, STARTTLS'
fi

# As clients spoke before ESMTP.
capture smtp/exim-helo
client python3 - $server4 <<'END'
import smtplib, sys

with smtplib.SMTP(sys.argv[1], 25, local_hostname="client.example.com") as smtp:
    smtp.helo()
    smtp.docmd("MAIL FROM:<alice@client.example.com>")
    smtp.docmd("RCPT TO:<bob@example.com>")
    smtp.data("Subject: old style\r\n\r\nWithout extensions.\r\n")
    smtp.docmd("VRFY bob")
    smtp.docmd("RSET")
END
finish tcp:25=smtp
source_line "$versions" 'HELO, VRFY, RSET'
stop_daemons

if have aiosmtpd python3-aiosmtpd; then
	serve aiosmtpd -n -l 0.0.0.0:2525 -c aiosmtpd.handlers.Sink
	wait_port tcp 2525
	capture smtp/aiosmtpd-2525
	client python3 "$tmp/mail.py" $server4 2525 2
	finish tcp:2525=smtp
	source_line "smtplib of $(python3 -V), $(version python3-aiosmtpd)" \
		'another port, a short greeting'
fi
