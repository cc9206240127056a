/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/nbar.h"
#include "conf/policy.h"
#include "pdl/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

/* match [not] TEST: each test takes its words, and writes itself in its canonical form. */

static bool
is_safe(const char *word)
{
	static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789-_.,:/+=";

	return *word && strspn(word, safe) == strlen(word);
}

/* Patterns are quoted, as routers' users write them. */
static void
put_word(struct text *text, const char *word)
{
	if (is_safe(word))
		text_add(text, word);
	else
		nbar_quoted_print(text, word);
}

static bool
name_of(struct line *line, const char *what, struct policy_statement *s, struct text *text)
{
	if (!line_name(line, what, &s->name))
		return false;
	text_char(text, ' ');
	put_word(text, s->name);
	return true;
}

/* The keyword itself counts, from "att" on: no protocol is called so. */
static bool
is_attribute(const struct line *line)
{
	const char *word = line_peek(line);

	return word && strlen(word) >= 3 && strncasecmp(word, "attribute", strlen(word)) == 0;
}

static const char *
closed_word(struct line *line, const char *const *words, size_t count)
{
	enum { MOST = 512 };
	struct line_word table[MOST];
	unsigned value;

	count = count < MOST ? count : MOST;
	for (size_t i = 0; i < count; i++)
		table[i] = (struct line_word){ words[i], (unsigned)i };
	return line_keyword(line, table, count, &value) ? words[value] : NULL;
}

static void
read_attribute(struct line *line, struct policy_statement *s, struct text *text)
{
	enum { MOST = 32 };
	const char *keys[MOST];
	const struct words_attribute *attribute;
	size_t count = words_attribute_count < MOST ? words_attribute_count : MOST;

	line->at++;
	s->test = POLICY_ATTRIBUTE;
	for (size_t i = 0; i < count; i++)
		keys[i] = words_attributes[i].key;
	s->name = closed_word(line, keys, count);
	attribute = s->name ? words_attribute(s->name) : NULL;
	s->value = attribute ? closed_word(line, attribute->values, attribute->count) : NULL;
	if (s->value)
		text_printf(text, " attribute %s %s", s->name, s->value);
}

static void
read_protocol(struct line *line, struct policy_statement *s, struct text *text)
{
	unsigned count = line->words.count - line->at + 1;
	const char **words;
	uint32_t *columns;

	if (is_attribute(line)) {
		read_attribute(line, s, text);
		return;
	}
	if (!line_more(line)) {
		line_wrong(line, "the name of a protocol, or attribute");
		return;
	}
	words = arena_array(line->conf->arena, count, sizeof(*words));
	columns = arena_array(line->conf->arena, count, sizeof(*columns));
	if (!words || !columns) {
		line->no_memory = line->lost = true;
		return;
	}
	words[0] = "protocol";
	columns[0] = line->words.column[line->at - 1];
	for (unsigned i = 1; i < count; i++) {
		columns[i] = line->words.column[line->at];
		words[i] = arena_strdup(line->conf->arena, line_peek(line));
		if (!words[i]) {
			line->no_memory = line->lost = true;
			return;
		}
		text_char(text, ' ');
		put_word(text, words[i]);
		line->at++;
	}
	s->words = words;
	s->columns = columns;
	s->word_count = count;
	s->name = words[1];
}

static bool
is_list_number(const char *name)
{
	return strlen(name) <= 4 && strspn(name, "0123456789") == strlen(name);
}

static void
read_access(struct line *line, struct policy_statement *s, struct text *text)
{
	static const struct line_word named[] = { { "name", 0 } };
	unsigned zero;
	bool by_name = line->at + 1 < line->words.count && line_may(line, named, 1, &zero);

	if (!by_name && line_more(line) && !line_is_number(line)) {
		line_wrong(line, "the number of an access list, or name and its name");
		return;
	}
	if (!line_name(line, "an access list", &s->name))
		return;
	text_add(text, is_list_number(s->name) ? " " : " name ");
	put_word(text, s->name);
}

static bool
add_range(struct line *line, struct policy_statement *s, uint32_t low, uint32_t high)
{
	struct policy_range *range = line_add(line, &s->ranges, sizeof(*range));

	if (!range)
		return false;
	*range = (struct policy_range){ low, high };
	return true;
}

/* Up to eight values, as routers take them. */
static void
read_values(struct line *line, struct policy_statement *s, struct text *text,
	    bool (*take)(struct line *line, uint32_t *value),
	    void (*put)(struct text *text, uint32_t value))
{
	enum { MOST = 8 };
	uint32_t value;

	do {
		if (s->ranges.count == MOST) {
			line_fault(line, line_place(line), "more than %d values", MOST);
			return;
		}
		if (!take(line, &value) || !add_range(line, s, value, value))
			return;
		text_char(text, ' ');
		put(text, value);
	} while (line_more(line));
}

static bool
take_cos(struct line *line, uint32_t *value)
{
	return line_number(line, "a class of service", 0, 7, value);
}

static void
put_number(struct text *text, uint32_t value)
{
	text_printf(text, "%" PRIu32, value);
}

static void
put_range(struct text *text, uint32_t low, uint32_t high)
{
	if (low == high)
		text_printf(text, " %" PRIu32, low);
	else
		text_printf(text, " %" PRIu32 "-%" PRIu32, low, high);
}

/* N or N-M, in one word; `high` of N is N. */
static bool
take_span(struct line *line, uint32_t *low, uint32_t *high)
{
	static const char what[] = "a VLAN from 1 to 4095, or LOW-HIGH";
	const char *word = line_peek(line);
	unsigned long first, last;
	char *end;

	if (!line_is_number(line) || strlen(word) > 9)
		return line_wrong(line, what);
	first = last = strtoul(word, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		last = strtoul(end + 1, &end, 10);
	if (*end || first < 1 || last > 4095 || last < first)
		return line_wrong(line, what);
	*low = (uint32_t)first;
	*high = (uint32_t)last;
	line->at++;
	return true;
}

/* vlan A [B-C]..., vlan range A B */
static void
read_vlan(struct line *line, struct policy_statement *s, struct text *text)
{
	uint32_t low = 0, high = 0, more;
	bool range = line_accept(line, "range");

	do {
		if (!take_span(line, &low, &high))
			return;
		if (range && low == high && line_more(line)) {
			if (!line_number(line, "a VLAN", low, 4095, &more))
				return;
			high = more;
		}
		if (!add_range(line, s, low, high))
			return;
		put_range(text, low, high);
	} while (line_more(line));
}

static void
read_length(struct line *line, struct policy_statement *s, struct text *text)
{
	static const struct line_word ends[] = { { "min", 0 }, { "max", 1 } };
	uint32_t value[2] = { 0, UINT16_MAX };
	bool given[2] = { false, false };
	unsigned end;

	if (!line_accept(line, "length")) {
		line_wrong(line, "length");
		return;
	}
	do {
		if (!line_keyword(line, ends, 2, &end) ||
		    !line_number(line, "a length", end ? value[0] : 0, UINT16_MAX, &value[end]))
			return;
		given[end] = true;
	} while (line_more(line) && !(given[0] && given[1]));
	if (value[0] > value[1]) {
		line_fault(line, line_place(line), "the least length is above the most");
		return;
	}
	text_add(text, " length");
	if (given[0])
		text_printf(text, " min %" PRIu32, value[0]);
	if (given[1])
		text_printf(text, " max %" PRIu32, value[1]);
	add_range(line, s, value[0], value[1]);
}

/* 0011.2233.4455, 00:11:22:33:44:55 or 00-11-22-33-44-55. */
static bool
is_mac(const char *word, uint8_t mac[6])
{
	static const char hex[] = "0123456789abcdef";
	unsigned digits = 0;
	size_t len = strlen(word);

	if (len != 14 && len != 17)
		return false;
	memset(mac, 0, 6);
	for (size_t i = 0; i < len; i++) {
		char c = word[i] >= 'A' && word[i] <= 'F' ? (char)(word[i] + 32) : word[i];
		const char *digit = strchr(hex, c);

		if (len == 14 ? i % 5 == 4 : i % 3 == 2) {
			if (len == 14 ? c != '.' : c != ':' && c != '-')
				return false;
			continue;
		}
		if (!digit)
			return false;
		mac[digits / 2] = (uint8_t)(mac[digits / 2] << 4 | (digit - hex));
		digits++;
	}
	return true;
}

static void
read_mac(struct line *line, struct policy_statement *s, struct text *text)
{
	static const struct line_word kinds[] = { { "mac", 0 } };
	unsigned zero;

	if (!line_keyword(line, kinds, 1, &zero))
		return;
	if (!line_more(line) || !is_mac(line_peek(line), s->mac)) {
		line_wrong(line, "a MAC address, such as 0011.2233.4455");
		return;
	}
	line->at++;
	text_add(text, " mac ");
	for (unsigned i = 0; i < 6; i++)
		text_printf(text, "%s%02x", i && i % 2 == 0 ? "." : "", s->mac[i]);
}

enum test_word { IP = POLICY_TESTS };

static const struct line_word tests[] = {
	{ "any", POLICY_ANY },
	{ "protocol", POLICY_PROTOCOL },
	{ "access-group", POLICY_ACCESS },
	{ "class-map", POLICY_CLASS },
	{ "ip", IP },
	{ "dscp", POLICY_DSCP },
	{ "precedence", POLICY_PRECEDENCE },
	{ "cos", POLICY_COS },
	{ "vlan", POLICY_VLAN },
	{ "packet", POLICY_LENGTH },
	{ "source-address", POLICY_SOURCE },
	{ "destination-address", POLICY_DESTINATION },
	{ "input-interface", POLICY_INPUT },
};
enum { TEST_WORDS = sizeof(tests) / sizeof(tests[0]) };

static const char *
word_of(unsigned test)
{
	for (unsigned i = 0; i < TEST_WORDS; i++)
		if (tests[i].value == test)
			return tests[i].word;
	return "";
}

static void
read_rest(struct line *line, struct policy_statement *s, struct text *text)
{
	switch ((enum policy_test)s->test) {
	case POLICY_PROTOCOL: read_protocol(line, s, text); break;
	case POLICY_ACCESS: read_access(line, s, text); break;
	case POLICY_CLASS: name_of(line, "the name of a class map", s, text); break;
	case POLICY_DSCP: read_values(line, s, text, policy_dscp, policy_dscp_print); break;
	case POLICY_PRECEDENCE:
		read_values(line, s, text, policy_precedence, put_number);
		break;
	case POLICY_COS: read_values(line, s, text, take_cos, put_number); break;
	case POLICY_VLAN: read_vlan(line, s, text); break;
	case POLICY_LENGTH: read_length(line, s, text); break;
	case POLICY_SOURCE:
	case POLICY_DESTINATION: read_mac(line, s, text); break;
	case POLICY_INPUT: name_of(line, "the name of an interface", s, text); break;
	case POLICY_ANY:
	case POLICY_ATTRIBUTE:
	case POLICY_TESTS: break;
	}
}

static bool
read_test(struct line *line, struct policy_statement *s, struct text *text)
{
	static const struct line_word of_ip[] = { { "dscp", POLICY_DSCP },
						  { "precedence", POLICY_PRECEDENCE } };
	unsigned test;

	s->not = line_accept(line, "not");
	s->place = policy_here(line);
	if (!line_keyword(line, tests, TEST_WORDS, &test))
		return false;
	if (s->not )
		text_add(text, "not ");
	s->ip_only = test == IP;
	if (s->ip_only) {
		text_add(text, "ip ");
		if (!line_keyword(line, of_ip, 2, &test))
			return false;
	}
	s->test = (uint8_t)test;
	text_add(text, word_of(test));
	read_rest(line, s, text);
	return line_end(line);
}

void
class_match_read(struct line *line)
{
	struct policy_class none = { 0 }, *class = line->object ? line->object : &none;
	struct policy_statement *statements = class->statements.items, *added, s = { 0 };
	struct conf_place place = line_place(line);
	struct text text = { 0 };

	if (!read_test(line, &s, &text)) {
		text_fini(&text);
		return;
	}
	s.text = policy_text(line, &text);
	for (unsigned i = 0; s.text && i < class->statements.count; i++) {
		if (strcmp(statements[i].text, s.text) != 0)
			continue;
		if (line->no)
			policy_remove(&class->statements, i, sizeof(s));
		return;
	}
	if (line->no && !line->lost)
		line_fault(line, place, "the class has no such statement");
	if (line->lost)
		return;
	added = line_add(line, &class->statements, sizeof(*added));
	if (added)
		*added = s;
}
