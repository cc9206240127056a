# SPDX-License-Identifier: LGPL-3.0-or-later
# The protocol modules: one file and one line here for each, by name.

pdlmdir = $(pkgdatadir)/pdlm
dist_pdlm_DATA = $(BARN_PDLM)
BARN_PDLM = \
	pdlm/ah.pdlm \
	pdlm/arp.pdlm \
	pdlm/bgp.pdlm \
	pdlm/cfm.pdlm \
	pdlm/citrix.pdlm \
	pdlm/dhcp.pdlm \
	pdlm/dns.pdlm \
	pdlm/eapol.pdlm \
	pdlm/edonkey.pdlm \
	pdlm/egp.pdlm \
	pdlm/eigrp.pdlm \
	pdlm/esp.pdlm \
	pdlm/finger.pdlm \
	pdlm/ftp.pdlm \
	pdlm/ftp-data.pdlm \
	pdlm/gopher.pdlm \
	pdlm/gre.pdlm \
	pdlm/http.pdlm \
	pdlm/icmp.pdlm \
	pdlm/icmpv6.pdlm \
	pdlm/ident.pdlm \
	pdlm/igmp.pdlm \
	pdlm/imap.pdlm \
	pdlm/ipinip.pdlm \
	pdlm/ipv6-in-ip.pdlm \
	pdlm/ipx.pdlm \
	pdlm/irc.pdlm \
	pdlm/kerberos.pdlm \
	pdlm/l2tp-in-ip.pdlm \
	pdlm/ldap.pdlm \
	pdlm/lldp.pdlm \
	pdlm/loopback.pdlm \
	pdlm/macsec.pdlm \
	pdlm/mount.pdlm \
	pdlm/mpls-in-ip.pdlm \
	pdlm/msrpc.pdlm \
	pdlm/mssql-tds.pdlm \
	pdlm/mysql.pdlm \
	pdlm/netbios-dgm.pdlm \
	pdlm/netbios-ns.pdlm \
	pdlm/netbios-ssn.pdlm \
	pdlm/nfs.pdlm \
	pdlm/nntp.pdlm \
	pdlm/ntp.pdlm \
	pdlm/ospf.pdlm \
	pdlm/pim.pdlm \
	pdlm/pop3.pdlm \
	pdlm/postgresql.pdlm \
	pdlm/pppoe.pdlm \
	pdlm/pppoe-discovery.pdlm \
	pdlm/printer.pdlm \
	pdlm/profinet.pdlm \
	pdlm/ptp.pdlm \
	pdlm/radius.pdlm \
	pdlm/rarp.pdlm \
	pdlm/rdp.pdlm \
	pdlm/rexec.pdlm \
	pdlm/rlogin.pdlm \
	pdlm/rsh.pdlm \
	pdlm/rsvp.pdlm \
	pdlm/rtcp.pdlm \
	pdlm/rtp.pdlm \
	pdlm/rtsp.pdlm \
	pdlm/sap-app.pdlm \
	pdlm/sap-msg.pdlm \
	pdlm/sap-pgm.pdlm \
	pdlm/sap-router.pdlm \
	pdlm/sctp.pdlm \
	pdlm/sip.pdlm \
	pdlm/slow-protocols.pdlm \
	pdlm/smb.pdlm \
	pdlm/smtp.pdlm \
	pdlm/snmp.pdlm \
	pdlm/socks.pdlm \
	pdlm/sqlnet.pdlm \
	pdlm/ssh.pdlm \
	pdlm/ssl.pdlm \
	pdlm/sunrpc.pdlm \
	pdlm/syslog.pdlm \
	pdlm/tacacs.pdlm \
	pdlm/telnet.pdlm \
	pdlm/tftp.pdlm \
	pdlm/vnc.pdlm \
	pdlm/vrrp.pdlm \
	pdlm/whois.pdlm \
	pdlm/winmx.pdlm \
	pdlm/xmpp.pdlm

dist_man_MANS += pdlm/pdlm.5
