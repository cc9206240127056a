/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "talk.h"

/* Inspectors of others: the contract's checks, how long they live, and those that break it. */

static unsigned calls, released;

/* What the wild one does when it is told to: "X" and a letter. */
static void
misbehave(char how, struct inspect_view *view, const struct inspect_sink *sink)
{
	static const uint8_t large[100000];
	struct bytes value = bytes_of("value", 5), reversed = { value.end, value.p, false };
	struct inspect_announcement a = { .protocol = "wild", .transport = INSPECT_TCP };

	switch (how) {
	case 'p': view->data.p = view->data.end + 1; break;
	case 'b': view->data.p -= 3; break;
	case 'n': view->data.p = NULL; break;
	case 'f': sink->field(sink->self, 1, value); break;
	case 'g': sink->field(sink->self, UINT32_MAX, value); break;
	case 'u': sink->number(sink->self, 7, 1); break;
	case 'r': sink->field(sink->self, 0, reversed); break;
	case 'l':
		value = bytes_of(large, sizeof(large));
		sink->field(sink->self, 0, value);
		break;
	case 'N': sink->announce(sink->self, NULL); break;
	case 'P':
		a.protocol = NULL;
		sink->announce(sink->self, &a);
		break;
	case 'V':
		a.ip_version = 5;
		sink->announce(sink->self, &a);
		break;
	case 'T':
		a.transport = 9;
		sink->announce(sink->self, &a);
		break;
	case 'H':
		a.host = 2;
		sink->announce(sink->self, &a);
		break;
	case 'v': sink->name(sink->self, 0, (const uint8_t *)"abcd", value, 1); break;
	case 'a': sink->name(sink->self, 4, NULL, value, 1); break;
	case 'm': sink->name(sink->self, 4, (const uint8_t *)"abcd", reversed, 1); break;
	case 'A': sink->application(sink->self, NULL); break;
	case 'i':
		sink->inner(sink->self, NULL);
		view->data.p = NULL;
		break;
	default: break;
	}
}

static enum inspect_answer
feed_wild(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	static const uint8_t answers[] = { 6, 255 };
	uint8_t *seen = state, answer = INSPECT_SURE;
	struct bytes b = view->data;
	uint8_t word = bytes_u8(&b), how = bytes_u8(&b);

	calls++;
	*seen = 1;
	if (word != 'W' && word != 'X')
		return INSPECT_NO;
	view->data.p = view->data.end;
	if (word == 'X' && (how == '0' || how == '1'))
		answer = answers[how - '0'];
	else if (word == 'X')
		misbehave((char)how, view, sink);
	return (enum inspect_answer)answer;
}

static const struct inspect_field fields[] = { { "value", INSPECT_TEXT } };

#define WILD                                                                                \
	{                                                                                   \
		.abi = INSPECTOR_ABI, .size = sizeof(struct inspector), .name = "wild",     \
		.state_size = 1, .transports = INSPECT_TCP | INSPECT_UDP, .fields = fields, \
		.field_count = 1, .feed = feed_wild,                                        \
	}
static const struct inspector wild = WILD;
static const struct inspector *const all[] = { &wild, &wild };

#define MODULE                                                                      \
	{                                                                           \
		.abi = INSPECTOR_ABI, .size = sizeof(struct barn_inspector_module), \
		.text = "protocol wild { inspect wild }", .inspectors = all,        \
		.inspector_count = 1,                                               \
	}
static const struct barn_inspector_module module = MODULE;

static void
release(void *handle)
{
	CHECK(handle == &released);
	released++;
}

static struct barn_faults faults;

static enum barn_err
stage(struct talk *t, const struct barn_inspector_module *m)
{
	faults = (struct barn_faults){ 0 };
	return barn_engine_inspectors(t->engine, "wild.so", m, release, &released, &faults);
}

static enum barn_err
commit(struct talk *t)
{
	return barn_engine_commit(t->engine, &faults);
}

static void
begin(struct talk *t)
{
	*t = (struct talk){ 0 };
	calls = released = 0;
	talk_begin(t, "protocol other { rule x over tcp { client 0: \"OTHER\" } => sure }");
}

static void
begin_wild(struct talk *t)
{
	begin(t);
	CHECK_EQ(stage(t, &module), BARN_OK);
	CHECK_EQ(commit(t), BARN_OK);
}

TEST(an_inspector_of_others_names_a_flow)
{
	struct talk t;

	begin_wild(&t);
	talk_open(&t, 40000, 9000);
	talk_client(&t, "X.");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/wild");
	CHECK_STR(t.flow[0].evidence, "inspector");
	CHECK_EQ(worker_faults(t.worker), 0);
	CHECK_EQ(released, 0);
	talk_fini(&t);
	CHECK_EQ(released, 1);
}

TEST(who_breaks_the_contract_is_counted_and_not_asked_again_about_the_flow)
{
	static const char ways[] = "01pbnfgurlNPVTHvamAi";
	char text[] = "X?";

	for (unsigned udp = 0; udp < 2; udp++)
		for (const char *way = ways; *way; way++) {
			struct talk t;
			unsigned before;

			begin_wild(&t);
			text[1] = *way;
			if (udp)
				talk_udp(&t, 40000, 9000);
			else
				talk_open(&t, 40000, 9000);
			talk_client(&t, text);
			CHECK_EQ(calls, 1);
			CHECK_EQ(worker_faults(t.worker), 1);
			CHECK_STR(worker_faulty(t.worker), "wild");
			talk_client(&t, "W");
			talk_server(&t, "W");
			before = calls;
			CHECK_EQ(before, 1);
			talk_udp(&t, 40001, 9000);
			talk_client(&t, "W");
			CHECK_EQ(calls, before + 1);
			talk_end(&t);
			CHECK_STR(t.flow[0].protocol, "unknown");
			CHECK_STR(t.flow[1].protocol, "wild");
			talk_fini(&t);
			CHECK_EQ(released, 1);
		}
}

TEST(what_was_proven_before_the_fault_stands)
{
	struct talk t;

	begin_wild(&t);
	talk_open(&t, 40000, 9000);
	talk_client(&t, "W");
	talk_client(&t, "Xf");
	CHECK_EQ(calls, 2);
	CHECK_EQ(worker_faults(t.worker), 1);
	talk_client(&t, "W");
	talk_server(&t, "W");
	CHECK_EQ(calls, 2);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "wild");
	talk_fini(&t);
}

TEST(a_flow_under_inspection_keeps_the_object_open)
{
	struct talk t;

	begin_wild(&t);
	talk_open(&t, 40000, 9000);
	talk_client(&t, "W");
	CHECK_EQ(barn_engine_unload(t.engine, "wild"), BARN_OK);
	CHECK_EQ(commit(&t), BARN_OK);
	CHECK_EQ(released, 0);
	talk_client(&t, "W");
	CHECK_EQ(calls, 2);
	talk_udp(&t, 40001, 9000);
	talk_client(&t, "W");
	CHECK_EQ(calls, 2);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "wild");
	CHECK_STR(t.flow[1].protocol, "unknown");
	CHECK_EQ(barn_engine_collect(t.engine), 1);
	CHECK_EQ(released, 1);
	talk_fini(&t);
	CHECK_EQ(released, 1);
}

TEST(what_is_rolled_back_or_bound_by_nobody_is_released_at_once)
{
	struct barn_inspector_module silent = module;
	struct talk t;

	begin(&t);
	CHECK_EQ(stage(&t, &module), BARN_OK);
	barn_engine_rollback(t.engine);
	CHECK_EQ(released, 1);
	silent.text = NULL;
	CHECK_EQ(stage(&t, &silent), BARN_OK);
	CHECK_EQ(commit(&t), BARN_OK);
	CHECK_EQ(released, 2);
	talk_fini(&t);
	CHECK_EQ(released, 2);
}

TEST(on_an_error_the_caller_keeps_it)
{
	struct barn_inspector_module wrong = module;
	struct talk t;

	begin(&t);
	wrong.text = "protocol wild { inspect wild inspect }";
	CHECK_EQ(stage(&t, &wrong), BARN_ERR_TEXT);
	CHECK_EQ(released, 0);
	CHECK(faults.count > 0);
	wrong.text = "protocol wild { inspect nobody }";
	CHECK_EQ(stage(&t, &wrong), BARN_ERR_TEXT);
	talk_fini(&t);
	CHECK_EQ(released, 0);
}

TEST(a_new_version_takes_the_old_ones_place)
{
	static const struct inspect_field others[] = { { "other", INSPECT_TEXT } };
	struct inspector newer = WILD;
	const struct inspector *const list[] = { &newer };
	struct barn_inspector_module next = MODULE, first = MODULE;
	struct talk t;

	begin(&t);
	first.text = "protocol wild { inspect wild sub-class value glob value }";
	CHECK_EQ(stage(&t, &first), BARN_OK);
	CHECK_EQ(commit(&t), BARN_OK);
	next.inspectors = list;
	CHECK_EQ(stage(&t, &next), BARN_OK);
	CHECK_EQ(commit(&t), BARN_OK);
	worker_tick(t.worker, t.packet.time_ns + 2000000000);
	barn_engine_collect(t.engine);
	CHECK_EQ(released, 1);
	CHECK_EQ(stage(&t, &first), BARN_OK);
	CHECK_EQ(commit(&t), BARN_OK);
	newer.fields = others;
	next.text = NULL;
	CHECK_EQ(stage(&t, &next), BARN_OK);
	CHECK_EQ(commit(&t), BARN_ERR_TEXT);
	CHECK(strstr(faults.fault[0].text, "no such field"));
	talk_fini(&t);
	CHECK_EQ(released, 4);
}

/* One member wrong, and a word of the reason. */
static void
refused(const struct inspector *it, const struct barn_inspector_module *m, const char *word)
{
	const struct inspector *const list[] = { it, it };
	struct barn_inspector_module given = *m;
	struct talk t;

	begin(&t);
	if (it)
		given.inspectors = list;
	CHECK_EQ(stage(&t, &given), BARN_ERR_FORMAT);
	CHECK(strstr(faults.fault[0].text, word));
	if (!strstr(faults.fault[0].text, word))
		printf("       '%s' has not '%s'\n", faults.fault[0].text, word);
	CHECK_STR(faults.fault[0].file, "wild.so");
	talk_fini(&t);
	CHECK_EQ(released, 0);
}

#define REFUSED(member, value, word)          \
	do {                                  \
		struct inspector it_ = WILD;  \
		it_.member = (value);         \
		refused(&it_, &module, word); \
	} while (0)
#define REFUSED_MODULE(member, value, word)                    \
	do {                                                   \
		struct barn_inspector_module module_ = MODULE; \
		module_.member = (value);                      \
		refused(NULL, &module_, word);                 \
	} while (0)

TEST(what_breaks_the_contract_is_refused_and_the_reason_told)
{
	static const struct inspect_start start = { .count = INSPECT_START_BYTES + 1 };
	static const struct inspect_field twice[] = { { "a", 0 }, { "a", 0 } };
	static const struct inspect_field kind[] = { { "a", 4 } };
	static const struct inspect_field unnamed[] = { { "A b", 0 } };

	REFUSED_MODULE(abi, INSPECTOR_ABI + 1, "version 2");
	REFUSED_MODULE(abi, 0, "version 0");
	REFUSED_MODULE(size, 8, "has 8 bytes");
	REFUSED_MODULE(size, sizeof(module) + 8, "newer barn");
	REFUSED_MODULE(inspector_count, 0, "0 inspectors");
	REFUSED_MODULE(inspector_count, 1000, "1000 inspectors");
	REFUSED_MODULE(inspector_count, 2, "comes twice");
	REFUSED_MODULE(inspectors, NULL, "inspectors");
	REFUSED(abi, INSPECTOR_ABI + 1, "version 2");
	REFUSED(size, 16, "has 16 bytes");
	REFUSED(size, sizeof(wild) + 8, "newer barn");
	REFUSED(name, NULL, "no valid name");
	REFUSED(name, "Wild", "no valid name");
	REFUSED(name, "wild-and-much-longer-than-it-may-be", "no valid name");
	REFUSED(name, "http", "barn has one");
	REFUSED(feed, NULL, "no function");
	REFUSED(transports, 4, "transports 0x4");
	REFUSED(state_size, BARN_INSPECTOR_STATE_MAX + 1, "8193 bytes");
	REFUSED(clear_size, 2, "2 of them cleared");
	REFUSED(start_count, 1, "1 starts");
	REFUSED(field_count, 65, "65 fields");
	REFUSED(fields, NULL, "1 fields");
	REFUSED(fields, kind, "kind 4");
	REFUSED(fields, unnamed, "no valid name");
	{
		struct inspector it = WILD;

		it.fields = twice;
		it.field_count = 2;
		refused(&it, &module, "comes twice");
		it.starts = &start;
		it.start_count = 1;
		refused(&it, &module, "start 0 has 13 bytes");
	}
}

/* As a module that was made before the last member was added. */
TEST(an_older_and_smaller_inspector_is_taken)
{
	struct {
		struct inspector it;
		uint64_t beyond;
	} older = { WILD, UINT64_MAX };
	const struct inspector *const list[] = { &older.it };
	struct barn_inspector_module given = MODULE;
	const struct inspector *taken;
	struct talk t;

	memset((uint8_t *)&older.it + offsetof(struct inspector, feed) + sizeof(older.it.feed),
	       0xff,
	       sizeof(older.it) - offsetof(struct inspector, feed) - sizeof(older.it.feed));
	older.it.size = offsetof(struct inspector, feed) + sizeof(older.it.feed);
	given.inspectors = list;
	begin(&t);
	CHECK_EQ(stage(&t, &given), BARN_OK);
	taken = foreign_find(t.engine->staged_foreign, "wild");
	for (size_t i = older.it.size; i < sizeof(*taken); i++)
		CHECK_EQ(((const uint8_t *)taken)[i], 0);
	CHECK_EQ(commit(&t), BARN_OK);
	talk_fini(&t);
}
