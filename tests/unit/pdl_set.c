/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/pdl.h"
#include "unit.h"

#include <stdlib.h>

static struct barn_faults faults;

static struct pdl_set *
set_of(void)
{
	struct pdl_set *set = NULL;

	memset(&faults, 0, sizeof(faults));
	CHECK_EQ(pdl_set_new(NULL, &set), BARN_OK);
	return set;
}

static enum barn_err
add(struct pdl_set *set, const char *file, const char *text)
{
	return pdl_set_add(set, file, text, strlen(text), &faults);
}

TEST(module_becomes_what_it_says)
{
	struct pdl_set *set = set_of();
	const struct pdl_protocol *p;

	CHECK_EQ(add(set, "a.pdlm",
		     "protocol a {\n title \"A\" id 3:21 index 9 alias b, c reference \"R\"\n"
		     " attribute category email port tcp 1-3, udp 5 ip-protocol 4 ethertype "
		     "0x88b5\n"
		     " ndpi N over z host \"a.b\" inspect i\n}\nprotocol z { }\n"),
		 BARN_OK);
	CHECK_EQ(pdl_set_count(set), 2);
	p = pdl_set_at(set, 0);
	CHECK_STR(p->file, "a.pdlm");
	CHECK_EQ(p->line, 1);
	CHECK_STR(p->name, "a");
	CHECK_STR(p->title, "A");
	CHECK_STR(p->reference, "R");
	CHECK_EQ(p->id_engine, 3);
	CHECK_EQ(p->id_selector, 21);
	CHECK_EQ(p->index, 9);
	CHECK_EQ(p->alias_count, 2);
	CHECK_STR(p->aliases[1], "c");
	CHECK_STR(p->attributes[0].value, "email");
	CHECK_EQ(p->port_count, 2);
	CHECK_EQ(p->ports[0].low, 1);
	CHECK_EQ(p->ports[0].high, 3);
	CHECK_EQ(p->ports[1].transport, PDL_UDP);
	CHECK_EQ(p->ip_protocols[0], 4);
	CHECK_EQ(p->ethertypes[0], 0x88b5);
	CHECK_STR(p->ndpi[0], "N");
	CHECK_STR(p->over[0], "z");
	CHECK_STR(p->hosts[0], "a.b");
	CHECK_STR(p->inspect, "i");
	CHECK_EQ(pdl_set_finish(set, &faults), BARN_OK);
	pdl_set_free(set);
}

TEST(dialogue_becomes_what_it_says)
{
	struct pdl_set *set = set_of();
	const struct pdl_protocol *p;

	CHECK_EQ(add(set, "a.pdlm",
		     "protocol a {\n"
		     " rule r over udp { client: \"x\" } => likely\n"
		     " field f: server line /(x)/ sub-class s flag f \"v\"\n"
		     " expect a over tcp { client 7: /(1)(2)(3)(4)(5)/ at $1.$2.$3.$4"
		     " port $5 * 2 life 9 many }\n"
		     " upgrade any { client line /a/ server 3: /b/ }\n"
		     " test \"t\" over tcp { client \"a\" server hex 00 } => unknown\n}\n"),
		 BARN_OK);
	p = pdl_set_at(set, 0);
	CHECK_EQ(p->rules[0].transports, PDL_UDP);
	CHECK_EQ(p->rules[0].strength, PDL_LIKELY);
	CHECK_EQ(p->rules[0].line, 2);
	CHECK(p->fields[0].source.line);
	CHECK_EQ(p->fields[0].source.side, PDL_SERVER);
	CHECK_EQ(p->subclasses[0].kind, PDL_FLAG);
	CHECK_STR(p->subclasses[0].value, "v");
	CHECK_EQ(p->expects[0].at, PDL_AT_DOTTED);
	CHECK_EQ(p->expects[0].group[3], 4);
	CHECK_EQ(p->expects[0].source.place, 7);
	CHECK_EQ(p->expects[0].life_s, 9);
	CHECK(p->expects[0].many);
	CHECK(p->upgrades[0].protocol == NULL);
	CHECK_EQ(p->upgrades[0].step_count, 2);
	CHECK_EQ(p->upgrades[0].steps[1].place, 3);
	CHECK_STR(p->tests[0].expect, "unknown");
	CHECK_EQ(p->tests[0].line, 6);
	CHECK_EQ(p->tests[0].column, 2);
	CHECK_EQ(p->tests[0].message_count, 2);
	CHECK_EQ(p->tests[0].messages[1].dir, MATCH_SERVER);
	CHECK_EQ(bytes_left(&p->tests[0].messages[1].data), 1);
	CHECK_EQ(pdl_set_finish(set, &faults), BARN_OK);
	pdl_set_free(set);
}

TEST(text_may_go_once_it_is_parsed)
{
	struct pdl_set *set = set_of();
	char *text = strdup("protocol gone { title \"T\" rule r over tcp { client 0: \"abc\" "
			    "/^abc/ } => sure }");
	struct text printed = { 0 };

	CHECK_EQ(add(set, "gone.pdlm", text), BARN_OK);
	memset(text, 'x', strlen(text));
	free(text);
	pdl_print(pdl_set_at(set, 0), &printed);
	CHECK(strstr(text_str(&printed), "client 0: \"abc\" /^abc/\n") != NULL);
	text_fini(&printed);
	pdl_set_free(set);
}

TEST(fault_adds_nothing_of_its_text)
{
	struct pdl_set *set = set_of();

	CHECK_EQ(add(set, "a.pdlm", "protocol a { }"), BARN_OK);
	CHECK_EQ(add(set, "b.pdlm", "protocol b { } protocol a { title \"new\" oops }"),
		 BARN_ERR_TEXT);
	CHECK_EQ(faults.count, 1);
	CHECK_STR(faults.fault[0].file, "b.pdlm");
	CHECK_EQ(pdl_set_count(set), 1);
	CHECK(pdl_set_at(set, 0)->title == NULL);
	pdl_set_free(set);
}

TEST(later_module_of_a_name_replaces_the_earlier_in_its_place)
{
	struct pdl_set *set = set_of();

	CHECK_EQ(add(set, "a.pdlm", "protocol a { index 1 } protocol b { index 2 }"), BARN_OK);
	CHECK_EQ(add(set, "c.pdlm", "protocol c { index 1 } protocol a { index 3 }"), BARN_OK);
	CHECK_EQ(pdl_set_count(set), 3);
	CHECK_STR(pdl_set_at(set, 0)->file, "c.pdlm");
	CHECK_EQ(pdl_set_at(set, 0)->index, 3);
	CHECK_STR(pdl_set_at(set, 0)->replaces, "a.pdlm");
	CHECK_STR(pdl_set_at(set, 1)->name, "b");
	CHECK(pdl_set_at(set, 1)->replaces == NULL);
	CHECK_STR(pdl_set_at(set, 2)->name, "c");
	CHECK_EQ(pdl_set_finish(set, &faults), BARN_OK);
	pdl_set_free(set);
}

TEST(finished_set_takes_no_more)
{
	struct pdl_set *set = set_of();

	CHECK_EQ(add(set, "a.pdlm", "protocol a { }"), BARN_OK);
	CHECK_EQ(pdl_set_finish(set, &faults), BARN_OK);
	CHECK_EQ(add(set, "b.pdlm", "protocol b { }"), BARN_ERR_ARGUMENT);
	pdl_set_free(set);
}

TEST(reference_may_be_an_alias_and_come_later)
{
	struct pdl_set *set = set_of();

	CHECK_EQ(add(set, "a.pdlm", "protocol a { over tls }"), BARN_OK);
	CHECK_EQ(add(set, "b.pdlm", "protocol ssl { alias tls }"), BARN_OK);
	CHECK_EQ(pdl_set_finish(set, &faults), BARN_OK);
	pdl_set_free(set);
}

TEST(clash_names_both_files)
{
	struct pdl_set *set = set_of();

	CHECK_EQ(add(set, "a.pdlm", "protocol a { index 5 }"), BARN_OK);
	CHECK_EQ(add(set, "b.pdlm", "\n\nprotocol b { index 5 }"), BARN_OK);
	CHECK_EQ(pdl_set_finish(set, &faults), BARN_ERR_TEXT);
	CHECK_EQ(faults.count, 1);
	CHECK_STR(faults.fault[0].file, "b.pdlm");
	CHECK_EQ(faults.fault[0].line, 3);
	CHECK_STR(faults.fault[0].text, "index 5 is taken by protocol 'a', a.pdlm:1");
	pdl_set_free(set);
}

TEST(faults_beyond_the_list_are_counted)
{
	struct pdl_set *set = set_of();
	char text[2000] = "protocol p {";

	for (unsigned i = 0; i < 50; i++)
		strcat(text, "\nport tcp 0");
	CHECK_EQ(add(set, "p.pdlm", text), BARN_ERR_TEXT);
	CHECK(faults.count >= 50);
	CHECK_EQ(faults.fault[BARN_FAULTS - 1].line, BARN_FAULTS + 1);
	pdl_set_free(set);
}

TEST(text_is_at_most_1_mib)
{
	enum { MIB = 1024 * 1024 };
	struct pdl_set *set = set_of();
	char *text = malloc(MIB + 1);

	CHECK(text != NULL);
	memset(text, ' ', MIB + 1);
	memcpy(text, "protocol p { }", 14);
	CHECK_EQ(pdl_set_add(set, "p.pdlm", text, MIB, &faults), BARN_OK);
	CHECK_EQ(pdl_set_add(set, "p.pdlm", text, MIB + 1, &faults), BARN_ERR_TEXT);
	CHECK_STR(faults.fault[0].text, "the file is larger than 1 MiB");
	CHECK_EQ(faults.fault[0].line, 1);
	free(text);
	pdl_set_free(set);
}

TEST(text_is_utf8_without_nul)
{
	static const char *const bad[] = {
		"\xe9",         "\x80",         "\xc0\x80",         "\xc3",
		"\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"
	};
	static const char nul[] = "protocol p {\n  \0}";
	struct pdl_set *set = set_of();

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[64] = "protocol p {\n # \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 ";

		memset(&faults, 0, sizeof(faults));
		strcat(text, bad[i]);
		strcat(text, "\n}");
		CHECK_EQ(add(set, "p", text), BARN_ERR_TEXT);
		CHECK_EQ(faults.count, 1);
		CHECK_EQ(faults.fault[0].line, 2);
		CHECK_EQ(faults.fault[0].column, 8);
		CHECK(strstr(faults.fault[0].text, "expected UTF-8") != NULL);
	}
	CHECK_EQ(pdl_set_add(set, "p", nul, sizeof(nul) - 1, &faults), BARN_ERR_TEXT);
	CHECK_EQ(faults.fault[1].line, 2);
	CHECK_EQ(faults.fault[1].column, 3);
	CHECK_STR(faults.fault[1].text, "byte 0x00: expected text, not NUL");
	pdl_set_free(set);
}

TEST(long_names_fit_into_faults)
{
	struct pdl_set *set = set_of();
	char text[4000] = "protocol ", file[400];

	memset(text + 9, 'x', 2000);
	strcpy(text + 2009, "X { over \xc3\xa9 }");
	memset(file, 'f', 399);
	file[399] = '\0';
	CHECK_EQ(add(set, file, text), BARN_ERR_TEXT);
	CHECK_EQ(faults.count, 2);
	CHECK_EQ(strlen(faults.fault[0].file), sizeof(faults.fault[0].file) - 1);
	CHECK_EQ(faults.fault[1].column, 2019);
	pdl_set_free(set);
}

TEST(long_token_is_cut_between_characters)
{
	for (unsigned before = 0; before < 8; before++)
		for (unsigned len = 1; len < 5; len++) {
			static const char *const letters[] = { "a", "\xc3\xa9", "\xe2\x82\xac",
							       "\xf0\x9f\x98\x80" };
			struct pdl_set *set = set_of();
			char text[400] = "protocol p { index \"";

			strncat(text, "xxxxxxxx", before);
			for (unsigned i = 0; i < 60; i++)
				strcat(text, letters[len - 1]);
			CHECK_EQ(add(set, "p", strcat(text, "\" }")), BARN_ERR_TEXT);
			CHECK(strstr(faults.fault[0].text, "...': expected an index") != NULL);
			/* What is shown is UTF-8: a title may say it. */
			CHECK_EQ(add(set, "p",
				     (snprintf(text, sizeof(text),
					       "protocol q { title \"%.*s\" }",
					       (int)strcspn(faults.fault[0].text + 2, "."),
					       faults.fault[0].text + 2),
				      text)),
				 BARN_OK);
			pdl_set_free(set);
		}
}

static bool
inspector(void *self, const char *name, const char *field)
{
	(*(unsigned *)self)++;
	return strcmp(name, "dns") == 0 && (!field || strcmp(field, "name") == 0);
}

TEST(inspectors_are_asked_for)
{
	unsigned asked = 0;
	struct pdl_options options = { .inspector = inspector, .self = &asked };
	struct pdl_set *set = NULL;

	memset(&faults, 0, sizeof(faults));
	CHECK_EQ(pdl_set_new(&options, &set), BARN_OK);
	CHECK_EQ(add(set, "a", "protocol a { inspect dns sub-class n glob name }"), BARN_OK);
	CHECK_EQ(asked, 2);
	CHECK_EQ(add(set, "a", "protocol a { inspect http }"), BARN_ERR_TEXT);
	CHECK_EQ(add(set, "a", "protocol a { inspect dns sub-class n glob type }"),
		 BARN_ERR_TEXT);
	CHECK_EQ(faults.count, 2);
	pdl_set_free(set);
}

TEST(port_sum_of_captures_stays_in_its_bounds)
{
	struct pdl_set *set = set_of();
	static const uint16_t ports[2] = { 40000, 21 };
	struct bytes groups[REGEX_GROUPS] = { { 0 } };
	const struct pdl_sum *sum;
	uint32_t port = 0;

	CHECK_EQ(add(set, "a",
		     "protocol a { expect a over tcp { client line /(\\d+),(\\d+)/ at client "
		     "port $1 * 256 + $2 } }"),
		 BARN_OK);
	sum = pdl_set_at(set, 0)->expects[0].port;
	groups[1] = bytes_of("19", 2);
	groups[2] = bytes_of("136", 3);
	CHECK(pdl_sum_run(sum, groups, ports, &port));
	CHECK_EQ(port, 5000);
	groups[1] = bytes_of("256", 3);
	CHECK(!pdl_sum_run(sum, groups, ports, &port));
	groups[1] = bytes_of("x", 1);
	CHECK(!pdl_sum_run(sum, groups, ports, &port));
	groups[1] = bytes_of("", 0);
	CHECK(!pdl_sum_run(sum, groups, ports, &port));
	pdl_set_free(set);
}
