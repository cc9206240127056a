#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# HTTP/1: nginx, Apache and Python's http.server, tinyproxy and squid; curl, wget, nc and Python's
# http.client. The requests that no browser sends (bare LF, pipelined) are written by hand.

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

need nginx nginx
need curl curl
need wget wget
need nc netcat-openbsd
need python3 python3

root=$tmp/www
mkdir -p "$root/img" "$root/js" "$root/many" "$root/docs"
python3 - "$root" <<'END'
import json, random, sys, zlib

root, chance = sys.argv[1], random.Random(2049)


def jpeg(size):
    """A JFIF header, noise, an end marker: nobody decodes it here."""
    head = bytes.fromhex("ffd8ffe000104a46494600010101004800480000ffdb0043")
    return head + chance.randbytes(size) + b"\xff\xd9"


def write(name, data):
    with open(f"{root}/{name}", "wb") as out:
        out.write(data if isinstance(data, bytes) else data.encode())


write("index.html", "<!DOCTYPE html><title>Welcome</title><link rel=stylesheet href=style.css>"
      "<script src=js/app.js></script><img src=img/logo.jpg>\n" + "<p>Hello.</p>\n" * 20)
write("style.css", "body { margin: 2em; }\n")
write("js/app.js", "console.log('ready');\n" * 10)
write("img/logo.jpg", jpeg(1800))
write("img/photo.jpg", jpeg(3500))
write("data.json", json.dumps({"readings": [chance.random() for _ in range(20)]}))
write("docs/long.txt", "All work and no play makes a dull capture.\n" * 100)
for number in range(260):
    write(f"many/item-{number:03}.jpg", jpeg(40 + chance.randrange(700)))
END

certificate www.example.com
cat >"$tmp/nginx.conf" <<END
worker_processes 1;
user www-data;
pid $tmp/nginx.pid;
error_log $tmp/nginx.log;
events { worker_connections 64; }
http {
	include /etc/nginx/mime.types;
	default_type application/octet-stream;
	access_log off;
	client_body_temp_path $tmp/body;
	keepalive_requests 1000;
	large_client_header_buffers 4 16k;
	gzip on;
	gzip_min_length 100;
	gzip_types text/plain application/javascript application/json;
	server {
		listen 80 default_server;
		listen [::]:80 default_server;
		listen 8081;
		listen 443 ssl;
		ssl_certificate $tmp/www.example.com.crt;
		ssl_certificate_key $tmp/www.example.com.key;
		root $root;
		location /login { return 200 '{"ok": true}'; default_type application/json; }
		location /old/ { return 301 /docs/; }
		location /search { return 200 'Nothing found.'; default_type text/plain; }
		location /upload { proxy_pass http://127.0.0.1:8000; }
	}
}
END
# Answers PUT and POST after having read the body.
cat >"$tmp/sink.py" <<'END'
from http.server import BaseHTTPRequestHandler, HTTPServer


class Sink(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b"<p>Stored.</p>\n"
        self.send_response(201)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_PUT = do_POST


HTTPServer(("", 8000), Sink).serve_forever()
END
chmod -R a+rX "$root" "$tmp"
serve nginx -c "$tmp/nginx.conf" -g 'daemon off;'
serve python3 "$tmp/sink.py"
wait_port tcp 80
wait_port tcp 8081
wait_port tcp 8000
curl_nginx=$(version curl nginx)
out=$tmp/out

# fetch URL...: all on one connection.
fetch()
{
	client curl -sS -o "$out" "$@"
}

capture http/emix-source 'tcp port 80'
client python3 - $server4 <<'END'
import http.client, sys

connection = http.client.HTTPConnection(sys.argv[1], 80)
for number in range(250):
    connection.request("GET", "/many/item-%03d.jpg" % number, headers={
        "Host": "www.example.com", "User-Agent": "shop/1.0", "Accept": "image/*",
        "Cookie": "session=%032x; seen=%d" % (number * 7919, number)})
    connection.getresponse().read()
connection.close()
END
finish tcp:80=http
source_line "http.client of $(python3 -V), $(version nginx)" \
	'250 small pictures on one connection, over 473 packets'

capture http/nginx-page
fetch http://www.example.com/ -o "$out" http://www.example.com/style.css \
	-o "$out" http://www.example.com/js/app.js -o "$out" http://www.example.com/img/logo.jpg \
	-o "$out" http://www.example.com/data.json -o "$out" http://www.example.com/missing.png
finish tcp:80=http
source_line "$curl_nginx" 'a page and its parts on one connection; the last is a 404'

capture http/nginx-ipv6
fetch http://www6.example.com/ -o "$out" http://www6.example.com/img/photo.jpg
fetch "http://[$server6]/data.json"
finish tcp:80=http
source_line "$curl_nginx" 'IPv6; the second flow names its host by address'

capture http/nginx-8081
fetch http://www.example.com:8081/ -o "$out" http://www.example.com:8081/js/app.js
finish tcp:8081=http
source_line "$curl_nginx" 'another port'

capture http/nginx-post
fetch -d 'user=alice&password=wonderland' http://www.example.com/login
fetch -F "file=@$root/data.json" http://www.example.com/upload
fetch -T "$root/style.css" http://www.example.com/upload/style.css
finish tcp:80=http
source_line "$curl_nginx, http.server of $(python3 -V)" 'POST of a form, of multipart; PUT'

capture http/nginx-continue
fetch -H 'Expect: 100-continue' --data-binary "@$root/docs/long.txt" http://www.example.com/upload
finish tcp:80=http
source_line "$curl_nginx" 'Expect: 100-continue, the body after the interim answer'

capture http/nginx-gzip
fetch --compressed http://www.example.com/docs/long.txt -o "$out" http://www.example.com/data.json
finish tcp:80=http
source_line "$curl_nginx" 'gzip, chunked'

capture http/nginx-head
fetch -I http://www.example.com/img/logo.jpg -o "$out" http://www.example.com/
fetch -z "$root/index.html" http://www.example.com/index.html -o "$out" http://www.example.com/data.json
fetch -L http://www.example.com/old/ || :
fetch -X OPTIONS http://www.example.com/
fetch -r 100-199 http://www.example.com/docs/long.txt
finish tcp:80=http
source_line "$curl_nginx" 'HEAD, 304, 301, OPTIONS, a range'

capture http/nginx-wget
client wget -q -r -l 1 -P "$tmp/wget" http://www.example.com/ || :
finish tcp:80=http
source_line "$(version wget nginx)" 'a page and what it refers to, robots.txt is missing'

capture http/nginx-pipelined
printf 'GET /%s HTTP/1.1\r\nHost: www.example.com\r\n\r\n' index.html img/logo.jpg data.json |
	client nc -q 1 $server4 80 >"$out"
finish tcp:80=http
source_line "$(version netcat-openbsd nginx)" 'three requests in one segment'

capture http/nginx-bare-lf
printf 'GET /img/logo.jpg HTTP/1.0\nHost: www.example.com\n\n' | client nc -q 1 $server4 80 >"$out"
printf 'GET /data.json HTTP/1.1\nHost: www.example.com\nConnection: close\n\n' |
	client nc -q 1 $server4 8081 >"$out"
finish '*:*=http'
source_line "$(version netcat-openbsd nginx)" 'requests whose lines end in LF alone, at ports 80 and 8081'

capture http/nginx-0.9
printf 'GET /index.html\r\n' | client nc -q 1 $server4 80 >"$out"
finish 'tcp:80=http http.method=GET http.url=/index.html'
source_line "$(version netcat-openbsd nginx)" 'HTTP/0.9: a request line without a version, an answer without headers'

capture http/nginx-slow
client sh -c "(printf 'GE'; sleep .2; printf 'T /img/lo'; sleep .2
	printf 'go.jpg HTTP/1.1\r\nHo'; sleep .2; printf 'st: www.example.com\r'; sleep .2
	printf '\nConnection: close\r\n\r'; sleep .2; printf '\n') | nc -q 1 $server4 80" >"$out"
finish tcp:80=http
source_line "$(version netcat-openbsd nginx)" 'a request cut in the middle of its words and line ends'

capture http/nginx-long-url
long=$(printf 'part%04d-' $(seq 1 400))
fetch "http://www.example.com/search?q=$long"
finish tcp:80=http
source_line "$curl_nginx" 'a URL of over 3,600 characters, over several segments'

if have tinyproxy tinyproxy; then
	cat >"$tmp/tinyproxy.conf" <<-END
		Port 8888
		Listen 0.0.0.0
		Timeout 60
		MaxClients 10
		ConnectPort 443
	END
	serve tinyproxy -d -c "$tmp/tinyproxy.conf"
	wait_port tcp 8888
	capture http/tinyproxy
	fetch -x $server4:8888 http://www.example.com/img/logo.jpg
	fetch -x $server4:8888 --insecure https://www.example.com/data.json
	finish tcp:8888=http
	source_line "$(version curl tinyproxy nginx)" 'a proxy: an absolute URL, a CONNECT with TLS inside'
fi

if have squid squid; then
	cat >"$tmp/squid.conf" <<-END
		http_port 3128
		http_access allow all
		cache deny all
		pid_filename $tmp/squid.pid
		cache_log $tmp/squid.log
		access_log none
		shutdown_lifetime 1 seconds
		hosts_file $tmp/etc/hosts
		logfile_rotate 0
		pinger_enable off
	END
	chmod 777 "$tmp"
	serve squid -N -f "$tmp/squid.conf"
	wait_port tcp 3128
	capture http/squid
	fetch -x $server4:3128 http://www.example.com/img/logo.jpg \
		-o "$out" http://www.example.com/data.json
	fetch -x $server4:3128 --insecure https://www.example.com/data.json
	finish tcp:3128=http
	source_line "$(version curl squid nginx)" \
		'a proxy: absolute URLs on one connection, a CONNECT with TLS inside'
	chmod 755 "$tmp"
fi
stop_daemons

if have apache2 apache2; then
	modules=/usr/lib/apache2/modules
	cat >"$tmp/apache.conf" <<-END
		ServerName www.example.com
		ServerRoot $tmp
		PidFile $tmp/apache.pid
		ErrorLog $tmp/apache.log
		LoadModule mpm_event_module $modules/mod_mpm_event.so
		LoadModule authz_core_module $modules/mod_authz_core.so
		LoadModule mime_module $modules/mod_mime.so
		LoadModule dir_module $modules/mod_dir.so
		LoadModule autoindex_module $modules/mod_autoindex.so
		LoadModule filter_module $modules/mod_filter.so
		LoadModule deflate_module $modules/mod_deflate.so
		TypesConfig /etc/mime.types
		Listen 80
		User www-data
		Group www-data
		DocumentRoot $root
		AddOutputFilterByType DEFLATE text/plain application/json
		<Directory $root>
			Options +Indexes
			Require all granted
		</Directory>
	END
	serve apache2 -f "$tmp/apache.conf" -DFOREGROUND
	wait_port tcp 80
	capture http/apache-page
	fetch --compressed http://www.example.com/docs/ -o "$out" http://www.example.com/docs/long.txt \
		-o "$out" http://www.example.com/img/photo.jpg -o "$out" http://www.example.com/nowhere
	fetch -0 -A 'Mozilla/5.0 (X11; Linux x86_64)' "http://$server4/data.json"
	finish tcp:80=http
	source_line "$(version curl apache2)" 'a folder, a chunked answer, a 404; then HTTP/1.0 without a name'
	stop_daemons
fi

serve sh -c "cd '$root' && exec python3 -m http.server 8081"
wait_port tcp 8081
capture http/python-8081
client wget -q -O "$out" http://www.example.com:8081/js/app.js
client wget -q -O "$out" http://www.example.com:8081/docs/
finish tcp:8081=http
source_line "$(version wget), http.server of $(python3 -V)" 'HTTP/1.0 answers, another port'
