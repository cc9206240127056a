/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DISCOVERY_STATE_H
#define DISCOVERY_STATE_H

/*
 * The ledger as a text, which keeps counters and maximums over a restart. By names, since
 * numbers are those of one run:
 *
 *	barn-state 1
 *	interface eth0 1764547200000000000        since when it counts, ns since 1970
 *	row * in 120 9000 ...                     the interface; then its protocols
 *	row dns in 20 2000 ...                    packets bytes, guessed, IPv4, IPv6, flows, max
 *	end 9e3779b97f4a7c15                      a hash of all before it
 *
 * A file that was cut or changed is refused as a whole: counters that are partly there would go
 * back for some and not for others, and nobody would be told.
 */

#include "discovery/ledger.h"

/* Numbers and names of one run. UINT16_MAX: no such name. */
struct state_names {
	void *self;
	const char *(*interface)(void *self, uint16_t number);
	const char *(*protocol)(void *self, uint16_t number);
	uint16_t (*find_interface)(void *self, const char *name);
	uint16_t (*find_protocol)(void *self, const char *name);
	uint64_t (*since_ns)(void *self, uint16_t interface);
	void (*set_since)(void *self, uint16_t interface, uint64_t since_ns);
};

/* The caller frees the text with free(). Names have no blanks. */
enum barn_err state_print(const struct ledger *ledger, uint16_t interfaces,
			  const struct state_names *names, char **text, size_t *length);

/*
 * Into a ledger that was not updated yet. Interfaces that are not there are left out; what
 * protocols had that are not there is unknown's. BARN_ERR_TEXT: *line is the first wrong one,
 * and nothing was restored.
 */
enum barn_err state_parse(struct ledger *ledger, const struct state_names *names,
			  const char *text, size_t length, unsigned *line);

/*
 * The file, replaced as a whole (PATH.new, fsync, rename, fsync of the folder), so that it is
 * the old one or the new one whenever the power goes. It waits for the disk: not for a thread
 * that others wait for. The path is taken from the folder that is open as `folder`, or
 * AT_FDCWD. BARN_ERR_SYSTEM: errno says why, ENOSPC among others, and the old one is there.
 */
enum barn_err state_save(int folder, const char *path, const char *text, size_t length);

/* The caller frees the text. BARN_ERR_MISSING: there is none; BARN_ERR_FORMAT: it is longer
 * than any that was saved (256 MiB), or no file. */
enum barn_err state_load(int folder, const char *path, char **text, size_t *length);

#endif
