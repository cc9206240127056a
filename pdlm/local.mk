# SPDX-License-Identifier: LGPL-3.0-or-later
# The protocol modules: one file and one line here for each, by name.

pdlmdir = $(pkgdatadir)/pdlm
dist_pdlm_DATA = $(BARN_PDLM)
BARN_PDLM = \
	pdlm/ah.pdlm \
	pdlm/arp.pdlm \
	pdlm/cfm.pdlm \
	pdlm/citrix.pdlm \
	pdlm/dns.pdlm \
	pdlm/eapol.pdlm \
	pdlm/edonkey.pdlm \
	pdlm/egp.pdlm \
	pdlm/eigrp.pdlm \
	pdlm/esp.pdlm \
	pdlm/ftp.pdlm \
	pdlm/ftp-data.pdlm \
	pdlm/gre.pdlm \
	pdlm/http.pdlm \
	pdlm/icmp.pdlm \
	pdlm/icmpv6.pdlm \
	pdlm/igmp.pdlm \
	pdlm/ipinip.pdlm \
	pdlm/ipv6-in-ip.pdlm \
	pdlm/ipx.pdlm \
	pdlm/l2tp-in-ip.pdlm \
	pdlm/lldp.pdlm \
	pdlm/loopback.pdlm \
	pdlm/macsec.pdlm \
	pdlm/mpls-in-ip.pdlm \
	pdlm/ospf.pdlm \
	pdlm/pim.pdlm \
	pdlm/pppoe.pdlm \
	pdlm/pppoe-discovery.pdlm \
	pdlm/profinet.pdlm \
	pdlm/ptp.pdlm \
	pdlm/rarp.pdlm \
	pdlm/rsvp.pdlm \
	pdlm/rtcp.pdlm \
	pdlm/rtp.pdlm \
	pdlm/sap-app.pdlm \
	pdlm/sap-msg.pdlm \
	pdlm/sap-pgm.pdlm \
	pdlm/sap-router.pdlm \
	pdlm/sctp.pdlm \
	pdlm/slow-protocols.pdlm \
	pdlm/smtp.pdlm \
	pdlm/ssh.pdlm \
	pdlm/ssl.pdlm \
	pdlm/telnet.pdlm \
	pdlm/vrrp.pdlm \
	pdlm/winmx.pdlm

dist_man_MANS += pdlm/pdlm.5
