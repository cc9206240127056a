/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/nfqueue.h"
#include "config.h"

#ifdef HAVE_NFQUEUE

#include "io/link.h"
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	LINKTYPE_RAW = 101,
	SLOT = (1 << 16) + 4096, /* the longest packet, and its attributes */
	COPY_MOST = 0xffff - 4,  /* an attribute's length is 16 bits */
	OUT = 2 * SLOT,          /* verdicts that are sent together */
	QUEUE_LENGTH = 8192,
	SOCKET_BYTES = 16 << 20,
	REQUEST = 256, /* a message of ours, at most */
	ANSWER = 8192
};

struct nfqueue {
	struct way way;
	struct mnl_socket *mnl;
	int fd, poll_fd, link_fd, raw4, raw6, proc_fd;
	uint16_t first, queues, interface_count;
	bool conntrack, fail_closed;
	unsigned pending;
	int index[WAY_INTERFACES];
	char name[WAY_INTERFACES][IF_NAMESIZE];
	struct way_stats stats;
	struct nfqueue_packet packet[WAY_BATCH];
	struct mmsghdr message[WAY_BATCH];
	struct iovec part[WAY_BATCH];
	uint8_t out[OUT] __attribute__((aligned(8)));
	uint8_t in[WAY_BATCH][SLOT] __attribute__((aligned(8)));
};

/* Sends a request about a queue, and waits for the answer. */
static bool
ask(struct nfqueue *q, struct nlmsghdr *m)
{
	char answer[ANSWER];
	const struct nlmsgerr *error;
	struct nlmsghdr *a = (struct nlmsghdr *)(void *)answer;

	m->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	if (mnl_socket_sendto(q->mnl, m, m->nlmsg_len) < 0)
		return false;
	/* Packets of a queue bound before may come first: they are lost to us, and wait. */
	do {
		ssize_t n = mnl_socket_recvfrom(q->mnl, answer, sizeof answer);

		if (n < (ssize_t)sizeof *a && errno != ENOSPC)
			return false;
	} while (a->nlmsg_type != NLMSG_ERROR);
	error = mnl_nlmsg_get_payload(a);
	errno = -error->error;
	return error->error == 0;
}

static struct nlmsghdr *
request(char *buffer, uint16_t queue)
{
	struct nlmsghdr *m = mnl_nlmsg_put_header(buffer);
	struct nfgenmsg *g;

	m->nlmsg_type = NFNL_SUBSYS_QUEUE << 8 | NFQNL_MSG_CONFIG;
	g = mnl_nlmsg_put_extra_header(m, sizeof *g);
	*g = (struct nfgenmsg){ .version = NFNETLINK_V0, .res_id = htons(queue) };
	return m;
}

static bool
set_flags(struct nfqueue *q, uint16_t queue, uint32_t flags, uint32_t mask)
{
	char buffer[REQUEST];
	struct nlmsghdr *m = request(buffer, queue);

	mnl_attr_put_u32(m, NFQA_CFG_FLAGS, htonl(flags));
	mnl_attr_put_u32(m, NFQA_CFG_MASK, htonl(mask));
	return ask(q, m);
}

static bool
bind_queue(struct nfqueue *q, uint16_t queue, const struct way_options *o)
{
	struct nfqnl_msg_config_cmd cmd = { .command = NFQNL_CFG_CMD_BIND };
	struct nfqnl_msg_config_params params = {
		.copy_mode = NFQNL_COPY_PACKET,
		.copy_range = htonl(o->snap && o->snap < COPY_MOST ? o->snap : COPY_MOST),
	};
	uint32_t flags = NFQA_CFG_F_GSO | (o->fail_closed ? 0 : NFQA_CFG_F_FAIL_OPEN);
	char buffer[REQUEST];
	struct nlmsghdr *m = request(buffer, queue);

	mnl_attr_put(m, NFQA_CFG_CMD, sizeof cmd, &cmd);
	if (!ask(q, m))
		return false;
	/* The length first: packets come when the copy mode is set. */
	m = request(buffer, queue);
	mnl_attr_put_u32(m, NFQA_CFG_QUEUE_MAXLEN,
			 htonl(o->queue_length ? o->queue_length : QUEUE_LENGTH));
	if (!ask(q, m) || !set_flags(q, queue, flags, flags))
		return false;
	/* Only asked whether it could be: nobody needs a packet's whole connection. */
	q->conntrack = set_flags(q, queue, NFQA_CFG_F_CONNTRACK, NFQA_CFG_F_CONNTRACK) &&
		       set_flags(q, queue, 0, NFQA_CFG_F_CONNTRACK);
	m = request(buffer, queue);
	mnl_attr_put(m, NFQA_CFG_PARAMS, sizeof params, &params);
	return ask(q, m);
}

static bool
open_netlink(struct nfqueue *q)
{
	int bytes = SOCKET_BYTES, on = 1;

	q->mnl = mnl_socket_open2(NETLINK_NETFILTER, SOCK_CLOEXEC);
	if (!q->mnl || mnl_socket_bind(q->mnl, 0, MNL_SOCKET_AUTOPID) != 0)
		return false;
	q->fd = mnl_socket_get_fd(q->mnl);
	if (setsockopt(q->fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0)
		(void)setsockopt(q->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
	/* A packet that did not fit is counted by the kernel; we do not stop for it. */
	(void)mnl_socket_setsockopt(q->mnl, NETLINK_NO_ENOBUFS, &on, sizeof on);
	return true;
}

static bool
open_others(struct nfqueue *q)
{
	struct epoll_event event = { .events = EPOLLIN };
	int on = 1;

	q->raw4 = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_RAW);
	q->raw6 = socket(AF_INET6, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_RAW);
	if (q->raw6 >= 0)
		(void)setsockopt(q->raw6, IPPROTO_IPV6, IPV6_HDRINCL, &on, sizeof on);
	q->proc_fd = open("/proc/net/netfilter/nfnetlink_queue", O_RDONLY | O_CLOEXEC);
	q->link_fd = link_open();
	q->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	return q->raw4 >= 0 && q->link_fd >= 0 && q->poll_fd >= 0 &&
	       epoll_ctl(q->poll_fd, EPOLL_CTL_ADD, q->fd, &event) == 0 &&
	       epoll_ctl(q->poll_fd, EPOLL_CTL_ADD, q->link_fd, &event) == 0;
}

static void
close_nfqueue(struct way *way)
{
	struct nfqueue *q = (struct nfqueue *)way;
	int other[] = { -1, -1, -1, -1, -1 };

	if (!q)
		return;
	memcpy(other, (int[]){ q->poll_fd, q->link_fd, q->raw4, q->raw6, q->proc_fd },
	       sizeof other);
	if (q->mnl)
		(void)mnl_socket_close(q->mnl);
	for (unsigned i = 0; i < sizeof other / sizeof other[0]; i++) {
		if (other[i] >= 0)
			(void)close(other[i]);
	}
	(void)munmap(q, sizeof *q);
}

static enum barn_err
start(struct nfqueue *q, const struct way_options *o, struct source_fault *fault)
{
	q->first = o->queue;
	q->queues = o->queues ? o->queues : 1;
	q->fail_closed = o->fail_closed;
	q->interface_count = o->interface_count;
	for (unsigned i = 0; i < o->interface_count; i++) {
		strncpy(q->name[i], o->interfaces[i], IF_NAMESIZE - 1);
		q->index[i] = (int)if_nametoindex(o->interfaces[i]);
	}
	for (unsigned i = 0; i < WAY_BATCH; i++) {
		q->part[i] = (struct iovec){ .iov_base = q->in[i], .iov_len = SLOT };
		q->message[i].msg_hdr.msg_iov = &q->part[i];
		q->message[i].msg_hdr.msg_iovlen = 1;
	}
	if (!open_netlink(q) || !open_others(q))
		return source_fault_set(fault, BARN_ERR_SYSTEM, "netfilter's queues: %s",
					strerror(errno));
	for (unsigned i = 0; i < q->queues; i++) {
		if (!bind_queue(q, (uint16_t)(q->first + i), o))
			return source_fault_set(
				fault, BARN_ERR_SYSTEM, "queue %u: %s", q->first + i,
				errno == EBUSY ? "another program has it" : strerror(errno));
	}
	return BARN_OK;
}

static enum barn_err
open_nfqueue(const struct way_options *options, struct way **way, struct source_fault *fault)
{
	struct nfqueue *q;
	enum barn_err err;

	*way = NULL;
	if (options->interface_count > WAY_INTERFACES)
		return source_fault_set(fault, BARN_ERR_ARGUMENT, "at most %d interfaces",
					WAY_INTERFACES);
	q = mmap(NULL, sizeof *q, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (q == MAP_FAILED)
		return source_fault_set(fault, BARN_ERR_MEMORY, "out of memory");
	q->way.kind = &way_nfqueue;
	q->fd = q->poll_fd = q->link_fd = q->raw4 = q->raw6 = q->proc_fd = -1;
	err = start(q, options, fault);
	if (err)
		close_nfqueue(&q->way);
	else
		*way = &q->way;
	return err;
}

static enum barn_err
probe(const struct way_options *options, struct source_fault *fault)
{
	struct way *way;
	enum barn_err err = open_nfqueue(options, &way, fault);

	close_nfqueue(way);
	return err;
}

static const char *
limit(const struct way *way)
{
	if (((const struct nfqueue *)way)->conntrack)
		return NULL;
	return "this kernel sets no connection's mark with a verdict "
	       "(CONFIG_NETFILTER_NETLINK_GLUE_CT): the rule set has to save the packet's";
}

static int
poll_fd(const struct way *way)
{
	return ((const struct nfqueue *)way)->poll_fd;
}

static uint16_t
interface_of(const struct nfqueue *q, uint32_t index)
{
	for (uint16_t i = 0; i < q->interface_count && index; i++) {
		if (q->index[i] == (int)index)
			return i;
	}
	return WAY_NONE;
}

/* A packet's attributes; big-endian numbers are as they came. */
struct message {
	struct nfqnl_msg_packet_hdr header;
	uint32_t mark, in, out, length, info;
	uint8_t *data;
	uint32_t size;
	bool whole; /* has a header */
};

static void
read_attributes(struct nlmsghdr *m, struct message *out)
{
	const char *end = mnl_nlmsg_get_payload_tail(m);
	struct nlattr *a = mnl_nlmsg_get_payload_offset(m, sizeof(struct nfgenmsg));

	for (; mnl_attr_ok(a, (int)(end - (char *)a)); a = mnl_attr_next(a)) {
		uint16_t size = mnl_attr_get_payload_len(a);
		uint32_t *number = NULL;

		switch (mnl_attr_get_type(a)) {
		case NFQA_PACKET_HDR:
			out->whole = size >= sizeof out->header;
			if (out->whole)
				memcpy(&out->header, mnl_attr_get_payload(a),
				       sizeof out->header);
			break;
		case NFQA_MARK: number = &out->mark; break;
		case NFQA_IFINDEX_INDEV: number = &out->in; break;
		case NFQA_IFINDEX_OUTDEV: number = &out->out; break;
		case NFQA_CAP_LEN: number = &out->length; break;
		case NFQA_SKB_INFO: number = &out->info; break;
		case NFQA_PAYLOAD:
			out->data = mnl_attr_get_payload(a);
			out->size = size;
			break;
		default: break;
		}
		if (number && size == sizeof *number)
			*number = mnl_attr_get_u32(a);
	}
}

static bool
take(struct nfqueue *q, unsigned slot, unsigned size, struct nfqueue_packet *p,
     struct way_frame *frame)
{
	struct nlmsghdr *m = (struct nlmsghdr *)(void *)q->in[slot];
	const struct nfgenmsg *g = mnl_nlmsg_get_payload(m);
	struct message got = { .length = 0 };
	uint32_t info;

	if (!mnl_nlmsg_ok(m, (int)size) ||
	    m->nlmsg_type != (NFNL_SUBSYS_QUEUE << 8 | NFQNL_MSG_PACKET) ||
	    m->nlmsg_len < sizeof *m + sizeof *g)
		return false;
	read_attributes(m, &got);
	if (!got.whole)
		return false;
	info = ntohl(got.info);
	*p = (struct nfqueue_packet){ .id = ntohl(got.header.packet_id),
				      .mark = ntohl(got.mark),
				      .queue = ntohs(g->res_id),
				      .cut = got.length != 0,
				      .finish = info & NFQA_SKB_CSUMNOTREADY,
				      .data = got.data,
				      .size = got.size };
	*frame = (struct way_frame){
		.data = bytes_of(got.data, got.size),
		.change = got.data,
		.length = got.length ? ntohl(got.length) : got.size,
		.mark = p->mark,
		.linktype = LINKTYPE_RAW,
		.interface = interface_of(q, ntohl(got.in ? got.in : got.out)),
		.towards = interface_of(q, ntohl(got.out)),
		.outgoing = !got.in,
		.checksum_later = p->finish,
	};
	return true;
}

static void verdict(struct way *way, const struct way_verdict *verdicts, unsigned count);

/* Of a worker that died. */
static void
settle(struct nfqueue *q)
{
	struct way_verdict all[WAY_BATCH];

	for (unsigned i = 0; i < q->pending; i++)
		all[i] = (struct way_verdict){ .action = q->fail_closed ? WAY_DROP
									: WAY_FORWARD };
	verdict(&q->way, all, q->pending);
}

static uint64_t
now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static unsigned
receive(struct way *way, struct way_frame *frames)
{
	struct nfqueue *q = (struct nfqueue *)way;
	uint64_t time_ns = now_ns();
	unsigned n = 0;
	int got;

	if (q->pending)
		settle(q);
	got = recvmmsg(q->fd, q->message, WAY_BATCH, MSG_DONTWAIT, NULL);
	for (int i = 0; i < got; i++) {
		if (!take(q, (unsigned)i, q->message[i].msg_len, &q->packet[n], &frames[n]))
			continue;
		frames[n].time_ns = time_ns;
		q->stats.received++;
		q->stats.received_bytes += frames[n].length;
		n++;
	}
	q->pending = n;
	return n;
}

static void
verdict(struct way *way, const struct way_verdict *verdicts, unsigned count)
{
	struct nfqueue *q = (struct nfqueue *)way;
	uint64_t todo = count >= 64 ? UINT64_MAX : (1ULL << count) - 1;

	if (count == 0 || count != q->pending)
		return;
	while (todo) {
		uint64_t before = todo;
		size_t size = nfqueue_write(q->out, sizeof q->out, q->packet, verdicts, count,
					    q->conntrack, &todo);
		bool sent = send(q->fd, q->out, size, 0) == (ssize_t)size;

		for (unsigned i = 0; i < count; i++) {
			if (!((before & ~todo) >> i & 1))
				continue;
			if (!sent)
				q->stats.send_failures++;
			else if (verdicts[i].action == WAY_DROP)
				q->stats.dropped++;
			else
				q->stats.forwarded++;
			if (verdicts[i].action == WAY_CHANGED && q->packet[i].cut)
				q->stats.truncated++;
		}
	}
	q->pending = 0;
}

static enum barn_err
inject(struct way *way, uint16_t interface, struct bytes frame)
{
	struct nfqueue *q = (struct nfqueue *)way;
	struct sockaddr_in to4 = { .sin_family = AF_INET };
	struct sockaddr_in6 to6 = { .sin6_family = AF_INET6 };
	struct bytes b = frame;
	uint8_t version = bytes_u8(&b) >> 4;
	size_t size = bytes_left(&frame);
	const uint8_t *address;
	ssize_t sent;

	(void)interface;
	bytes_skip(&b, version == 4 ? 15 : 23);
	address = bytes_next(&b, version == 4 ? sizeof to4.sin_addr : sizeof to6.sin6_addr);
	if (!address || (version != 4 && version != 6))
		return BARN_ERR_ARGUMENT;
	if (version == 4) {
		memcpy(&to4.sin_addr, address, sizeof to4.sin_addr);
		sent = sendto(q->raw4, frame.p, size, 0, (struct sockaddr *)&to4, sizeof to4);
	} else {
		memcpy(&to6.sin6_addr, address, sizeof to6.sin6_addr);
		sent = sendto(q->raw6, frame.p, size, 0, (struct sockaddr *)&to6, sizeof to6);
	}
	if (sent < 0) {
		q->stats.send_failures++;
		return BARN_ERR_SYSTEM;
	}
	q->stats.injected++;
	return BARN_OK;
}

static bool
event(struct way *way, struct way_event *event)
{
	struct nfqueue *q = (struct nfqueue *)way;
	struct link_news news;

	while (link_next(q->link_fd, &news)) {
		for (uint16_t i = 0; i < q->interface_count; i++) {
			bool ours = q->index[i] == news.index;

			if (!ours && (news.gone || strcmp(q->name[i], news.name) != 0))
				continue;
			/* Nothing is bound to it, so it may come again under a new number. */
			q->index[i] = news.gone ? 0 : news.index;
			event->interface = i;
			event->change = news.gone ? WAY_GONE
					: !ours   ? WAY_APPEARED
					: news.up ? WAY_LINK_UP
						  : WAY_LINK_DOWN;
			return true;
		}
	}
	return false;
}

/* A line of the kernel's table: queue, port, waiting, mode, range, dropped for want of room in
 * the queue, and in the socket. */
static uint64_t
kernel_drops(const struct nfqueue *q)
{
	char text[4096];
	ssize_t size = q->proc_fd < 0 ? 0 : pread(q->proc_fd, text, sizeof text - 1, 0);
	uint64_t total = 0;
	char *line, *rest = text;

	text[size > 0 ? size : 0] = 0;
	while ((line = strsep(&rest, "\n")) && *line) {
		unsigned long field[7];
		char *at = line;

		for (unsigned i = 0; i < 7; i++)
			field[i] = strtoul(at, &at, 10);
		if (field[0] >= q->first && field[0] - q->first < q->queues)
			total += field[5] + field[6];
	}
	return total;
}

static void
read_stats(struct way *way, uint16_t interface, struct way_stats *stats)
{
	struct nfqueue *q = (struct nfqueue *)way;

	memset(stats, 0, sizeof *stats);
	if (interface != WAY_NONE)
		return;
	*stats = q->stats;
	stats->kernel_drops = kernel_drops(q);
}

const struct way_kind way_nfqueue = {
	.name = "nfqueue",
	.keeps_net_admin = true,
	.probe = probe,
	.open = open_nfqueue,
	.close = close_nfqueue,
	.limit = limit,
	.fd = poll_fd,
	.receive = receive,
	.verdict = verdict,
	.inject = inject,
	.event = event,
	.stats = read_stats,
};

#else

static enum barn_err
probe(const struct way_options *options, struct source_fault *fault)
{
	(void)options;
	return source_fault_set(fault, BARN_ERR_MISSING,
				"netfilter's queues: this program was built without libmnl");
}

static enum barn_err
open_nfqueue(const struct way_options *options, struct way **way, struct source_fault *fault)
{
	*way = NULL;
	return probe(options, fault);
}

const struct way_kind way_nfqueue = { .name = "nfqueue", .probe = probe, .open = open_nfqueue };

#endif
