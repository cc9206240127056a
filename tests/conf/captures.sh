# SPDX-License-Identifier: LGPL-3.0-or-later
# shellcheck shell=sh disable=SC2154
# Each form of barn.conf(5) on recorded traffic, where it fits and where it does not. Read by
# tests/conf/run: names CLAIM CAPTURE STACKS.

# http: one field, several, alternatives.
names 'a host' http/nginx-page http/mine <<'C'
ip nbar custom mine http host www.example.com
C
names 'another host' http/nginx-page http <<'C'
ip nbar custom mine http host example.com
ip nbar custom yours http host www.example.org
C
names 'a URL, without its slash' http/python-8081 'http/mine http' <<'C'
ip nbar custom mine http url js/*.js
C
names 'a URL that has a slash' http/python-8081 'http/mine http' <<'C'
ip nbar custom mine http url /js/app.js
C
names 'a request that ends in bare line feeds' http/nginx-bare-lf 'http/mine http' <<'C'
ip nbar custom mine http url *.jpg
C
names 'the first of several requests names a connection' http/nginx-pipelined http <<'C'
ip nbar custom mine http url *.jpg
C
names 'a URL of another kind' http/nginx-page http <<'C'
ip nbar custom mine http url *.gif
C
names 'all fields must fit' http/nginx-page http <<'C'
ip nbar custom mine http host www.example.com user-agent Wget*
C
names 'all fields fit' http/nginx-page http/mine <<'C'
ip nbar custom mine http host www.example.com user-agent curl* method GET version 1.1
C
names 'an expression, with its case' http/nginx-page http <<'C'
ip nbar custom mine http user-agent regex /^CURL/
C
names 'an expression without regard to case' http/nginx-page http/mine <<'C'
ip nbar custom mine http user-agent regex "/^CURL\/[0-9.]+$/i"
C
names 'one alternative of several lines' http/nginx-page http/mine <<'C'
ip nbar custom mine http url nothing
ip nbar custom mine http method GET
C
names 'removed' http/nginx-page http <<'C'
ip nbar custom mine http method GET
no ip nbar custom mine
C

# What comes before what, in either order.
for order in 1 2; do
	lines='ip nbar custom b-url-host http url / host www.example.com
ip nbar custom a-url http url /
ip nbar custom a-host http host www.example.com
ip nbar custom a-method http method GET'
	[ $order = 1 ] || lines=$(echo "$lines" | sort)
	names 'URL and host beat all others' http/nginx-page http/b-url-host <<C
$lines
C
	names 'a URL beats a host' http/nginx-page http/a-url <<C
$(echo "$lines" | grep -v b-url-host)
C
	names 'a host beats a method' http/nginx-page http/a-host <<C
$(echo "$lines" | grep -v -e 'http url')
C
	lines='ip nbar custom later ssl unique-name *example.com
ip nbar custom earlier ssl unique-name *www.exampl*'
	[ $order = 1 ] || lines=$(echo "$lines" | sort)
	names 'the name whose match ends later wins' ssl/nginx-1.2 'ssl/later ssl/later' <<C
$lines
C
done

# Names of servers.
names 'a name of TLS' ssl/nginx-1.2 'ssl/mine ssl/mine' <<'C'
ip nbar custom mine ssl unique-name *.example.com
C
names 'another name of TLS' ssl/nginx-1.2 'ssl ssl' <<'C'
ip nbar custom mine ssl unique-name example.com
C
names 'a name in a certificate' ssl/nginx-no-name 'ssl ssl ssl/mine' <<'C'
ip nbar custom mine ssl unique-name *example.com
C
names 'ssl is not for HTTP' http/nginx-page http <<'C'
ip nbar custom mine ssl unique-name *
C
names 'composite on TLS' ssl/nginx-1.3 'ssl/mine ssl/mine' <<'C'
ip nbar custom mine composite server-name *example.com
C
names 'composite on HTTP' http/nginx-page http/mine <<'C'
ip nbar custom mine composite server-name *example.com
C

# Ports, addresses, DSCP.
names 'ports alone' http/nginx-8081 mine <<'C'
ip nbar custom mine tcp 8081
C
names 'ports of the other transport' http/nginx-8081 http <<'C'
ip nbar custom mine udp 8081
C
names 'the port of the other' http/nginx-8081 mine <<'C'
ip nbar custom mine destination tcp range 8000 8100
C
names 'not the port of who opened it' http/nginx-8081 http <<'C'
ip nbar custom mine source tcp 8081
C
names 'a subnet' ftp/vsftpd-pasv 'mine mine mine mine' <<'C'
ip nbar custom mine transport tcp
 ip subnet 10.77.0.0/24
C
names 'a subnet and a port of one end' ftp/vsftpd-pasv 'mine unknown mine unknown' <<'C'
ip nbar custom mine transport udp-tcp ip address 10.77.0.2 port 21
C
names 'the port of the end without the address' ftp/vsftpd-pasv \
	'ftp ftp-data ftp ftp-data' <<'C'
ip nbar custom mine transport tcp ip address 10.77.0.1 port 21
C
names 'the other direction' ftp/vsftpd-pasv 'ftp ftp-data ftp ftp-data' <<'C'
ip nbar custom mine transport tcp ip address 10.77.0.2 direction source
C
names 'the longest prefix wins' ftp/vsftpd-pasv 'a-long a-long a-long a-long' <<'C'
ip nbar custom z-short transport tcp ip subnet 10.0.0.0/8 port 21
ip nbar custom a-long transport tcp ip subnet 10.77.0.0/16
C
names 'IPv6' http/nginx-ipv6 'mine mine' <<'C'
ip nbar custom mine transport tcp ipv6 subnet fd77::/64
C
names 'a DSCP that is not there' http/nginx-page http <<'C'
ip nbar custom mine transport tcp dscp ef
C
names 'a DSCP' http/nginx-page mine <<'C'
ip nbar custom mine transport tcp dscp default
C

# Payload.
names 'text at an offset' ftp/vsftpd-pasv 'mine unknown mine unknown' <<'C'
ip nbar custom mine 5 ascii vsF tcp 21
C
names 'text at another offset' ftp/vsftpd-pasv 'ftp ftp-data ftp ftp-data' <<'C'
ip nbar custom mine 6 ascii vsF tcp 21
C
names 'text on another port' ftp/vsftpd-pasv 'ftp ftp-data ftp ftp-data' <<'C'
ip nbar custom mine 5 ascii vsF tcp 22
C
names 'sent from the port' ftp/vsftpd-pasv 'mine unknown mine unknown' <<'C'
ip nbar custom mine 0 hex 32323020 source tcp 21
C
names 'not sent to the port' ftp/vsftpd-pasv 'ftp ftp-data ftp ftp-data' <<'C'
ip nbar custom mine 0 hex 32323020 destination tcp 21
C
names 'a number' ftp/vsftpd-pasv 'mine unknown mine unknown' <<'C'
ip nbar custom mine 0 decimal 12850 tcp 20 21 22
C
names 'an expression' http/nginx-8081 mine <<'C'
ip nbar custom mine 0 regex "/^(GET|HEAD) /" destination tcp 8081
C
names 'bytes cut one by one' ftp/one-byte 'mine unknown' <<'C'
ip nbar custom mine 0 ascii "220 " source tcp 21
C

# DNS answers; what is found in the flow itself stands in front of it.
names 'flows to an address of a DNS answer' forms \
	'dns mine http/mine dns mine unknown unknown dis dis unknown' <<'C'
ip nbar custom mine dns domain-name *.shop.example
C
names 'the name that was asked for' forms \
	'dns mine http/mine dns unknown unknown unknown dis dis unknown' <<'C'
ip nbar custom mine dns domain-name regex /^www/
C
names 'the later end, by DNS too' forms \
	'dns later http/url dns later unknown unknown dis dis unknown' <<'C'
ip nbar custom a-earlier dns domain-name *shop*
ip nbar custom later composite server-name *shop.example
ip nbar custom url http url a host *
C
names 'offsets in datagrams, directions, a variable' forms \
	'dns unknown http dns unknown unknown ftdd virus_home dis unknown' <<'C'
ip nbar custom ftdd 23 variable scid 1 tcp range 5001 5005
ip nbar custom virus_home 7 hex 0x56 destination udp 3000
C
for scid in '0x15 2' '21,22 2' '0x16 1' '0-20 1'; do
	run "$barn" read -c "$tmp/names.conf" --flows \
		--match "protocol ftdd scid ${scid% *}" "$tmp/forms.pcap"
	equal "match by a variable: $scid" "${scid#* }" "$(lines "$tmp/out")"
done
example=$source/engine/conf/barn.conf
run "$barn" read -c "$example" --flows=json -j 4 "$captures/emix.pcap"
sort "$tmp/out" >"$tmp/four"
run "$barn" read -c "$example" --flows=json -j 1 "$captures/emix.pcap"
sort "$tmp/out" >"$tmp/one"
same 'four workers find what one does' "$tmp/one" "$tmp/four"

# match protocol of what a custom one is a kind of, and of a URL that names one.
cat >"$tmp/names.conf" <<'C'
ip nbar custom mine composite server-name *example.com extends telnet
C
for statement in 'protocol mine' 'protocol http' 'protocol telnet' \
	'protocol http url "*.css"'; do
	run "$barn" read -c "$tmp/names.conf" --flows --match "$statement" \
		"$captures/http/nginx-page.pcap"
	equal "a flow of 'mine' is $statement" 2 "$(lines "$tmp/out")"
done
run "$barn" read -c "$tmp/names.conf" --flows --match 'protocol ssh' \
	"$captures/http/nginx-page.pcap"
equal 'and not another' 1 "$(lines "$tmp/out")"

# Ports and attributes.
cat >"$tmp/names.conf" <<'C'
ip nbar port-map telnet tcp 8081
ip nbar port-map finger udp 23
ip nbar attribute-map odd
 attribute category email
ip nbar attribute-set http odd
C
run "$barn" show port-map -c "$tmp/names.conf" telnet
equal 'show port-map, as a router has it' 'port-map telnet   tcp 8081 ' "$(cat "$tmp/out")"
run "$barn" show port-map -c "$tmp/names.conf"
says 'a port map over both transports' '^port-map finger   udp 23 $' "$tmp/out"
says 'the other transport stays' '^port-map finger   tcp 79 $' "$tmp/out"
run "$barn" conf modules "$tmp/names.conf"
says 'an attribute is changed' 'attribute category email' "$tmp/out"
says 'and its others stay' 'attribute sub-category client-server' "$tmp/out"
exits 'no such protocol' 1 "$barn" show port-map nothing
