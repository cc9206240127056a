/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/notes.h"
#include "conf/words.h"
#include "policy/match.h"
#include "unit.h"
#include "worker/engine.h"

/* Protocols with sub-classes of every kind. */
static const char modules[] = "protocol web {\n"
			      "	title \"Web\"\n"
			      "	alias www\n"
			      "	rule get over tcp { client 0: \"GET \" } => sure\n"
			      "	field url: client line /^GET (\\S+)/\n"
			      "	field host: client line /^Host: (\\S+)/\n"
			      "	sub-class url glob url\n"
			      "	sub-class host glob host\n"
			      "}\n"
			      "protocol media {\n"
			      "	title \"Media\"\n"
			      "	rule is over tcp { client 0: \"RTP \" } => sure\n"
			      "	field kind: client line /^RTP (\\S+)/\n"
			      "	field type: client line /^TYPE (\\S+)/\n"
			      "	sub-class audio flag kind \"audio\"\n"
			      "	sub-class payload-type numbers type\n"
			      "}\n";

static struct barn_engine *engine;
static struct regex_scratch *scratch;

static void
set_up(void)
{
	const struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	static struct barn_faults faults;

	if (engine)
		return;
	CHECK_EQ(regex_scratch_new(&scratch), BARN_OK);
	CHECK_EQ(barn_engine_new(&options, &engine), BARN_OK);
	if (barn_engine_module(engine, "test", modules, sizeof(modules) - 1, &faults) ||
	    barn_engine_commit(engine, &faults))
		CHECK_STR(faults.fault[0].text, "");
}

static bool
fits(const struct match *match, const struct notes *notes)
{
	uint32_t at = 0;
	uint16_t number;
	struct bytes found;
	bool any = false;

	while (notes_next(notes, &at, &number, &found))
		any |= match_value(match, number, found, scratch);
	return any;
}

/* A flow of this protocol with one field, "url=/a.jpg", or NULL. */
static bool
holds(const char *statement, const char *protocol, const char *field, const char *value)
{
	static struct words words;
	static struct notes_store *store;
	struct notes *notes = NULL;
	struct flow flow = { 0 };
	struct match_fault fault = { 0 };
	struct match *match;
	const char *why;
	uint32_t column;
	bool answer;

	set_up();
	if (!store)
		CHECK_EQ(notes_store_new(1 << 20, &store), BARN_OK);
	CHECK_EQ(words_split(&words, statement, strlen(statement), &column, &why), BARN_OK);
	if (match_new(engine->registry, words.text, words.column, words.count, &match, &fault))
		CHECK_STR(fault.text, "");
	flow.verdict.protocol = registry_find(engine->registry, protocol);
	if (field)
		notes_add(&notes, store, registry_field_find(engine->registry, field),
			  bytes_of(value, strlen(value)));
	flow.notes = notes;
	answer = match_holds(match, &flow, fits(match, notes));
	match_free(match);
	notes_free(&notes, store);
	return answer;
}

TEST(a_protocol_is_matched_by_name_and_alias)
{
	CHECK(holds("protocol web", "web", NULL, NULL));
	CHECK(holds("match protocol www", "web", NULL, NULL));
	CHECK(!holds("match protocol media", "web", NULL, NULL));
	CHECK(holds("match not protocol media", "web", NULL, NULL));
	CHECK(holds("protocol unknown", "nothing", NULL, NULL));
	CHECK(!holds("protocol unknown", "web", NULL, NULL));
}

TEST(globs_match_the_whole_value_and_urls_without_their_slash)
{
	CHECK(holds("protocol web url \"*.jpg\"", "web", "web.url", "/a/b.jpg"));
	CHECK(!holds("protocol web url \"*.jpg\"", "web", "web.url", "/a/b.jpg?x"));
	CHECK(holds("protocol web url index.html", "web", "web.url", "/index.html"));
	CHECK(holds("protocol web url /index.html", "web", "web.url", "/index.html"));
	CHECK(!holds("protocol web url ndex.html", "web", "web.url", "/index.html"));
	CHECK(!holds("protocol web host example.com", "web", "web.host", "/example.com"));
	CHECK(!holds("protocol web url \"*\"", "web", NULL, NULL));
	CHECK(holds("not protocol web url \"*.gif\"", "web", "web.url", "/a.jpg"));
}

TEST(regular_expressions_are_taken_too)
{
	CHECK(holds("protocol web url regex /\\.(jpg|png)$/", "web", "web.url", "/a.png"));
	CHECK(!holds("protocol web url regex /\\.(jpg|png)$/", "web", "web.url", "/a.PNG"));
	CHECK(holds("protocol web url regex /\\.(jpg|png)$/i", "web", "web.url", "/a.PNG"));
	CHECK(holds("protocol web url regex \"a b\"", "web", "web.url", "/xa by"));
}

TEST(flags_and_numbers_match_their_fields)
{
	CHECK(holds("protocol media audio", "media", "media.kind", "audio"));
	CHECK(!holds("protocol media audio", "media", "media.kind", "video"));
	CHECK(!holds("protocol media audio", "media", "media.type", "audio"));
	CHECK(holds("protocol media payload-type \"0,8-0x10\"", "media", "media.type", "9"));
	CHECK(!holds("protocol media payload-type \"0,8-0x10\"", "media", "media.type", "7"));
}

TEST(what_is_wrong_has_its_column_and_a_reason)
{
	static const struct {
		const char *statement;
		uint32_t column;
		const char *fault;
	} wrong[] = {
		{ "", 1, "expected 'protocol'" },
		{ "match any", 7, "expected 'protocol'" },
		{ "protocol", 9, "expected the name of a protocol" },
		{ "protocol nothing", 10, "no such protocol: 'nothing'" },
		{ "protocol web uri x", 14, "web has no sub-class 'uri': expected url, host" },
		{ "protocol web url", 17, "expected a pattern after 'url'" },
		{ "protocol web url a b", 20, "'b' is too much" },
		{ "protocol web url regex", 23, "expected /EXPRESSION/" },
		{ "protocol web url regex /a/x", 24, "expected /EXPRESSION/ or /EXPRESSION/i" },
		{ "protocol media audio x", 22, "'x' is too much" },
		{ "protocol media payload-type a", 29,
		  "expected numbers, such as \"0, 1, 4-0x10\"" },
		{ "protocol unknown x", 18, "unknown has no sub-classes: 'x' is too much" },
	};

	set_up();
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		static struct words words;
		struct match_fault fault = { 0 };
		struct match *match;
		const char *why;
		uint32_t column;

		CHECK_EQ(words_split(&words, wrong[i].statement, strlen(wrong[i].statement),
				     &column, &why),
			 BARN_OK);
		CHECK_EQ(match_new(engine->registry, words.text, words.column, words.count,
				   &match, &fault),
			 BARN_ERR_TEXT);
		CHECK_STR(fault.text, wrong[i].fault);
		CHECK_EQ(fault.column, wrong[i].column);
	}
}
