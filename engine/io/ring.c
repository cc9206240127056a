/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/ring.h"
#include "io/spread.h"
#include <arpa/inet.h>
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/if_ether.h>
#include <linux/sockios.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { RING_BYTES = 32 << 20, RING_WAIT_MS = 10, RING_SEND_BYTES = 8 << 20 };

static enum barn_err
refuse(const struct ring_options *o, const char *what, struct source_fault *fault)
{
	return source_fault_set(fault, BARN_ERR_SYSTEM, "%s: %s: %s", o->interface, what,
				strerror(errno));
}

static bool
set(const struct ring *ring, int option, int value)
{
	return setsockopt(ring->fd, SOL_PACKET, option, &value, sizeof value) == 0;
}

/* Frames that the card has joined without a note of how (LRO) cannot be sent on. Most cards
 * have none, so errors say nothing. */
static void
join_no_frames(const struct ring *ring)
{
	struct ethtool_value value = { .cmd = ETHTOOL_GFLAGS };
	struct ifreq request = { .ifr_data = (char *)&value };

	memcpy(request.ifr_name, ring->name, sizeof request.ifr_name);
	if (ioctl(ring->fd, SIOCETHTOOL, &request) != 0 || !(value.data & ETH_FLAG_LRO))
		return;
	value.cmd = ETHTOOL_SFLAGS;
	value.data &= ~(uint32_t)ETH_FLAG_LRO;
	(void)ioctl(ring->fd, SIOCETHTOOL, &request);
}

static bool
is_ethernet(const struct ring *ring)
{
	struct ifreq request = { .ifr_flags = 0 };

	memcpy(request.ifr_name, ring->name, sizeof request.ifr_name);
	return ioctl(ring->fd, SIOCGIFHWADDR, &request) == 0 &&
	       (request.ifr_hwaddr.sa_family == ARPHRD_ETHER ||
		request.ifr_hwaddr.sa_family == ARPHRD_LOOPBACK);
}

static bool
set_snap(const struct ring *ring, uint32_t snap)
{
	struct sock_filter line = BPF_STMT(BPF_RET | BPF_K, snap);
	struct sock_fprog program = { .len = 1, .filter = &line };

	return setsockopt(ring->fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) ==
	       0;
}

static bool
make_map(struct ring *ring, const struct ring_options *o)
{
	size_t bytes = o->bytes ? o->bytes : RING_BYTES;
	unsigned blocks = (unsigned)(bytes / RING_BLOCK ? bytes / RING_BLOCK : 1);
	struct tpacket_req3 request = { .tp_block_size = RING_BLOCK, .tp_block_nr = blocks };
	size_t size = sizeof(struct tpacket_req);

	ring->blocks = o->blocks;
	if (o->blocks) {
		request.tp_frame_size = RING_BLOCK;
		request.tp_frame_nr = blocks;
		request.tp_retire_blk_tov = o->wait_ms ? o->wait_ms : RING_WAIT_MS;
		size = sizeof request;
	} else {
		request.tp_frame_size = RING_SLOT;
		request.tp_frame_nr = blocks * (RING_BLOCK / RING_SLOT);
	}
	ring->count = request.tp_frame_nr;
	if (setsockopt(ring->fd, SOL_PACKET, PACKET_RX_RING, &request, (socklen_t)size) != 0)
		return false;
	ring->size = (size_t)blocks * RING_BLOCK;
	ring->map = mmap(NULL, ring->size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (ring->map == MAP_FAILED)
		ring->map = NULL;
	return ring->map != NULL;
}

static bool
join_group(const struct ring *ring, const struct ring_options *o)
{
	struct sock_fprog program = spread_program();

	if (o->workers < 2)
		return true;
	return set(ring, PACKET_FANOUT, o->fanout | PACKET_FANOUT_CBPF << 16) &&
	       setsockopt(ring->fd, SOL_PACKET, PACKET_FANOUT_DATA, &program, sizeof program) ==
		       0;
}

static bool
set_up(struct ring *ring, const struct ring_options *o)
{
	int bytes = RING_SEND_BYTES;

	if (!set(ring, PACKET_VERSION, o->blocks ? TPACKET_V3 : TPACKET_V2) ||
	    !set(ring, PACKET_RESERVE, RING_RESERVE))
		return false;
	if (o->offload && !set(ring, PACKET_VNET_HDR, 1))
		return false;
	if (o->ignore_outgoing && !set(ring, PACKET_IGNORE_OUTGOING, 1))
		return false;
	if (o->snap && !set_snap(ring, o->snap))
		return false;
	if (setsockopt(ring->fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof bytes) != 0)
		(void)setsockopt(ring->fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
	return make_map(ring, o);
}

static bool
attach(const struct ring *ring)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET,
				  .sll_protocol = htons(ETH_P_ALL),
				  .sll_ifindex = ring->index };
	struct packet_mreq promiscuous = { .mr_ifindex = ring->index,
					   .mr_type = PACKET_MR_PROMISC };

	return bind(ring->fd, (struct sockaddr *)&at, sizeof at) == 0 &&
	       setsockopt(ring->fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &promiscuous,
			  sizeof promiscuous) == 0;
}

static enum barn_err
start(struct ring *ring, const struct ring_options *o, struct source_fault *fault)
{
	/* Protocol 0: no frame of another interface comes before it is bound. */
	ring->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (ring->fd < 0)
		return refuse(o, "packet socket", fault);
	ring->index = (int)if_nametoindex(o->interface);
	if (ring->index == 0)
		return refuse(o, "interface", fault);
	strncpy(ring->name, o->interface, sizeof ring->name - 1);
	if (!is_ethernet(ring))
		return source_fault_set(fault, BARN_ERR_SYSTEM,
					"%s: is not an Ethernet interface", o->interface);
	if (!set_up(ring, o))
		return refuse(o, "packet ring", fault);
	if (!attach(ring))
		return refuse(o, "binding", fault);
	if (!join_group(ring, o))
		return refuse(o, "fanout group", fault);
	if (o->offload)
		join_no_frames(ring);
	return BARN_OK;
}

enum barn_err
ring_open(struct ring *ring, const struct ring_options *options, struct source_fault *fault)
{
	enum barn_err err;

	memset(ring, 0, sizeof *ring);
	err = start(ring, options, fault);
	if (err)
		ring_close(ring);
	return err;
}

void
ring_close(struct ring *ring)
{
	if (ring->map)
		(void)munmap(ring->map, ring->size);
	if (ring->fd >= 0)
		(void)close(ring->fd);
	ring->map = NULL;
	ring->fd = -1;
}

/* The sender's address follows the header: TPACKET_ALIGN, which converts signs. */
static size_t
from_place(size_t header)
{
	return (header + TPACKET_ALIGNMENT - 1) / TPACKET_ALIGNMENT * TPACKET_ALIGNMENT;
}

bool
ring_slot(struct ring *ring, unsigned ahead, struct ring_frame *frame)
{
	unsigned slot = (ring->head + ahead) % ring->count;
	unsigned each = RING_BLOCK / RING_SLOT;
	uint8_t *at = ring->map + (size_t)(slot / each) * RING_BLOCK +
		      (size_t)(slot % each) * RING_SLOT;
	struct tpacket2_hdr *h = (struct tpacket2_hdr *)(void *)at;
	uint32_t status;

	if (ahead >= ring->count)
		return false;
	status = __atomic_load_n(&h->tp_status, __ATOMIC_ACQUIRE);
	if (!(status & TP_STATUS_USER))
		return false;
	*frame = (struct ring_frame){
		.data = at + h->tp_mac,
		.captured = h->tp_snaplen,
		.length = h->tp_len,
		.status = status,
		.vlan_tci = h->tp_vlan_tci,
		.vlan_tpid = h->tp_vlan_tpid,
		.time_ns = (uint64_t)h->tp_sec * 1000000000U + h->tp_nsec,
		.from = (struct sockaddr_ll *)(void *)(at + from_place(sizeof *h)),
	};
	return true;
}

void
ring_slots_free(struct ring *ring, unsigned n)
{
	unsigned each = RING_BLOCK / RING_SLOT;

	for (; n > 0; n--) {
		uint8_t *at = ring->map + (size_t)(ring->head / each) * RING_BLOCK +
			      (size_t)(ring->head % each) * RING_SLOT;
		struct tpacket2_hdr *h = (struct tpacket2_hdr *)(void *)at;

		__atomic_store_n(&h->tp_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
		ring->head = (ring->head + 1) % ring->count;
	}
}

static struct tpacket_hdr_v1 *
block(const struct ring *ring)
{
	uint8_t *at = ring->map + (size_t)ring->head * RING_BLOCK;

	return &((struct tpacket_block_desc *)(void *)at)->hdr.bh1;
}

bool
ring_block_next(struct ring *ring, struct ring_frame *frame)
{
	uint8_t *base = ring->map + (size_t)ring->head * RING_BLOCK;
	struct tpacket_hdr_v1 *b = block(ring);
	struct tpacket3_hdr *h;

	if (ring->block_at == 0) {
		if (!(__atomic_load_n(&b->block_status, __ATOMIC_ACQUIRE) & TP_STATUS_USER))
			return false;
		ring->block_at = b->offset_to_first_pkt;
		ring->block_left = b->num_pkts;
	}
	if (ring->block_left == 0)
		return false;
	h = (struct tpacket3_hdr *)(void *)(base + ring->block_at);
	*frame = (struct ring_frame){
		.data = (uint8_t *)h + h->tp_mac,
		.captured = h->tp_snaplen,
		.length = h->tp_len,
		.status = h->tp_status,
		.vlan_tci = (uint16_t)h->hv1.tp_vlan_tci,
		.vlan_tpid = h->hv1.tp_vlan_tpid,
		.time_ns = (uint64_t)h->tp_sec * 1000000000U + h->tp_nsec,
		.from = (struct sockaddr_ll *)(void *)((uint8_t *)h + from_place(sizeof *h)),
	};
	ring->block_left--;
	ring->block_at += h->tp_next_offset;
	return true;
}

void
ring_block_free(struct ring *ring)
{
	if (ring->block_at == 0 || ring->block_left > 0)
		return;
	ring->block_at = 0;
	__atomic_store_n(&block(ring)->block_status, TP_STATUS_KERNEL, __ATOMIC_RELEASE);
	ring->head = (ring->head + 1) % ring->count;
}

bool
ring_untake_tag(struct ring_frame *frame, struct virtio_net_hdr *offload)
{
	uint16_t tpid = ETH_P_8021Q, tag[2];

	if (!(frame->status & TP_STATUS_VLAN_VALID) || frame->captured < 2 * ETH_ALEN)
		return false;
	if (frame->status & TP_STATUS_VLAN_TPID_VALID)
		tpid = frame->vlan_tpid;
	tag[0] = htons(tpid);
	tag[1] = htons(frame->vlan_tci);
	memmove(frame->data - sizeof tag, frame->data, (size_t)2 * ETH_ALEN);
	frame->data -= sizeof tag;
	memcpy(frame->data + (size_t)2 * ETH_ALEN, tag, sizeof tag);
	frame->captured += (uint32_t)sizeof tag;
	frame->length += (uint32_t)sizeof tag;
	if (offload && offload->flags & VIRTIO_NET_HDR_F_NEEDS_CSUM)
		offload->csum_start = (uint16_t)(offload->csum_start + sizeof tag);
	if (offload && offload->gso_type != VIRTIO_NET_HDR_GSO_NONE)
		offload->hdr_len = (uint16_t)(offload->hdr_len + sizeof tag);
	return true;
}

uint64_t
ring_kernel_drops(struct ring *ring)
{
	struct tpacket_stats_v3 stats = { .tp_drops = 0 };
	socklen_t size = sizeof stats;

	if (getsockopt(ring->fd, SOL_PACKET, PACKET_STATISTICS, &stats, &size) != 0)
		return atomic_load(&ring->kernel_drops);
	return atomic_fetch_add(&ring->kernel_drops, stats.tp_drops) + stats.tp_drops;
}

enum barn_err
ring_probe(const char *interface, struct source_fault *fault)
{
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	const char *reason = errno == EPERM ? "not permitted (CAP_NET_RAW)" : strerror(errno);

	if (fd < 0)
		return source_fault_set(fault, BARN_ERR_SYSTEM, "packet socket: %s", reason);
	(void)close(fd);
	if (if_nametoindex(interface) == 0)
		return source_fault_set(fault, BARN_ERR_MISSING, "no interface %s", interface);
	return BARN_OK;
}
