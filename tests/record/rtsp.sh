#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# RTSP: GStreamer's server, FFmpeg as client; media over UDP, which SETUP announces,
# and inside the connection.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need ffmpeg ffmpeg
cat >"$tmp/server.py" <<'END'
import gi
gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer

Gst.init(None)
server = GstRtspServer.RTSPServer()
server.set_service("8554")
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch("( audiotestsrc is-live=true samplesperbuffer=400 ! "
                   "audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay name=pay0 pt=0 )")
pool = GstRtspServer.RTSPAddressPool()
anywhere = GstRtspServer.RTSP_ADDRESS_POOL_ANY_IPV4
pool.add_range(anywhere, anywhere, 31000, 31001, 0)
factory.set_address_pool(pool)
server.get_mount_points().add_factory("/tone", factory)
server.attach(None)
GLib.MainLoop().run()
END
/usr/bin/python3 -c 'import gi; gi.require_version("GstRtspServer", "1.0")' ||
	die 'no server: apt-get install gir1.2-gst-rtsp-server-1.0 python3-gi'
serve /usr/bin/python3 "$tmp/server.py"
wait_port tcp 8554
software="$(version gir1.2-gst-rtsp-server-1.0), $(version ffmpeg)"

# play CASE TRANSPORT SHOWS RULE...
play()
{
	capture "rtsp/$1"
	transport=$2 shows=$3
	shift 3
	client ffmpeg -nostdin -v error -rtsp_transport "$transport" \
		-min_port 30000 -max_port 30010 -i rtsp://$server4:8554/tone \
		-t 1 -f null - >>"$tmp/log" 2>&1 || :
	finish "$@"
	source_line "$software" "$shows"
}

methods='rtsp.method=OPTIONS,DESCRIBE,SETUP,PLAY,TEARDOWN'
play gst-udp udp 'RTP and RTCP that the Transport header announces' \
	"tcp:8554=rtsp $methods rtsp.transport=RTP/AVP/UDP,RTP/AVP" \
	udp:31000=rtp udp:31001=rtcp udp:30000=rtp udp:30001=rtcp
play gst-tcp tcp 'RTP inside the connection' \
	"tcp:8554=rtsp $methods rtsp.transport=RTP/AVP/TCP"
