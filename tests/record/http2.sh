#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# HTTP/2 in the clear: curl and nghttp with nghttpd, with prior knowledge and after an Upgrade;
# gRPC between Python programs; DNS over HTTP; WebSocket.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need nghttpd nghttp2-server
need nghttp nghttp2-client
need curl curl

python=/usr/bin/python3
mkdir "$tmp/www"
echo '<p>In frames.</p>' >"$tmp/www/index.html"
echo 'answer' >"$tmp/www/dns-query"
chmod 755 "$tmp/www"
serve nghttpd --no-tls -d "$tmp/www" --address=$server4 80
serve nghttpd --no-tls -d "$tmp/www" --address=$server6 80
wait_port tcp 80
sleep 0.5
out=$tmp/out

capture http2/curl-prior-knowledge
client curl -sS --http2-prior-knowledge -o "$out" -A tester/2 \
	http://www.example.com/index.html
client curl -sS --http2-prior-knowledge -o "$out" --data text http://www.example.com/missing
client curl -sS --http2-prior-knowledge -g -o "$out" "http://[$server6]/"
finish tcp:80=http2
source_line "$(version curl nghttp2-server)" 'prior knowledge: a GET, a POST that fails, a GET over IPv6'

capture http2/nghttp
client nghttp -nv -m 3 -H 'referer: http://www.example.com/from' http://www.example.com/index.html >"$out"
finish tcp:80=http2
source_line "$(version nghttp2-client nghttp2-server)" \
	'three requests at once, the later ones by references to the table'

# nghttpd does not know Upgrade; nghttpx does.
serve nghttpx --workers=1 --frontend="$server4,8080;no-tls" \
	--backend="$server4,80;;proto=h2" --no-ocsp --errorlog-file="$tmp/nghttpx.log" \
	--accesslog-file=/dev/null --conf=/dev/null
wait_port tcp 8080
capture http2/nghttp-upgrade 'tcp port 8080'
client nghttp -nu http://www.example.com:8080/index.html >"$out"
client curl -sS --http2 -o "$out" http://www.example.com:8080/index.html
finish tcp:8080=http/http2
source_line "$(version curl nghttp2-client nghttp2-proxy)" 'HTTP/1.1 with an Upgrade to h2c'

capture http2/curl-doh 'tcp port 80'
client curl -sS --http2-prior-knowledge -o "$out" -H 'accept: application/dns-message' \
	'http://www.example.com/dns-query?dns=AAABAAABAAAAAAAAA3d3dwdleGFtcGxlA2NvbQAAAQAB'
finish tcp:80=http2/doh
source_line "$(version curl nghttp2-server)" 'a question of DNS in a path'

if "$python" -c 'import grpc' 2>/dev/null; then
	cat >"$tmp/call.py" <<-'END'
		import sys
		from concurrent import futures
		import grpc
		raw = {"request_deserializer": None, "response_serializer": None}
		address = sys.argv[2]
		if sys.argv[1] == "server":
		    server = grpc.server(futures.ThreadPoolExecutor(max_workers=1))
		    say = grpc.unary_unary_rpc_method_handler(lambda request, context: b"\n\x05hello", **raw)
		    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(
		        "helloworld.Greeter", {"SayHello": say}),))
		    server.add_insecure_port(address)
		    server.start()
		    server.wait_for_termination()
		else:
		    with grpc.insecure_channel(address) as channel:
		        say = channel.unary_unary("/helloworld.Greeter/SayHello")
		        for name in b"alice", b"bob":
		            say(b"\n" + bytes([len(name)]) + name)
	END
	serve "$python" "$tmp/call.py" server $server4:50051
	wait_port tcp 50051
	capture http2/grpc
	client "$python" "$tmp/call.py" client $server4:50051
	finish 'tcp:50051=http2/grpc http2.content-type=application/grpc,application/grpc'
	source_line "$(version python3-grpcio) on both sides" 'two calls on a connection'
else
	echo "$script: no python3-grpcio: its case is left out" >&2
fi

if "$python" -c 'import websockets' 2>/dev/null; then
	cat >"$tmp/ws.py" <<-'END'
		import asyncio
		import sys
		import websockets
		async def echo(socket, path=None):
		    async for message in socket:
		        await socket.send(message)
		async def server(host, port):
		    async with websockets.serve(echo, host, port, subprotocols=["chat.v1"]):
		        await asyncio.Future()
		async def client(host, port):
		    url = f"ws://{host}:{port}/talk"
		    async with websockets.connect(url, subprotocols=["chat.v2", "chat.v1"]) as socket:
		        for message in "hello", b"bytes", "x" * 300:
		            await socket.send(message)
		            await socket.recv()
		        await socket.ping()
		asyncio.run({"server": server, "client": client}[sys.argv[1]](*sys.argv[2:4]))
	END
	serve "$python" "$tmp/ws.py" server $server4 8765
	wait_port tcp 8765
	capture http/websocket
	client "$python" "$tmp/ws.py" client www.example.com 8765
	finish 'tcp:8765=http/websocket http.sub-protocol=chat.v1'
	source_line "$(version python3-websockets) on both sides" \
		'texts, bytes and a ping; a sub-protocol is agreed on, and compression'
else
	echo "$script: no python3-websockets: its case is left out" >&2
fi
