#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# The enterprise mix's RTP: low-rate video of the static payload type 34 (H.263), so that
# `match protocol rtp video` can be sure, in packets of 81 bytes on average as in Table 1.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need ffmpeg ffmpeg

capture rtp/emix-video 'udp port 16386'
# RFC 2190: -mb_info lets the packetizer cut a picture between macroblocks. The sender's RTCP goes
# to the port above and is not captured.
client ffmpeg -nostdin -v error -re -f lavfi -i testsrc=duration=6:size=128x96:rate=10 \
	-pix_fmt yuv420p -c:v h263 -qscale:v 31 -g 200 -mb_info 24 \
	-f rtp -rtpflags rfc2190 "rtp://$server4:16386?localrtpport=16386&pkt_size=46" >>"$tmp/log"
finish 'udp:16386=rtp rtp.media=video'
source_line "$(version ffmpeg)" 'H.263 of some 8 kbit/s in small packets, without its RTCP'
