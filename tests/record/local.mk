# SPDX-License-Identifier: LGPL-3.0-or-later
# The scripts that recorded the captures, and the check that captures and truth fit.

TESTS += tests/record/check
dist_check_SCRIPTS += \
	tests/record/check \
	tests/record/check-flows \
	tests/record/bittorrent.sh \
	tests/record/directory.sh \
	tests/record/dns.sh \
	tests/record/dtls.sh \
	tests/record/dynamic.sh \
	tests/record/edonkey.sh \
	tests/record/flows \
	tests/record/ftp.sh \
	tests/record/http.sh \
	tests/record/http2.sh \
	tests/record/industrial.sh \
	tests/record/inside.sh \
	tests/record/mgcp.sh \
	tests/record/quic.sh \
	tests/record/rpc.sh \
	tests/record/rtp-emix.sh \
	tests/record/rtp.sh \
	tests/record/rtsp.sh \
	tests/record/samba.sh \
	tests/record/sip.sh \
	tests/record/smtp.sh \
	tests/record/split.sh \
	tests/record/ssh.sh \
	tests/record/ssl.sh \
	tests/record/stun.sh \
	tests/record/telnet.sh
EXTRA_DIST += tests/record/lib.sh
