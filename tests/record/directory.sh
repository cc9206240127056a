#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# Directories and tickets: OpenLDAP with its tools, in the clear and after StartTLS; Kerberos of
# MIT over UDP and TCP, and a change of a password.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need slapd slapd
need ldapsearch ldap-utils
need krb5kdc krb5-kdc
need kadmind krb5-admin-server
need kinit krb5-user

certificate server.example.com
mkdir "$tmp/ldap" "$tmp/krb5"
cat >"$tmp/slapd.conf" <<END
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile $tmp/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile $tmp/server.example.com.crt
TLSCertificateKeyFile $tmp/server.example.com.key
database mdb
suffix "dc=example,dc=com"
rootdn "cn=admin,dc=example,dc=com"
rootpw $alice_password
directory $tmp/ldap
END
cat >"$tmp/tree.ldif" <<END
dn: dc=example,dc=com
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: cn=alice,dc=example,dc=com
objectClass: person
cn: alice
sn: Alice
END
slapadd -f "$tmp/slapd.conf" -l "$tmp/tree.ldif"
serve slapd -d 0 -f "$tmp/slapd.conf" -h "ldap://$server4 ldap://[$server6]"
wait_port tcp 389
versions=$(version slapd ldap-utils)
admin=cn=admin,dc=example,dc=com

search()
{
	client env LDAPTLS_REQCERT=never ldapsearch -x -D $admin -w $alice_password \
		-b dc=example,dc=com "$@" >/dev/null
}

capture ldap/openldap
search -H ldap://$server4 '(cn=alice)'
client ldapsearch -x -H "ldap://[$server6]" -b '' -s base >/dev/null
finish 'tcp:389=ldap'
source_line "$versions" 'a bind and a search; an anonymous one over IPv6'

capture ldap/openldap-starttls
search -ZZ -H ldap://$server4 '(cn=alice)'
finish 'tcp:389=ldap/ssl'
source_line "$versions" 'StartTLS; the bind and the search are inside'
stop_daemons

cat >"$tmp/krb5.conf" <<END
[libdefaults]
	default_realm = EXAMPLE.COM
	dns_lookup_kdc = false
	dns_lookup_realm = false
	rdns = false
[realms]
	EXAMPLE.COM = {
		kdc = $server4
		admin_server = $server4
		kpasswd_server = $server4
	}
END
cat >"$tmp/kdc.conf" <<END
[realms]
	EXAMPLE.COM = {
		database_name = $tmp/krb5/principal
		acl_file = $tmp/krb5/acl
		key_stash_file = $tmp/krb5/stash
	}
END
: >"$tmp/krb5/acl"
KRB5_CONFIG=$tmp/krb5.conf KRB5_KDC_PROFILE=$tmp/kdc.conf KRB5CCNAME=$tmp/tickets
export KRB5_CONFIG KRB5_KDC_PROFILE KRB5CCNAME
kdb5_util create -s -r EXAMPLE.COM -P $alice_password >/dev/null 2>&1
kadmin.local -q "addprinc -pw $alice_password alice" >/dev/null 2>&1
kadmin.local -q 'addprinc -randkey host/server.example.com' >/dev/null 2>&1
serve krb5kdc -n
serve kadmind -nofork
wait_port tcp 88
wait_port udp 464
versions=$(version krb5-kdc krb5-user)

capture kerberos/mit-udp
echo $alice_password | client kinit alice >/dev/null
client kvno -q host/server.example.com
finish 'udp:88=kerberos kerberos.realm=EXAMPLE.COM'
source_line "$versions" 'a ticket, and one for a service'

capture kerberos/mit-tcp
sed -i 's/rdns = false/&\n\tudp_preference_limit = 1/' "$tmp/krb5.conf"
echo $alice_password | client kinit alice >/dev/null
finish 'tcp:88=kerberos kerberos.realm=EXAMPLE.COM'
source_line "$versions" 'a ticket over TCP'

capture kerberos/mit-kpasswd
sed -i '/udp_preference_limit/d' "$tmp/krb5.conf"
printf '%s\nnew-%s\nnew-%s\n' $alice_password $alice_password $alice_password |
	client kpasswd alice >/dev/null
finish '*:88=kerberos kerberos.realm=EXAMPLE.COM' '*:464=kerberos'
source_line "$(version krb5-admin-server krb5-user)" 'a change of a password (RFC 3244)'
