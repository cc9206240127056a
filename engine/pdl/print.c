/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/print.h"

#include "pdl/words.h"

#include <inttypes.h>

void
print_string(struct text *text, struct bytes data)
{
	static const char bytes[] = "\r\n\t\"\\", names[] = "rnt\"\\";

	text_char(text, '"');
	while (bytes_left(&data) > 0) {
		uint8_t byte = bytes_u8(&data);
		const char *name = byte ? strchr(bytes, byte) : NULL;

		if (name)
			text_printf(text, "\\%c", names[name - bytes]);
		else if (byte < ' ' || byte >= 0x7f)
			text_printf(text, "\\x%02x", byte);
		else
			text_char(text, (char)byte);
	}
	text_char(text, '"');
}

/* A text for people: UTF-8 stays as it is. */
static void
print_title(struct text *text, const char *item, const char *title)
{
	if (!title)
		return;
	text_printf(text, "\t%s \"", item);
	for (; *title; title++) {
		if (*title == '"' || *title == '\\')
			text_char(text, '\\');
		text_char(text, *title);
	}
	text_add(text, "\"\n");
}

void
print_regex(struct text *text, const struct regex *regex)
{
	text_printf(text, "/%s/%s", regex_pattern(regex), regex_caseless(regex) ? "i" : "");
}

static const struct words_operator *
operator_of(enum sum_op_kind kind)
{
	for (size_t i = 0; i < words_operator_count; i++)
		if (words_operators[i].kind == kind)
			return &words_operators[i];
	return NULL;
}

/* The op before which the operand that ends at `end` begins. */
static unsigned
operand_start(const struct sum *sum, unsigned end)
{
	unsigned wanted = 1;

	while (wanted > 0) {
		enum sum_op_kind kind = sum->ops[--end].kind;

		if (kind >= SUM_MUL)
			wanted++;
		else if (sum_width(kind) == 0)
			wanted--;
	}
	return end;
}

/* The operand of ops[start, end), in parentheses if its infix is of a level below. */
static void
print_operand(struct text *text, const struct sum *sum, unsigned end, unsigned level,
	      bool after_hex)
{
	const struct sum_op *op = &sum->ops[end - 1];
	const struct words_operator *infix = operator_of(op->kind);

	if (op->kind == SUM_NUMBER && end == 1 && after_hex && op->number >= 0) {
		text_printf(text, "0x%" PRIx64, (uint64_t)op->number);
	} else if (op->kind == SUM_NUMBER) {
		text_printf(text, "%" PRId64, op->number);
	} else if (op->kind == SUM_CAPTURE) {
		text_printf(text, "$%" PRId64, op->number);
	} else if (op->kind == SUM_RAW) {
		text_printf(text, "%s($%u)", words_reader_name(sum_raw_reader(op)),
			    sum_raw_group(op));
	} else if (op->kind == SUM_CLIENT_PORT || op->kind == SUM_SERVER_PORT) {
		text_printf(text, "%s-port", op->kind == SUM_CLIENT_PORT ? "client" : "server");
	} else if (op->kind == SUM_LENGTH) {
		text_add(text, "length");
	} else if (!infix) {
		text_printf(text, "%s(", words_reader_name(op->kind));
		print_operand(text, sum, end - 1, 0, after_hex);
		text_char(text, ')');
	} else {
		if (infix->level < level)
			text_char(text, '(');
		print_operand(text, sum, operand_start(sum, end - 1), infix->level, after_hex);
		text_printf(text, " %s ", infix->sign);
		print_operand(text, sum, end - 1, infix->level + 1U, after_hex);
		if (infix->level < level)
			text_char(text, ')');
	}
}

void
print_sum(struct text *text, const struct sum *sum, bool after_hex)
{
	print_operand(text, sum, sum->count, 0, after_hex);
}

static void
print_names(struct text *text, const char *item, const char *const *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		text_printf(text, "%s%s", i == 0 ? item : ", ", names[i]);
	if (count > 0)
		text_char(text, '\n');
}

static void
print_quoted(struct text *text, const char *item, const char *const *names, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		text_add(text, i == 0 ? item : ", ");
		print_string(text, bytes_of(names[i], strlen(names[i])));
	}
	if (count > 0)
		text_char(text, '\n');
}

static void
print_numbers(struct text *text, const char *item, const uint16_t *numbers, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		text_printf(text, "%s%u", i == 0 ? item : ", ", numbers[i]);
	if (count > 0)
		text_char(text, '\n');
}

static void
print_ports(struct text *text, const struct pdl_protocol *p)
{
	static const struct {
		uint8_t transport;
		const char *item;
	} lists[] = { { PDL_TCP, "\tport tcp " },
		      { PDL_UDP, "\tport udp " },
		      { PDL_SCTP, "\tport sctp " } };

	for (unsigned t = 0; t < 3; t++) {
		const char *before = lists[t].item;

		for (unsigned i = 0; i < p->port_count; i++) {
			const struct pdl_port *port = &p->ports[i];

			if (port->transport != lists[t].transport)
				continue;
			text_printf(text, "%s%u", before, port->low);
			if (port->high != port->low)
				text_printf(text, "-%u", port->high);
			before = ", ";
		}
		if (before != lists[t].item)
			text_char(text, '\n');
	}
}

static void
print_head(struct text *text, const struct pdl_protocol *p)
{
	text_printf(text, "protocol %s {\n", p->name);
	print_title(text, "title", p->title);
	if (p->id_engine)
		text_printf(text, "\tid %u:%" PRIu32 "\n", p->id_engine, p->id_selector);
	if (p->index)
		text_printf(text, "\tindex %u\n", p->index);
	print_names(text, "\talias ", p->aliases, p->alias_count);
	print_title(text, "reference", p->reference);
	for (unsigned i = 0; i < p->attribute_count; i++)
		text_printf(text, "\tattribute %s %s\n", p->attributes[i].key,
			    p->attributes[i].value);
	print_ports(text, p);
	print_numbers(text, "\tip-protocol ", p->ip_protocols, p->ip_protocol_count);
	print_numbers(text, "\tethertype ", p->ethertypes, p->ethertype_count);
	print_quoted(text, "\tndpi ", p->ndpi, p->ndpi_count);
	print_names(text, "\tover ", p->over, p->over_count);
	print_quoted(text, "\thost ", p->hosts, p->host_count);
	if (p->inspect)
		text_printf(text, "\tinspect %s\n", p->inspect);
}

static const char *
over(uint8_t transports)
{
	return transports == PDL_TCP ? "tcp" : transports == PDL_UDP ? "udp" : "tcp, udp";
}

static void
print_source(struct text *text, const struct pdl_source *source)
{
	text_add(text, words_sides[source->side]);
	if (source->next)
		text_add(text, " next");
	if (source->line)
		text_add(text, " line ");
	else
		text_printf(text, " %" PRIu32 ": ", source->place);
	print_regex(text, source->regex);
}

static void
print_subclass(struct text *text, const struct pdl_subclass *s)
{
	static const char *const kinds[] = { "glob", "numbers", "flag" };

	text_printf(text, "\tsub-class %s %s %s", s->name, kinds[s->kind], s->field);
	if (s->value) {
		text_char(text, ' ');
		print_string(text, bytes_of(s->value, strlen(s->value)));
	}
	text_char(text, '\n');
}

static void
print_expect(struct text *text, const struct pdl_expect *e)
{
	text_printf(text, "\texpect %s over %s {\n\t\t", e->protocol, over(e->transports));
	print_source(text, &e->source);
	text_add(text, e->address ? " address " : " at ");
	switch ((enum pdl_address)e->at) {
	case PDL_AT_CLIENT: text_add(text, "client"); break;
	case PDL_AT_SERVER: text_add(text, "server"); break;
	case PDL_AT_ADDRESS: text_add(text, "address"); break;
	case PDL_AT_TEXT: text_printf(text, "$%u", e->group[0]); break;
	case PDL_AT_RAW: text_printf(text, "raw $%u", e->group[0]); break;
	case PDL_AT_DOTTED:
		text_printf(text, "$%u.$%u.$%u.$%u", e->group[0], e->group[1], e->group[2],
			    e->group[3]);
	}
	if (e->address) {
		text_add(text, "\n\t}\n");
		return;
	}
	text_add(text, " port ");
	print_sum(text, &e->port->sum, false);
	if (e->life_s)
		text_printf(text, " life %" PRIu32, e->life_s);
	text_add(text, e->many ? " many\n\t}\n" : "\n\t}\n");
}

static void
print_vector(struct text *text, const struct pdl_test *test)
{
	text_add(text, "\ttest ");
	print_string(text, bytes_of(test->name, strlen(test->name)));
	text_printf(text, " over %s", over(test->transport));
	if (test->port)
		text_printf(text, " port %u", test->port);
	text_add(text, " {\n");
	for (unsigned i = 0; i < test->message_count; i++) {
		text_printf(text, "\t\t%s ", words_sides[test->messages[i].dir]);
		print_string(text, test->messages[i].data);
		text_char(text, '\n');
	}
	for (unsigned i = 0; i < test->promise_count; i++) {
		const struct pdl_promise *promise = &test->promises[i];

		text_printf(text, "\t\texpect %s over %s at %s port %u\n", promise->protocol,
			    over(promise->transport), words_sides[promise->dir], promise->port);
	}
	text_printf(text, "\t} => %s\n", test->expect);
}

void
pdl_print(const struct pdl_protocol *p, struct text *text)
{
	print_head(text, p);
	for (unsigned i = 0; i < p->rule_count; i++) {
		text_printf(text, "\trule %s over %s {\n", p->rules[i].name,
			    over(p->rules[i].transports));
		print_rule(text, p->rules[i].body);
		text_printf(text, "\t} => %s\n", words_strengths[p->rules[i].strength]);
	}
	for (unsigned i = 0; i < p->field_count; i++) {
		text_printf(text, "\t%s %s: ", p->fields[i].number ? "number" : "field",
			    p->fields[i].name);
		print_source(text, &p->fields[i].source);
		text_char(text, '\n');
	}
	for (unsigned i = 0; i < p->subclass_count; i++)
		print_subclass(text, &p->subclasses[i]);
	for (unsigned i = 0; i < p->expect_count; i++)
		print_expect(text, &p->expects[i]);
	for (unsigned i = 0; i < p->upgrade_count; i++) {
		const struct pdl_upgrade *u = &p->upgrades[i];

		text_printf(text, "\tupgrade %s {\n", u->protocol ? u->protocol : "any");
		for (unsigned j = 0; j < u->step_count; j++) {
			text_add(text, "\t\t");
			print_source(text, &u->steps[j]);
			text_char(text, '\n');
		}
		text_add(text, "\t}\n");
	}
	print_custom(text, &p->custom);
	for (unsigned i = 0; i < p->test_count; i++)
		print_vector(text, &p->tests[i]);
	text_add(text, "}\n");
}
