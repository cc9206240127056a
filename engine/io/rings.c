/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/rings.h"
#include "io/link.h"
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static bool
watch(const struct rings *rings, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	return epoll_ctl(rings->poll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

static enum barn_err
open_all(struct rings *rings, const struct way_options *options, struct ring_options how,
	 struct source_fault *fault)
{
	enum barn_err err;
	bool ok;

	rings->poll_fd = epoll_create1(EPOLL_CLOEXEC);
	rings->link_fd = link_open();
	ok = rings->poll_fd >= 0 && rings->link_fd >= 0 && watch(rings, rings->link_fd);
	for (unsigned i = 0; ok && i < options->interface_count; i++) {
		how.interface = options->interfaces[i];
		how.fanout = (uint16_t)(options->fanout + i);
		err = ring_open(&rings->ring[i], &how, fault);
		if (err)
			return err;
		rings->count++;
		ok = watch(rings, rings->ring[i].fd);
	}
	return ok ? BARN_OK
		  : source_fault_set(fault, BARN_ERR_SYSTEM, "watching interfaces: %s",
				     strerror(errno));
}

enum barn_err
rings_open(const struct way_kind *kind, const struct way_options *options,
	   const struct ring_options *how, struct rings **rings, struct source_fault *fault)
{
	struct ring_options each = *how;
	struct rings *r;
	enum barn_err err;

	*rings = NULL;
	if (options->interface_count == 0 || options->interface_count > WAY_INTERFACES)
		return source_fault_set(fault, BARN_ERR_ARGUMENT, "1 to %d interfaces, not %u",
					WAY_INTERFACES, options->interface_count);
	r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r == MAP_FAILED)
		return source_fault_set(fault, BARN_ERR_MEMORY, "out of memory");
	*r = (struct rings){ .way.kind = kind,
			     .poll_fd = -1,
			     .link_fd = -1,
			     .fail_closed = options->fail_closed,
			     .offload = how->offload };
	each.bytes = options->ring_bytes;
	each.workers = options->workers;
	err = open_all(r, options, each, fault);
	if (err) {
		rings_close(&r->way);
		return err;
	}
	*rings = r;
	return BARN_OK;
}

void
rings_close(struct way *way)
{
	struct rings *rings = (struct rings *)way;

	if (!rings)
		return;
	for (unsigned i = 0; i < rings->count; i++)
		ring_close(&rings->ring[i]);
	if (rings->poll_fd >= 0)
		(void)close(rings->poll_fd);
	if (rings->link_fd >= 0)
		(void)close(rings->link_fd);
	(void)munmap(rings, sizeof *rings);
}

int
rings_fd(const struct way *way)
{
	return ((const struct rings *)way)->poll_fd;
}

enum barn_err
rings_inject(struct way *way, uint16_t interface, struct bytes frame)
{
	struct rings *rings = (struct rings *)way;
	struct virtio_net_hdr plain = { .gso_type = VIRTIO_NET_HDR_GSO_NONE };
	struct iovec part[2] = {
		{ .iov_base = &plain, .iov_len = rings->offload ? sizeof plain : 0 },
		{ .iov_base = (void *)(uintptr_t)frame.p, .iov_len = bytes_left(&frame) },
	};
	struct msghdr message = { .msg_iov = part, .msg_iovlen = 2 };

	if (interface >= rings->count)
		return BARN_ERR_ARGUMENT;
	if (sendmsg(rings->ring[interface].fd, &message, MSG_DONTWAIT) < 0) {
		rings->stats[interface].send_failures++;
		return BARN_ERR_SYSTEM;
	}
	rings->stats[interface].injected++;
	return BARN_OK;
}

bool
rings_event(struct way *way, struct way_event *event)
{
	struct rings *rings = (struct rings *)way;
	struct link_news news;

	while (link_next(rings->link_fd, &news)) {
		for (uint16_t i = 0; i < rings->count; i++) {
			const struct ring *ring = &rings->ring[i];
			bool ours = ring->index == news.index;

			event->interface = i;
			event->change = news.gone ? WAY_GONE
					: !ours   ? WAY_APPEARED
					: news.up ? WAY_LINK_UP
						  : WAY_LINK_DOWN;
			if (ours || (!news.gone && strcmp(ring->name, news.name) == 0))
				return true;
		}
	}
	return false;
}

static void
add(struct way_stats *to, const struct way_stats *from)
{
	to->received += from->received;
	to->received_bytes += from->received_bytes;
	to->kernel_drops += from->kernel_drops;
	to->forwarded += from->forwarded;
	to->dropped += from->dropped;
	to->injected += from->injected;
	to->send_failures += from->send_failures;
	to->truncated += from->truncated;
}

void
rings_stats(struct way *way, uint16_t interface, struct way_stats *stats)
{
	struct rings *rings = (struct rings *)way;

	memset(stats, 0, sizeof *stats);
	for (unsigned i = 0; i < rings->count; i++) {
		if (interface != WAY_NONE && interface != i)
			continue;
		rings->stats[i].kernel_drops = ring_kernel_drops(&rings->ring[i]);
		add(stats, &rings->stats[i]);
	}
}

enum barn_err
rings_probe(const struct way_options *options, struct source_fault *fault)
{
	for (unsigned i = 0; i < options->interface_count; i++) {
		enum barn_err err = ring_probe(options->interfaces[i], fault);

		if (err)
			return err;
	}
	return BARN_OK;
}

void
rings_idle(struct rings *rings)
{
	for (unsigned i = 0; i < rings->count; i++) {
		int error;
		socklen_t size = sizeof error;

		(void)getsockopt(rings->ring[i].fd, SOL_SOCKET, SO_ERROR, &error, &size);
	}
}
