/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/parse.h"
#include "pdl/words.h"

enum { MESSAGE_MAX = 65536 };

static bool
append(struct parse *p, struct list *bytes, const uint8_t *data, size_t len)
{
	if (bytes->count + len > MESSAGE_MAX) {
		parse_fault(p, p->token.pos, "the message is longer than %d bytes",
			    MESSAGE_MAX);
		p->lost = true;
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		uint8_t *byte = parse_add(p, bytes, 1);

		if (!byte)
			return false;
		*byte = data[i];
	}
	return true;
}

static bool
hex(struct parse *p, struct list *bytes)
{
	const struct byteset *sets;
	struct pdl_pos pos = p->token.pos;
	uint32_t count;

	if (!lex_hex(&p->lex, &sets, &count)) {
		p->lost = true;
		return false;
	}
	if (count == 0) {
		parse_next(p);
		return parse_wrong(p, "bytes: 00 ff");
	}
	for (uint32_t i = 0; i < count; i++) {
		uint8_t byte = 0;

		if (byteset_count(&sets[i]) != 1) {
			parse_fault(p, pos, "a test's bytes: expected each as two digits");
			p->lost = true;
			return false;
		}
		while (!byteset_has(&sets[i], byte))
			byte++;
		if (!append(p, bytes, &byte, 1))
			return false;
	}
	parse_next(p);
	return true;
}

static bool
message(struct parse *p, struct pdl_message *message)
{
	struct list bytes = { 0 };

	message->dir = parse_is(p, "client") ? MATCH_CLIENT : MATCH_SERVER;
	parse_next(p);
	do {
		bool fine;

		if (parse_is(p, "hex")) {
			fine = hex(p, &bytes);
		} else if (p->lost || p->token.kind != TOKEN_STRING || p->token.caseless) {
			fine = parse_wrong(p, "\"text\" or hex");
		} else {
			fine = append(p, &bytes, p->token.data.p, bytes_left(&p->token.data));
			parse_next(p);
		}
		if (!fine)
			return false;
	} while (p->token.kind == TOKEN_STRING || parse_is(p, "hex"));
	message->data = bytes_of(bytes.count > 0 ? bytes.items : "", bytes.count);
	return !p->lost;
}

static bool
messages(struct parse *p, struct list *list)
{
	while (parse_is(p, "client") || parse_is(p, "server")) {
		struct pdl_message *added = parse_add(p, list, sizeof(*added));

		if (!added || !message(p, added))
			return false;
	}
	if (list->count == 0)
		return parse_misspelt(p, words_sides, 2, "client or server");
	return !p->lost;
}

static bool
one_transport(struct parse *p, struct pdl_pos pos, uint8_t *transport)
{
	if (!parse_over(p, transport))
		return false;
	if (*transport == (PDL_TCP | PDL_UDP))
		parse_fault(p, pos, "a test is over one of tcp and udp");
	return true;
}

/* expect PROTOCOL over tcp|udp at client|server port NUMBER */
static bool
promise(struct parse *p, struct pdl_promise *promise)
{
	struct pdl_pos over_at;
	uint64_t port;
	uint8_t side;

	promise->line = p->token.pos.line;
	promise->column = p->token.pos.column;
	if (!parse_need(p, "expect") || !parse_reference(p, &promise->protocol))
		return false;
	over_at = p->token.pos;
	if (!one_transport(p, over_at, &promise->transport) || !parse_need(p, "at"))
		return false;
	if (parse_is(p, "any"))
		return parse_wrong(p, "client or server");
	if (!parse_side(p, &side) || !parse_need(p, "port") ||
	    !parse_number(p, "a port", 1, UINT16_MAX, &port))
		return false;
	promise->dir = side;
	promise->port = (uint16_t)port;
	return true;
}

static bool
promises(struct parse *p, struct pdl_test *test)
{
	struct list list = { 0 };

	while (parse_is(p, "expect")) {
		struct pdl_promise *added = parse_add(p, &list, sizeof(*added));

		if (!added || !promise(p, added))
			return false;
	}
	test->promises = list.items;
	test->promise_count = list.count;
	return !p->lost;
}

static bool
expected(struct parse *p, struct pdl_test *test)
{
	if (parse_is(p, "unknown"))
		return parse_word(p, "a protocol", &test->expect);
	return parse_reference(p, &test->expect);
}

void
parse_test(struct parse *p, struct pdl_pos pos)
{
	const struct pdl_test *others = p->tree->tests.items;
	struct pdl_test test = { .line = pos.line, .column = pos.column }, *added;
	struct pdl_pos name_at = p->token.pos;
	struct list list = { 0 };
	uint64_t port;

	if (!parse_string(p, "a name for the test: \"...\"", &test.name))
		return;
	for (unsigned i = 0; i < p->tree->tests.count; i++)
		if (strcmp(others[i].name, test.name) == 0)
			parse_fault(p, name_at, "test \"%s\" is given twice", test.name);
	if (!one_transport(p, p->token.pos, &test.transport))
		return;
	if (parse_accept(p, "port")) {
		if (!parse_number(p, "a port", 1, UINT16_MAX, &port))
			return;
		test.port = (uint16_t)port;
	}
	if (!parse_need(p, "{"))
		return;
	p->depth++;
	if (!messages(p, &list) || !promises(p, &test))
		return;
	if (!parse_is(p, "}")) {
		parse_misspelt(p, words_sides, 2,
			       "client, server, expect, \"text\", hex or '}'");
		return;
	}
	p->depth--;
	parse_next(p);
	if (!parse_need(p, "=>") || !expected(p, &test))
		return;
	test.messages = list.items;
	test.message_count = list.count;
	added = parse_add(p, &p->tree->tests, sizeof(*added));
	if (added)
		*added = test;
}
