/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/compile.h"

#include "base/text.h"

static enum barn_err
add_proto(struct compile *c, const struct proto_test *test, uint32_t *number)
{
	struct policy *p = c->policy;
	struct proto_test *tests = p->protos.items;
	struct needles needles;

	for (uint32_t i = 0; i < p->protos.count; i++)
		if (strcmp(tests[i].text, test->text) == 0) {
			*number = i;
			match_free(test->match);
			return BARN_OK;
		}
	tests = list_add(&p->protos, p->arena, sizeof(*tests));
	if (!tests) {
		match_free(test->match);
		return BARN_ERR_MEMORY;
	}
	*number = p->protos.count - 1;
	*tests = *test;
	tests->field = test->match ? match_field(test->match, &needles) : UINT16_MAX;
	p->asks_protocol = true;
	return BARN_OK;
}

/* Words joined: what two statements have alike, whatever blanks they were written with. */
static const char *
join(struct compile *c, const struct policy_statement *s)
{
	size_t len = 1;
	char *text, *at;

	for (unsigned i = 0; i < s->word_count; i++)
		len += strlen(s->words[i]) + 1;
	at = text = arena_alloc(c->policy->arena, len);
	for (unsigned i = 0; at && i < s->word_count; i++) {
		size_t n = strlen(s->words[i]);

		memcpy(at, s->words[i], n);
		at[n] = '\n';
		at += n + 1;
	}
	return text;
}

static enum barn_err
compile_protocol(struct compile *c, const struct policy_statement *s, struct condition *to)
{
	struct proto_test test = { .text = join(c, s) };
	struct match_fault fault = { 0 };
	struct policy_place place = s->place;
	enum barn_err err;

	if (!test.text)
		return BARN_ERR_MEMORY;
	err = match_new(c->policy->registry, s->words, s->columns, s->word_count, &test.match,
			&fault);
	if (err == BARN_ERR_TEXT) {
		place.column = fault.column;
		compile_fault(c, &place, "%s", fault.text);
	}
	return err ? err : add_proto(c, &test, &to->number);
}

/* A key or a value that no protocol has is a slip of the pen. */
static enum barn_err
compile_attribute(struct compile *c, const struct policy_statement *s, struct condition *to)
{
	const struct registry *r = c->policy->registry;
	struct proto_test test = { .key = s->name, .value = s->value };
	struct text text = { 0 };
	bool key = false, value = false;

	for (uint16_t i = 0; i < registry_count(r) && !value; i++) {
		const struct pdl_protocol *m = registry_protocol(r, i)->module;

		for (unsigned k = 0; m && k < m->attribute_count; k++) {
			bool same = strcmp(m->attributes[k].key, s->name) == 0;

			key = key || same;
			value = value ||
				(same && strcmp(m->attributes[k].value, s->value) == 0);
		}
	}
	if (!key && strcmp(s->name, "business-relevance") != 0 &&
	    strcmp(s->name, "traffic-class") != 0) {
		compile_fault(c, &s->place, "no protocol has the attribute '%s'", s->name);
		return BARN_ERR_TEXT;
	}
	text_printf(&text, "attribute\n%s\n%s", s->name, s->value);
	test.text = arena_strdup(c->policy->arena, text_str(&text));
	text_fini(&text);
	return test.text ? add_proto(c, &test, &to->number) : BARN_ERR_MEMORY;
}

enum barn_err
compile_header_test(struct compile *c, const struct header_test *test, uint32_t *number)
{
	struct policy *p = c->policy;
	struct header_test *tests = p->headers.items;

	for (uint32_t i = 0; i < p->headers.count; i++) {
		struct header_test a = tests[i], b = *test;
		bool ranges = a.ranges.count == b.ranges.count &&
			      (!a.ranges.count ||
			       memcmp(a.ranges.items, b.ranges.items,
				      a.ranges.count * sizeof(struct policy_range)) == 0);

		if (ranges && a.field == b.field && a.ip4_only == b.ip4_only &&
		    a.precedence == b.precedence && a.established == b.established &&
		    a.set == b.set && a.clear == b.clear && a.iface == b.iface &&
		    memcmp(a.mac, b.mac, sizeof(a.mac)) == 0) {
			*number = i;
			return BARN_OK;
		}
	}
	tests = list_add(&p->headers, p->arena, sizeof(*tests));
	if (!tests)
		return BARN_ERR_MEMORY;
	*tests = *test;
	*number = p->headers.count - 1;
	return BARN_OK;
}

static enum barn_err
compile_header(struct compile *c, const struct policy_statement *s, struct condition *to)
{
	static const uint8_t fields[POLICY_TESTS] = {
		[POLICY_DSCP] = HEADER_DS,
		[POLICY_PRECEDENCE] = HEADER_DS,
		[POLICY_COS] = HEADER_COS,
		[POLICY_VLAN] = HEADER_VLAN,
		[POLICY_LENGTH] = HEADER_LENGTH,
		[POLICY_SOURCE] = HEADER_SOURCE,
		[POLICY_DESTINATION] = HEADER_DESTINATION,
		[POLICY_INPUT] = HEADER_INPUT,
	};
	struct header_test test = { .field = fields[s->test],
				    .ip4_only = s->ip_only,
				    .precedence = s->test == POLICY_PRECEDENCE,
				    .ranges = s->ranges };

	if (test.field >= HEADER_SOURCE)
		memcpy(test.mac, s->mac, sizeof(test.mac));
	if (s->test == POLICY_INPUT)
		test.iface = compile_interface(c, s->name);
	to->test = POLICY_DSCP;
	return compile_header_test(c, &test, &to->number);
}

static enum barn_err
compile_statement(struct compile *c, const struct policy_statement *s, unsigned depth,
		  struct condition *to)
{
	const struct policy_access *access;
	const struct policy_class *class_map;

	*to = (struct condition){ .test = s->test, .not = s->not };
	switch ((enum policy_test)s->test) {
	case POLICY_ANY: return BARN_OK;
	case POLICY_PROTOCOL: return compile_protocol(c, s, to);
	case POLICY_ATTRIBUTE: return compile_attribute(c, s, to);
	case POLICY_ACCESS:
		access = model_access(c->policy->model, s->name);
		if (access)
			return access_compile(c, access, &to->access);
		compile_fault(c, &s->place, "no such access list: '%s'", s->name);
		return BARN_ERR_TEXT;
	case POLICY_CLASS:
		class_map = model_class(c->policy->model, s->name);
		if (!class_map) {
			compile_fault(c, &s->place, "no such class map: '%s'", s->name);
			return BARN_ERR_TEXT;
		}
		if (depth < POLICY_CLASS_DEPTH)
			return compile_class(c, class_map, depth + 1, &to->formula);
		compile_fault(c, &s->place, "class maps in class maps: more than %d levels",
			      POLICY_CLASS_DEPTH);
		return BARN_ERR_TEXT;
	default: return compile_header(c, s, to);
	}
}

static enum barn_err
compile_statements(struct compile *c, struct formula *f, unsigned depth)
{
	const struct policy_statement *s = f->class_map->statements.items;
	enum barn_err worst = BARN_OK;

	f->all = f->class_map->all;
	f->count = f->class_map->statements.count;
	f->conditions = arena_array(c->policy->arena, f->count, sizeof(*f->conditions));
	if (!f->conditions)
		return BARN_ERR_MEMORY;
	f->mark = 1;
	for (unsigned i = 0; i < f->count; i++) {
		enum barn_err err;

		if (s[i].test == POLICY_CLASS) {
			struct formula *const *known = c->policy->formulas.items;
			bool loop = false;

			for (unsigned k = 0; k < c->policy->formulas.count; k++)
				loop = loop ||
				       (known[k]->mark == 1 &&
					strcmp(known[k]->class_map->name, s[i].name) == 0);
			if (loop) {
				compile_fault(c, &s[i].place, "class map '%s' contains itself",
					      s[i].name);
				worst = BARN_ERR_TEXT;
				continue;
			}
		}
		err = compile_statement(c, &s[i], depth, &f->conditions[i]);
		if (err == BARN_ERR_MEMORY)
			return err;
		if (err)
			worst = BARN_ERR_TEXT;
	}
	f->mark = 2;
	return worst;
}

/* A class that was compiled is not compiled again, so that its faults are told once. */
enum barn_err
compile_class(struct compile *c, const struct policy_class *class_map, unsigned depth,
	      const struct formula **formula)
{
	struct policy *p = c->policy;
	struct formula **known = p->formulas.items, *f;

	for (unsigned i = 0; i < p->formulas.count; i++)
		if (known[i]->class_map == class_map) {
			*formula = known[i];
			return BARN_OK;
		}
	f = arena_alloc(p->arena, sizeof(*f));
	known = list_add(&p->formulas, p->arena, sizeof(*known));
	if (!f || !known)
		return BARN_ERR_MEMORY;
	*known = f;
	f->class_map = class_map;
	*formula = f;
	return compile_statements(c, f, depth);
}
