/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Loads, replaces and unloads modules and packs while workers classify, through the public
 * library alone.
 *
 *	hotload [ROUNDS]		also $BARN_HOTLOAD_ROUNDS; 200
 *
 * Each worker reads its captures over and over, ending all flows after each pass, while the
 * main thread changes the modules. Claims: no packet and no flow is lost, what no load touches
 * is counted as in an undisturbed pass, a flow's rule keeps its name, a failed load changes
 * nothing, and after all rounds memory is what it was after ten. In each round the example of a
 * module in C is opened, names flows, and is closed when the last flow of it is decided.
 */
#include "pack.h"

#include <arpa/inet.h>
#include <barn/barn.h>
#include <barn/inspector.h>
#include <barn/pack.h>
#include <dlfcn.h>
#include <malloc.h>
#include <pcap/pcap.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORKERS = 2, FRAMES_MAX = 20000, FLOWS_HASH = 4096, SLACK = 65536, PARCELS = 40 };

static const char base[] =
	"protocol ftp { rule banner over tcp { server 0: /^220[ -]/ } => sure }\n"
	"protocol http { rule get over tcp { client 0: \"GET \" } => sure }\n"
	"protocol dns { port udp 53 }\n";

/* What comes and goes: two that name the same flows, one after the other, and one unknown. */
static const char *const versions[] = {
	"protocol ssl { rule hello over tcp { client 0: hex 16 03 } => sure\n"
	"	test \"hello\" over tcp { client hex 16 03 01 } => ssl }\n",
	"protocol ssl { title \"another\" rule greeting over tcp { client 0: hex 16 03 } => "
	"sure }\n"
	"protocol telnet { rule iac over tcp { server 0: hex ff } => sure }\n",
};

static const struct {
	const char *what, *text;
} wrong[] = {
	{ "syntax", "protocol ssl { rule over }\n" },
	{ "a failing vector", "protocol ssl { rule a over tcp { client 0: \"A\" } => sure\n"
			      "	test \"b\" over tcp { client \"B\" } => ssl }\n" },
	{ "an index that is taken", "protocol one { index 5 } protocol two { index 5 }\n" },
	{ "an unknown reference", "protocol one { over nobody host \"*.example.com\" }\n" },
};

struct frame {
	uint8_t *data;
	uint32_t captured, length;
	uint64_t time_ns;
	uint16_t linktype;
};

static struct frame frames[FRAMES_MAX];
static unsigned frame_count;

/* What a pass found. */
struct pass {
	uint64_t flows, packets, ftp, http;
};

struct lane {
	pthread_t thread;
	struct barn_engine *engine;
	struct barn_worker *worker;
	struct pass pass, wanted;
	uint64_t passes, wrong, parcels;
	char told[200];
};

static atomic_bool stop;
static pthread_barrier_t rest; /* all lanes at the end of a pass, and the main thread */
static atomic_bool resting;
static unsigned passed, failed;

static void
claim(const char *text, int holds)
{
	printf("%s %s\n", holds ? "ok    " : "FAILED", text);
	passed += holds != 0;
	failed += holds == 0;
}

static void
add_capture(const char *path)
{
	char why[PCAP_ERRBUF_SIZE];
	pcap_t *pcap =
		pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, why);
	struct pcap_pkthdr *header;
	const u_char *data;

	if (!pcap) {
		fprintf(stderr, "hotload: %s\n", why);
		exit(1);
	}
	while (frame_count < FRAMES_MAX && pcap_next_ex(pcap, &header, &data) == 1) {
		struct frame *f = &frames[frame_count++];

		f->data = malloc(header->caplen + 1);
		memcpy(f->data, data, header->caplen);
		f->captured = header->caplen;
		f->length = header->len;
		f->time_ns = (uint64_t)header->ts.tv_sec * 1000000000u +
			     (uint64_t)header->ts.tv_usec;
		f->linktype =
			(uint16_t)(pcap_datalink(pcap) == DLT_RAW ? 101 : pcap_datalink(pcap));
	}
	pcap_close(pcap);
}

/* A segment of 10.0.0.1:PORT and 10.0.0.2:5000, as a frame that begins with IP. */
static void
add_segment(uint16_t port, unsigned dir, uint8_t flags, uint32_t seq, const char *text,
	    size_t len)
{
	struct frame *f = &frames[frame_count++];
	uint16_t total = htons((uint16_t)(40 + len)), ports[2] = { htons(port), htons(5000) };
	uint8_t *p = calloc(1, 40 + len);

	seq = htonl(seq);
	p[0] = 0x45;
	memcpy(p + 2, &total, 2);
	p[8] = 64;
	p[9] = 6;
	memcpy(p + 12, dir ? "\12\0\0\2\12\0\0\1" : "\12\0\0\1\12\0\0\2", 8);
	memcpy(p + 20, &ports[dir], 2);
	memcpy(p + 22, &ports[!dir], 2);
	memcpy(p + 24, &seq, 4);
	p[32] = 5 << 4;
	p[33] = flags;
	memcpy(p + 40, text, len);
	*f = (struct frame){ .data = p,
			     .captured = (uint32_t)(40 + len),
			     .length = (uint32_t)(40 + len),
			     .time_ns = frames[frame_count - 2].time_ns + 1000000,
			     .linktype = 101 };
}

/* Flows of the example's protocol, whose first messages are long under way. */
static void
add_parcels(void)
{
	static const struct {
		uint8_t dir, flags;
		uint32_t seq;
		const char *text;
		size_t len;
	} steps[] = {
		{ 0, 0x02, 1000, "", 0 },
		{ 1, 0x12, 5000, "", 0 },
		{ 0, 0x18, 1001, "P", 1 },
		{ 0, 0x18, 1002, "H\0\5al", 5 },
		{ 0, 0x18, 1007, "ice", 3 },
		{ 1, 0x18, 5001, "PO\0\0PD\0\2\20\0", 10 },
		{ 0, 0x18, 1010, "PS\0\1xPB\0\0", 9 },
	};

	for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		for (uint16_t port = 40000; port < 40000 + PARCELS; port++)
			add_segment(port, steps[i].dir, steps[i].flags, steps[i].seq,
				    steps[i].text, steps[i].len);
}

static int
is_rule_name(const char *by)
{
	return !strcmp(by, "ssl: rule hello") || !strcmp(by, "ssl: rule greeting") ||
	       !strcmp(by, "telnet: rule iac") || !strcmp(by, "ftp: rule banner") ||
	       !strcmp(by, "http: rule get");
}

static void
ended(void *self, const struct barn_flow *flow)
{
	struct lane *lane = self;
	struct barn_flow_info info;

	barn_flow_info(flow, &info);
	lane->pass.flows++;
	lane->pass.packets += info.packets[0] + info.packets[1];
	lane->parcels += !strcmp(info.by, "parcel: inspector");
	if (!strcmp(info.protocol, "ftp"))
		lane->pass.ftp += info.packets[0] + info.packets[1];
	if (!strcmp(info.protocol, "http"))
		lane->pass.http += info.packets[0] + info.packets[1];
	if ((!strcmp(info.protocol, "ssl") || !strcmp(info.protocol, "telnet") ||
	     !strcmp(info.protocol, "ftp") || !strcmp(info.protocol, "http")) &&
	    !strcmp(info.evidence, "rule") &&
	    (!is_rule_name(info.by) ||
	     strncmp(info.by, info.protocol, strlen(info.protocol)))) {
		lane->wrong++;
		snprintf(lane->told, sizeof(lane->told), "%s by '%s'", info.protocol, info.by);
	}
}

static struct pass
run_pass(struct lane *lane)
{
	lane->pass = (struct pass){ 0 };
	for (unsigned i = 0; i < frame_count; i++) {
		struct barn_frame frame = {
			.data = frames[i].data,
			.captured = frames[i].captured,
			.length = frames[i].length,
			.time_ns = frames[i].time_ns,
			.linktype = frames[i].linktype,
		};

		barn_worker_frame(lane->worker, &frame);
	}
	barn_worker_close(lane->worker);
	return lane->pass;
}

static void
make_worker(struct lane *lane)
{
	struct barn_worker_options options = {
		.size = sizeof(options), .flows = 4096, .flow_ended = ended, .self = lane
	};

	if (barn_worker_new(lane->engine, &options, &lane->worker))
		exit(1);
}

static void *
pump(void *self)
{
	struct lane *lane = self;

	while (!atomic_load(&stop)) {
		struct pass pass = run_pass(lane);

		lane->passes++;
		if (memcmp(&pass, &lane->wanted, sizeof(pass)) != 0) {
			lane->wrong++;
			snprintf(lane->told, sizeof(lane->told),
				 "%llu flows, %llu packets, ftp %llu, http %llu",
				 (unsigned long long)pass.flows,
				 (unsigned long long)pass.packets, (unsigned long long)pass.ftp,
				 (unsigned long long)pass.http);
		}
		if (atomic_load(&resting)) {
			pthread_barrier_wait(&rest);
			barn_worker_tick(lane->worker, UINT64_MAX / 2);
			pthread_barrier_wait(&rest);
			pthread_barrier_wait(&rest);
		}
	}
	return NULL;
}

/* Bytes in use when all lanes are at rest and have taken up the newest set. */
static size_t
in_use(struct barn_engine *engine, unsigned *sets)
{
	struct mallinfo2 info;

	atomic_store(&resting, 1);
	pthread_barrier_wait(&rest);
	pthread_barrier_wait(&rest);
	atomic_store(&resting, 0);
	*sets = barn_engine_collect(engine);
	info = mallinfo2();
	pthread_barrier_wait(&rest);
	return info.uordblks + info.hblkhd;
}

static int
load(struct barn_engine *engine, const char *text)
{
	struct barn_faults faults = { 0 };

	if (barn_engine_module(engine, "round.pdlm", text, strlen(text), &faults) ||
	    barn_engine_commit(engine, &faults)) {
		barn_engine_rollback(engine);
		return faults.count ? -(int)faults.count : -1000;
	}
	return 0;
}

/* Two versions of a pack, of which the second is without telnet's module, and a wrong one. */
static const struct pack_file pack_files[][2] = {
	{ { "ssl.pdlm", "protocol ssl { rule hello over tcp { client 0: hex 16 03 } => sure\n"
			"	test \"hello\" over tcp { client hex 16 03 01 } => ssl }\n" },
	  { "telnet.pdlm",
	    "protocol telnet { rule iac over tcp { server 0: hex ff } => sure }\n" } },
	{ { "ssl.pdlm", "protocol ssl { title \"another\"\n"
			"	rule greeting over tcp { client 0: hex 16 03 } => sure }\n" },
	  { NULL, NULL } },
	{ { "ssl.pdlm", "protocol ssl { rule hello over tcp { client 0: hex 16 03 } => sure\n"
			"	test \"hello\" over tcp { client hex 17 } => ssl }\n" },
	  { NULL, NULL } },
};

static const char *const pack_versions[] = { "1.0", "1.1", "1.2" };

static int
load_pack(struct barn_engine *engine, unsigned n)
{
	struct barn_faults faults = { 0 };
	unsigned char archive[PACK_SIZE];
	size_t length = pack_make(archive, pack_versions[n], pack_files[n],
				  pack_files[n][1].name ? 2 : 1);

	if (barn_engine_pack(engine, "round.tar", archive, length, NULL, &faults) ||
	    barn_engine_commit(engine, &faults)) {
		barn_engine_rollback(engine);
		return faults.count ? -(int)faults.count : -1000;
	}
	return 0;
}

/* Whether the pack in force is this one; NULL: none. */
static int
pack_is(struct barn_engine *engine, const char *version, unsigned protocols, unsigned replaced)
{
	struct barn_pack_info info;

	if (barn_engine_pack_info(engine, 0, &info))
		return version == NULL;
	return version && !strcmp(info.version, version) && info.protocols == protocols &&
	       info.replaced == replaced;
}

static int
unload(struct barn_engine *engine, const char *name)
{
	struct barn_faults faults = { 0 };

	return barn_engine_unload(engine, name) || barn_engine_commit(engine, &faults);
}

static unsigned opened, closed; /* the main thread's */

static void
close_object(void *handle)
{
	closed++;
	if (dlclose(handle))
		exit(1);
}

/* The object is loaded anew if the one before has been closed, and counted by the loader if
 * not. */
static int
load_object(struct barn_engine *engine)
{
	struct barn_faults faults = { 0 };
	void *handle = dlopen("tests/hotload/.libs/parcel.so", RTLD_NOW | RTLD_LOCAL);
	const struct barn_inspector_module *module =
		handle ? dlsym(handle, "barn_inspector_module") : NULL;

	if (!module) {
		fprintf(stderr, "hotload: %s\n", dlerror());
		exit(1);
	}
	opened++;
	return barn_engine_inspectors(engine, "parcel.so", module, close_object, handle,
				      &faults) ||
	       barn_engine_commit(engine, &faults);
}

static int
unload_object(struct barn_engine *engine)
{
	struct barn_faults faults = { 0 };

	return barn_engine_unload(engine, "parcel") ||
	       barn_engine_unload(engine, "parcel-data") || barn_engine_commit(engine, &faults);
}

/* Loads and unloads; how many went otherwise than they should. */
static unsigned
run_round(struct barn_engine *engine, unsigned n)
{
	unsigned bad = 0;

	bad += load_object(engine) != 0;
	bad += load(engine, versions[0]) != 0;
	bad += load(engine, wrong[n % 4].text) >= 0;
	bad += load(engine, versions[1]) != 0;
	bad += n % 2 && load_object(engine) != 0;
	bad += unload(engine, "telnet") != 0;
	bad += unload(engine, "ssl") != 0;
	bad += unload(engine, "ssl") == 0;
	barn_engine_rollback(engine);
	bad += unload_object(engine) != 0;
	return bad;
}

/* The same with packs: replaced, refused, partly replaced by a module, and unloaded. */
static unsigned
run_pack_round(struct barn_engine *engine)
{
	struct barn_faults faults = { 0 };
	unsigned bad = 0;

	bad += load_pack(engine, 0) != 0 || !pack_is(engine, "1.0", 2, 0);
	bad += load_pack(engine, 2) >= 0 || !pack_is(engine, "1.0", 2, 0);
	bad += load(engine, versions[0]) != 0 || !pack_is(engine, "1.0", 2, 1);
	bad += load_pack(engine, 1) != 0 || !pack_is(engine, "1.1", 1, 1);
	bad += unload(engine, "telnet") == 0;
	barn_engine_rollback(engine);
	bad += barn_engine_pack_unload(engine, "round") != 0;
	bad += barn_engine_commit(engine, &faults) != 0 || !pack_is(engine, NULL, 0, 0);
	bad += unload(engine, "ssl") != 0;
	bad += barn_engine_pack_unload(engine, "round") == 0;
	barn_engine_rollback(engine);
	return bad;
}

static void
check_lanes(struct lane lanes[WORKERS], unsigned rounds)
{
	uint64_t passes = 0, bad = 0, parcels = 0;
	char text[128];

	for (unsigned i = 0; i < WORKERS; i++) {
		passes += lanes[i].passes;
		bad += lanes[i].wrong;
		parcels += lanes[i].parcels;
		if (lanes[i].wrong)
			printf("       lane %u: %s\n", i, lanes[i].told);
	}
	snprintf(text, sizeof(text), "%u rounds under %llu passes lose no flow, packet or name",
		 rounds, (unsigned long long)passes);
	claim(text, bad == 0 && passes > 0);
	snprintf(text, sizeof(text), "the inspector of an object named %llu flows meanwhile",
		 (unsigned long long)parcels);
	claim(text, parcels > 0);
}

static void
run(struct barn_engine *engine, struct lane lanes[WORKERS], unsigned rounds)
{
	unsigned bad = 0, sets[2] = { 0, 0 };
	size_t bytes[2] = { 0, 0 };

	for (unsigned i = 0; i < WORKERS; i++)
		pthread_create(&lanes[i].thread, NULL, pump, &lanes[i]);
	for (unsigned n = 0; n < rounds; n++) {
		bad += run_round(engine, n);
		bad += run_pack_round(engine);
		if (n == 9)
			bytes[0] = in_use(engine, &sets[0]);
	}
	bytes[1] = in_use(engine, &sets[1]);
	atomic_store(&stop, 1);
	for (unsigned i = 0; i < WORKERS; i++)
		pthread_join(lanes[i].thread, NULL);
	claim("each load and unload says what it should", bad == 0);
	printf("       an object was opened %u times, and closed %u\n", opened, closed);
	claim("an object is closed when its last set goes",
	      opened == closed && opened >= rounds);
	claim("old sets go when no worker needs them", sets[0] == 1 && sets[1] == 1);
	printf("       %zu bytes after 10 rounds, %zu after %u\n", bytes[0], bytes[1], rounds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	claim("memory is what it was", bytes[1] <= bytes[0] + SLACK);
#endif
	check_lanes(lanes, rounds);
}

int
main(int argc, char **argv)
{
	const char *source = getenv("srcdir"), *wish = getenv("BARN_HOTLOAD_ROUNDS");
	struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	struct lane lanes[WORKERS] = { 0 };
	struct barn_engine *engine;
	unsigned rounds;
	char path[4096];

	/* A thread's cache of freed memory counts as in use: without it, figures are exact. */
	if (!getenv("GLIBC_TUNABLES")) {
		setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1);
		execv("/proc/self/exe", argv);
	}
	rounds = (unsigned)strtoul(argc > 1 ? argv[1] : wish ? wish : "200", NULL, 10);
	snprintf(path, sizeof(path), "%s/captures/emix.pcap", source ? source : ".");
	add_capture(path);
	add_parcels();
	pthread_barrier_init(&rest, NULL, WORKERS + 1);
	if (rounds < 20 || barn_engine_new(&options, &engine) || load(engine, base))
		return 1;
	for (unsigned i = 0; i < WORKERS; i++) {
		lanes[i].engine = engine;
		make_worker(&lanes[i]);
		lanes[i].wanted = run_pass(&lanes[i]);
	}
	printf("       %u packets, %llu flows a pass\n", frame_count,
	       (unsigned long long)lanes[0].wanted.flows);
	claim("there is something to lose", lanes[0].wanted.packets == frame_count &&
						    lanes[0].wanted.ftp &&
						    lanes[0].wanted.http);
	run(engine, lanes, rounds);
	for (unsigned i = 0; i < WORKERS; i++)
		barn_worker_free(lanes[i].worker);
	barn_engine_free(engine);
	for (unsigned i = 0; i < frame_count; i++)
		free(frames[i].data);
	printf("%u passed, %u failed\n", passed, failed);
	return failed != 0;
}
