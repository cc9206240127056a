/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Flows that a control connection announces, whatever happens to that on its way: the flow must
 * be named as announced, and counted.
 *
 *	ports [-v] [WORD...]
 *
 * As in tests/matrix, with words only those cases whose name contains all of them. What is said
 * in the flow itself tells nothing, so that only the announcement can name it.
 */
#include "../matrix/send.h"
#include "control.h"
#include "program/modules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum flag {
	OTHER = 1,      /* another address than the control connection's is announced */
	NAT = 2,        /* a private one, in place of which the peer's is used */
	EARLY = 4,      /* the flow begins before the last segment of the announcement */
	TWICE = 8,      /* announced twice */
	UNUSED = 16,    /* it never comes */
	LATE = 32,      /* it comes when nobody expects it any more */
	CUSTOMERS = 64, /* another customer with the same addresses announces the same */
};

struct condition {
	const char *name;
	unsigned flags;
	const char *around; /* NULL: all of AROUND */
};

static const struct condition conditions[] = {
	{ "tunnel", 0, NULL },
	{ "another address", OTHER, NULL },
	{ "NAT", NAT, NULL },
	{ "early flow", EARLY, NULL },
	{ "announced twice", TWICE, NULL },
	{ "unused", UNUSED, "eth" },
	{ "too late", LATE, "eth" },
	{ "two customers", CUSTOMERS, "eth vlan:7 & eth vlan:8" },
	{ "two customers", CUSTOMERS, "eth mpls:{16|17} & eth mpls:{17|18} mpls:19" },
	{ "two customers", CUSTOMERS,
	  "eth ip4 udp:2152 x:30ff002d {x:00000001|x:00000002} & "
	  "eth ip4 udp:2152 x:32ff0031 {x:00000003|x:00000001} "
	  "x:00000000" },
};

static const char *const AROUND[] = {
	"eth",
	"eth svlan:100 vlan:7",
	"eth ip4 udp:4789 x:0800000000002a00 eth",
	"eth ip4 proto:47 x:2000 x:6558 x:00002a01 eth",
	"eth ip6",
	"eth / ip4 udp:4789 x:0800000000002a00 eth",
	"eth mpls:{16|17}",
	"eth ip4 udp:2152 x:30ff002d {x:00001234|x:00004321}",
	"eth ip4 udp:1701 x:0002 {x:0007 x:0009|x:0003 x:0004} x:ff03 ppp",
};

enum {
	AROUND_COUNT = sizeof(AROUND) / sizeof(AROUND[0]),
	AROUND_LEN = 256,
	PEER = 41000,
	LIFE_S = 100000
};

struct ports {
	struct barn_engine *engine;
	struct barn_worker *worker;
	struct script *script;
	unsigned cases, passed, failed;
	char *const *words;
	bool verbose;
	uint64_t now_ns; /* when the case begins: no two at the same time */
	/* The case at hand. */
	struct frame_end to;
	unsigned flows, right;
	const char *want;
	char got[96];
};

static bool
is_end(const struct barn_endpoint *e, const struct frame_end *end)
{
	return e->port == end->port &&
	       memcmp(e->address, end->addr.bytes, end->addr.family == 4 ? 4 : 16) == 0;
}

static void
flow_ended(void *self, const struct barn_flow *flow)
{
	struct ports *p = self;
	struct barn_flow_info info;
	const struct barn_endpoint *other;

	barn_flow_info(flow, &info);
	other = is_end(&info.client, &p->to)   ? &info.server
		: is_end(&info.server, &p->to) ? &info.client
					       : NULL;
	if (p->verbose)
		printf("       %s:%u %s %s %s\n", info.ip_proto == 6 ? "tcp" : "udp",
		       info.server.port, info.protocol, info.evidence, info.by);
	if (!other || other->port != PEER)
		return;
	p->flows++;
	snprintf(p->got, sizeof(p->got), "%s %s", info.protocol, info.evidence);
	p->right +=
		strcmp(info.protocol, p->want) == 0 && strcmp(info.evidence, "expected") == 0;
}

static void
frame_sent(void *self, const struct frame *frame, size_t captured, uint64_t time_ns)
{
	struct ports *p = self;

	barn_worker_frame(p->worker, &(struct barn_frame){ .data = frame->data,
							   .captured = (uint32_t)captured,
							   .length = (uint32_t)frame->len,
							   .time_ns = time_ns,
							   .linktype = 1 });
}

static struct frame_end
end_of(unsigned version, unsigned host, unsigned n, uint16_t port)
{
	struct frame_end end = { .port = port };

	end.addr.family = (uint8_t)version;
	if (version == 4)
		memcpy(end.addr.bytes,
		       (uint8_t[]){ (uint8_t)host, host == 192 ? 168 : 0, (uint8_t)(n >> 8),
				    (uint8_t)n },
		       4);
	else
		memcpy(end.addr.bytes,
		       (uint8_t[16]){ host == 192 ? 0xfd : 0x20,
				      (uint8_t)host, [14] = (uint8_t)(n >> 8), (uint8_t)n },
		       16);
	return end;
}

/* What says nothing, in both directions. */
static void
mumble(struct talk *talk, bool udp)
{
	*talk = (struct talk){ .udp = udp, .used = 256 };
	for (unsigned i = 0; i < talk->used; i++)
		talk->bytes[i] = (uint8_t)(0xf7 - i % 5);
	for (uint8_t i = 0; i < 8; i++)
		talk->message[talk->count++] =
			(struct talk_message){ .dir = i & 1, .at = i * 32, .len = 20u + i };
}

static void
send_part(struct send *send, const struct script *script, unsigned from, unsigned to)
{
	struct script part = *script;

	part.event += from;
	part.count = to - from;
	send_script(send, &part);
}

/* The last event with bytes from this side. */
static unsigned
last_of(const struct script *script, unsigned dir)
{
	unsigned i = script->count;

	while (i > 0 && (script->event[i - 1].dir != dir || script->event[i - 1].len == 0))
		i--;
	return i ? i - 1 : 0;
}

/* What is client's in a flow that the server opens: "{A|B}" becomes "{B|A}". */
static void
turn(const char *text, char turned[AROUND_LEN])
{
	const char *bar, *end;

	while (*text) {
		if (*text != '{') {
			*turned++ = *text++;
			continue;
		}
		bar = strchr(text, '|');
		end = strchr(text, '}');
		turned += sprintf(turned, "{%.*s|%.*s}", (int)(end - bar - 1), bar + 1,
				  (int)(bar - text - 1), text + 1);
		text = end + 1;
	}
	*turned = '\0';
}

struct plan {
	const struct control *control;
	const struct change *change;
	unsigned version, flags;
	const char *around;
};

static void
send_all(struct ports *p, const struct plan *plan, const struct frame_end *announced,
	 const struct frame_end end[2])
{
	static struct talk talk, noise;
	static struct script *flow;
	const struct control *c = plan->control;
	unsigned dir = c->dir, began = 0, until;
	char one[AROUND_LEN], turned[2][AROUND_LEN], *other;
	struct send send = { .around = { one },
			     .packet = plan->change->packet,
			     .end = { end[0], end[1] },
			     .other = end_of(plan->version, 13, p->cases, 40000),
			     .now_ns = p->now_ns,
			     .frame = frame_sent,
			     .self = p };
	struct send data;

	snprintf(one, sizeof(one), "%s", plan->around);
	other = strchr(one, '&');
	if (other) {
		*other++ = '\0';
		send.around[1] = other;
	}
	data = send;
	for (unsigned i = 0; i < 2 && dir == 0; i++)
		if (send.around[i]) {
			turn(send.around[i], turned[i]);
			data.around[i] = turned[i];
		}
	if (!flow)
		flow = script_new();
	control_say(c, announced, &talk);
	script_write(p->script, &talk);
	if (plan->flags & TWICE)
		script_repeat(p->script, 1000000000);
	if (plan->change->rewrite)
		plan->change->rewrite(p->script);
	mumble(&noise, c->flow_udp);
	script_write(flow, &noise);
	/* The other side opens it. */
	data.end[0] = end[!dir];
	data.end[0].port = PEER;
	data.end[1] = p->to;
	data.packet = PACKET_PLAIN;
	data.id = 30000;
	until = last_of(p->script, dir);
	if (!(plan->flags & EARLY))
		until = p->script->count;
	send_part(&send, p->script, 0, until);
	data.now_ns = send.now_ns;
	if (plan->flags & EARLY) {
		began = 1;
		send_part(&data, flow, 0, began);
		send.now_ns = data.now_ns;
		send_part(&send, p->script, until, p->script->count);
		data.now_ns = send.now_ns;
	}
	if (plan->flags & LATE)
		data.now_ns += LIFE_S * UINT64_C(1000000000);
	if (!(plan->flags & UNUSED))
		send_part(&data, flow, began, flow->count);
}

static bool
judge(struct ports *p, const struct plan *plan, const struct expect_stats *before)
{
	struct expect_stats after = shared_announced(p->engine->shared);
	unsigned flows = plan->flags & CUSTOMERS ? 2 : 1;

	if (plan->flags & UNUSED)
		return p->flows == 0 && after.announced > before->announced &&
		       after.met == before->met;
	if (plan->flags & LATE)
		return p->flows == 1 && p->right == 0 && after.met == before->met;
	return p->flows == flows && p->right == flows && after.met > before->met;
}

static bool
is_wanted(const struct ports *p, const char *name)
{
	for (char *const *word = p->words; *word; word++)
		if (!strstr(name, *word))
			return false;
	return true;
}

static void
run_case(struct ports *p, const struct plan *plan, const char *condition)
{
	const struct control *c = plan->control;
	unsigned dir = c->dir;
	struct frame_end end[2], announced;
	struct expect_stats before = shared_announced(p->engine->shared);
	char name[256];

	snprintf(name, sizeof(name), "%s v%u, %s, %s", c->name, plan->version, condition,
		 plan->around);
	if (!is_wanted(p, name))
		return;
	end[0] = end_of(plan->version, 10, p->cases, CONTROL_CLIENT);
	end[1] = end_of(plan->version, 11, p->cases, c->port);
	announced = end[dir];
	if (plan->flags & OTHER)
		announced = end_of(plan->version, 12, p->cases, 0);
	if (plan->flags & NAT)
		announced = end_of(plan->version, 192, p->cases, 0);
	announced.port = c->own_port ? CONTROL_CLIENT : CONTROL_PORT;
	p->to = plan->flags & OTHER ? announced : end[dir];
	p->to.port = (uint16_t)(announced.port + c->above);
	p->flows = p->right = 0;
	p->want = c->want;
	snprintf(p->got, sizeof(p->got), "nothing");
	if (p->verbose)
		printf("       %s\n", name);
	send_all(p, plan, &announced, end);
	barn_worker_close(p->worker);
	p->now_ns += 2 * LIFE_S * UINT64_C(1000000000);
	p->cases++;
	if (judge(p, plan, &before)) {
		p->passed++;
		return;
	}
	p->failed++;
	printf("FAILED %s: %s, not %s; %u flows, %u right\n", name, p->got, c->want, p->flows,
	       p->right);
}

static bool
is_possible(const struct control *c, const struct change *change, unsigned version)
{
	unsigned need = change->for_what;

	if (version == 6 && c->only4)
		return false;
	if (!(need & (c->udp ? FOR_UDP : FOR_TCP)) ||
	    !(need & (version == 4 ? FOR_IP4 : FOR_IP6)))
		return false;
	if (need & FOR_CLIENT_FIRST && !c->capture && c->message[0].dir)
		return false;
	if (change->view == VIEW_WHOLE)
		return true;
	return c->alone && change->view == (c->dir ? VIEW_SERVER : VIEW_CLIENT);
}

static void
run_control(struct ports *p, const struct control *c, unsigned version)
{
	struct plan plan = { .control = c, .version = version, .around = AROUND[0] };

	if (version == 6 && c->only4)
		return;
	for (size_t i = 0; i < change_count; i++) {
		plan.change = &changes[i];
		if (is_possible(c, &changes[i], version))
			run_case(p, &plan, changes[i].name);
	}
	plan.change = &changes[0];
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
		const struct condition *k = &conditions[i];

		/* A request from the announced port comes first, and is such a flow itself. */
		if ((k->flags & (OTHER | NAT) && !c->tells) ||
		    (k->flags & (EARLY | CUSTOMERS) && c->own_port))
			continue;
		plan.flags = k->flags;
		for (unsigned a = 0; a < (k->around ? 1 : AROUND_COUNT); a++) {
			plan.around = k->around ? k->around : AROUND[a];
			run_case(p, &plan, k->name);
		}
	}
}

int
main(int argc, char **argv)
{
	static struct ports p;
	const char *top = getenv("srcdir") ? getenv("srcdir") : ".";
	const struct barn_worker_options worker = {
		.size = sizeof(worker), .flows = 4096, .flow_ended = flow_ended, .self = &p
	};
	struct modules_options options = { .no_ndpi = true };
	char path[512];

	if (argc > 1 && strcmp(argv[1], "-v") == 0) {
		p.verbose = true;
		argv++;
	}
	p.words = argv + 1;
	snprintf(path, sizeof(path), "%s/pdlm", top);
	options.folder = path;
	if (modules_load(&options, &p.engine) != BARN_OK)
		return 1;
	p.now_ns = UINT64_C(1700000000000000000);
	if (barn_worker_new(p.engine, &worker, &p.worker) != BARN_OK)
		return 1;
	p.script = script_new();
	for (unsigned i = 0; i < control_count; i++) {
		run_control(&p, &control_table[i], 4);
		run_control(&p, &control_table[i], 6);
	}
	script_free(p.script);
	barn_worker_free(p.worker);
	barn_engine_free(p.engine);
	printf("%u passed, %u failed\n", p.passed, p.failed);
	return p.failed || !p.passed;
}
