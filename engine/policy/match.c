/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/match.h"
#include "base/text.h"
#include "classify/notes.h"
#include "match/glob.h"
#include "policy/numbers.h"
#include <stdio.h>
#include <stdlib.h>

enum test { TEST_PROTOCOL, TEST_GLOB, TEST_REGEX, TEST_NUMBERS, TEST_EQUAL };

struct match {
	const struct registry *registry;
	bool not ;
	bool kinds;   /* some protocol is a kind of it */
	bool url;     /* the leading "/" may be left out */
	uint8_t test; /* enum test */
	uint16_t protocol;
	uint16_t field;
	struct glob *glob;
	struct needles needles; /* the glob's */
	struct regex *regex;
	struct numbers *numbers;
	const char *equal;
};

/* The statement as far as it is read. */
struct reader {
	const struct registry *registry;
	const char *const *words;
	const uint32_t *columns;
	unsigned count, at;
	struct match_fault *fault;
};

/* The word to be read, or NULL at the end. */
static const char *
word(const struct reader *r)
{
	return r->at < r->count ? r->words[r->at] : NULL;
}

static bool
take(struct reader *r, const char *keyword)
{
	if (!word(r) || strcmp(word(r), keyword) != 0)
		return false;
	r->at++;
	return true;
}

/* At the word to be read, or behind the last. */
static enum barn_err __attribute__((format(printf, 2, 3)))
wrong(struct reader *r, const char *format, ...)
{
	va_list args;

	if (r->at < r->count)
		r->fault->column = r->columns[r->at];
	else if (r->count)
		r->fault->column =
			r->columns[r->count - 1] + (uint32_t)strlen(r->words[r->count - 1]);
	else
		r->fault->column = 1;
	va_start(args, format);
	vsnprintf(r->fault->text, sizeof(r->fault->text), format, args);
	va_end(args);
	return BARN_ERR_TEXT;
}

/* /EXPRESSION/ or /EXPRESSION/i; without slashes, all of it. */
static enum barn_err
read_regex(struct reader *r, struct match *m)
{
	struct regex_fault fault = { 0 };
	const char *text = word(r), *end;
	bool caseless = false;
	size_t len;

	if (!text)
		return wrong(r, "expected /EXPRESSION/");
	len = strlen(text);
	if (text[0] == '/') {
		end = strrchr(text, '/');
		if (end == text || (end[1] && strcmp(end + 1, "i") != 0))
			return wrong(r, "expected /EXPRESSION/ or /EXPRESSION/i");
		caseless = end[1] == 'i';
		text++;
		len = (size_t)(end - text);
	}
	if (regex_new(text, len, caseless, &m->regex, &fault))
		return wrong(r, "in the expression, at %u: %s", fault.offset, fault.text);
	m->test = TEST_REGEX;
	r->at++;
	return BARN_OK;
}

static enum barn_err
read_glob(struct reader *r, struct match *m, const char *name)
{
	const char *why = "not a pattern";
	uint32_t offset = 0;

	if (take(r, "regex"))
		return read_regex(r, m);
	if (!word(r))
		return wrong(r, "expected a pattern after '%s'", name);
	if (glob_new(word(r), &m->glob, &offset, &why))
		return wrong(r, "in the pattern, at %u: %s", offset, why);
	glob_needles(word(r), &m->needles);
	m->test = TEST_GLOB;
	r->at++;
	return BARN_OK;
}

static enum barn_err
read_numbers(struct reader *r, struct match *m, const char *name)
{
	enum barn_err err;

	if (!word(r))
		return wrong(r, "expected numbers after '%s', such as \"0, 1, 4-0x10\"", name);
	err = numbers_new(word(r), &m->numbers);
	if (err == BARN_ERR_TEXT)
		return wrong(r, "expected numbers, such as \"0, 1, 4-0x10\"");
	m->test = TEST_NUMBERS;
	r->at++;
	return err;
}

static enum barn_err
no_subclass(struct reader *r, const struct pdl_protocol *module)
{
	struct text names = { 0 };
	enum barn_err err;

	for (unsigned i = 0; i < module->subclass_count; i++)
		text_printf(&names, "%s%s", i ? ", " : "", module->subclasses[i].name);
	if (names.len)
		err = wrong(r, "%s has no sub-class '%s': expected %s", module->name, word(r),
			    text_str(&names));
	else
		err = wrong(r, "%s has no sub-classes: '%s' is too much", module->name,
			    word(r));
	text_fini(&names);
	return err;
}

static enum barn_err
read_subclass(struct reader *r, struct match *m, const struct protocol *protocol)
{
	const struct pdl_protocol *module = protocol->module;
	const struct pdl_subclass *sub = NULL;
	char name[128];

	if (!module)
		return wrong(r, "%s has no sub-classes: '%s' is too much", protocol->name,
			     word(r));
	for (unsigned i = 0; i < module->subclass_count && !sub; i++)
		if (strcmp(module->subclasses[i].name, word(r)) == 0)
			sub = &module->subclasses[i];
	if (!sub)
		return no_subclass(r, module);
	/* With a protocol it is another's, as of "http.url" by which `value` names flows. */
	if (strchr(sub->field, '.'))
		snprintf(name, sizeof(name), "%s", sub->field);
	else
		snprintf(name, sizeof(name), "%s.%s", protocol->name, sub->field);
	m->field = registry_field_find(r->registry, name);
	if (m->field == UINT16_MAX)
		return wrong(r, "nothing yields %s", name);
	r->at++;
	m->url = strcmp(sub->field, "url") == 0 || strcmp(sub->field, "http.url") == 0;
	m->equal = sub->value;
	switch ((enum pdl_subclass_kind)sub->kind) {
	case PDL_GLOB: return read_glob(r, m, sub->name);
	case PDL_NUMBERS: return read_numbers(r, m, sub->name);
	case PDL_FLAG: break;
	}
	m->test = TEST_EQUAL;
	return BARN_OK;
}

static bool
has_kinds(const struct registry *registry, uint16_t protocol)
{
	for (uint16_t i = 1; i < registry_count(registry); i++) {
		const struct pdl_protocol *m = registry_protocol(registry, i)->module;

		if (m && m->custom.extends &&
		    registry_find(registry, m->custom.extends) == protocol)
			return true;
	}
	return false;
}

static enum barn_err
read_statement(struct reader *r, struct match *m)
{
	enum barn_err err = BARN_OK;

	take(r, "match");
	m->not = take(r, "not");
	if (!take(r, "protocol"))
		return wrong(r, "expected 'protocol'");
	if (!word(r))
		return wrong(r, "expected the name of a protocol");
	m->protocol = registry_find(r->registry, word(r));
	if (!m->protocol && strcmp(word(r), registry_protocol(r->registry, 0)->name) != 0)
		return wrong(r, "no such protocol: '%s'", word(r));
	r->at++;
	m->registry = r->registry;
	m->kinds = has_kinds(r->registry, m->protocol);
	if (word(r))
		err = read_subclass(r, m, registry_protocol(r->registry, m->protocol));
	if (!err && word(r))
		err = wrong(r, "'%s' is too much", word(r));
	return err;
}

enum barn_err
match_new(const struct registry *registry, const char *const *words, const uint32_t *columns,
	  unsigned count, struct match **match, struct match_fault *fault)
{
	struct reader r = { registry, words, columns, count, 0, fault };
	struct match *m = calloc(1, sizeof(*m));
	enum barn_err err;

	if (!m)
		return BARN_ERR_MEMORY;
	err = read_statement(&r, m);
	if (err)
		match_free(m);
	else
		*match = m;
	return err;
}

void
match_free(struct match *m)
{
	if (!m)
		return;
	glob_free(m->glob);
	regex_free(m->regex);
	numbers_free(m->numbers);
	free(m);
}

/* Whether a protocol is this one, or a kind of it (`extends`), at most a few steps away. */
static bool
is_kind_of(const struct registry *registry, uint16_t protocol, uint16_t wanted)
{
	for (unsigned steps = 0; steps < 8 && protocol; steps++) {
		const struct pdl_protocol *m;

		if (protocol == wanted)
			return true;
		m = registry_protocol(registry, protocol)->module;
		protocol =
			m && m->custom.extends ? registry_find(registry, m->custom.extends) : 0;
	}
	return false;
}

/* The flow's protocol, what it was found over, or what handed over to those. */
static bool
in_stack(const struct match *m, const struct flow *flow, uint16_t protocol)
{
	uint32_t at = 0;
	uint16_t field, number;
	struct bytes value;

	if (flow->verdict.protocol == protocol)
		return true;
	if (protocol == 0)
		return false;
	if (m->kinds && is_kind_of(m->registry, flow->verdict.protocol, protocol))
		return true;
	if (flow->verdict.carrier == protocol)
		return true;
	while (notes_next(flow->notes, &at, &field, &value)) {
		if (field != NOTE_OUTER || bytes_left(&value) != sizeof(number))
			continue;
		memcpy(&number, value.p, sizeof(number));
		if (number == protocol)
			return true;
	}
	return false;
}

static bool
fits(const struct match *m, struct bytes value, struct regex_scratch *scratch)
{
	switch ((enum test)m->test) {
	case TEST_GLOB: return glob_match(m->glob, value);
	case TEST_REGEX: return regex_run(m->regex, scratch, value, true, NULL) == MATCH_YES;
	case TEST_NUMBERS: return numbers_hold(m->numbers, value);
	case TEST_EQUAL: return bytes_is(&value, m->equal);
	case TEST_PROTOCOL: break;
	}
	return true;
}

bool
match_value(const struct match *m, uint16_t field, struct bytes value,
	    struct regex_scratch *scratch)
{
	if (m->test == TEST_PROTOCOL || field != m->field)
		return false;
	if (fits(m, value, scratch))
		return true;
	/* NBAR matches a URL without its first slash; some users write it. */
	if (!m->url || !bytes_starts(&value, "/"))
		return false;
	value.p++;
	return fits(m, value, scratch);
}

uint16_t
match_field(const struct match *m, struct needles *needles)
{
	needles->count = 0;
	if (m->test == TEST_PROTOCOL)
		return UINT16_MAX;
	if (m->test == TEST_GLOB)
		*needles = m->needles;
	else if (m->test == TEST_REGEX)
		*needles = regex_needs(m->regex)->words;
	return m->field;
}

bool
match_holds(const struct match *m, const struct flow *flow, bool fitted)
{
	return (in_stack(m, flow, m->protocol) && (m->test == TEST_PROTOCOL || fitted)) !=
	       m->not ;
}
