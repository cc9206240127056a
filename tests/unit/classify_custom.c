/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "talk.h"

/* Custom protocols: which comes before which, whatever their order. */

static const char base[] =
	"protocol web { rule get over tcp { client 0: \"GET \" } => sure\n"
	"  field url: client line /^GET (\\S+)/ field host: client line /^Host: (\\S+)/ }\n";

/* The module text twice: as it is, and with its protocols in the other order. */
static const char *
protocol_of(const char *first, const char *second, unsigned port, const char *client,
	    const char *server)
{
	static char names[2][64];
	char text[4096];

	for (unsigned i = 0; i < 2; i++) {
		struct talk t = { 0 };

		snprintf(text, sizeof(text), "%s%s\n%s\n", base, i ? second : first,
			 i ? first : second);
		talk_begin(&t, text);
		talk_open(&t, 40000, (uint16_t)port);
		if (client)
			talk_client(&t, client);
		if (server)
			talk_server(&t, server);
		talk_end(&t);
		CHECK_EQ(t.flows, 1);
		CHECK_EQ(talk_total(&t), t.packet.serial);
		snprintf(names[i], sizeof(names[i]), "%s", t.flow[0].protocol);
		talk_fini(&t);
	}
	CHECK_STR(names[0], names[1]);
	return names[0];
}

TEST(the_fewest_ports_win)
{
	CHECK_STR(protocol_of("protocol a { endpoint over tcp { port 1-1000 } }",
			      "protocol b { endpoint over tcp { port 1-999 } }", 7, "x", NULL),
		  "b");
	CHECK_STR(protocol_of("protocol a { endpoint over tcp { port 1-1000 } }",
			      "protocol b { endpoint over tcp { dscp 0 } }", 7, "x", NULL),
		  "a");
}

TEST(among_equals_the_name_decides)
{
	CHECK_STR(protocol_of("protocol b { endpoint over tcp { port 7 } }",
			      "protocol a { endpoint over tcp { port 7 } }", 7, "x", NULL),
		  "a");
}

TEST(an_end_point_comes_before_rules)
{
	CHECK_STR(protocol_of("protocol a { endpoint over tcp { port 7 } }",
			      "protocol b { rule r over tcp { client 0: \"GET \" } => sure\n"
			      "confine r port 7 }",
			      7, "GET / ", NULL),
		  "a");
}

TEST(a_confined_rule_comes_before_other_rules_and_waits_for_its_bytes)
{
	static const char late[] = "protocol late { rule r over tcp { server 2: \"Z\" } => "
				   "sure confine r port 7 }";

	CHECK_STR(protocol_of(late, "", 7, "GET / ", "xyZ"), "late");
	CHECK_STR(protocol_of(late, "", 7, "GET / ", "xyz"), "web");
	CHECK_STR(protocol_of(late, "", 8, "GET / ", "xyZ"), "web");
	/* The server never answers: its end decides. */
	CHECK_STR(protocol_of(late, "", 7, "GET / ", NULL), "web");
}

TEST(a_confined_rule_asks_for_the_side_of_the_port)
{
	static const char client[] =
		"protocol mine { rule r over tcp { client 0: \"GET \" } => "
		"sure confine r port 7 at client }";
	static const char server[] =
		"protocol mine { rule r over tcp { client 0: \"GET \" } => "
		"sure confine r port 7 at server }";

	CHECK_STR(protocol_of(client, "", 7, "GET / ", NULL), "web");
	CHECK_STR(protocol_of(server, "", 7, "GET / ", NULL), "mine");
}

static void
refuses(const char *module, const char *wanted)
{
	const struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	static struct barn_faults faults;
	struct barn_engine *engine = NULL;
	char text[4096];

	faults = (struct barn_faults){ 0 };
	snprintf(text, sizeof(text), "%s%s", base, module);
	CHECK_EQ(barn_engine_new(&options, &engine), BARN_OK);
	CHECK_EQ(barn_engine_module(engine, "t", text, strlen(text), &faults), BARN_OK);
	CHECK_EQ(barn_engine_commit(engine, &faults), BARN_ERR_TEXT);
	CHECK_EQ(faults.count, 1);
	CHECK_STR(faults.fault[0].text, wanted);
	barn_engine_free(engine);
}

TEST(a_field_must_be_told_in_time)
{
	refuses("protocol p { value web.colour \"x\" }",
		"protocol 'p': nothing yields 'web.colour'");
	refuses("protocol p { value web.url \"x\" }",
		"protocol 'p': not before a flow has its name is there 'web.url'");
}
