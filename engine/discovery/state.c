/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/state.h"
#include "base/hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 10, LINE = 1024 };

static const char head[] = "barn-state 1\n";
static const char *const directions[2] = { "in", "out" };

/* Against accidents, not against who can write the file. */
static uint64_t
sum_of(const char *text, size_t length)
{
	static const struct hash_key key = { { 1, 2 } };

	return hash_bytes(&key, text, length);
}

static void
print_row(FILE *out, const char *name, const struct barn_stats_row *r, unsigned d)
{
	if (!r->packets[d] && !r->max_bps[d])
		return;
	fprintf(out, "row %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64, name,
		directions[d], r->packets[d], r->bytes[d], r->guessed_packets[d],
		r->guessed_bytes[d], r->ip4_packets[d]);
	fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		r->ip4_bytes[d], r->ip6_packets[d], r->ip6_bytes[d], r->flows[d],
		r->max_bps[d]);
}

static void
print_interface(FILE *out, const struct ledger *ledger, uint16_t iface,
		const struct state_names *names)
{
	struct barn_stats_row row;

	fprintf(out, "interface %s %" PRIu64 "\n", names->interface(names->self, iface),
		names->since_ns(names->self, iface));
	ledger_row(ledger, iface, UINT16_MAX, &row);
	for (unsigned d = 0; d < 2; d++)
		print_row(out, "*", &row, d);
	for (uint16_t p = 0; p < ledger_protocols(ledger); p++) {
		const char *name = names->protocol(names->self, p);

		ledger_row(ledger, iface, p, &row);
		for (unsigned d = 0; d < 2 && name; d++)
			print_row(out, name, &row, d);
	}
}

enum barn_err
state_print(const struct ledger *ledger, uint16_t interfaces, const struct state_names *names,
	    char **text, size_t *length)
{
	FILE *out;
	bool bad;

	*text = NULL;
	out = open_memstream(text, length);
	if (!out)
		return BARN_ERR_MEMORY;
	fputs(head, out);
	for (uint16_t i = 0; i < interfaces; i++)
		if (names->interface(names->self, i))
			print_interface(out, ledger, i, names);
	bad = fflush(out) != 0;
	if (!bad)
		fprintf(out, "end %016" PRIx64 "\n", sum_of(*text, *length));
	bad |= ferror(out) != 0;
	bad |= fclose(out) != 0;
	if (!bad)
		return BARN_OK;
	free(*text);
	*text = NULL;
	return BARN_ERR_MEMORY;
}

struct reader {
	struct ledger *ledger; /* NULL: only look whether it is right */
	const struct state_names *names;
	bool begun; /* an interface */
	uint16_t iface;
};

static bool
take_number(char **rest, uint64_t *number)
{
	const char *word = strtok_r(NULL, " ", rest);
	char *end;

	if (!word || *word < '0' || *word > '9')
		return false;
	errno = 0;
	*number = strtoull(word, &end, 10);
	return *end == 0 && errno == 0;
}

static enum barn_err
take_interface(struct reader *r, char **rest)
{
	const char *name = strtok_r(NULL, " ", rest);
	uint64_t since_ns;

	if (!name || !take_number(rest, &since_ns) || strtok_r(NULL, " ", rest))
		return BARN_ERR_TEXT;
	r->begun = true;
	r->iface = r->names->find_interface(r->names->self, name);
	if (r->ledger && r->iface != UINT16_MAX)
		r->names->set_since(r->names->self, r->iface, since_ns);
	return BARN_OK;
}

static enum barn_err
take_row(struct reader *r, char **rest)
{
	const char *name = strtok_r(NULL, " ", rest), *dir = strtok_r(NULL, " ", rest);
	uint64_t n[NUMBERS];
	struct discovery_cell cell;
	uint16_t protocol = UINT16_MAX;

	if (!dir || (strcmp(dir, directions[0]) != 0 && strcmp(dir, directions[1]) != 0))
		return BARN_ERR_TEXT;
	for (unsigned i = 0; i < NUMBERS; i++)
		if (!take_number(rest, &n[i]))
			return BARN_ERR_TEXT;
	if (strtok_r(NULL, " ", rest) || !r->begun)
		return BARN_ERR_TEXT;
	if (!r->ledger || r->iface == UINT16_MAX)
		return BARN_OK;
	cell = (struct discovery_cell){ n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8] };
	if (strcmp(name, "*") != 0) {
		protocol = r->names->find_protocol(r->names->self, name);
		if (protocol == UINT16_MAX)
			n[9] = protocol = 0;
	}
	return ledger_restore(r->ledger, r->iface, strcmp(dir, directions[1]) == 0, protocol,
			      &cell, n[9]);
}

static enum barn_err
take_line(struct reader *r, const char *from, size_t length)
{
	char line[LINE], *rest;
	const char *word;

	if (length >= sizeof(line) || memchr(from, 0, length))
		return BARN_ERR_TEXT;
	memcpy(line, from, length);
	line[length] = 0;
	word = strtok_r(line, " ", &rest);
	if (word && strcmp(word, "interface") == 0)
		return take_interface(r, &rest);
	return word && strcmp(word, "row") == 0 ? take_row(r, &rest) : BARN_ERR_TEXT;
}

/* The last line is its sum: how long the text before it is; 0 if it is not right. */
static size_t
checked_length(const char *text, size_t length)
{
	char want[32];
	size_t tail = strlen("end 0123456789abcdef\n");

	if (length < strlen(head) + tail || memcmp(text, head, strlen(head)) != 0)
		return 0;
	length -= tail;
	snprintf(want, sizeof(want), "end %016" PRIx64 "\n", sum_of(text, length));
	return memcmp(text + length, want, tail) == 0 ? length : 0;
}

static enum barn_err
take_all(struct reader *r, const char *text, size_t length, unsigned *line)
{
	size_t at = strlen(head);
	enum barn_err err = BARN_OK;

	*line = 1;
	while (at < length && !err) {
		const char *end = memchr(text + at, '\n', length - at);
		size_t size = end ? (size_t)(end - text) - at : length - at;

		++*line;
		err = end ? take_line(r, text + at, size) : BARN_ERR_TEXT;
		at += size + 1;
	}
	return err;
}

enum barn_err
state_parse(struct ledger *ledger, const struct state_names *names, const char *text,
	    size_t length, unsigned *line)
{
	struct reader look = { .names = names }, take = { .names = names, .ledger = ledger };
	size_t checked = checked_length(text, length);
	enum barn_err err;

	*line = 1;
	if (!checked)
		return BARN_ERR_TEXT;
	err = take_all(&look, text, checked, line);
	return err ? err : take_all(&take, text, checked, line);
}
