/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy_rig.h"

#define INPUT "interface eth0\n service-policy input P\n"

static struct rig r;

/* A counter of the place's policy: number `node` of the outermost map. */
static struct policy_count
rig_count(struct rig *rig, unsigned node, unsigned counter)
{
	static struct policy_count counts[65536];
	const struct policy *policy = slot_policy(rig->slot);
	const struct policy_stage *stage = policy_stage_at(policy, 0, rig->output);

	CHECK_EQ(slot_read(rig->slot, policy, counts), BARN_OK);
	return counts[node == UINT32_MAX ? stage->undecided
					 : stage->nodes[node].counter + counter];
}

static struct policy_count
rig_line(struct rig *rig, unsigned node, unsigned line)
{
	static struct policy_count counts[65536];
	const struct policy *policy = slot_policy(rig->slot);

	CHECK_EQ(slot_read(rig->slot, policy, counts), BARN_OK);
	return counts[policy_stage_at(policy, 0, rig->output)->nodes[node].lines[line].counter];
}

static void
begin(const char *text)
{
	r = (struct rig){ 0 };
	rig_open(&r);
	rig_policy(&r, text);
	rig_work(&r);
}

TEST(a_class_about_headers_works_from_the_first_packet)
{
	begin("class-map VOICE\n match dscp ef\n"
	      "policy-map P\n class VOICE\n  set cos 5\n" INPUT);
	rig_flow(&r);
	CHECK_STR(rig_class(&r), "class-default");
	rig_packet(&r, true, 46, "x");
	CHECK_STR(rig_class(&r), "VOICE");
	CHECK_EQ(r.verdict.has, POLICY_HAS_COS);
	CHECK_EQ(r.verdict.cos, 5);
	rig_packet(&r, true, 0, "x");
	CHECK_STR(rig_class(&r), "class-default");
	rig_end(&r);
}

TEST(a_class_about_the_protocol_applies_when_it_is_known)
{
	begin("class-map WEB\n match protocol web\n"
	      "policy-map P\n class WEB\n  set dscp af21\n" INPUT);
	rig_flow(&r);
	CHECK_STR(rig_class(&r), "");
	CHECK(r.verdict.undecided);
	CHECK_EQ(r.verdict.fate, POLICY_FATE_FORWARD);
	rig_packet(&r, true, 0, "GET / HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "WEB");
	CHECK_EQ(r.verdict.tos, 18 << 2);
	CHECK_EQ(r.verdict.tos_mask, 0xfc);
	rig_packet(&r, false, 0, "HTTP/1.0 200 OK\r\n\r\n");
	CHECK_STR(rig_class(&r), "WEB");
	CHECK_EQ(rig_count(&r, 0, POLICY_OFFERED).packets, 2);
	CHECK_EQ(rig_count(&r, UINT32_MAX, 0).packets, 2);
	CHECK_EQ(rig_count(&r, 1, POLICY_OFFERED).packets, 0);
	rig_end(&r);
}

TEST(not_a_protocol_waits_for_the_protocol_too)
{
	begin("class-map OTHERS\n match not protocol web\n"
	      "policy-map P\n first-packet class-default\n class OTHERS\n  drop\n" INPUT);
	rig_flow(&r);
	CHECK_STR(rig_class(&r), "class-default");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_FORWARD);
	rig_packet(&r, false, 0, "220 mail\r\n");
	CHECK_STR(rig_class(&r), "OTHERS");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_DROP);
	rig_end(&r);
}

TEST(first_packets_are_held_as_many_as_said_and_asked_about_again)
{
	struct packet held;
	struct frame copy;

	begin("class-map WEB\n match protocol web\n"
	      "policy-map P\n first-packet hold 3\n class WEB\n  drop\n" INPUT);
	rig_flow(&r);
	CHECK_EQ(r.verdict.fate, POLICY_FATE_HOLD);
	CHECK_EQ(rig_count(&r, UINT32_MAX, 0).packets, 0);
	copy = r.frame;
	held = r.packet;
	held.frame = bytes_of(copy.room + (r.frame.data - r.frame.room), r.frame.len);
	rig_packet(&r, true, 0, "GET / HTTP/1.0\r\n\r\n");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_DROP);
	r.packet = held;
	rig_ask(&r, true);
	CHECK_EQ(r.verdict.fate, POLICY_FATE_DROP);
	CHECK_EQ(rig_count(&r, 0, POLICY_DROPPED).packets, 2);
	/* A flow that is not known by then is let go. */
	rig_flow(&r);
	rig_packet(&r, true, 0, "?");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_HOLD);
	rig_packet(&r, true, 0, "?");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_FORWARD);
	CHECK(r.verdict.undecided);
	rig_flow(&r);
	r.last = true;
	rig_ask(&r, true);
	CHECK_EQ(r.verdict.fate, POLICY_FATE_FORWARD);
	rig_end(&r);
}

TEST(a_sub_class_applies_from_the_value_that_fits)
{
	begin("class-map IMAGES\n match protocol web url \"*.jpg\"\n"
	      "class-map WEB\n match protocol web\n"
	      "policy-map P\n class IMAGES\n  set cos 1\n class WEB\n  set cos 2\n" INPUT);
	rig_flow(&r);
	rig_packet(&r, true, 0, "GET /a.html HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "WEB");
	rig_packet(&r, true, 0, "GET /a.jpg HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "IMAGES");
	rig_packet(&r, false, 0, "data");
	CHECK_STR(rig_class(&r), "IMAGES");
	rig_flow(&r);
	rig_packet(&r, true, 0, "GET /b.html HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "WEB");
	rig_end(&r);
}

TEST(each_transaction_has_its_own_sub_class)
{
	begin("class-map IMAGES\n match protocol web url \"*.jpg\"\n"
	      "class-map PAGES\n match protocol web url \"*.html\"\n"
	      "class-map WEB\n match protocol web\n"
	      "policy-map P\n class IMAGES\n  set cos 1\n class PAGES\n  set cos 2\n"
	      " class WEB\n  set cos 3\n" INPUT);
	rig_flow(&r);
	rig_packet(&r, true, 0, "GET /a.jpg HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "IMAGES");
	rig_packet(&r, true, 0, "GET /b.html HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "PAGES");
	rig_packet(&r, true, 0, "GET /c.css HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "WEB");
	rig_packet(&r, true, 0, "GET /d.jpg HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "IMAGES");
	rig_end(&r);
}

TEST(a_request_of_http_takes_the_place_of_all_that_was_said_of_the_one_before)
{
	static const char more[] = "protocol http { inspect http\n"
				   " sub-class url glob url\n sub-class mime glob mime\n"
				   " sub-class referer glob referer\n"
				   " sub-class c-header-field glob c-header-field }\n";

	rig_more = more;
	begin("class-map TRACED\n match protocol http c-header-field \"X-Trace: *\"\n"
	      "class-map REFERRED\n match protocol http referer \"*example*\"\n"
	      "class-map PICTURES\n match protocol http mime \"image/*\"\n"
	      "class-map HTTP\n match protocol http\n"
	      "policy-map P\n class TRACED\n  set cos 1\n class REFERRED\n  set cos 2\n"
	      " class PICTURES\n  set cos 3\n class HTTP\n  set cos 4\n" INPUT);
	rig_more = NULL;
	rig_flow(&r);
	rig_packet(&r, true, 0, "GET /a HTTP/1.1\r\nHost: a\r\nX-Trace: 1\r\nX-B: 2\r\n\r\n");
	CHECK_STR(rig_class(&r), "TRACED");
	rig_packet(&r, false, 0,
		   "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 0\r\n\r\n");
	rig_packet(&r, true, 0,
		   "GET /b HTTP/1.1\r\nHost: a\r\nReferer: http://example/\r\n\r\n");
	CHECK_STR(rig_class(&r), "REFERRED");
	rig_packet(&r, false, 0,
		   "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 0\r\n\r\n");
	rig_packet(&r, true, 0, "GET /c HTTP/1.1\r\nHost: a\r\n\r\n");
	CHECK_STR(rig_class(&r), "HTTP");
	rig_packet(&r, false, 0,
		   "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 2\r\n\r\n");
	rig_packet(&r, true, 0, "");
	CHECK_STR(rig_class(&r), "PICTURES");
	rig_end(&r);
}

TEST(attributes_nested_classes_and_lines_count_as_they_hold)
{
	begin("class-map match-any IRRELEVANT\n"
	      " match protocol attribute business-relevance business-irrelevant\n"
	      "class-map match-all BOTH\n match class-map IRRELEVANT\n match vlan 7\n"
	      "class-map match-any ANY\n match cos 3\n match protocol web\n"
	      "policy-map P\n class BOTH\n  set cos 1\n class ANY\n  set cos 2\n" INPUT);
	rig_flow(&r);
	rig_packet(&r, true, 0, "GET / HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "ANY");
	CHECK_EQ(r.verdict.path[0].line, 1);
	r.vlan = 7;
	rig_flow(&r);
	rig_packet(&r, true, 0, "GET / HTTP/1.0\r\n\r\n");
	CHECK_STR(rig_class(&r), "BOTH");
	CHECK_EQ(r.verdict.path[0].line, POLICY_LINE_ALL);
	CHECK_EQ(rig_line(&r, 0, 0).packets, 1);
	CHECK_EQ(rig_line(&r, 0, 1).packets, 1);
	CHECK_EQ(rig_line(&r, 1, 0).packets, 0);
	CHECK_EQ(rig_line(&r, 1, 1).packets, 1);
	r.vlan = 3 << 13 | 8;
	rig_packet(&r, true, 0, "x");
	CHECK_STR(rig_class(&r), "ANY");
	CHECK_EQ(r.verdict.path[0].line, 0);
	rig_end(&r);
}

TEST(the_child_polices_first_and_the_parent_gets_what_it_leaves)
{
	begin("class-map EF\n match dscp ef\n"
	      "policy-map C\n class EF\n  police rate 1 pps burst 2 packets\n"
	      "policy-map P\n class class-default\n  set dscp af11\n  set cos 1\n"
	      "  police rate 1 pps burst 3 packets\n  service-policy C\n" INPUT);
	r.port = 50000;
	for (unsigned i = 0; i < 5; i++)
		rig_packet(&r, true, 46, "x");
	CHECK_STR(rig_class(&r), "class-default/EF");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_DROP);
	CHECK_EQ(r.verdict.path[1].colour, POLICY_EXCEED);
	CHECK_EQ(r.verdict.path[0].colour, POLICY_COLOURS);
	/* The parent has one token left, for what the child does not police. */
	rig_packet(&r, true, 0, "x");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_FORWARD);
	CHECK_EQ(r.verdict.tos, 10 << 2);
	rig_packet(&r, true, 0, "x");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_DROP);
	CHECK_EQ(r.verdict.path[0].colour, POLICY_EXCEED);
	CHECK_EQ(rig_count(&r, 0, POLICY_OFFERED).packets, 7);
	CHECK_EQ(rig_count(&r, 0, POLICY_PASSED).packets, 3);
	CHECK_EQ(rig_count(&r, 0, POLICY_DROPPED).packets, 4);
	CHECK_EQ(rig_count(&r, 0, POLICY_COLOURED + POLICY_CONFORM).packets, 3);
	CHECK_EQ(rig_count(&r, 0, POLICY_COLOURED + POLICY_EXCEED).packets, 1);
	rig_end(&r);
}

TEST(what_is_dropped_is_logged_as_often_as_said)
{
	begin("policy-map P\n class class-default\n  log rate 2\n  drop\n" INPUT);
	for (unsigned i = 0; i < 5; i++) {
		rig_packet(&r, true, 0, "x");
		CHECK_EQ(r.verdict.fate, POLICY_FATE_DROP);
		CHECK_EQ(r.verdict.log, i < 2);
	}
	CHECK_EQ(rig_count(&r, 0, POLICY_DROPPED).packets, 5);
	CHECK_EQ(rig_count(&r, 0, POLICY_OFFERED).packets, 5);
	rig_end(&r);
}

static struct policy_rule *
add_rule(struct policy_access *access, bool permit, uint8_t host)
{
	struct policy_rule *rule = list_add(&access->rules, r.arena, sizeof(*rule));

	rule->permit = permit;
	rule->any_protocol = true;
	rule->source[0] = 10;
	rule->source[3] = host;
	memset(rule->source_mask, 0xff, 4);
	return rule;
}

static struct policy_access *
add_access(const char *name)
{
	struct policy_access **item = list_add(&r.accesses, r.arena, sizeof(*item));

	*item = arena_alloc(r.arena, sizeof(**item));
	(*item)->name = name;
	return *item;
}

TEST(access_lists_ask_the_sender_of_each_packet)
{
	struct policy_access *access;
	struct policy_rule *rule;
	struct policy_range *range;

	r = (struct rig){ 0 };
	rig_open(&r);
	add_rule(add_access("FROM-1"), true, 1);
	access = add_access("ESTABLISHED");
	rule = add_rule(access, false, 2);
	range = list_add(&rule->dscps, r.arena, sizeof(*range));
	*range = (struct policy_range){ 46, 46 };
	add_rule(access, true, 2)->established = true;
	rig_policy(&r,
		   "class-map EST\n match access-group name ESTABLISHED\n"
		   "class-map ONE\n match access-group name FROM-1\n"
		   "policy-map P\n class EST\n  set cos 1\n class ONE\n  set cos 2\n" INPUT);
	rig_work(&r);
	rig_flow(&r);
	CHECK_STR(rig_class(&r), "EST");
	rig_packet(&r, true, 0, "x");
	CHECK_STR(rig_class(&r), "ONE");
	rig_packet(&r, false, 46, "x");
	CHECK_STR(rig_class(&r), "class-default");
	rig_segment(&r, false, 0, 0, "x");
	CHECK_STR(rig_class(&r), "class-default");
	rig_end(&r);
}

TEST(counters_and_buckets_of_unchanged_classes_go_on_over_a_reload)
{
	static const char before[] = "class-map WEB\n match protocol web\n"
				     "policy-map P\n class WEB\n"
				     "  police rate 1 pps burst 3 packets\n" INPUT;
	static const char after[] = "class-map WEB\n match protocol web\n"
				    "class-map EF\n match dscp ef\n"
				    "policy-map P\n class EF\n  set cos 5\n class WEB\n"
				    "  police rate 1 pps burst 3 packets\n" INPUT;

	begin(before);
	rig_flow(&r);
	rig_packet(&r, true, 0, "GET / HTTP/1.0\r\n\r\n");
	rig_packet(&r, true, 0, "x");
	CHECK_EQ(rig_count(&r, 0, POLICY_OFFERED).packets, 2);
	rig_policy(&r, after);
	CHECK_EQ(rig_count(&r, 1, POLICY_OFFERED).packets, 2);
	CHECK_EQ(slot_collect(r.slot), 2);
	rig_packet(&r, true, 46, "x");
	CHECK_STR(rig_class(&r), "EF");
	CHECK_EQ(slot_collect(r.slot), 1);
	rig_packet(&r, true, 0, "x");
	CHECK_STR(rig_class(&r), "WEB");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_FORWARD);
	rig_packet(&r, true, 0, "x");
	CHECK_EQ(r.verdict.fate, POLICY_FATE_DROP);
	CHECK_EQ(rig_count(&r, 1, POLICY_OFFERED).packets, 4);
	CHECK_EQ(rig_count(&r, 1, POLICY_DROPPED).packets, 1);
	/* A worker that is gone leaves its counts. */
	worker_free(r.worker);
	r.worker = NULL;
	CHECK_EQ(rig_count(&r, 1, POLICY_OFFERED).packets, 4);
	rig_end(&r);
}

/* Whatever the number of classes, an established flow's packets look at none. */
TEST(an_established_flow_looks_at_no_class)
{
	static char text[200000];
	uint64_t classes, profiles;
	size_t used = 0;

	for (unsigned i = 0; i < 1000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "class-map C%u\n match packet length min %u max %u\n"
					 " match protocol mail\n",
					 i, i + 2000, i + 2000);
	used += (size_t)snprintf(text + used, sizeof(text) - used, "policy-map P\n");
	for (unsigned i = 0; i < 1000; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 " class C%u\n  police rate 8000\n", i);
	snprintf(text + used, sizeof(text) - used, INPUT);
	begin(text);
	rig_flow(&r);
	rig_packet(&r, true, 0, "GET / HTTP/1.0\r\n\r\n");
	for (unsigned i = 0; i < 64; i++) {
		rig_packet(&r, true, (uint8_t)i, "x");
		rig_packet(&r, false, (uint8_t)i, "x");
	}
	CHECK_STR(rig_class(&r), "class-default");
	classes = worker_decide_work(r.worker)->classes;
	profiles = worker_decide_work(r.worker)->profiles;
	CHECK(classes >= 1000);
	for (unsigned i = 0; i < 1000; i++)
		rig_packet(&r, i & 1, (uint8_t)(i & 63), "x");
	CHECK_EQ(worker_decide_work(r.worker)->classes, classes);
	CHECK_EQ(worker_decide_work(r.worker)->profiles, profiles);
	rig_end(&r);
}

static void
check_fault(const char *text, unsigned line, const char *want)
{
	struct policy *policy = NULL;

	CHECK_EQ(rig_compile(&r, text, &policy), BARN_ERR_TEXT);
	CHECK_EQ(r.faults.fault[0].line, line);
	if (!strstr(r.faults.fault[0].text, want))
		CHECK_STR(r.faults.fault[0].text, want);
}

TEST(faults_say_where_and_what)
{
	r = (struct rig){ 0 };
	rig_open(&r);
	check_fault("policy-map P\n class NONE\n  drop\n" INPUT, 2, "no such class map");
	check_fault("class-map A\n match class-map B\nclass-map B\n match class-map A\n"
		    "policy-map P\n class A\n  drop\n" INPUT,
		    4, "contains itself");
	check_fault("policy-map P\n class class-default\n  service-policy P\n" INPUT, 3,
		    "contains itself");
	check_fault(
		"class-map A\n match protocol nonsense\npolicy-map P\n class A\n  drop\n" INPUT,
		2, "no such protocol");
	check_fault("policy-map P\n class class-default\n  police cir percent 10\n" INPUT, 3,
		    "speed");
	check_fault(INPUT, 2, "no such policy map");
	rig_end(&r);
}
