#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# RTP and RTCP: GStreamer's rtpbin and FFmpeg; audio with static and dynamic payload types, video;
# in one direction and in both.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need gst-launch-1.0 gstreamer1.0-tools
for element in rtpbin:good mulawenc:good audiotestsrc:base gsmenc:bad x264enc:ugly; do
	gst-inspect-1.0 --exists "${element%:*}" ||
		die "no ${element%:*}: apt-get install gstreamer1.0-plugins-${element#*:}"
done
gst=$(version gstreamer1.0-plugins-good)

# tone SAMPLES BUFFERS [RATE]
tone()
{
	echo "audiotestsrc is-live=true samplesperbuffer=$1 num-buffers=$2 wave=ticks !" \
		"audio/x-raw,rate=${3:-8000},channels=1"
}

# moving FRAMES
moving()
{
	echo "videotestsrc is-live=true pattern=ball num-buffers=$1 !" \
		'video/x-raw,width=176,height=144,framerate=10/1'
}

# stream SIDE PEER PORT ENCODER: sends to the peer's PORT from the same port, RTCP one above. What
# comes in at the RTP port is thrown away.
stream()
{
	# shellcheck disable=SC2086
	"$1" timeout -s INT -k 2 12 gst-launch-1.0 -q rtpbin name=bin $4 ! bin.send_rtp_sink_0 \
		bin.send_rtp_src_0 ! udpsink host="$2" port="$3" bind-port="$3" \
		bin.send_rtcp_src_0 ! udpsink host="$2" port=$(($3 + 1)) bind-port=$(($3 + 1)) \
		sync=false async=false >>"$tmp/log" 2>&1 || :
}

# listen ADDRESS PORT PEER CAPS: a receiver that answers with RTCP reports.
listen()
{
	serve gst-launch-1.0 -q rtpbin name=bin udpsrc address="$1" port="$2" caps="$4" ! \
		bin.recv_rtp_sink_0 bin. ! application/x-rtp ! fakesink \
		udpsrc address="$1" port=$(($2 + 1)) ! bin.recv_rtcp_sink_0 \
		bin.send_rtcp_src_0 ! udpsink host="$3" port=$(($2 + 1)) bind-address="$1" \
		bind-port=$(($2 + 1)) sync=false async=false
	wait_port udp "$2"
}

audio_caps()
{
	echo "application/x-rtp,media=audio,payload=$1,clock-rate=$2,encoding-name=$3"
}

video_caps()
{
	echo "application/x-rtp,media=video,payload=$1,clock-rate=90000,encoding-name=$2"
}

capture rtp/emix-source 'udp port 16384'
listen $server4 16384 $client4 "$(audio_caps 3 8000 GSM)"
stream client $server4 16384 "$(tone 160 250) ! gsmenc ! rtpgsmpay"
finish 'udp:16384=rtp rtp.media=audio'
stop_daemons
source_line "$gst" 'GSM, 250 packets, without its RTCP'

capture rtp/gst-pcmu
listen $server4 5004 $client4 "$(audio_caps 0 8000 PCMU)"
stream client $server4 5004 "$(tone 160 300) ! mulawenc ! rtppcmupay max-ptime=20000000"
finish 'udp:5004=rtp rtp.media=audio' udp:5005=rtcp
stop_daemons
source_line "$gst" 'PCMU, payload type 0, with RTCP both ways'

capture rtp/gst-pcma-both-ways
stream server $client4 6000 "$(tone 160 120) ! alawenc ! rtppcmapay" &
stream client $server4 6000 "$(tone 160 120) ! alawenc ! rtppcmapay"
wait $!
finish 'udp:6000=rtp rtp.media=audio' udp:6001=rtcp
source_line "$gst" 'PCMA, payload type 8, both ways between one pair of ports'

capture rtp/gst-pcmu-ipv6
stream server $client6 6100 "$(tone 160 100) ! mulawenc ! rtppcmupay" &
stream client $server6 6100 "$(tone 160 100) ! mulawenc ! rtppcmupay"
wait $!
finish 'udp:6100=rtp rtp.media=audio' udp:6101=rtcp
source_line "$gst" 'PCMU both ways over IPv6'

capture rtp/gst-opus
listen $server4 5006 $client4 "$(audio_caps 111 48000 OPUS)"
stream client $server4 5006 "$(tone 960 200 48000) ! opusenc bitrate=24000 ! rtpopuspay pt=111"
finish 'udp:5006=rtp rtp.media=audio' udp:5007=rtcp
stop_daemons
source_line "$gst" 'Opus, dynamic payload type 111'

capture rtp/gst-h264
listen $server4 5008 $client4 "$(video_caps 96 H264)"
stream client $server4 5008 "$(moving 60) ! x264enc bitrate=100 tune=zerolatency key-int-max=20 !
	rtph264pay config-interval=1 mtu=900 pt=96"
finish 'udp:5008=rtp rtp.media=video' udp:5009=rtcp
stop_daemons
source_line "$gst" 'H.264, dynamic payload type 96'

capture rtp/gst-vp8
listen $server4 5010 $client4 "$(video_caps 100 VP8)"
stream client $server4 5010 "$(moving 60) ! vp8enc deadline=1 target-bitrate=60000 !
	rtpvp8pay mtu=900 pt=100"
finish 'udp:5010=rtp rtp.media=video' udp:5011=rtcp
stop_daemons
source_line "$gst" 'VP8, dynamic payload type 100'

# Audio and video of one call, each with its own pair of ports, both ways.
capture rtp/gst-call
stream server $client4 7000 "$(tone 160 150) ! mulawenc ! rtppcmupay" &
a=$!
stream server $client4 7002 "$(moving 30) ! vp8enc deadline=1 target-bitrate=60000 ! rtpvp8pay mtu=900 pt=98" &
b=$!
stream client $server4 7002 "$(moving 30) ! vp8enc deadline=1 target-bitrate=60000 ! rtpvp8pay mtu=900 pt=98" &
c=$!
stream client $server4 7000 "$(tone 160 150) ! mulawenc ! rtppcmupay"
wait $a $b $c
finish 'udp:7000=rtp rtp.media=audio' 'udp:7002=rtp rtp.media=video' '*:*=rtcp'
source_line "$gst" 'a call: PCMU and VP8 (dynamic payload type 98), both ways'

if have ffmpeg ffmpeg; then
	ffmpeg=$(version ffmpeg)
	# send PORT CODEC-OPTIONS...: audio or video from a test source.
	send_audio()
	{
		port=$1
		shift
		client ffmpeg -nostdin -v error -re -f lavfi -i sine=duration=3:sample_rate=8000 \
			"$@" -f rtp "rtp://$server4:$port?localrtpport=$port&pkt_size=300" >>"$tmp/log"
	}
	send_video()
	{
		port=$1
		shift
		client ffmpeg -nostdin -v error -re -f lavfi -i testsrc=duration=2:size=176x144:rate=10 \
			"$@" -f rtp "rtp://$server4:$port?localrtpport=$port&pkt_size=900" >>"$tmp/log"
	}
	capture rtp/ffmpeg-pcma
	send_audio 5020 -c:a pcm_alaw
	finish 'udp:5020=rtp rtp.media=audio' udp:5021=rtcp
	source_line "$ffmpeg" 'PCMA, payload type 8'

	capture rtp/ffmpeg-g722
	send_audio 5022 -ar 16000 -c:a g722
	finish 'udp:5022=rtp rtp.media=audio' udp:5023=rtcp
	source_line "$ffmpeg" 'G.722, payload type 9'

	capture rtp/ffmpeg-h263
	send_video 5024 -pix_fmt yuv420p -c:v h263 -b:v 60k -ps 800
	finish 'udp:5024=rtp rtp.media=video' udp:5025=rtcp
	source_line "$ffmpeg" 'H.263, payload type 34'

	capture rtp/ffmpeg-h263p
	send_video 5030 -pix_fmt yuv420p -c:v h263p -b:v 60k
	finish 'udp:5030=rtp rtp.media=video' udp:5031=rtcp
	source_line "$ffmpeg" 'H.263+, dynamic payload type 96'

	capture rtp/ffmpeg-mpeg2
	send_video 5026 -c:v mpeg2video -r 25 -b:v 80k -t 1
	finish 'udp:5026=rtp rtp.media=video' udp:5027=rtcp
	source_line "$ffmpeg" 'MPEG-2 video, payload type 32'

	capture rtp/ffmpeg-mpegts
	client ffmpeg -nostdin -v error -re -f lavfi -i testsrc=duration=2:size=176x144:rate=25 \
		-c:v mpeg2video -b:v 60k -f rtp_mpegts "rtp://$server4:5028?localrtpport=5028" \
		>>"$tmp/log"
	finish 'udp:5028=rtp rtp.media=video' udp:5029=rtcp
	source_line "$ffmpeg" 'an MPEG transport stream, payload type 33'
fi
