/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_WAY_H
#define IO_WAY_H

/*
 * Ways: frames in, verdicts out. Each kind is a struct way_kind in a file of its own; who
 * drives them knows no more than this header.
 *
 *	kind->open(&options, &way, &fault)	with privileges, once for each worker
 *	poll(kind->fd(way)), then, until receive gives 0:
 *		n = kind->receive(way, frames)	up to WAY_BATCH
 *		kind->verdict(way, verdicts, n)	one for each of them, in order, always
 *	while (kind->event(way, &event)) ...	after each poll
 *	kind->close(way)
 *
 * Threads: a way belongs to one thread at a time, or to one process after fork(): the parent
 * opens it and keeps it open, a child drives it. The struct lies in memory that both share, so
 * the parent reads the statistics (each number for itself), and the next child goes on where
 * one died: sockets have kept their place in their fanout group. A batch that got no verdicts
 * is settled by the next receive: forwarded as it came, or dropped if fail_closed, so a frame
 * that kills workers kills only one. A replay is not shared: who drives it opens it. For the
 * parent, who watches links or shows one on the other, there is io/link.h.
 *
 * Privileges: open needs CAP_NET_RAW and CAP_NET_ADMIN; later calls none but what
 * keeps_net_admin says. System calls after open: recv, recvmmsg, sendto, sendmsg, sendmmsg,
 * poll, getsockopt, pread, clock_gettime, timerfd_settime.
 *
 * Owners: options are copied, the strings in them outlive the way. A frame's bytes belong to
 * the way and live until its verdict. Time is nanoseconds since 1970, lengths are bytes.
 */

#include "base/bytes.h"
#include "io/source.h"

enum {
	WAY_BATCH = 64,
	WAY_INTERFACES = 32,  /* of one way */
	WAY_NONE = UINT16_MAX /* no interface of ours */
};

/* What the zero of a member means stands beside it. */
struct way_options {
	/* tap: whose frames are read. bridge: the two that are joined. nfqueue: those whose
	 * packets are told apart, may be none. replay: the captures' paths. A frame's
	 * interface is the place in this list. */
	const char *const *interfaces;
	uint16_t interface_count;
	uint16_t worker, workers; /* this one of how many; 0 of 0: the only one */
	/* tap, bridge: interface i's sockets of all workers are group fanout + i of the
	 * network namespace. With one worker no group is made. */
	uint16_t fanout;
	uint16_t queue, queues; /* nfqueue: this worker's first queue, and how many; 0: one */
	uint32_t snap;          /* bytes kept of a frame (tap, nfqueue); 0: all */
	uint32_t ring_bytes;    /* memory of a ring, per interface; 0: 32 MiB */
	uint32_t queue_length;  /* nfqueue: packets that wait in the kernel; 0: 8192 */
	uint32_t wait_ms;       /* tap: how long a frame may wait for others; 0: 10 */
	/* What was received by a worker that died is dropped, not passed; nfqueue: so is what
	 * does not fit into a queue. */
	bool fail_closed;
	double pace; /* replay: 1 as recorded, 10 ten times faster; 0: at once */
};

struct way_frame {
	struct bytes data; /* with the VLAN tag that the kernel may have taken out */
	uint8_t *change;   /* the same bytes, to be written; NULL: passive */
	uint32_t length;   /* on the wire, at least that of data; a train's as one */
	uint64_t time_ns;
	uint32_t mark;       /* nfqueue: the packet's; else 0 */
	uint32_t handle;     /* the way's own */
	uint16_t linktype;   /* LINKTYPE_ number */
	uint16_t interface;  /* by which it came, or leaves if outgoing */
	uint16_t towards;    /* by which it will leave; WAY_NONE: not known, or tap */
	uint16_t segment;    /* payload of each frame of a train (GSO, GRO); 0: is one frame */
	bool outgoing;       /* leaves by the interface: sent by this machine */
	bool checksum_later; /* its TCP or UDP checksum is not made yet: do not verify it */
};

enum way_action {
	WAY_FORWARD, /* as it came: what was written into it may or may not go out */
	WAY_CHANGED, /* with what was written into it; its length cannot change */
	WAY_DROP,
};

/* Passive ways count what they are told and do no more. Marks: nfqueue, on what goes on. Bits
 * outside the mask are never touched; mask 0: leave the mark alone. */
struct way_verdict {
	enum way_action action;
	uint32_t mark, mark_mask;       /* the packet's mark */
	uint32_t ct_mark, ct_mark_mask; /* its connection's, see io/nfqueue.h */
};

enum way_change {
	WAY_LINK_UP,
	WAY_LINK_DOWN, /* may come back; nothing to do */
	WAY_GONE,      /* the interface is no more: close, and open when it is there again */
	WAY_APPEARED,  /* an interface of this name is there again */
	WAY_END,       /* replay: no frame will come */
};

struct way_event {
	enum way_change change;
	uint16_t interface;
};

/* Since it was opened; never goes back. */
struct way_stats {
	uint64_t received, received_bytes;
	uint64_t kernel_drops; /* lost before they were received: the ring or queue was full */
	uint64_t forwarded, dropped;
	uint64_t injected;
	uint64_t send_failures; /* was to be forwarded or injected, and the kernel refused */
	uint64_t truncated;     /* inline: longer than the ring's slots, so not forwarded */
};

struct way;

struct way_kind {
	const char *name;
	bool passive;         /* verdicts change nothing */
	bool keeps_net_admin; /* each verdict needs CAP_NET_ADMIN of who gives it */

	/* Would open work on this machine? Leaves nothing behind. Else a reason for people. */
	enum barn_err (*probe)(const struct way_options *options, struct source_fault *fault);

	enum barn_err (*open)(const struct way_options *options, struct way **way,
			      struct source_fault *fault);
	void (*close)(struct way *way); /* of NULL: nothing */

	/* What it cannot do on this machine though it is open, for people; NULL: nothing. */
	const char *(*limit)(const struct way *way);

	/* Readable when there are frames or events. The way's own; do not close it. */
	int (*fd)(const struct way *way);

	/* Never blocks. frames has WAY_BATCH places. All of the last batch have verdicts. */
	unsigned (*receive)(struct way *way, struct way_frame *frames);
	void (*verdict)(struct way *way, const struct way_verdict *verdicts, unsigned count);

	/* Sends a frame of the way's link type: whole, its checksums made. Out of the
	 * interface; nfqueue: routed by its destination, interface says nothing. To the sender
	 * of a frame (a reset, an ICMP error): out of the interface by which it came.
	 * The kind's inject is NULL: cannot. */
	enum barn_err (*inject)(struct way *way, uint16_t interface, struct bytes frame);

	/* The next change, false if there is none. The same one may be told again. */
	bool (*event)(struct way *way, struct way_event *event);

	/* Of an interface, or of all together: WAY_NONE. nfqueue: of all only. */
	void (*stats)(struct way *way, uint16_t interface, struct way_stats *stats);
};

/* What each kind's own struct begins with. */
struct way {
	const struct way_kind *kind;
};

extern const struct way_kind way_tap, way_bridge, way_nfqueue, way_replay;

/* The limit of those that have none. */
const char *way_no_limit(const struct way *way);

/* By its name; NULL: there is none. */
const struct way_kind *way_named(const char *name);

/* All, NULL last. */
const struct way_kind *const *way_kinds(void);

#endif
