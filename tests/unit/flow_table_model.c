/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * The table against a plain list that knows nothing of hashes, wheels and buckets: random
 * packets of few ends, so that flows expire, close, come again and are evicted. The list says
 * for each packet which flow it belongs to, and for each flow that leaves, why it may. Fixed
 * seeds.
 */
#include "flow/table.h"
#include "unit.h"

#include <stdlib.h>

enum { ENDS = 300, PROTOS = 2 };

static const uint64_t second = 1000000000;

struct model {
	bool here, rst, a_fin, b_fin, half, answered, syn_known;
	uint64_t id, first_ns, last_ns, bytes[2], packets[2];
	uint32_t syn_seq;
	unsigned client;
};

static struct model model[ENDS][PROTOS];
static struct table *table;
static unsigned live, bound, created, gone[FLOW_ENDS];
static uint64_t now, serial, state;
static uint64_t reopened; /* the flow that this packet may replace though it has not expired */

static uint32_t
below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

static uint64_t
idle_s(const struct model *m, bool tcp)
{
	if (!tcp)
		return m->answered ? 180 : 60;
	if (m->rst || (m->a_fin && m->b_fin))
		return 10;
	if (m->a_fin || m->b_fin)
		return 60;
	if (m->answered)
		return 600;
	return m->half ? 40 : 60;
}

static bool
is_over(const struct model *m, bool tcp, uint64_t at)
{
	return at > m->last_ns && at - m->last_ns > idle_s(m, tcp) * second;
}

static enum flow_end
why(const struct model *m, bool tcp, enum flow_end otherwise)
{
	if (tcp && m->rst)
		return FLOW_RST;
	if (tcp && m->a_fin && m->b_fin)
		return FLOW_FIN;
	if (is_over(m, tcp, now) || m->id == reopened)
		return tcp && (m->a_fin || m->b_fin) ? FLOW_FIN : FLOW_IDLE;
	return otherwise;
}

/* Set by table_close: nobody else may end a flow that is neither over nor in the way. */
static enum flow_end otherwise;
static unsigned evictions;

static void
note_end(void *self, struct flow *flow, enum flow_end end)
{
	bool tcp = flow->key.ip_proto == 6;
	struct model *m = &model[flow->key.port[FLOW_A] - 1000][tcp];

	(void)self;
	CHECK(m->here);
	CHECK_EQ(m->id, flow->id);
	CHECK_EQ(m->first_ns, flow->first_ns);
	CHECK_EQ(m->last_ns, flow->last_ns);
	for (int i = 0; i < 2; i++) {
		CHECK_EQ(m->packets[i], flow->packets[i]);
		CHECK_EQ(m->bytes[i], flow->bytes[i]);
	}
	CHECK_EQ(end, why(m, tcp, otherwise));
	if (otherwise != FLOW_SHUTDOWN && !is_over(m, tcp, now) && m->id != reopened)
		CHECK_EQ(live, bound);
	m->here = false;
	live--;
	gone[end]++;
	evictions += end == FLOW_EVICTED;
}

/* What the packet makes of its flow, said again in the plainest way. */
static void
expect_packet(struct model *m, const struct packet *p, unsigned from)
{
	bool tcp = p->ip_proto == 6, syn = p->tcp_flags & TCP_SYN, ack = p->tcp_flags & TCP_ACK;

	m->packets[from]++;
	m->bytes[from] += p->wire_len;
	if (p->time_ns > m->last_ns)
		m->last_ns = p->time_ns;
	if (p->time_ns < m->first_ns)
		m->first_ns = p->time_ns;
	if (!tcp) {
		m->answered = m->packets[0] && m->packets[1];
		return;
	}
	if (m->rst || (m->a_fin && m->b_fin))
		return;
	if (p->tcp_flags & TCP_RST) {
		m->rst = true;
	} else if (p->tcp_flags & TCP_FIN) {
		m->a_fin |= from == FLOW_A;
		m->b_fin |= from == FLOW_B;
	} else if (!m->answered && !m->a_fin && !m->b_fin) {
		m->half |= syn;
		m->answered = !syn && ack && m->packets[0] + m->packets[1] > 1;
	}
}

static struct packet
random_packet(unsigned *end)
{
	static const uint8_t flags[] = { TCP_SYN,           TCP_SYN | TCP_ACK,
					 TCP_ACK,           TCP_ACK,
					 TCP_ACK | TCP_PSH, TCP_FIN | TCP_ACK,
					 TCP_FIN | TCP_ACK, TCP_RST,
					 TCP_RST | TCP_ACK, 0 };
	bool back = below(2);
	struct packet p = {
		.ip_version = 4,
		.wire_len = below(1500),
		.serial = ++serial,
		.time_ns = now,
	};

	*end = below(below(3) ? ENDS / 20 : ENDS);
	p.src.b[0] = back ? 10 : 9;
	p.dst.b[0] = back ? 9 : 10;
	p.src_port = back ? 80 : (uint16_t)(1000 + *end);
	p.dst_port = back ? (uint16_t)(1000 + *end) : 80;
	p.ip_proto = below(3) ? 6 : 17;
	if (p.ip_proto == 6) {
		p.tcp_flags = flags[below(10)];
		p.tcp_seq = below(3);
		p.tcp_ack = below(3);
	}
	return p;
}

/*
 * A SYN other than the flow's own, of a side that has closed or was reset; or an answer to one,
 * once the connection has stood.
 */
static bool
reopens(const struct model *m, const struct packet *p, unsigned from)
{
	bool closed = m->rst || (m->a_fin && m->b_fin);
	bool stood = closed || m->a_fin || m->b_fin || m->answered;

	if (p->ip_proto != 6 || (p->tcp_flags & (TCP_SYN | TCP_RST)) != TCP_SYN)
		return false;
	if (p->tcp_flags & TCP_ACK)
		return stood && m->syn_known && m->client != from &&
		       m->syn_seq != p->tcp_ack - 1;
	if (!closed && !(from == FLOW_A ? m->a_fin : m->b_fin))
		return false;
	return !m->syn_known || m->client != from || m->syn_seq != p->tcp_seq;
}

static void
note_syn(struct model *m, const struct packet *p, unsigned from)
{
	bool ack = p->tcp_flags & TCP_ACK;
	unsigned client = ack ? from ^ 1 : from;

	if ((p->tcp_flags & (TCP_SYN | TCP_RST)) != TCP_SYN || p->ip_proto != 6)
		return;
	if (m->syn_known && (ack || m->client != from || !m->half || m->answered || m->rst ||
			     m->a_fin || m->b_fin))
		return;
	m->syn_known = true;
	m->client = client;
	m->syn_seq = ack ? p->tcp_ack - 1 : p->tcp_seq;
}

static void
one_packet(struct packet *p, unsigned end)
{
	bool tcp = p->ip_proto == 6, fresh, want_fresh;
	struct model *m = &model[end][tcp], old;
	unsigned from, sender = p->src.b[0] == 9 ? FLOW_A : FLOW_B;
	struct flow *flow;

	now = p->time_ns;
	old = *m;
	reopened = m->here && reopens(m, p, sender) ? m->id : 0;
	want_fresh = !m->here || is_over(m, tcp, now) || reopened;
	otherwise = FLOW_EVICTED;
	flow = table_packet(table, p, &from, &fresh);
	CHECK_EQ(from, sender);
	/* At the bound its own flow may not be the one that goes. */
	CHECK_EQ(fresh, want_fresh);
	if (fresh) {
		CHECK(!m->here);
		*m = (struct model){
			.here = true, .id = p->serial, .first_ns = now, .last_ns = now
		};
		live++;
		created++;
	} else {
		CHECK(m->here && m->id == old.id);
	}
	note_syn(m, p, from);
	expect_packet(m, p, from);
	CHECK_EQ(flow->id, m->id);
	CHECK_EQ(flow->packets[from], m->packets[from]);
	CHECK(live <= bound);
	CHECK_EQ(table_stats(table)->flows, live);
	if (below(4) == 0)
		flow->verdict.final = 1;
}

static void
run(unsigned rounds, uint32_t flows, uint64_t most_s, bool backwards)
{
	struct table_options options = { .flows = flows,
					 .seed = { state, 1 },
					 .ended = note_end };
	const struct table_stats *stats;
	uint64_t ended = 0;

	memset(model, 0, sizeof(model));
	memset(gone, 0, sizeof(gone));
	live = created = 0;
	bound = flows;
	now = 1700000000 * second;
	CHECK_EQ(table_new(&options, &table), BARN_OK);
	stats = table_stats(table);
	for (unsigned i = 0; i < rounds; i++) {
		struct packet p;
		unsigned end;

		now += below(2) ? 0 : (uint64_t)below((uint32_t)most_s * 1000) * 1000000;
		if (backwards && below(10) == 0)
			now -= (uint64_t)below(100) * second;
		p = random_packet(&end);
		if (below(2))
			table_prefetch(table, &p);
		one_packet(&p, end);
		if (below(20) == 0) {
			reopened = 0;
			table_tick(table, now);
		}
	}
	now += below(700) * second;
	otherwise = FLOW_SHUTDOWN;
	table_close(table, now);
	CHECK_EQ(live, 0);
	for (int i = 0; i < FLOW_ENDS; i++) {
		CHECK_EQ(stats->ended[i], gone[i]);
		ended += gone[i];
	}
	CHECK_EQ(ended, created);
	CHECK_EQ(stats->created, created);
	CHECK_EQ(gone[FLOW_ACTIVE], 0);
	table_free(table);
}

TEST(with_room_it_does_as_a_list_would)
{
	state = 1;
	for (int i = 0; i < 20; i++)
		run(5000, 2 * ENDS * PROTOS, 20, false);
	CHECK(gone[FLOW_IDLE] && gone[FLOW_FIN] && gone[FLOW_RST]);
	CHECK_EQ(gone[FLOW_EVICTED], 0);
}

TEST(at_the_bound_only_it_is_the_reason_to_go)
{
	state = 2;
	evictions = 0;
	for (uint32_t i = 0; i < 40; i++)
		run(3000, 1 + below(i < 20 ? 8 : 200), 3, false);
	CHECK(evictions > 10000);
}

TEST(time_that_goes_back_changes_no_count)
{
	state = 3;
	for (int i = 0; i < 20; i++)
		run(5000, 2 * ENDS * PROTOS, 20, true);
}

TEST(leaps_of_time_change_no_count)
{
	state = 4;
	for (int i = 0; i < 20; i++)
		run(3000, 2 * ENDS * PROTOS, 4000, i % 2);
}
