/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_INSPECT_LOG_H
#define BARN_TESTS_INSPECT_LOG_H

/* What an inspector tells, as lines of text; for inspect_feed.h. */

#include "inspect/inspector.h"
#include "unit.h"

enum { FEED_LOG = 65536, FEED_ANNOUNCED = 8192 };

struct feed {
	const struct inspector *inspector;
	uint8_t transport;
	uint16_t port[2];
	uint64_t time_ns;
	bool lost, snapped; /* of the next call; lost goes off by itself */
	uint8_t *window[2];
	size_t len[2];
	uint32_t datagram[2];
	void *state;
	enum inspect_answer answer;
	unsigned calls;
	struct inspect_announcement last; /* announcement */
	size_t log_len;
	char log[FEED_LOG];
	size_t announced_len;
	char announced[FEED_ANNOUNCED]; /* "rtp udp 192.0.2.1:4000 300 s many", a line each */
};

static inline void
feed_log(struct feed *f, const char *key, struct bytes value)
{
	size_t key_len = strlen(key), n = bytes_left(&value);

	if (f->log_len + key_len + n + 3 > FEED_LOG)
		return;
	memcpy(f->log + f->log_len, key, key_len);
	f->log_len += key_len;
	f->log[f->log_len++] = '=';
	if (n > 0)
		memcpy(f->log + f->log_len, value.p, n);
	f->log_len += n;
	f->log[f->log_len++] = '\n';
	f->log[f->log_len] = 0;
}

static inline void
feed_on_field(void *self, unsigned field, struct bytes value)
{
	struct feed *f = self;

	CHECK(field < f->inspector->field_count);
	CHECK(f->inspector->fields[field].kind != INSPECT_NUMBER);
	CHECK(!value.bad && value.p <= value.end);
	feed_log(f, f->inspector->fields[field].name, value);
}

static inline void
feed_on_number(void *self, unsigned field, uint64_t value)
{
	struct feed *f = self;
	char text[24];

	CHECK(field < f->inspector->field_count);
	CHECK_EQ(f->inspector->fields[field].kind, INSPECT_NUMBER);
	snprintf(text, sizeof(text), "%" PRIu64, value);
	feed_log(f, f->inspector->fields[field].name, bytes_of(text, strlen(text)));
}

/* Where a host is meant it is written as "client" or "server", IPv6 without colons. */
static inline void
feed_announced(struct feed *f, const struct inspect_announcement *a)
{
	char ip[40] = "";
	size_t room = FEED_ANNOUNCED - f->announced_len, at = 0;
	int n;

	for (size_t i = 0; a->ip_version == 6 && i < 16; i++)
		at += (size_t)snprintf(ip + at, sizeof(ip) - at, "%02x", a->address[i]);
	if (a->ip_version == 4)
		snprintf(ip, sizeof(ip), "%u.%u.%u.%u", a->address[0], a->address[1],
			 a->address[2], a->address[3]);
	else if (a->ip_version == 0)
		snprintf(ip, sizeof(ip), "%s", a->host == INSPECT_CLIENT ? "client" : "server");
	n = snprintf(f->announced + f->announced_len, room, "%s %s %s:%u %u s%s\n", a->protocol,
		     a->transport == INSPECT_TCP ? "tcp" : "udp", ip, a->port,
		     (unsigned)a->life_s, a->many ? " many" : "");
	if (n > 0 && (size_t)n < room)
		f->announced_len += (size_t)n;
}

static inline void
feed_on_announce(void *self, const struct inspect_announcement *a)
{
	struct feed *f = self;

	CHECK(a->transport == INSPECT_TCP || a->transport == INSPECT_UDP);
	CHECK(a->port > 0 && a->ip_version % 2 == 0 && a->ip_version <= 6);
	f->last = *a;
	feed_announced(f, a);
	feed_log(self, "announce", bytes_of(a->protocol, strlen(a->protocol)));
}

static inline void
feed_on_name(void *self, uint8_t ip_version, const uint8_t *address, struct bytes name,
	     uint32_t ttl_s)
{
	char text[400];
	size_t n = 0;

	for (unsigned i = 0; i < (ip_version == 4 ? 4u : 16u); i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%02x", address[i]);
	snprintf(text + n, sizeof(text) - n, " %.*s %u", (int)bytes_left(&name),
		 (const char *)name.p, ttl_s);
	feed_log(self, "name", bytes_of(text, strlen(text)));
}

static inline void
feed_on_inner(void *self, const char *protocol)
{
	const char *text = protocol ? protocol : "(afresh)";

	feed_log(self, "inner", bytes_of(text, strlen(text)));
}

static inline void
feed_on_application(void *self, const char *protocol)
{
	feed_log(self, "application", bytes_of(protocol, strlen(protocol)));
}

#endif
