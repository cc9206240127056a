#!/bin/sh
# SPDX-License-Identifier: LGPL-3.0-or-later
#
# Things and networks of things: MQTT by mosquitto, AMQP by RabbitMQ, Modbus by pymodbus, CoAP by
# libcoap, Diameter by freeDiameter, GTP by OsmoGGSN, PTP by linuxptp.
#
#	industrial.sh [CASE...]		mqtt amqp modbus coap diameter gtp ptp; all of them unless told

# shellcheck source=tests/record/lib.sh
. "$(dirname "$0")/lib.sh"

# The system's own: the modules are Debian's.
python=/usr/bin/python3

# fact PATTERN FACTS: of the case's flows that the pattern matches.
fact()
{
	sed -i "/$1/s|\$| $2|" "$captures/$case_name.flows"
}

mqtt()
{
	need mosquitto mosquitto
	need mosquitto_pub mosquitto-clients
	printf 'listener 1883\nallow_anonymous true\nuser root\n' >"$tmp/mosquitto.conf"
	serve mosquitto -c "$tmp/mosquitto.conf"
	wait_port tcp 1883
	capture mqtt/mosquitto
	serve_client mosquitto_sub -h $server4 -V mqttv311 -i watcher -t 'plant/+/speed' -C 2
	sleep 0.5
	client mosquitto_pub -h $server4 -V mqttv5 -i turbine-1 -t plant/turbine/speed -m 3000
	client mosquitto_pub -h $server6 -V mqttv31 -i pump-7 -t plant/pump/speed -q 2 -m 12
	finish 'tcp:1883=mqtt'
	fact fd77 'mqtt.version="3" mqtt.client-id="pump-7" mqtt.topic="plant/pump/speed"'
	publisher=$(tshark -r "$captures/$case_name.pcap" -Y 'mqtt.ver == 5' -T fields -e tcp.srcport)
	fact "[.]1:$publisher " \
		'mqtt.version="5" mqtt.client-id="turbine-1" mqtt.topic="plant/turbine/speed"'
	source_line "$(version mosquitto mosquitto-clients)" \
		'a subscriber of 3.1.1, publishers of 5.0 and 3.1'
	stop_daemons
}

amqp()
{
	need rabbitmq-server rabbitmq-server
	need amqp-publish amqp-tools
	echo 'loopback_users = none' >"$tmp/rabbitmq.conf"
	serve env HOME="$tmp" RABBITMQ_CONFIG_FILE="$tmp/rabbitmq" RABBITMQ_MNESIA_BASE="$tmp/rabbit" RABBITMQ_LOG_BASE="$tmp/rabbit" \
		RABBITMQ_NODENAME=barn@localhost RABBITMQ_NODE_IP_ADDRESS=$server4 \
		/usr/lib/rabbitmq/bin/rabbitmq-server
	for try in 1 2 3 4 5 6 7 8; do
		server ss -ltn | grep -q ':5672 ' && break
		sleep 4
	done
	wait_port tcp 5672
	capture amqp/rabbitmq
	client amqp-publish --url "amqp://guest:guest@$server4/%2F" -e amq.topic -r a.b -b x
	finish 'tcp:5672=amqp amqp.version=0-9-1 amqp.vhost=/ amqp.product=RabbitMQ amqp.exchange=amq.topic'
	source_line "$(version rabbitmq-server amqp-tools)" 'version 0-9-1: one message'
	stop_daemons
}

modbus()
{
	$python -c 'import pymodbus' || die 'apt-get install python3-pymodbus'
	cat >"$tmp/server.py" <<-END
		from pymodbus.server import StartTcpServer
		from pymodbus.datastore import *
		block = lambda: ModbusSequentialDataBlock(0, [17] * 100)
		slave = ModbusSlaveContext(di=block(), co=block(), hr=block(), ir=block())
		StartTcpServer(context=ModbusServerContext(slaves=slave, single=True), address=("$server4", 502))
	END
	cat >"$tmp/client.py" <<-END
		from pymodbus.client import ModbusTcpClient
		c = ModbusTcpClient("$server4")
		c.connect()
		c.read_holding_registers(1, 10, slave=3)
		c.read_coils(0, 8, slave=3)
		c.write_registers(10, [1, 2, 3], slave=3)
		c.read_input_registers(5000, 1, slave=3)
		c.close()
	END
	serve $python "$tmp/server.py"
	wait_port tcp 502
	capture modbus/pymodbus
	client $python "$tmp/client.py"
	finish 'tcp:502=modbus modbus.function=3,1,16,4 modbus.unit=3 modbus.exception=2'
	source_line "$(version python3-pymodbus)" 'registers and coils, one that does not exist'
	stop_daemons
}

coap()
{
	need coap-server-notls libcoap3-bin
	serve coap-server-notls -A $server4
	wait_port udp 5683
	capture coap/libcoap
	client coap-client-notls -m get "coap://$server4/.well-known/core" >/dev/null
	client coap-client-notls -m put -e 1700000000 "coap://$server4/time" >/dev/null
	finish 'udp:5683=coap'
	source_line "$(version libcoap3-bin)" 'what a server has; setting its clock'
	stop_daemons
}

# peer NAME ITS-ADDRESS OTHER OTHERS-ADDRESS
peer()
{
	cat >"$tmp/$1.conf" <<-END
		Identity = "$1.example.com";
		Realm = "example.com";
		ListenOn = "$2";
		No_IPv6;
		No_SCTP;
		SecPort = 0;
		TLS_Cred = "$tmp/$1.example.com.crt", "$tmp/$1.example.com.key";
		TLS_CA = "$tmp/$1.example.com.crt";
		ConnectPeer = "$3.example.com" { ConnectTo = "$4"; No_TLS; };
	END
}

diameter()
{
	need freeDiameterd freediameterd
	certificate hss.example.com
	certificate mme.example.com
	peer mme $client4 hss $server4
	peer hss $server4 mme $client4
	serve freeDiameterd -c "$tmp/hss.conf"
	wait_port tcp 3868
	capture diameter/freediameter
	serve_client freeDiameterd -c "$tmp/mme.conf"
	sleep 6
	stop_daemons
	finish 'tcp:3868=diameter diameter.origin-host=mme.example.com,hss.example.com'
	source_line "$(version freediameterd)" 'two peers exchange capabilities and part'
}

gtp()
{
	need osmo-ggsn osmo-ggsn
	need sgsnemu osmo-ggsn
	cat >"$tmp/ggsn.cfg" <<-END
		ggsn ggsn0
		 gtp state-dir $tmp
		 gtp bind-ip $server4
		 apn internet
		  gtpu-mode tun
		  tun-device tun4
		  type-support v4
		  ip prefix dynamic 172.31.77.0/24
		  ip dns 0 192.0.2.53
		  ip ifconfig 172.31.77.0/24
		  no shutdown
		 default-apn internet
		 no shutdown ggsn
	END
	serve osmo-ggsn -c "$tmp/ggsn.cfg"
	wait_port udp 2123
	capture gtp-c/osmo-ggsn
	client timeout 8 sgsnemu -l $client4 -r $server4 --statedir "$tmp" \
		--pidfile "$tmp/sgsnemu.pid" -a internet --timelimit 3 \
		--contexts 1 --imsi 001010000000001 --msisdn 10000000001 || :
	finish 'udp:2123=gtp-c gtp-c.version=1 gtp-c.apn=internet' 'udp:*=unknown'
	source_line "$(version osmo-ggsn)" 'a context of version 1, asked for and given up'
	stop_daemons
}

ptp()
{
	need ptp4l linuxptp
	capture ptp/linuxptp
	serve ptp4l -i eth0 -S -m --priority1=10
	serve_client ptp4l -i eth0 -S -m -s --step_threshold=1000 --free_running=1
	sleep 9
	finish 'udp:319=ptp' 'udp:320=ptp'
	source_line "$(version linuxptp)" 'a clock tells the time, by multicast'
	stop_daemons
}

[ $# -gt 0 ] || set -- mqtt amqp modbus coap diameter gtp ptp
for one; do
	case $one in
	mqtt | amqp | modbus | coap | diameter | gtp | ptp) "$one" ;;
	*) die "no case $one" ;;
	esac
done
