/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * A capture through all of the engine, as a user of the library has it, with the modules
 * of ./pdlm (configure links them into the build's folder). The seeds are captures/.
 */
#include "io/pcapfile.h"
#include <barn/barn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct told {
	uint64_t frames, packets;
};

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

static void
add_module(struct barn_engine *engine, const char *path)
{
	static char text[1 << 18];
	static struct barn_faults faults;
	FILE *f = fopen(path, "rb");

	demand(f != NULL);
	size_t len = fread(text, 1, sizeof(text), f);

	fclose(f);
	demand(barn_engine_module(engine, path, text, len, &faults) == BARN_OK);
}

/* Without nDPI: its faults are not ours, and it would take nearly all of the time. */
static struct barn_engine *
make_engine(void)
{
	const struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	static struct barn_faults faults;
	struct barn_engine *engine = NULL;
	glob_t modules;

	demand(barn_engine_new(&options, &engine) == BARN_OK);
	demand(glob("pdlm/*.pdlm", 0, NULL, &modules) == 0);
	for (size_t i = 0; i < modules.gl_pathc; i++)
		add_module(engine, modules.gl_pathv[i]);
	globfree(&modules);
	demand(barn_engine_commit(engine, &faults) == BARN_OK);
	return engine;
}

static void
on_flow(void *self, const struct barn_flow *flow)
{
	struct told *told = self;
	struct barn_flow_info info;
	const char *name;
	const uint8_t *value;
	size_t len;
	static volatile uint8_t sum;

	barn_flow_info(flow, &info);
	demand(info.protocol && info.protocol[0] && info.evidence && info.end);
	demand(info.id >= 1 && info.id <= told->frames && info.first_ns <= info.last_ns);
	demand(info.stack_len <= BARN_STACK_MAX && info.path_len <= BARN_PATH_MAX);
	told->packets += info.packets[0] + info.packets[1];
	for (uint32_t at = 0; barn_flow_field(flow, &at, &name, &value, &len);) {
		demand(name && name[0]);
		for (size_t i = 0; i < len; i++)
			sum = (uint8_t)(sum + value[i]);
	}
}

static void
run(struct barn_engine *engine, struct pcapfile *file)
{
	struct told told = { 0 };
	const struct barn_worker_options options = {
		.size = sizeof(options), .flows = 256, .flow_ended = on_flow, .self = &told
	};
	struct barn_worker *worker = NULL;
	struct io_frame in;

	demand(barn_worker_new(engine, &options, &worker) == BARN_OK);
	while (pcapfile_next(file, &in) == BARN_OK) {
		size_t len = bytes_left(&in.data);
		uint8_t *exact = malloc(len + 1);

		demand(exact != NULL);
		memcpy(exact, in.data.p, len);
		const struct barn_frame frame = { .data = exact,
						  .captured = (uint32_t)len,
						  .length = in.length,
						  .time_ns = in.time_ns,
						  .linktype = in.linktype };

		told.frames++;
		barn_worker_frame(worker, &frame);
		free(exact);
	}
	barn_worker_close(worker);
	/* No packet is in two flows. */
	demand(told.packets <= told.frames);
	barn_worker_free(worker);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct barn_engine *engine;
	struct source_fault fault;
	struct pcapfile *file;
	char path[32];
	int fd = memfd_create("capture", 0);

	if (!engine)
		engine = make_engine();
	demand(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (pcapfile_open(path, &file, &fault) == BARN_OK) {
		run(engine, file);
		pcapfile_close(file);
	}
	close(fd);
	return 0;
}
