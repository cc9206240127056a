/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/hosts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct word {
	uint64_t bytes;
	uint16_t protocol;
	uint8_t length;
	char name[HOSTS_NAME - 1];
};

/* `put` is the worker's to write, `taken` the publisher's; each has a cache line of its own. */
struct hosts_ring {
	uint32_t room;
	_Alignas(64) _Atomic uint32_t put;
	_Atomic uint64_t lost;
	_Alignas(64) _Atomic uint32_t taken;
	struct word words[];
};

enum barn_err
hosts_ring_new(uint32_t room, struct hosts_ring **ring)
{
	size_t size = sizeof(**ring) + room * sizeof(struct word);

	if (room == 0 || room > 1 << 20 || (room & (room - 1)))
		return BARN_ERR_ARGUMENT;
	*ring = aligned_alloc(64, (size + 63) / 64 * 64);
	if (!*ring)
		return BARN_ERR_MEMORY;
	memset(*ring, 0, size);
	(*ring)->room = room;
	return BARN_OK;
}

void
hosts_ring_free(struct hosts_ring *ring)
{
	free(ring);
}

void
hosts_ring_put(struct hosts_ring *ring, uint16_t protocol, const char *name, size_t length,
	       uint64_t bytes)
{
	uint32_t put = atomic_load_explicit(&ring->put, memory_order_relaxed);
	struct word *w = &ring->words[put & (ring->room - 1)];

	if (put - atomic_load_explicit(&ring->taken, memory_order_acquire) == ring->room) {
		atomic_fetch_add_explicit(&ring->lost, 1, memory_order_relaxed);
		return;
	}
	if (length > sizeof(w->name)) {
		name += length - sizeof(w->name);
		length = sizeof(w->name);
	}
	w->bytes = bytes;
	w->protocol = protocol;
	w->length = (uint8_t)length;
	memcpy(w->name, name, length);
	atomic_store_explicit(&ring->put, put + 1, memory_order_release);
}

enum barn_err
hosts_ring_take(struct hosts_ring *ring, struct hosts *hosts)
{
	uint32_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);
	uint32_t put = atomic_load_explicit(&ring->put, memory_order_acquire);
	enum barn_err err = BARN_OK;

	while (taken != put) {
		const struct word *w = &ring->words[taken++ & (ring->room - 1)];
		enum barn_err one = hosts_add(hosts, w->protocol, w->name, w->length, w->bytes);

		err = err ? err : one;
		atomic_store_explicit(&ring->taken, taken, memory_order_release);
	}
	return err;
}

uint64_t
hosts_ring_lost(const struct hosts_ring *ring)
{
	return atomic_load_explicit(&ring->lost, memory_order_relaxed);
}
