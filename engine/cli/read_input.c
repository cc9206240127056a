/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_input.h"
#include "cli/read_filter.h"
#include "cli/read_spool.h"
#include "cli/read_stop.h"
#include "program/say.h"
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DRAW_EVERY = 4096 }; /* frames */

struct read_input {
	struct read_input_options options;
	struct read_spool *spool; /* NULL: the paths are as they were given */
	struct merge *merge;
	struct read_filter *filter;
	struct progress progress;
	uint64_t frames;
	bool damaged;
	bool silent;
};

static void
tell(void *self, unsigned file, const struct source_fault *fault, uint64_t frames)
{
	struct read_input *in = self;
	const char *name = in->options.paths[file];
	int what;

	if (read_stop_due()) /* a wait for input that was interrupted is no fault */
		return;
	in->damaged = true;
	if (in->silent)
		return;
	progress_clear(&in->progress);
	if (strcmp(name, "-") == 0)
		name = "standard input";
	/* "corrupt: reason" becomes "corrupt after 5 good packets: reason". */
	what = (int)strcspn(fault->text, ":");
	if (frames)
		say_error("%s: %.*s after %ju good packet%s%s", name, what, fault->text,
			  (uintmax_t)frames, frames == 1 ? "" : "s", fault->text + what);
	else
		say_error("%s: %s; no packet was read", name, fault->text);
}

/* All files are open at once; usually the system allows more than it grants at first. */
static void
raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static bool
open_all(struct read_input *in)
{
	struct merge_options merge = {
		.paths = in->spool ? read_spool_paths(in->spool) : in->options.paths,
		.count = in->options.count,
		.fault = tell,
		.self = in,
	};

	in->frames = 0;
	progress_start(&in->progress);
	if (!merge_new(&merge, &in->merge))
		return true;
	say_error("out of memory");
	return false;
}

struct read_input *
read_input_new(const struct read_input_options *options)
{
	struct read_input *in = calloc(1, sizeof(*in));
	bool good = in != NULL;

	if (!in) {
		say_error("out of memory");
		return NULL;
	}
	in->options = *options;
	raise_file_limit();
	if (options->twice)
		good = (in->spool = read_spool_new(options->paths, options->count)) != NULL;
	if (good && options->filter)
		good = (in->filter = read_filter_new(options->command, options->filter)) !=
		       NULL;
	if (good && open_all(in))
		return in;
	read_input_free(in);
	return NULL;
}

void
read_input_free(struct read_input *in)
{
	if (!in)
		return;
	progress_clear(&in->progress);
	merge_free(in->merge);
	read_filter_free(in->filter);
	read_spool_free(in->spool);
	free(in);
}

bool
read_input_again(struct read_input *in)
{
	progress_clear(&in->progress);
	merge_free(in->merge);
	in->merge = NULL;
	in->silent = true;
	return open_all(in);
}

enum read_input_answer
read_input_next(struct read_input *in, struct io_frame *frame, uint64_t *serial, unsigned *file)
{
	while (!read_stop_due() && merge_next(in->merge, frame, file) == BARN_OK) {
		*serial = ++in->frames;
		if (in->frames % DRAW_EVERY == 0)
			progress_draw(&in->progress, in->merge, in->frames);
		if (!in->filter)
			return READ_INPUT_FRAME;
		switch (read_filter_frame(in->filter, frame)) {
		case READ_FILTER_PASS: return READ_INPUT_FRAME;
		case READ_FILTER_DROP: break;
		case READ_FILTER_WRONG: return READ_INPUT_FILTER;
		}
	}
	progress_clear(&in->progress);
	return READ_INPUT_END;
}

bool
read_input_has(const struct read_input *in, const char *path)
{
	struct stat one, other;

	if (strcmp(path, "-") == 0 || stat(path, &one) != 0 || !S_ISREG(one.st_mode))
		return false;
	for (unsigned i = 0; i < in->options.count; i++) {
		const char *name = in->options.paths[i];
		int failed = strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &other)
						    : stat(name, &other);

		if (!failed && one.st_dev == other.st_dev && one.st_ino == other.st_ino)
			return true;
	}
	return false;
}

bool
read_input_damaged(const struct read_input *in)
{
	return in->damaged;
}

bool
read_input_failed(const struct read_input *in)
{
	return in->damaged && !in->frames;
}

const struct progress *
read_input_progress(const struct read_input *in)
{
	return &in->progress;
}
