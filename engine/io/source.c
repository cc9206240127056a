/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/source.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { RAW = 1 << 18 };

enum coding { PLAIN, GZIP, ZSTD };

struct source {
	int fd;
	enum coding coding;
	z_stream gzip;
	ZSTD_DStream *zstd;
	bool whole; /* what was decompressed so far ends where the compressed data may end */
	uint64_t total, size;
	struct source_fault fault;
	uint8_t head[SOURCE_HEAD];
	size_t head_len, head_at;
	size_t raw_at, raw_len;
	uint8_t raw[RAW];
};

enum barn_err
source_fault_set(struct source_fault *fault, enum barn_err err, const char *format, ...)
{
	va_list args;

	if (!fault)
		return err;
	fault->err = err;
	va_start(args, format);
	vsnprintf(fault->text, sizeof(fault->text), format, args);
	va_end(args);
	return err;
}

/* More raw bytes, behind those that are left. False at the end and on a fault. */
static bool
fill(struct source *s)
{
	ssize_t n;

	if (s->raw_at) {
		memmove(s->raw, s->raw + s->raw_at, s->raw_len - s->raw_at);
		s->raw_len -= s->raw_at;
		s->raw_at = 0;
	}
	/* A program that catches signals without restarting calls means to end the wait. */
	n = read(s->fd, s->raw + s->raw_len, RAW - s->raw_len);
	if (n < 0) {
		source_fault_set(&s->fault, BARN_ERR_SYSTEM, "%s", strerror(errno));
		return false;
	}
	s->raw_len += (size_t)n;
	s->total += (uint64_t)n;
	return n > 0;
}

static ssize_t
damaged(struct source *s, const char *what)
{
	source_fault_set(&s->fault, BARN_ERR_FORMAT, "%s", what);
	return -1;
}

static ssize_t
read_plain(struct source *s, void *to, size_t n)
{
	size_t left;

	if (s->raw_at == s->raw_len && !fill(s))
		return s->fault.err ? -1 : 0;
	left = s->raw_len - s->raw_at;
	if (n > left)
		n = left;
	memcpy(to, s->raw + s->raw_at, n);
	s->raw_at += n;
	return (ssize_t)n;
}

/* Whether another member follows (RFC 1952, section 2.2); what else follows is padding. */
static bool
next_member(struct source *s)
{
	while (s->raw_len - s->raw_at < 2 && fill(s))
		;
	return s->raw_len - s->raw_at >= 2 && s->raw[s->raw_at] == 0x1f &&
	       s->raw[s->raw_at + 1] == 0x8b && inflateReset(&s->gzip) == Z_OK;
}

static ssize_t
read_gzip(struct source *s, void *to, size_t n)
{
	int r;

	s->gzip.next_out = to;
	s->gzip.avail_out = (uInt)n;
	while (s->gzip.avail_out == n) {
		if (s->whole && !next_member(s))
			return s->fault.err ? -1 : 0;
		if (s->raw_at == s->raw_len && !fill(s))
			return s->fault.err ? -1 : damaged(s, "truncated gzip data");
		s->gzip.next_in = s->raw + s->raw_at;
		s->gzip.avail_in = (uInt)(s->raw_len - s->raw_at);
		r = inflate(&s->gzip, Z_NO_FLUSH);
		s->raw_at = s->raw_len - s->gzip.avail_in;
		s->whole = r == Z_STREAM_END;
		if (r != Z_OK && r != Z_STREAM_END && r != Z_BUF_ERROR)
			return damaged(s, "corrupt gzip data");
	}
	return (ssize_t)(n - s->gzip.avail_out);
}

static ssize_t
read_zstd(struct source *s, void *to, size_t n)
{
	ZSTD_outBuffer out = { .dst = to, .size = n };

	while (out.pos == 0) {
		ZSTD_inBuffer in = { .src = s->raw, .size = s->raw_len, .pos = s->raw_at };
		size_t hint = ZSTD_decompressStream(s->zstd, &out, &in);

		if (ZSTD_isError(hint))
			return damaged(s, "corrupt zstd data");
		if (in.pos > s->raw_at || out.pos)
			s->whole = hint == 0;
		s->raw_at = in.pos;
		if (out.pos == 0 && s->raw_at == s->raw_len && !fill(s)) {
			if (s->fault.err)
				return -1;
			return s->whole ? 0 : damaged(s, "truncated zstd data");
		}
	}
	return (ssize_t)out.pos;
}

static ssize_t
read_any(struct source *s, void *to, size_t n)
{
	/* zlib counts in 32 bits. */
	if (n > 1 << 30)
		n = 1 << 30;
	switch (s->coding) {
	case GZIP: return read_gzip(s, to, n);
	case ZSTD: return read_zstd(s, to, n);
	case PLAIN: break;
	}
	return read_plain(s, to, n);
}

static enum barn_err
start(struct source *s)
{
	ssize_t n = 1;

	while (s->raw_len < 4 && fill(s))
		;
	if (s->raw_len >= 2 && s->raw[0] == 0x1f && s->raw[1] == 0x8b) {
		s->coding = GZIP;
		if (inflateInit2(&s->gzip, 15 + 16) != Z_OK) /* + 16: with a gzip header */
			return BARN_ERR_MEMORY;
	} else if (s->raw_len >= 4 && memcmp(s->raw, "\x28\xb5\x2f\xfd", 4) == 0) {
		s->zstd = ZSTD_createDStream();
		if (!s->zstd)
			return BARN_ERR_MEMORY;
		s->coding = ZSTD;
	}
	while (s->head_len < SOURCE_HEAD && n > 0 && !s->fault.err) {
		n = read_any(s, s->head + s->head_len, SOURCE_HEAD - s->head_len);
		if (n > 0)
			s->head_len += (size_t)n;
	}
	if (!s->fault.err && s->head_len == 0)
		source_fault_set(&s->fault, BARN_ERR_FORMAT, "empty file");
	return s->fault.err;
}

static enum barn_err
open_fd(struct source *s, const char *path)
{
	struct stat st;

	s->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0 || fstat(s->fd, &st) < 0)
		return source_fault_set(&s->fault, BARN_ERR_SYSTEM, "%s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return source_fault_set(&s->fault, BARN_ERR_SYSTEM, "is a directory");
	if (S_ISREG(st.st_mode))
		s->size = (uint64_t)st.st_size;
	return BARN_OK;
}

enum barn_err
source_open(const char *path, struct source **source, struct source_fault *fault)
{
	struct source *s = calloc(1, sizeof(*s));
	enum barn_err err;

	if (!s)
		return source_fault_set(fault, BARN_ERR_MEMORY, "out of memory");
	err = open_fd(s, path);
	if (!err)
		err = start(s);
	if (!err) {
		*source = s;
		return BARN_OK;
	}
	source_fault_set(fault, err, "%s", s->fault.err ? s->fault.text : barn_strerror(err));
	source_close(s);
	return err;
}

void
source_close(struct source *s)
{
	if (!s)
		return;
	if (s->coding == GZIP)
		inflateEnd(&s->gzip);
	ZSTD_freeDStream(s->zstd);
	if (s->fd >= 0)
		close(s->fd);
	free(s);
}

size_t
source_head(const struct source *s, const uint8_t **head)
{
	*head = s->head;
	return s->head_len;
}

ssize_t
source_read(struct source *s, void *to, size_t n)
{
	size_t left = s->head_len - s->head_at;

	if (left && n) {
		if (n > left)
			n = left;
		memcpy(to, s->head + s->head_at, n);
		s->head_at += n;
		return (ssize_t)n;
	}
	if (s->fault.err)
		return -1;
	return n ? read_any(s, to, n) : 0;
}

const struct source_fault *
source_fault(const struct source *s)
{
	return &s->fault;
}

void
source_progress(const struct source *s, uint64_t *read, uint64_t *size)
{
	*read = s->total - (s->raw_len - s->raw_at);
	*size = s->size;
}
