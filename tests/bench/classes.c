/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * What a packet of an established flow costs with a policy, as a ratio to no policy.
 *
 *	classes [ROUNDS [PACKETS]]     a table, then JSON lines, one a figure
 *
 * Frames in memory, 64 bytes, of 64 flows in turn, decoded and handed to a worker each. Cases
 * take turns within a round; a ratio is the median of the rounds' ratios to the case without a
 * policy. Compare lines of one run only. Classes have an access list and a policer each, as in
 * the tests of old routers where every class cost something; which one matches, is the case's.
 * "police none" is one class-default without a policer: what is left over is the decision.
 */
#include "config.h"

#include "../lib/frame.h"
#include "wire/wire.h"
#include "worker/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	FLOWS = 64,
	ROUNDS_MOST = 101,
	POSITIONS = 3,
	SIZES = 7,
	CASES = 2 + SIZES * POSITIONS + 2
};

enum position { FIRST, LAST, NONE };

static const char *const position_names[] = { "first", "last", "none" };
static const unsigned sizes[SIZES] = { 1, 5, 10, 20, 30, 100, 1000 };

struct bench_case {
	char name[48];
	unsigned classes;
	enum position matches;
	bool policy, police, dscp;
	struct worker *worker;
	struct policy_slot *slot;
	struct arena *arena;
	struct policy_model model;
	double ns[ROUNDS_MOST];
};

static struct bench_case cases[CASES];
static unsigned case_count;
static struct barn_engine *engine;
static struct wire *wire;
static struct frame *frames[FLOWS];
static uint64_t serial;

static void
die(const char *why)
{
	fprintf(stderr, "classes: %s\n", why);
	exit(1);
}

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *
item(struct list *list, struct arena *arena, size_t size)
{
	void *made = list_add(list, arena, size);

	if (!made)
		die("no memory");
	return made;
}

static void *
thing(struct list *list, struct arena *arena, size_t size)
{
	void **place = item(list, arena, sizeof(void *));

	*place = arena_alloc(arena, size);
	if (!*place)
		die("no memory");
	return *place;
}

/* Class `i`: an access list, which permits all of the traffic or a host that says nothing. */
static void
add_class(struct bench_case *c, struct policy_map *map, unsigned i, bool matches)
{
	struct policy_class *class_map = thing(&c->model.classes, c->arena, sizeof(*class_map));
	struct policy_access *access = thing(&c->model.accesses, c->arena, sizeof(*access));
	struct policy_statement *s = item(&class_map->statements, c->arena, sizeof(*s));
	struct policy_rule *rule = item(&access->rules, c->arena, sizeof(*rule));
	struct policy_entry *entry = item(&map->entries, c->arena, sizeof(*entry));
	char name[16];

	snprintf(name, sizeof(name), "C%u", i);
	class_map->name = access->name = entry->class_name = arena_strdup(c->arena, name);
	s->test = c->dscp ? POLICY_DSCP : POLICY_ACCESS;
	s->name = s->text = class_map->name;
	*(struct policy_range *)item(&s->ranges, c->arena, sizeof(struct policy_range)) =
		(struct policy_range){ matches ? 0 : 1 + i % 63, matches ? 0 : 1 + i % 63 };
	rule->permit = rule->any_protocol = true;
	if (!matches) {
		memcpy(rule->source, (const uint8_t[]){ 192, 0, (uint8_t)(i >> 8), (uint8_t)i },
		       4);
		memset(rule->source_mask, 0xff, 4);
	}
	if (!c->police)
		return;
	entry->police = arena_alloc(c->arena, sizeof(*entry->police));
	entry->police->cir = 1000000000;
}

static void
open_case(struct bench_case *c)
{
	const struct policy_interface interface = { "eth0", 1000000000 };
	const struct policy_options options = { .interfaces = &interface,
						.interface_count = 1 };
	struct worker_options worker = { .interfaces = 1,
					 .flows = 8192,
					 .current = &engine->current,
					 .shared = engine->shared };
	static struct barn_faults faults;
	struct policy *policy;
	struct policy_map *map;

	if (c->policy) {
		if (arena_new(0, &c->arena) || slot_new(&c->slot))
			die("no memory");
		map = thing(&c->model.maps, c->arena, sizeof(*map));
		map->name = "P";
		for (unsigned i = 0; i < c->classes; i++)
			add_class(c, map, i,
				  (c->matches == FIRST && i == 0) ||
					  (c->matches == LAST && i + 1 == c->classes));
		*(struct policy_attach *)item(&c->model.attaches, c->arena,
					      sizeof(struct policy_attach)) =
			(struct policy_attach){ .interface = "eth0", .map = "P" };
		if (policy_new(&c->model, engine->registry, &options, &policy, &faults))
			die(faults.fault[0].text);
		if (slot_publish(c->slot, policy))
			die("no memory");
		worker.policies = c->slot;
	}
	if (worker_new(&worker, &c->worker))
		die("no memory");
}

static void
close_case(struct bench_case *c)
{
	worker_free(c->worker);
	slot_free(c->slot);
	arena_free(c->arena);
}

static struct bench_case *
add_case(const char *name, unsigned classes, enum position matches, bool policy, bool police)
{
	struct bench_case *c = &cases[case_count++];

	snprintf(c->name, sizeof(c->name), "%s", name);
	c->classes = classes;
	c->matches = matches;
	c->policy = policy;
	c->police = police;
	return c;
}

static void
make_cases(void)
{
	char name[48];

	add_case("no policy", 0, NONE, false, false);
	add_case("police none", 0, NONE, true, false);
	for (unsigned p = 0; p < POSITIONS; p++)
		for (unsigned i = 0; i < SIZES; i++) {
			snprintf(name, sizeof(name), "%u policers, %s", sizes[i],
				 position_names[p]);
			add_case(name, sizes[i], p, true, true);
		}
	add_case("100 access lists, no policer", 100, LAST, true, false);
	add_case("100 DSCP classes, no policer", 100, NONE, true, false)->dscp = true;
}

static void
make_frames(void)
{
	for (unsigned i = 0; i < FLOWS; i++) {
		frames[i] = malloc(sizeof(struct frame));
		if (!frames[i])
			die("no memory");
		frame_init(frames[i], "0123456789abcdefgh", 18);
		frame_udp(frames[i], (uint16_t)(40000 + i), 19999);
		frame_ipv4(frames[i], frame_addr("10.0.0.1"), frame_addr("10.0.0.2"));
		frame_ether(frames[i], NULL, NULL);
	}
}

static double
run(struct bench_case *c, unsigned packets)
{
	const struct decide_ask ask = { .iface = 0 };
	struct policy_verdict verdict = { .fate = 0 };
	unsigned dropped = 0;
	double start = now_ns();

	for (unsigned i = 0; i < packets; i++) {
		struct frame *f = frames[i % FLOWS];
		struct packet packet = {
			.wire_len = 64,
			.time_ns = 1700000000000000000 + serial * 1000,
			.clock_ns = 1700000000000000000,
			.serial = serial + 1,
			.linktype = 1,
		};

		serial++;
		packet.frame = bytes_of(f->data, f->len);
		wire_decode(wire, &packet);
		worker_packet(c->worker, &packet);
		if (c->policy)
			worker_decide(c->worker, &packet, &ask, &verdict);
		dropped += verdict.fate != POLICY_FATE_FORWARD;
	}
	if (dropped)
		die("a packet was dropped");
	return (now_ns() - start) / packets;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
median(double *values, unsigned count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2];
}

static void
print(unsigned rounds)
{
	double ns[CASES] = { 0 }, ratios[CASES] = { 0 }, each[ROUNDS_MOST] = { 0 };

	for (unsigned i = 0; i < case_count; i++) {
		for (unsigned k = 0; k < rounds; k++)
			each[k] = cases[i].ns[k] / cases[0].ns[k];
		ratios[i] = median(each, rounds);
	}
	printf("%-32s %10s %8s\n", "", "ns/packet", "ratio");
	for (unsigned i = 0; i < case_count; i++) {
		ns[i] = median(cases[i].ns, rounds);
		printf("%-32s %10.1f %8.3f\n", cases[i].name, ns[i], ratios[i]);
	}
	for (unsigned i = 0; i < case_count; i++)
		printf("{\"bench\":\"classes\",\"case\":\"%s\",\"ns_per_packet\":%.1f,"
		       "\"ratio\":%.3f}\n",
		       cases[i].name, ns[i], ratios[i]);
}

int
main(int argc, char **argv)
{
	struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	static struct barn_faults faults;
	unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 11;
	unsigned packets = argc > 2 ? (unsigned)atoi(argv[2]) : 200000;

	if (!rounds || rounds > ROUNDS_MOST || packets < FLOWS)
		die("usage: classes [ROUNDS (1 to 101) [PACKETS]]");
	if (barn_engine_new(&options, &engine) || barn_engine_commit(engine, &faults) ||
	    wire_new(NULL, &wire))
		die("no memory");
	make_cases();
	make_frames();
	for (unsigned i = 0; i < case_count; i++) {
		open_case(&cases[i]);
		run(&cases[i], 64 * FLOWS);
	}
	for (unsigned k = 0; k < rounds; k++)
		for (unsigned i = 0; i < case_count; i++)
			cases[i].ns[k] = run(&cases[i], packets);
	print(rounds);
	for (unsigned i = 0; i < case_count; i++)
		close_case(&cases[i]);
	for (unsigned i = 0; i < FLOWS; i++)
		free(frames[i]);
	wire_free(wire);
	barn_engine_free(engine);
	return 0;
}
