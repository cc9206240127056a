# SPDX-License-Identifier: LGPL-3.0-or-later
# inspect: what text cannot say, one protocol a file.

# Adding an inspector: its file here, its name below. The array inspectors[]
# is generated in this order; NAME stands for the object inspect_NAME.
libbarncore_la_SOURCES += \
	engine/inspect/amqp.c \
	engine/inspect/bacnet.c \
	engine/inspect/bittorrent.c \
	engine/inspect/bittorrent.h \
	engine/inspect/bittorrent_bencode.c \
	engine/inspect/bittorrent_dht.c \
	engine/inspect/bittorrent_tracker.c \
	engine/inspect/bittorrent_utp.c \
	engine/inspect/chain.c \
	engine/inspect/chain.h \
	engine/inspect/diameter.c \
	engine/inspect/dnp3.c \
	engine/inspect/dns.c \
	engine/inspect/dns.h \
	engine/inspect/dns_answer.c \
	engine/inspect/dns_message.c \
	engine/inspect/dns_name.c \
	engine/inspect/dtls.c \
	engine/inspect/enip.c \
	engine/inspect/foreign.c \
	engine/inspect/foreign.h \
	engine/inspect/foreign_check.c \
	engine/inspect/foreign_check.h \
	engine/inspect/gtpc.c \
	engine/inspect/h323.c \
	engine/inspect/h323.h \
	engine/inspect/h323_h245.c \
	engine/inspect/h323_per.c \
	engine/inspect/h323_q931.c \
	engine/inspect/h323_ras.c \
	engine/inspect/hpack.c \
	engine/inspect/hpack.h \
	engine/inspect/hpack_huffman.c \
	engine/inspect/hpack_static.c \
	engine/inspect/http.c \
	engine/inspect/http.h \
	engine/inspect/http2.c \
	engine/inspect/http_body.c \
	engine/inspect/http_header.c \
	engine/inspect/http_line.c \
	engine/inspect/http_line.h \
	engine/inspect/ica.c \
	engine/inspect/iec104.c \
	engine/inspect/inspector.c \
	engine/inspect/inspector.h \
	engine/inspect/ldap.c \
	engine/inspect/ldap.h \
	engine/inspect/ldap_message.c \
	engine/inspect/megaco.c \
	engine/inspect/message.c \
	engine/inspect/message.h \
	engine/inspect/mgcp.c \
	engine/inspect/modbus.c \
	engine/inspect/mqtt.c \
	engine/inspect/msrpc.c \
	engine/inspect/msrpc.h \
	engine/inspect/msrpc_binding.c \
	engine/inspect/msrpc_datagram.c \
	engine/inspect/msrpc_interface.c \
	engine/inspect/msrpc_tower.c \
	engine/inspect/ndpi.c \
	engine/inspect/ndpi.h \
	engine/inspect/ndpi_isolate.c \
	engine/inspect/ndpi_isolate.h \
	engine/inspect/opcua.c \
	engine/inspect/pdu.c \
	engine/inspect/pdu.h \
	engine/inspect/pieces.c \
	engine/inspect/pieces.h \
	engine/inspect/proxy.c \
	engine/inspect/quic.c \
	engine/inspect/quic.h \
	engine/inspect/quic_crypto.c \
	engine/inspect/quic_google.c \
	engine/inspect/quic_keys.c \
	engine/inspect/quic_packet.c \
	engine/inspect/quic_version.c \
	engine/inspect/rdp.c \
	engine/inspect/rtcp.c \
	engine/inspect/rtp.c \
	engine/inspect/rtp.h \
	engine/inspect/rtp_meter.c \
	engine/inspect/rtp_packet.c \
	engine/inspect/rtsp.c \
	engine/inspect/s7comm.c \
	engine/inspect/sdp.c \
	engine/inspect/sdp.h \
	engine/inspect/sdp_text.c \
	engine/inspect/sdp_text.h \
	engine/inspect/sip.c \
	engine/inspect/skinny.c \
	engine/inspect/skype.c \
	engine/inspect/smb.c \
	engine/inspect/smb.h \
	engine/inspect/smb_first.c \
	engine/inspect/smb_second.c \
	engine/inspect/smb_text.c \
	engine/inspect/socks.c \
	engine/inspect/ssh.c \
	engine/inspect/stun.c \
	engine/inspect/stun.h \
	engine/inspect/stun_media.c \
	engine/inspect/stun_message.c \
	engine/inspect/sunrpc.c \
	engine/inspect/sunrpc.h \
	engine/inspect/sunrpc_address.c \
	engine/inspect/sunrpc_bind.c \
	engine/inspect/sunrpc_program.c \
	engine/inspect/tftp.c \
	engine/inspect/tls.c \
	engine/inspect/tls.h \
	engine/inspect/tls_alpn.c \
	engine/inspect/tls_certificate.c \
	engine/inspect/tls_hello.c \
	engine/inspect/tpkt.c \
	engine/inspect/tpkt.h \
	engine/inspect/websocket.c \
	engine/inspect/winmx.c

dist_man_MANS += engine/inspect/barn-inspector.3

BARN_INSPECTORS = \
	http \
	http2 \
	tls \
	dns \
	quic \
	dtls \
	stun \
	sip \
	rtsp \
	mgcp \
	megaco \
	skinny \
	h323 \
	rtp \
	rtcp \
	ica \
	sunrpc \
	msrpc \
	smb \
	ldap \
	rdp \
	socks \
	proxy \
	tftp \
	bittorrent \
	skype \
	winmx \
	websocket \
	ssh \
	mqtt \
	amqp \
	s7comm \
	modbus \
	dnp3 \
	iec104 \
	opcua \
	enip \
	bacnet \
	diameter \
	gtpc

nodist_libbarncore_la_SOURCES += engine/inspect/inspectors.c
CLEANFILES += engine/inspect/inspectors.c

engine/inspect/inspectors.c: engine/inspect/local.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { \
	echo '/* Generated from BARN_INSPECTORS of engine/inspect/local.mk. */'; \
	echo '#include "inspect/inspector.h"'; \
	for i in $(BARN_INSPECTORS); do \
	  echo "extern const struct inspector inspect_$$i;"; \
	done; \
	echo 'const struct inspector *const inspectors[] = {'; \
	for i in $(BARN_INSPECTORS); do echo "	&inspect_$$i,"; done; \
	echo '	NULL,'; \
	echo '};'; \
	echo 'const size_t inspectors_count = sizeof(inspectors) / sizeof(inspectors[0]) - 1;'; \
	} > $@.tmp && mv $@.tmp $@
