/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/pulse.h"

#include <stddef.h>
#include <sys/mman.h>
#include <time.h>

struct pulse *
pulse_new(void)
{
	struct pulse *p = mmap(NULL, sizeof(*p), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void
pulse_free(struct pulse *pulse)
{
	if (pulse)
		munmap(pulse, sizeof(*pulse));
}

uint64_t
pulse_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void
pulse_clear(struct pulse *pulse)
{
	for (unsigned i = 0; i < PULSE_THREADS; i++)
		atomic_store(&pulse->beat_ns[i], 0);
	atomic_store(&pulse->ready, false);
	atomic_store(&pulse->reopen, false);
}

void
pulse_beat(struct pulse *pulse, unsigned thread)
{
	atomic_store_explicit(&pulse->beat_ns[thread], pulse_now(), memory_order_relaxed);
}

int
pulse_stuck(const struct pulse *pulse, uint64_t limit_ns)
{
	uint64_t now = pulse_now();

	for (unsigned i = 0; i < PULSE_THREADS; i++) {
		uint64_t beat = atomic_load_explicit(&pulse->beat_ns[i], memory_order_relaxed);

		if (beat && now > beat && now - beat > limit_ns)
			return (int)i;
	}
	return -1;
}
