/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * replay: captures as interfaces, one each, their frames in the order of time and at their own
 * pace or faster. Times stay the captures' own. Verdicts are counted. With several workers each
 * reads it all, and the driver takes its share; tests and trials have one. Not shared over
 * fork(): who drives it opens it.
 */
#include "io/merge.h"
#include "io/way.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 4 << 20 }; /* bytes of a batch; a longer frame is cut */

struct replay {
	struct way way;
	struct merge *merge;
	int timer_fd;
	double pace;
	bool started, held, ended, told; /* held: `next` is read and not yet due */
	uint64_t first_ns, start_ns;     /* the first frame's time; our clock's then */
	struct io_frame next;
	unsigned next_file;
	uint16_t interface_count;
	unsigned pending;
	uint16_t source[WAY_BATCH];
	struct way_stats stats[WAY_INTERFACES];
	struct source_fault fault;
	uint8_t *room;
};

static uint64_t
clock_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* By our clock; 0 ns from now is at once. */
static void
wake_at(const struct replay *r, uint64_t time_ns)
{
	struct itimerspec when = { .it_value = { .tv_nsec = 1 } };

	if (time_ns > 0) {
		when.it_value.tv_sec = (time_t)(time_ns / 1000000000U);
		when.it_value.tv_nsec = (long)(time_ns % 1000000000U);
	}
	(void)timerfd_settime(r->timer_fd, TFD_TIMER_ABSTIME, &when, NULL);
}

static void
note_fault(void *self, unsigned file, const struct source_fault *fault, uint64_t frames)
{
	struct replay *r = self;

	(void)file;
	(void)frames;
	if (!r->fault.err)
		r->fault = *fault;
}

static void
close_replay(struct way *way)
{
	struct replay *r = (struct replay *)way;

	if (!r)
		return;
	merge_free(r->merge);
	if (r->timer_fd >= 0)
		(void)close(r->timer_fd);
	free(r->room);
	free(r);
}

static enum barn_err
open_replay(const struct way_options *options, struct way **way, struct source_fault *fault)
{
	struct merge_options m = { .paths = options->interfaces,
				   .count = options->interface_count,
				   .fault = note_fault };
	struct replay *r;

	*way = NULL;
	if (options->interface_count == 0 || options->interface_count > WAY_INTERFACES)
		return source_fault_set(fault, BARN_ERR_ARGUMENT, "1 to %d captures",
					WAY_INTERFACES);
	r = calloc(1, sizeof *r);
	if (!r)
		return source_fault_set(fault, BARN_ERR_MEMORY, "out of memory");
	r->way.kind = &way_replay;
	r->pace = options->pace;
	r->interface_count = options->interface_count;
	r->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	r->room = malloc(ROOM);
	m.self = r;
	if (r->timer_fd < 0 || !r->room || merge_new(&m, &r->merge)) {
		close_replay(&r->way);
		return source_fault_set(fault, BARN_ERR_MEMORY, "out of memory");
	}
	if (r->fault.err) {
		enum barn_err err = r->fault.err;

		if (fault)
			*fault = r->fault;
		close_replay(&r->way);
		return err;
	}
	wake_at(r, 0);
	*way = &r->way;
	return BARN_OK;
}

static enum barn_err
probe(const struct way_options *options, struct source_fault *fault)
{
	struct way *way;
	enum barn_err err = open_replay(options, &way, fault);

	close_replay(way);
	return err;
}

static int
poll_fd(const struct way *way)
{
	return ((const struct replay *)way)->timer_fd;
}

/* Is there a frame at hand whose time has come? */
static bool
due(struct replay *r, uint64_t now_ns, uint64_t *due_ns)
{
	*due_ns = 0;
	if (!r->held && !r->ended) {
		r->held = merge_next(r->merge, &r->next, &r->next_file) == BARN_OK;
		r->ended = !r->held;
	}
	if (!r->held)
		return false;
	if (!r->started) {
		r->started = true;
		r->first_ns = r->next.time_ns;
		r->start_ns = now_ns;
	}
	if (r->pace > 0 && r->next.time_ns > r->first_ns)
		*due_ns = r->start_ns +
			  (uint64_t)((double)(r->next.time_ns - r->first_ns) / r->pace);
	return *due_ns <= now_ns;
}

static size_t
take(struct replay *r, uint8_t *to, size_t room, struct way_frame *out)
{
	size_t size = bytes_left(&r->next.data);
	struct way_stats *stats = &r->stats[r->next_file];

	if (size > room)
		size = room;
	if (size > 0)
		memcpy(to, r->next.data.p, size);
	*out = (struct way_frame){
		.data = bytes_of(to, size),
		.length = r->next.length,
		.time_ns = r->next.time_ns,
		.linktype = r->next.linktype,
		.interface = (uint16_t)r->next_file,
		.towards = WAY_NONE,
	};
	stats->received++;
	stats->received_bytes += r->next.length;
	r->held = false;
	return size;
}

static unsigned
receive(struct way *way, struct way_frame *frames)
{
	struct replay *r = (struct replay *)way;
	uint64_t now_ns = clock_ns(), due_ns;
	size_t at = 0;
	unsigned n = 0;

	while (n < WAY_BATCH && due(r, now_ns, &due_ns)) {
		if (n > 0 && bytes_left(&r->next.data) > ROOM - at)
			break;
		at += take(r, r->room + at, ROOM - at, &frames[n]);
		r->source[n] = (uint16_t)r->next_file;
		n++;
	}
	/* After the end the timer stays as it is: readable until the event was fetched. */
	if (n == 0 && r->held)
		wake_at(r, due_ns);
	r->pending = n;
	return n;
}

static void
verdict(struct way *way, const struct way_verdict *verdicts, unsigned count)
{
	struct replay *r = (struct replay *)way;

	for (unsigned k = 0; k < count && k < r->pending; k++) {
		struct way_stats *stats = &r->stats[r->source[k]];

		if (verdicts[k].action == WAY_DROP)
			stats->dropped++;
		else
			stats->forwarded++;
	}
	r->pending = 0;
}

static bool
event(struct way *way, struct way_event *event)
{
	struct replay *r = (struct replay *)way;
	struct itimerspec never = { .it_value = { .tv_sec = 0 } };

	if (!r->ended || r->told)
		return false;
	r->told = true;
	(void)timerfd_settime(r->timer_fd, 0, &never, NULL);
	*event = (struct way_event){ .change = WAY_END, .interface = WAY_NONE };
	return true;
}

static void
read_stats(struct way *way, uint16_t interface, struct way_stats *stats)
{
	const struct replay *r = (const struct replay *)way;

	memset(stats, 0, sizeof *stats);
	for (unsigned i = 0; i < r->interface_count; i++) {
		if (interface != WAY_NONE && interface != i)
			continue;
		stats->received += r->stats[i].received;
		stats->received_bytes += r->stats[i].received_bytes;
		stats->forwarded += r->stats[i].forwarded;
		stats->dropped += r->stats[i].dropped;
	}
}

const struct way_kind way_replay = {
	.name = "replay",
	.passive = true,
	.probe = probe,
	.open = open_replay,
	.close = close_replay,
	.limit = way_no_limit,
	.fd = poll_fd,
	.receive = receive,
	.verdict = verdict,
	.event = event,
	.stats = read_stats,
};
