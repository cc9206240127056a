/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_SOURCE_H
#define IO_SOURCE_H

/*
 * The bytes of a file, from first to last: plain, or compressed with gzip or zstd, which its
 * first bytes tell. A source owns its descriptor; one thread.
 */

#include <barn/err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What went wrong, for people: lower case, no full stop, without the file's name. */
struct source_fault {
	enum barn_err
		err; /* BARN_ERR_SYSTEM: not readable; BARN_ERR_FORMAT: damaged, foreign */
	char text[200];
};

/* Fills fault (which may be NULL) and returns err. */
enum barn_err source_fault_set(struct source_fault *fault, enum barn_err err,
			       const char *format, ...) __attribute__((format(printf, 3, 4)));

struct source;

/* "-" is standard input. A directory, an empty file, what cannot be opened: a fault. */
enum barn_err source_open(const char *path, struct source **source, struct source_fault *fault);
void source_close(struct source *source); /* of NULL: nothing */

enum { SOURCE_HEAD = 8 };

/* The first bytes, which reading does not skip; fewer than SOURCE_HEAD if the file has fewer.
 */
size_t source_head(const struct source *source, const uint8_t **head);

/* At least one byte unless n is 0; 0 at the end; -1: see source_fault. */
ssize_t source_read(struct source *source, void *to, size_t n);

/* What stopped it; err is BARN_OK as long as nothing did. */
const struct source_fault *source_fault(const struct source *source);

/* Bytes of the file read so far and its size, compressed as it is; size 0: not known. */
void source_progress(const struct source *source, uint64_t *read, uint64_t *size);

#endif
