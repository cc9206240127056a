/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Drives a way with fixed verdicts, as a daemon would: the parent opens, children work, and
 * one that dies is replaced. Ports are of TCP or UDP, on either side.
 *
 *	drive [-w WORKERS] [-d PORT] [-s PORT] [-r PORT] [-m PORT] [-k PORT] [-q QUEUE]
 *	      [-Q QUEUES] [-p PACE] [-f FANOUT] [-n SNAP] [-b RING_BYTES] [-C]
 *	      KIND [INTERFACE...]
 *
 * -d drops, -s sets DSCP 46, -r answers TCP to that port with a reset, -m sets mark 0x20 of
 * 0x30 on the packet and 0x80 of 0xc0 on its connection, -k kills the worker that sees it. Says
 * "ready", each event, and at the end, on SIGTERM, what was counted.
 */
#include "io/checksum.h"
#include "io/way.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 8, PAIRS = 1 << 16, DSCP = 46, LINKTYPE_ETHERNET = 1 };

static struct {
	const struct way_kind *kind;
	struct way_options options;
	unsigned workers;
	long drop, dscp, reset, mark, kill;
} the = { .workers = 1 };

/* Shared with the children: which pairs of addresses a worker has seen. */
static uint8_t (*seen)[PAIRS];
static volatile sig_atomic_t stop;

static void
on_term(int number)
{
	(void)number;
	stop = 1;
}

/* Where the layers of a frame are. */
struct layers {
	size_t ip, l4;
	uint8_t version, protocol;
	uint16_t from, to;
	uint32_t pair;
};

static bool
find_ip(const struct way_frame *frame, struct bytes *b)
{
	uint16_t type;

	if (frame->linktype != LINKTYPE_ETHERNET)
		return true;
	bytes_skip(b, 12);
	type = bytes_be16(b);
	if (type == 0x8100) {
		bytes_skip(b, 2);
		type = bytes_be16(b);
	}
	return type == 0x0800 || type == 0x86dd;
}

static bool
find(const struct way_frame *frame, struct layers *l)
{
	struct bytes b = frame->data, ip;
	uint8_t first;

	if (!find_ip(frame, &b))
		return false;
	l->ip = (size_t)(b.p - frame->data.p);
	ip = b;
	first = bytes_u8(&ip);
	l->version = first >> 4;
	bytes_skip(&ip, l->version == 4 ? 8 : 5);
	l->protocol = bytes_u8(&ip);
	bytes_skip(&ip, l->version == 4 ? 2 : 1);
	l->pair = 0;
	for (unsigned i = 0; i < (l->version == 4 ? 2U : 8U); i++)
		l->pair ^= bytes_be32(&ip);
	bytes_skip(&b, l->version == 4 ? (size_t)(first & 15) * 4 : 40);
	l->l4 = (size_t)(b.p - frame->data.p);
	l->from = bytes_be16(&b);
	l->to = bytes_be16(&b);
	return !b.bad && !ip.bad && (l->version == 4 || l->version == 6);
}

static uint16_t
ip_sum(const uint8_t *p, size_t n)
{
	struct bytes b = bytes_of(p, n);
	uint32_t total = 0;

	while (bytes_left(&b) > 1)
		total += bytes_be16(&b);
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	return (uint16_t)~total;
}

static void
finish4(uint8_t *ip)
{
	uint16_t sum;

	ip[10] = ip[11] = 0;
	sum = ip_sum(ip, (size_t)(ip[0] & 15) * 4);
	ip[10] = (uint8_t)(sum >> 8);
	ip[11] = (uint8_t)sum;
}

static void
set_dscp(uint8_t *ip)
{
	if (ip[0] >> 4 == 6) {
		ip[0] = 0x60 | DSCP >> 2;
		ip[1] = (uint8_t)((ip[1] & 0x3f) | (DSCP & 3) << 6);
		return;
	}
	ip[1] = (uint8_t)((ip[1] & 3) | DSCP << 2);
	finish4(ip);
}

/* IPv4 only: the frame's sender gets a reset. */
static void
send_reset(struct way *way, const struct way_frame *frame, const struct layers *l)
{
	uint8_t out[64] = { 0 }, *ip = out + l->ip, *tcp = ip + 20;
	const uint8_t *in_ip = frame->data.p + l->ip, *in = frame->data.p + l->l4;
	uint32_t next =
		(uint32_t)in[4] << 24 | (uint32_t)in[5] << 16 | (uint32_t)in[6] << 8 | in[7];

	if (l->ip > 18 || l->version != 4)
		return;
	memcpy(out, frame->data.p, l->ip);
	if (l->ip > 0) {
		memcpy(out, frame->data.p + 6, 6);
		memcpy(out + 6, frame->data.p, 6);
	}
	memcpy(ip, (uint8_t[]){ 0x45, 0, 0, 40, 0, 0, 0x40, 0, 64, 6 }, 10);
	memcpy(ip + 12, in_ip + 16, 4);
	memcpy(ip + 16, in_ip + 12, 4);
	finish4(ip);
	memcpy(tcp, in + 2, 2);
	memcpy(tcp + 2, in, 2);
	next++; /* a SYN is answered */
	memcpy(tcp + 8,
	       (uint8_t[]){ (uint8_t)(next >> 24), (uint8_t)(next >> 16), (uint8_t)(next >> 8),
			    (uint8_t)next },
	       4);
	tcp[12] = 5 << 4;
	tcp[13] = 0x14; /* RST, ACK */
	(void)checksum_finish(ip, 40);
	if (the.kind->inject(way, frame->interface, bytes_of(out, l->ip + 40)))
		printf("inject: %s\n", strerror(errno));
}

static struct way_verdict
decide(struct way *way, struct way_frame *frame, unsigned worker)
{
	struct way_verdict v = { .action = WAY_FORWARD };
	struct layers l;

	if (!find(frame, &l))
		return v;
	/* The kernel's NFQUEUE divides by protocol as well. */
	if (frame->linktype != LINKTYPE_ETHERNET)
		l.pair ^= l.protocol;
	if (l.version == 4)
		seen[worker][(l.pair ^ l.pair >> 16) % PAIRS] = 1;
	if (l.protocol != 6 && l.protocol != 17)
		return v;
	if (the.kill && (l.from == the.kill || l.to == the.kill))
		(void)kill(getpid(), SIGKILL);
	if (the.drop && (l.from == the.drop || l.to == the.drop))
		v.action = WAY_DROP;
	if (the.reset && l.to == the.reset && l.protocol == 6) {
		v.action = WAY_DROP;
		send_reset(way, frame, &l);
	}
	if (the.dscp && (l.from == the.dscp || l.to == the.dscp) && frame->change) {
		set_dscp(frame->change + l.ip);
		v.action = WAY_CHANGED;
	}
	if (the.mark && (l.from == the.mark || l.to == the.mark)) {
		v.mark = v.mark_mask = 0x20;
		v.mark_mask |= 0x10;
		v.ct_mark = 0x80;
		v.ct_mark_mask = 0xc0;
	}
	return v;
}

static unsigned
turn(struct way *way, unsigned worker)
{
	struct way_frame frames[WAY_BATCH];
	struct way_verdict verdicts[WAY_BATCH];
	unsigned n = the.kind->receive(way, frames);

	for (unsigned i = 0; i < n; i++)
		verdicts[i] = decide(way, &frames[i], worker);
	if (n > 0)
		the.kind->verdict(way, verdicts, n);
	return n;
}

static void
work(struct way *way, unsigned worker)
{
	static const char *const names[] = { "up", "down", "gone", "appeared", "end" };
	struct pollfd at = { .fd = the.kind->fd(way), .events = POLLIN };
	struct way_event event;

	while (!stop) {
		(void)poll(&at, 1, 1000);
		while (turn(way, worker) > 0 && !stop)
			continue;
		while (the.kind->event(way, &event)) {
			printf("event %u %s\n", event.interface, names[event.change]);
			(void)fflush(stdout);
			stop |= event.change == WAY_END;
		}
	}
}

static pid_t
start(struct way *way, unsigned worker)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	work(way, worker);
	(void)fflush(stdout);
	_exit(0);
}

static void
print_stats(struct way **ways)
{
	unsigned split = 0, pairs = 0;

	for (unsigned w = 0; w < the.workers; w++) {
		struct way_stats s;
		unsigned last = the.options.interface_count;

		for (unsigned i = 0; i <= last; i++) {
			the.kind->stats(ways[w], i == last ? WAY_NONE : (uint16_t)i, &s);
			printf("worker %u interface %s received %ju bytes %ju drops %ju "
			       "forwarded %ju dropped %ju injected %ju failures %ju cut %ju\n",
			       w, i == last ? "all" : the.options.interfaces[i],
			       (uintmax_t)s.received, (uintmax_t)s.received_bytes,
			       (uintmax_t)s.kernel_drops, (uintmax_t)s.forwarded,
			       (uintmax_t)s.dropped, (uintmax_t)s.injected,
			       (uintmax_t)s.send_failures, (uintmax_t)s.truncated);
		}
	}
	for (unsigned k = 0; k < PAIRS; k++) {
		unsigned by = 0;

		for (unsigned w = 0; w < the.workers; w++)
			by += seen[w][k];
		pairs += by > 0;
		split += by > 1;
	}
	printf("pairs %u split %u\n", pairs, split);
}

static void
read_options(int argc, char **argv)
{
	int c;

	while ((c = getopt(argc, argv, "w:d:s:r:m:k:q:Q:p:f:n:b:C")) != -1) {
		long number = optarg ? atol(optarg) : 0;

		switch (c) {
		case 'w': the.workers = (unsigned)number; break;
		case 'd': the.drop = number; break;
		case 's': the.dscp = number; break;
		case 'r': the.reset = number; break;
		case 'm': the.mark = number; break;
		case 'k': the.kill = number; break;
		case 'q': the.options.queue = (uint16_t)number; break;
		case 'Q': the.options.queues = (uint16_t)number; break;
		case 'p': the.options.pace = atof(optarg); break;
		case 'f': the.options.fanout = (uint16_t)number; break;
		case 'n': the.options.snap = (uint32_t)number; break;
		case 'b': the.options.ring_bytes = (uint32_t)number; break;
		case 'C': the.options.fail_closed = true; break;
		default: exit(2);
		}
	}
	the.kind = optind < argc ? way_named(argv[optind++]) : NULL;
	if (!the.kind || the.workers < 1 || the.workers > WORKERS) {
		(void)fprintf(stderr, "drive: which way? or too many workers\n");
		exit(2);
	}
	the.options.interfaces = (const char *const *)(argv + optind);
	the.options.interface_count = (uint16_t)(argc - optind);
	the.options.workers = (uint16_t)the.workers;
}

static void
open_ways(struct way **ways)
{
	struct way_options options = the.options;
	struct source_fault fault;

	for (unsigned w = 0; w < the.workers; w++) {
		options.worker = (uint16_t)w;
		if (the.kind->open(&options, &ways[w], &fault)) {
			(void)fprintf(stderr, "drive: %s\n", fault.text);
			exit(1);
		}
		options.queue =
			(uint16_t)(options.queue + (options.queues ? options.queues : 1));
	}
	if (the.kind->limit(ways[0]))
		printf("limit: %s\n", the.kind->limit(ways[0]));
	printf("ready\n");
	(void)fflush(stdout);
}

/* Replaces children that died by a signal; they end by themselves when told, or at the end. */
static void
watch(struct way **ways)
{
	pid_t pid[WORKERS], ended;
	unsigned left = the.workers;
	int status;

	for (unsigned w = 0; w < the.workers; w++)
		pid[w] = start(ways[w], w);
	while (left > 0) {
		ended = wait(&status);
		if (ended < 0 && stop) {
			for (unsigned w = 0; w < the.workers; w++)
				(void)kill(pid[w], SIGTERM);
		}
		for (unsigned w = 0; ended > 0 && w < the.workers; w++) {
			if (pid[w] != ended)
				continue;
			if (WIFSIGNALED(status))
				pid[w] = start(ways[w], w);
			else
				left--;
		}
	}
}

int
main(int argc, char **argv)
{
	struct sigaction term = { .sa_handler = on_term };
	struct way *ways[WORKERS];

	read_options(argc, argv);
	(void)sigaction(SIGTERM, &term, NULL);
	seen = mmap(NULL, (size_t)WORKERS * PAIRS, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		return 1;
	open_ways(ways);
	/* A replay is not shared over fork(). */
	if (the.kind == &way_replay)
		work(ways[0], 0);
	else
		watch(ways);
	print_stats(ways);
	for (unsigned w = 0; w < the.workers; w++)
		the.kind->close(ways[w]);
	return 0;
}
