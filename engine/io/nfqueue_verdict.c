/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/checksum.h"
#include "io/nfqueue.h"
#include <arpa/inet.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_conntrack.h>
#include <linux/netfilter/nfnetlink_queue.h>
#include <linux/netlink.h>
#include <string.h>

enum { ATTRIBUTE = sizeof(struct nlattr) };
enum { BEYOND_DATA = 128 }; /* a verdict's message without a changed packet, at most */

uint32_t
nfqueue_mark(uint32_t mark, const struct way_verdict *verdict)
{
	return (mark & ~verdict->mark_mask) | (verdict->mark & verdict->mark_mask);
}

/* As NLMSG_ALIGN and NLA_ALIGN, which convert signs. */
static size_t
align(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

static void
put(struct nlmsghdr *m, uint16_t type, const void *data, size_t size)
{
	uint8_t *at = (uint8_t *)m + align(m->nlmsg_len);
	struct nlattr a = { .nla_len = (uint16_t)(ATTRIBUTE + size), .nla_type = type };
	size_t whole = align(ATTRIBUTE + size);

	memset(at, 0, ATTRIBUTE);
	memcpy(at, &a, sizeof a);
	if (size > 0)
		memcpy(at + ATTRIBUTE, data, size);
	memset(at + ATTRIBUTE + size, 0, whole - ATTRIBUTE - size);
	m->nlmsg_len = (uint32_t)(align(m->nlmsg_len) + whole);
}

static void
put_be32(struct nlmsghdr *m, uint16_t type, uint32_t value)
{
	value = htonl(value);
	put(m, type, &value, sizeof value);
}

static void
put_conntrack(struct nlmsghdr *m, const struct way_verdict *v)
{
	struct {
		struct nlattr mark_head;
		uint32_t mark;
		struct nlattr mask_head;
		uint32_t mask;
	} nested = {
		.mark_head = { .nla_len = ATTRIBUTE + 4, .nla_type = CTA_MARK },
		.mark = htonl(v->ct_mark & v->ct_mark_mask),
		.mask_head = { .nla_len = ATTRIBUTE + 4, .nla_type = CTA_MARK_MASK },
		.mask = htonl(v->ct_mark_mask),
	};

	put(m, NFQA_CT | NLA_F_NESTED, &nested, sizeof nested);
}

/* Which of the packets share a message? */
struct run {
	const struct nfqueue_packet *packets;
	const struct way_verdict *verdicts;
	bool conntrack;
};

static bool
alone(const struct run *r, unsigned i)
{
	const struct way_verdict *v = &r->verdicts[i];

	if (v->action == WAY_DROP)
		return false;
	return (v->action == WAY_CHANGED && !r->packets[i].cut) ||
	       (r->conntrack && v->ct_mark_mask);
}

static bool
alike(const struct run *r, unsigned i, unsigned k)
{
	const struct way_verdict *a = &r->verdicts[i], *b = &r->verdicts[k];

	if (alone(r, k) || (a->action == WAY_DROP) != (b->action == WAY_DROP))
		return false;
	if (a->action == WAY_DROP)
		return true;
	if (!a->mark_mask != !b->mark_mask)
		return false;
	return !a->mark_mask ||
	       nfqueue_mark(r->packets[i].mark, a) == nfqueue_mark(r->packets[k].mark, b);
}

/* The last packet of the run that begins with i; all of them leave `todo`. */
static unsigned
take_run(const struct run *r, unsigned i, unsigned count, uint64_t *todo)
{
	unsigned last = i;

	*todo &= ~(1ULL << i);
	for (unsigned k = i + 1; k < count && !alone(r, i); k++) {
		if (!(*todo >> k & 1) || r->packets[k].queue != r->packets[i].queue)
			continue;
		if (!alike(r, i, k))
			break;
		*todo &= ~(1ULL << k);
		last = k;
	}
	return last;
}

/* i and last: a run. */
static size_t
write_one(uint8_t *to, const struct run *r, unsigned i, unsigned last)
{
	const struct nfqueue_packet *p = &r->packets[i];
	const struct way_verdict *v = &r->verdicts[i];
	bool pass = v->action != WAY_DROP;
	struct nfqnl_msg_verdict_hdr verdict = { .verdict = htonl(pass ? NF_ACCEPT : NF_DROP),
						 .id = htonl(r->packets[last].id) };
	struct nlmsghdr *m = (struct nlmsghdr *)(void *)to;
	struct nfgenmsg *g = NLMSG_DATA(m);

	*m = (struct nlmsghdr){
		.nlmsg_len = NLMSG_LENGTH(sizeof *g),
		.nlmsg_type =
			(uint16_t)(NFNL_SUBSYS_QUEUE << 8 |
				   (last == i ? NFQNL_MSG_VERDICT : NFQNL_MSG_VERDICT_BATCH)),
		.nlmsg_flags = NLM_F_REQUEST,
	};
	*g = (struct nfgenmsg){ .version = NFNETLINK_V0, .res_id = htons(p->queue) };
	put(m, NFQA_VERDICT_HDR, &verdict, sizeof verdict);
	if (pass && v->mark_mask)
		put_be32(m, NFQA_MARK, nfqueue_mark(p->mark, v));
	if (pass && r->conntrack && v->ct_mark_mask)
		put_conntrack(m, v);
	if (v->action == WAY_CHANGED && !p->cut) {
		/* The kernel takes a changed packet's checksum for finished. */
		if (p->finish)
			(void)checksum_finish(p->data, p->size);
		put(m, NFQA_PAYLOAD, p->data, p->size);
	}
	return align(m->nlmsg_len);
}

size_t
nfqueue_write(uint8_t *to, size_t room, const struct nfqueue_packet *packets,
	      const struct way_verdict *verdicts, unsigned count, bool conntrack,
	      uint64_t *todo)
{
	struct run run = { .packets = packets, .verdicts = verdicts, .conntrack = conntrack };
	size_t at = 0;

	for (unsigned i = 0; i < count; i++) {
		size_t need = BEYOND_DATA;

		if (!(*todo >> i & 1))
			continue;
		if (alone(&run, i) && verdicts[i].action == WAY_CHANGED)
			need += packets[i].size;
		if (room - at < need)
			break;
		at += write_one(to + at, &run, i, take_run(&run, i, count, todo));
	}
	return at;
}
