/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/learned_file.h"
#include "base/text.h"
#include "program/modules.h"
#include "program/say.h"
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] = "barn-learned 1\n";

enum { WORD = 64 };

static int
compare_entries(const void *a, const void *b)
{
	const struct learn_entry *x = a, *y = b;

	if (x->by_serial != y->by_serial)
		return x->by_serial < y->by_serial ? -1 : 1;
	if (x->protocol != y->protocol)
		return x->protocol < y->protocol ? -1 : 1;
	return x->until_ns < y->until_ns ? -1 : x->until_ns > y->until_ns;
}

static int
compare_ends(const void *a, const void *b)
{
	const struct learn_entry *x = ((const struct learn_end *)a)->entries;
	const struct learn_entry *y = ((const struct learn_end *)b)->entries;
	int order = x->ip_version - y->ip_version;

	if (!order)
		order = memcmp(x->addr.b, y->addr.b, sizeof(x->addr.b));
	if (!order && x->path != y->path)
		order = x->path < y->path ? -1 : 1;
	if (!order)
		order = x->port - y->port;
	if (!order)
		order = x->ip_proto - y->ip_proto;
	if (!order)
		order = x->has_client - y->has_client;
	return order ? order : memcmp(x->client.b, y->client.b, sizeof(x->client.b));
}

struct learn_end *
learned_file_list(const struct barn_engine *engine, unsigned *count)
{
	const struct learn_table *table = engine->shared->learn;
	struct learn_end *list = NULL, *more, end;
	unsigned n = 0, room = 0;
	uint32_t at = 0;

	for (; learn_walk(table, &at, &end); n++) {
		if (n == room) {
			room = room ? room * 2 : 64;
			more = realloc(list, room * sizeof(*list));
			if (!more) {
				free(list);
				return NULL;
			}
			list = more;
		}
		qsort(end.entries, end.count, sizeof(end.entries[0]), compare_entries);
		list[n] = end;
	}
	if (n)
		qsort(list, n, sizeof(*list), compare_ends);
	*count = n;
	return list ? list : malloc(sizeof(*list));
}

static const char *
address(char text[INET6_ADDRSTRLEN], uint8_t version, const union packet_addr *addr)
{
	return inet_ntop(version == 4 ? AF_INET : AF_INET6, addr->b, text, INET6_ADDRSTRLEN);
}

static void
add_line(struct text *out, const struct registry *r, const struct learn_entry *e)
{
	char server[INET6_ADDRSTRLEN], client[INET6_ADDRSTRLEN];

	text_printf(out, "%s %" PRIx64 " %u %u %s %s %s %s %" PRIu64 " %" PRIu64 "\n",
		    address(server, e->ip_version, &e->addr), e->path, e->port, e->ip_proto,
		    e->has_client ? address(client, e->ip_version, &e->client) : "-",
		    registry_protocol(r, e->protocol)->name,
		    e->carrier ? registry_protocol(r, e->carrier)->name : "-",
		    e->strong ? "site" : "guess", e->told_ns, e->until_ns);
}

static bool
write_text(const char *path, const struct text *text)
{
	char other[PATH_MAX];
	int n = snprintf(other, sizeof(other), "%s.%ld", path, (long)getpid());
	FILE *f = n > 0 && (size_t)n < sizeof(other) ? fopen(other, "we") : NULL;
	bool good = f && fwrite(text->s, 1, text->len, f) == text->len && fflush(f) == 0 &&
		    fsync(fileno(f)) == 0;

	if (f && fclose(f) != 0)
		good = false;
	if (good && rename(other, path) == 0)
		return true;
	say_error("%s: %s", path, strerror(errno));
	if (f)
		unlink(other);
	return false;
}

bool
learned_file_write(const char *path, struct barn_engine *engine, uint64_t now_ns)
{
	struct text text = { 0 };
	unsigned count, lines = 0;
	struct learn_end *list = learned_file_list(engine, &count);
	bool good = false;

	text_add(&text, head);
	for (unsigned i = 0; list && i < count; i++)
		for (unsigned k = 0; k < list[i].count; k++) {
			if (list[i].entries[k].until_ns < now_ns)
				continue;
			add_line(&text, engine->registry, &list[i].entries[k]);
			lines++;
		}
	text_printf(&text, "end %u\n", lines);
	if (!list || text.failed)
		say_error("out of memory");
	else
		good = write_text(path, &text);
	text_fini(&text);
	free(list);
	return good;
}

static bool
parse_address(const char *word, uint8_t *version, union packet_addr *addr)
{
	*version = strchr(word, ':') ? 6 : 4;
	return inet_pton(*version == 4 ? AF_INET : AF_INET6, word, addr->b) == 1;
}

/* False: it is no such line. *known: its protocols are loaded. */
static bool
parse_line(const char *line, const struct registry *r, struct learn_entry *e, bool *known)
{
	char server[WORD], client[WORD], protocol[WORD], carrier[WORD], by[8];
	unsigned port, ip_proto;
	uint8_t version;
	int end = 0;

	*e = (struct learn_entry){ .by_serial = 0 };
	if (sscanf(line,
		   "%63s %" SCNx64 " %5u %3u %63s %63s %63s %7s %" SCNu64 " %" SCNu64 "%n",
		   server, &e->path, &port, &ip_proto, client, protocol, carrier, by,
		   &e->told_ns, &e->until_ns, &end) != 10 ||
	    line[end] || port > UINT16_MAX || ip_proto > UINT8_MAX ||
	    !parse_address(server, &e->ip_version, &e->addr) ||
	    (strcmp(by, "site") != 0 && strcmp(by, "guess") != 0))
		return false;
	e->has_client = strcmp(client, "-") != 0;
	if (e->has_client &&
	    (!parse_address(client, &version, &e->client) || version != e->ip_version))
		return false;
	e->port = (uint16_t)port;
	e->ip_proto = (uint8_t)ip_proto;
	e->strong = by[0] == 's';
	e->protocol = registry_find(r, protocol);
	e->carrier = registry_find(r, carrier);
	*known = (e->protocol || strcmp(protocol, registry_protocol(r, 0)->name) == 0) &&
		 (e->carrier || strcmp(carrier, "-") == 0);
	return true;
}

/*
 * Each line of a text that is changed on the way; with a table, adds them. The number of the
 * line that is wrong, 0: none.
 */
static unsigned
read_lines(char *text, const struct registry *r, struct learn_table *table)
{
	unsigned number = 1, lines = 0, told = 0;
	char *line, *rest = text + strlen(head);
	struct learn_entry entry;
	bool known;

	while (number++, *rest && strncmp(rest, "end ", 4) != 0) {
		char *end = strchr(rest, '\n');

		line = rest;
		if (!end)
			return number;
		*end = '\0';
		rest = end + 1;
		if (!parse_line(line, r, &entry, &known))
			return number;
		if (!table)
			*end = '\n';
		else if (known)
			learn_add(table, &entry);
		lines++;
	}
	if (sscanf(rest, "end %9u\n", &told) != 1 || told != lines ||
	    strchr(rest, '\n') == NULL)
		return number;
	return strchr(rest, '\n')[1] ? number + 1 : 0;
}

bool
learned_file_read(const char *path, struct barn_engine *engine)
{
	unsigned wrong = 1;
	struct text text = { 0 };
	size_t length;
	char *read;

	if (access(path, F_OK) != 0 && errno == ENOENT)
		return true;
	read = modules_read(path, &length);
	if (!read)
		return false;
	text_add_n(&text, read, length);
	free(read);
	if (text.failed) {
		say_error("out of memory");
		return false;
	}
	/* All of it is looked at before any of it is taken. */
	if (text.s && strlen(text.s) == length && strncmp(text.s, head, strlen(head)) == 0)
		wrong = read_lines(text.s, engine->registry, NULL);
	if (!wrong)
		read_lines(text.s, engine->registry, engine->shared->learn);
	else
		say_error("%s:%u: no file of learned servers, or damaged; it is left as it is",
			  path, wrong);
	text_fini(&text);
	return !wrong;
}
