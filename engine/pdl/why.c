/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/why.h"

#include "pdl/print.h"
#include "pdl/words.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SHOWN = 24 }; /* bytes of what is there */

void
why_term(struct text *text, const struct program_term *term)
{
	print_term(text, term);
}

static void
where(struct text *text, const struct program_term *term, const struct explain_term *told,
      bool udp)
{
	text_printf(text, "%s's ", words_sides[told->dir]);
	if (udp)
		text_printf(text, "datagram %u, ", told->datagram);
	if (term->where == PROGRAM_LINE)
		text_printf(text, "line %u, ", told->line + 1U);
	text_printf(text, "offset %" PRIu32 ": ",
		    term->where == PROGRAM_LINE ? told->offset - told->window : told->offset);
}

/* As a string where all of it can be shown, else as hex. */
static void
bytes_there(struct text *text, struct bytes there)
{
	size_t left = bytes_left(&there);
	struct bytes shown = bytes_of(there.p, left < SHOWN ? left : SHOWN), b = shown;
	bool plain = true;

	if (left == 0) {
		text_add(text, "nothing");
		return;
	}
	while (bytes_left(&b) > 0) {
		uint8_t byte = bytes_u8(&b);

		plain &= (byte >= ' ' && byte < 0x7f) || byte == '\r' || byte == '\n' ||
			 byte == '\t';
	}
	if (plain) {
		print_string(text, shown);
	} else {
		text_add(text, "hex");
		while (bytes_left(&shown) > 0)
			text_printf(text, " %02x", bytes_u8(&shown));
	}
	if (left > SHOWN)
		text_add(text, " ...");
}

static void
values(struct text *text, const struct program_test *test, const struct explain_term *told)
{
	bool number = test->right.count == 1 && test->right.ops[0].kind == SUM_NUMBER;

	if (!told->valued) {
		text_add(text, ", of which a part is not there");
		return;
	}
	text_printf(text, ", but %s %" PRId64,
		    told->lesser                         ? "it may still grow:"
		    : test->kind == PROGRAM_IN || number ? "it is"
							 : "they are",
		    told->left);
	if (test->kind == PROGRAM_COMPARE && !number)
		text_printf(text, " and %" PRId64, told->right);
}

static void
reason(struct text *text, const struct program_test *test, const struct explain_term *told)
{
	print_test(text, test, false);
	switch (test->kind) {
	case PROGRAM_COMPARE:
	case PROGRAM_IN: values(text, test, told); break;
	case PROGRAM_AT: text_add(text, " is not there"); break;
	case PROGRAM_TEXT:
	case PROGRAM_BYTES:
		if (told->matched > 0)
			text_printf(text, " holds for %" PRIu32 " of %" PRIu32 " bytes",
				    told->matched, test->len);
		/* fall through */
	default: text_add(text, ", but there is "); bytes_there(text, told->there);
	}
}

void
why_answer(struct text *text, const struct program_term *term, const struct explain_term *told,
	   bool udp)
{
	static const char *const answers[] = { "no", "later", "yes" };
	const struct program_alternative *one = &term->alternatives[told->alternative];

	text_add(text, answers[told->answer]);
	if (!told->tried && term->then && told->answer == MATCH_NO) {
		text_printf(text, ": the %s was not the first to send anything",
			    words_sides[!told->dir]);
		return;
	}
	if (!told->tried) {
		if (told->answer != MATCH_YES)
			text_printf(text, ": there is no such %s",
				    term->where == PROGRAM_LINE ? "line"
				    : udp                       ? "datagram"
								: "place in the stream");
		return;
	}
	text_add(text, ": ");
	where(text, term, told, udp);
	if (told->test < one->count)
		reason(text, &one->tests[told->test], told);
	else
		text_add(text, "all of it holds");
}

enum barn_err
why_rule(struct text *text, const struct pdl_rule *rule, const struct match_view *view,
	 const char *indent)
{
	struct explain_term told[PROGRAM_TESTS];
	struct regex_scratch *scratch;
	enum barn_err err = regex_scratch_new(&scratch);

	if (err)
		return err;
	explain_rule(rule->rule, view, scratch, told);
	regex_scratch_free(scratch);
	for (unsigned i = 0; i < rule->rule->term_count; i++) {
		const struct program_term *term = &rule->rule->terms[i];

		text_add(text, indent);
		why_term(text, term);
		text_printf(text, "\n%s    ", indent);
		why_answer(text, term, &told[i], view->udp);
		text_char(text, '\n');
	}
	return BARN_OK;
}

/* The view that the whole of a test's dialogue gives. */
struct stage {
	struct match_view view;
	uint8_t *data[2];
	uint32_t *ends[2];
};

static void
strike(struct stage *stage)
{
	for (unsigned dir = 0; dir < 2; dir++) {
		free(stage->data[dir]);
		free(stage->ends[dir]);
	}
}

static enum barn_err
set_up(struct stage *stage, const struct pdl_test *test)
{
	size_t room[2] = { 1, 1 };

	*stage = (struct stage){ .view.udp = test->transport == PDL_UDP };
	for (unsigned i = 0; i < test->message_count; i++)
		room[test->messages[i].dir] += bytes_left(&test->messages[i].data);
	for (unsigned dir = 0; dir < 2; dir++) {
		struct match_side *side = &stage->view.side[dir];

		side->data = stage->data[dir] = malloc(room[dir]);
		side->ends = stage->ends[dir] =
			calloc(test->message_count + 1, sizeof(*side->ends));
		side->closed = true;
		if (!side->data || !side->ends) {
			strike(stage);
			return BARN_ERR_MEMORY;
		}
	}
	return BARN_OK;
}

static void
play(struct stage *stage, const struct pdl_test *test)
{
	for (unsigned i = 0; i < test->message_count; i++) {
		struct bytes data = test->messages[i].data;
		uint8_t dir = test->messages[i].dir;
		struct match_side *side = &stage->view.side[dir];
		struct match_side *other = &stage->view.side[!dir];

		if (!stage->view.first_known && bytes_left(&data) > 0) {
			stage->view.first_known = true;
			stage->view.first = dir;
		}

		if (stage->view.udp && side->datagrams == PROGRAM_DATAGRAMS)
			continue;
		memcpy(stage->data[dir] + side->len, data.p, bytes_left(&data));
		side->len += (uint32_t)bytes_left(&data);
		stage->ends[dir][side->datagrams++] = side->len;
		other->turn_over |= other->len > 0;
		if (!side->turn_over)
			side->turn = side->len;
	}
}

static bool
has_rule(const struct pdl_protocol *protocol, uint8_t transport)
{
	for (unsigned i = 0; i < protocol->rule_count; i++)
		if (protocol->rules[i].transports & transport)
			return true;
	return false;
}

enum barn_err
why_test(struct text *text, const struct pdl_protocol *protocol, const struct pdl_test *test)
{
	static const char *const answers[] = { "does not hold", "waits for more", "holds" };
	struct regex_scratch *scratch = NULL;
	struct stage stage;
	enum barn_err err = set_up(&stage, test);

	if (err)
		return err;
	play(&stage, test);
	err = regex_scratch_new(&scratch);
	if (!err && protocol->inspect)
		text_printf(text, "%s:%" PRIu32 ": protocol %s has an inspector\n",
			    protocol->file, protocol->line, protocol->name);
	else if (!err && !has_rule(protocol, test->transport))
		text_printf(text, "%s:%" PRIu32 ": protocol %s has no rule over %s\n",
			    protocol->file, protocol->line, protocol->name,
			    stage.view.udp ? "udp" : "tcp");
	for (unsigned i = 0; i < protocol->rule_count && !err; i++) {
		const struct pdl_rule *rule = &protocol->rules[i];

		if (!(rule->transports & test->transport))
			continue;
		text_printf(text, "%s:%" PRIu32 ": rule %s %s:\n", protocol->file, rule->line,
			    rule->name, answers[rule_run(rule->rule, &stage.view, scratch)]);
		err = why_rule(text, rule, &stage.view, "    ");
	}
	regex_scratch_free(scratch);
	strike(&stage);
	return err;
}
