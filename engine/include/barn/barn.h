/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_BARN_H
#define BARN_BARN_H

/*
 * barn, application recognition: frames in, flows with their protocols out.
 *
 *	struct barn_engine *engine;
 *	barn_engine_new(&options, &engine);
 *	barn_engine_module(engine, "ftp.pdlm", text, length, &faults);   for each module
 *	barn_engine_commit(engine, &faults);
 *	barn_worker_new(engine, &worker_options, &worker);
 *	barn_worker_frame(worker, &frame);                               for each frame
 *	barn_worker_close(worker);                                       reports what is open
 *
 * Modules come and go while workers run: what is staged (added, replaced, unloaded) is
 * committed as a whole, or not at all. A worker takes up the new set with the next new flow, or
 * the next second of its packets' time; flows that it has keep their verdict, name and
 * counters, and a flow under inspection is decided by the set that it began with.
 *
 * An engine may be shared by threads, one of which may load at any time; a worker belongs to
 * one thread. The library does no input or output, has no globals and no threads, never prints
 * or exits, and takes the time from the frames.
 */

#include <barn/err.h>
#include <barn/fault.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BARN_VERSION "0.1.0"

struct barn_engine;
struct barn_worker;
struct barn_flow;

struct barn_engine_options {
	size_t size;  /* sizeof(struct barn_engine_options) */
	bool no_ndpi; /* do not ask nDPI */
	/* Match rules and patterns without Hyperscan: slower, with the same results. */
	bool no_hyperscan;
};

/* NULL options: the defaults. The engine is the caller's, freed after its workers. */
enum barn_err barn_engine_new(const struct barn_engine_options *options,
			      struct barn_engine **engine);
void barn_engine_free(struct barn_engine *engine);

/*
 * Stages the modules of a text (pdlm(5)), in place of those of their names; `file` names it in
 * faults. The text may go after the call. On BARN_ERR_TEXT nothing of it was staged.
 */
enum barn_err barn_engine_module(struct barn_engine *engine, const char *file, const char *text,
				 size_t length, struct barn_faults *faults);

/*
 * Stages a module in C (barn-inspector(3)): its inspectors, and the modules of its text. Who
 * has opened it gives the table; `release` (NULL: nobody asks) is called with the handle, once,
 * when no set of modules that binds one of its inspectors is left: by the thread that commits,
 * collects, rolls back or frees the engine, and must not call the engine. On an error it is not
 * called and nothing was staged. BARN_ERR_FORMAT: the table breaks the contract; a fault says
 * how.
 */
struct barn_inspector_module;
enum barn_err barn_engine_inspectors(struct barn_engine *engine, const char *file,
				     const struct barn_inspector_module *module,
				     void (*release)(void *handle), void *handle,
				     struct barn_faults *faults);

/* Stages the removal of a protocol's module. BARN_ERR_MISSING: there is none of this name. */
enum barn_err barn_engine_unload(struct barn_engine *engine, const char *protocol);

/*
 * Checks all modules together, compiles them, runs the new ones' own tests, and puts them in
 * force for the flows that begin from then on. On an error nothing has changed, and what was
 * staged is dropped.
 */
enum barn_err barn_engine_commit(struct barn_engine *engine, struct barn_faults *faults);

/* Drops what is staged. */
void barn_engine_rollback(struct barn_engine *engine);

/*
 * Frees the sets that no worker uses any more, as each commit does, too. How many are left: 1
 * when all workers have taken up the newest, and none before the first commit.
 */
unsigned barn_engine_collect(struct barn_engine *engine);

/*
 * The SNMP indexes of protocols that name none, as text; kept in a file, they stay the same
 * over restarts. It is read before the first commit, and written after each. On BARN_ERR_TEXT
 * the faults say why, and nothing was read. The caller frees the text that is written with
 * free().
 */
enum barn_err barn_engine_indexes_read(struct barn_engine *engine, const char *file,
				       const char *text, size_t length,
				       struct barn_faults *faults);
enum barn_err barn_engine_indexes_write(struct barn_engine *engine, char **text);

struct barn_worker_options {
	size_t size;         /* sizeof(struct barn_worker_options) */
	uint32_t flows;      /* bound of the flow table; 0: 1 million */
	uint16_t interfaces; /* 0: 1 */
	/* A flow ended, for whatever reason; valid during the call. */
	void (*flow_ended)(void *self, const struct barn_flow *flow);
	void *self;
};

enum barn_err barn_worker_new(struct barn_engine *engine,
			      const struct barn_worker_options *options,
			      struct barn_worker **worker);
void barn_worker_free(struct barn_worker *worker);

struct barn_frame {
	const uint8_t *data;
	uint32_t captured, length; /* bytes in data; bytes on the wire */
	uint64_t time_ns;          /* since 1970 */
	uint16_t linktype;         /* LINKTYPE_ number of libpcap */
	uint16_t interface;        /* from 0 */
	bool outgoing;             /* leaves by the interface */
};

void barn_worker_frame(struct barn_worker *worker, const struct barn_frame *frame);

/* Time has passed without a frame: ends idle flows, and takes up a new set of modules. */
void barn_worker_tick(struct barn_worker *worker, uint64_t now_ns);

/*
 * How often an inspector broke its contract (an answer, a position, a field that there is not,
 * and the like). It was not asked about that flow again.
 */
uint64_t barn_worker_faults(const struct barn_worker *worker);

/* Ends and reports all flows. */
void barn_worker_close(struct barn_worker *worker);

/* The protocol's packets and bytes on an interface so far, also of one that was unloaded.
 * BARN_ERR_MISSING: there was never such a name. */
struct barn_count {
	uint64_t packets, bytes, guessed_packets, guessed_bytes;
};
enum barn_err barn_worker_count(const struct barn_worker *worker, uint16_t interface,
				bool outgoing, const char *protocol, struct barn_count *count);

enum { BARN_STACK_MAX = 8, BARN_PATH_MAX = 8 };

struct barn_endpoint {
	uint8_t address[16]; /* the first 4 bytes for IPv4 */
	uint16_t port;
};

struct barn_path {
	const char *layer; /* "vlan" */
	uint32_t id;
};

/* What is known of a flow. All pointers live as long as the call that gave the flow. */
struct barn_flow_info {
	uint64_t id; /* number of its first packet in the input, from 1 */
	uint64_t first_ns, last_ns;
	uint8_t ip_version; /* 4, 6, or 0: not IP, see ethertype */
	uint8_t ip_proto;
	uint16_t ethertype;
	struct barn_endpoint client, server; /* who opened it, and the other */
	uint64_t packets[2];                 /* from the client, from the server */
	uint64_t bytes[2];                   /* on the wire */
	unsigned path_len;
	struct barn_path path[BARN_PATH_MAX]; /* encapsulation, outermost first */
	const char *protocol;                 /* the deepest name, "unknown" */
	unsigned stack_len;
	const char *stack[BARN_STACK_MAX]; /* "ip", "tcp", "ssl", "netflix" */
	const char *evidence; /* "rule", "inspector", "ndpi", "expected", "learned", "port",
				 "none" */
	bool sure;
	uint32_t decided_at; /* number of the flow's packet that brought the verdict; 0: none */
	char by[80];         /* "ftp: rule banner", "http: inspector", "dns: port 53", "" */
	const char *end;     /* "fin", "rst", "idle", "evicted", "shutdown" */
};

void barn_flow_info(const struct barn_flow *flow, struct barn_flow_info *info);

/*
 * The fields that were found, in order: start with *at = 0; false at the end. A field with
 * several values comes several times. value is bytes as they were, not text.
 */
bool barn_flow_field(const struct barn_flow *flow, uint32_t *at, const char **name,
		     const uint8_t **value, size_t *length);

#endif
