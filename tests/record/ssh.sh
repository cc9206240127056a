#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# SSH: OpenSSH's and Dropbear's servers and clients in turn; a command each, on port 22 and on
# another one.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need /usr/sbin/sshd openssh-server
need ssh openssh-client
need dropbear dropbear-bin
need dbclient dropbear-bin

mkdir -p "$tmp/keys" /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$tmp/keys/host"
ssh-keygen -q -t ed25519 -N '' -f "$tmp/keys/client"
dropbearkey -t ed25519 -f "$tmp/keys/dropbear" >/dev/null
dropbearkey -t ed25519 -f "$tmp/keys/dbclient" | grep '^ssh-' >"$tmp/keys/dbclient.pub"

cat >"$tmp/sshd_config" <<END
HostKey $tmp/keys/host
AuthorizedKeysFile $tmp/keys/authorized
StrictModes no
UsePAM no
PidFile none
END
cat "$tmp/keys/client.pub" "$tmp/keys/dbclient.pub" >"$tmp/keys/authorized"
chmod go+x "$tmp" "$tmp/keys"
chmod go+r "$tmp/keys/authorized"
serve /usr/sbin/sshd -D -e -p 22 -f "$tmp/sshd_config"
serve /usr/sbin/sshd -D -e -p 2022 -f "$tmp/sshd_config"
serve dropbear -F -E -r "$tmp/keys/dropbear" -p 2222
wait_port tcp 22
wait_port tcp 2022
wait_port tcp 2222

# run PORT ADDRESS: OpenSSH's client.
run()
{
	client ssh -q -F none -i "$tmp/keys/client" -o BatchMode=yes -o StrictHostKeyChecking=no \
		-o UserKnownHostsFile=/dev/null -p "$1" "alice@$2" id
}

capture ssh/openssh
run 22 "$server4"
finish tcp:22=ssh
source_line "$(version openssh-client openssh-server)" 'a command'

capture ssh/openssh-ipv6
run 22 "$server6"
finish tcp:22=ssh
source_line "$(version openssh-client openssh-server)" 'a command over IPv6'

capture ssh/openssh-2022
run 2022 "$server4"
finish tcp:2022=ssh
source_line "$(version openssh-client openssh-server)" 'another port'

capture ssh/dropbear-client
client dbclient -y -y -i "$tmp/keys/dbclient" "alice@$server4" id
finish tcp:22=ssh
source_line "$(version dropbear-bin openssh-server)" 'a small client'

capture ssh/dropbear-server
run 2222 "$server4" || : # it looks for keys in a home that it cannot see
finish tcp:2222=ssh
source_line "$(version openssh-client dropbear-bin)" 'a small server that refuses the user'
