/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/session.h"
#include "ctl_commands.h"

#include "unit.h"

static uint8_t bytes_out[MESSAGE_HEAD + MESSAGE_BODY];

struct rig {
	struct commands commands;
	struct server_options options;
	struct session session;
	char text[4096]; /* all DATA so far */
	size_t length;
	unsigned ends;
	uint32_t id; /* of the last END */
	enum barn_err err;
	char why[256];
	bool greeted;
};

static void
begin(struct rig *r, bool may_change)
{
	*r = (struct rig){ .id = UINT32_MAX };
	r->options = (struct server_options){ .listen_fd = -1,
					      .commands = commands_table,
					      .command_count = COMMANDS,
					      .self = &r->commands,
					      .version = "1.2.3" };
	session_init(&r->session, &r->options, may_change, 1000);
}

static void
handle(struct rig *r, const struct message *m)
{
	char text[64];
	uint16_t version;
	size_t size = bytes_left(&m->body);

	if (m->type == MESSAGE_HELLO) {
		CHECK_EQ(message_hello(m, &version, text, sizeof(text)), BARN_OK);
		CHECK_STR(text, "1.2.3");
		CHECK_EQ(version, BARN_CTL_VERSION);
		r->greeted = true;
	} else if (m->type == MESSAGE_DATA) {
		for (size_t i = 0; i < size && r->length < sizeof(r->text) - 1; i++)
			r->text[r->length++] = (char)m->body.p[i];
	} else {
		CHECK_EQ(m->type, MESSAGE_END);
		CHECK_EQ(message_end(m, &r->err, r->why, sizeof(r->why)), BARN_OK);
		r->id = m->id;
		r->ends++;
	}
}

/* Does all that can be done, the client reading as fast as it can. */
static void
run(struct rig *r)
{
	struct message m;

	for (unsigned i = 0; i < 100000; i++) {
		struct bytes in;
		size_t before;

		session_step(&r->session);
		in = buffer_bytes(&r->session.out);
		before = bytes_left(&in);
		while (message_take(&in, &m) == BARN_OK)
			handle(r, &m);
		CHECK_EQ(bytes_left(&in), 0); /* what it writes is whole */
		buffer_drop(&r->session.out, before);
		if (!before && !r->session.busy)
			return;
	}
	CHECK_STR("it never comes to rest", "");
}

static void
feed(struct rig *r, const uint8_t *data, size_t size)
{
	CHECK_EQ(buffer_add(&r->session.in, data, size), BARN_OK);
	run(r);
}

static void
hello(struct rig *r, uint16_t version)
{
	feed(r, bytes_out, message_write_hello(bytes_out, version, "test"));
}

static void
command(struct rig *r, uint32_t id, const char *const *words, unsigned count)
{
	feed(r, bytes_out, message_write_words(bytes_out, id, words, count));
}

#define COMMAND(r, id, ...)                                  \
	command(r, id, (const char *const[]){ __VA_ARGS__ }, \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

TEST(a_command_is_answered_with_its_id)
{
	struct rig r;

	begin(&r, false);
	hello(&r, BARN_CTL_VERSION);
	CHECK(r.greeted);
	COMMAND(&r, 7, "echo", "a b", "", "c");
	CHECK_STR(r.text, "a b\n\nc\n");
	CHECK_EQ(r.id, 7);
	CHECK_EQ(r.err, BARN_OK);
	COMMAND(&r, 9, "echo", "twice", "x");
	CHECK_STR(r.text, "a b\n\nc\nx\nx\n");
	CHECK_EQ(r.ends, 2);
	session_fini(&r.session);
}

TEST(it_does_not_matter_how_the_bytes_are_cut)
{
	struct rig r;
	uint8_t all[1024];
	size_t size;

	size = message_write_hello(all, BARN_CTL_VERSION, "t");
	size += message_write_words(all + size, 1, (const char *const[]){ "echo", "one" }, 2);
	size += message_write_words(all + size, 2, (const char *const[]){ "echo", "two" }, 2);
	for (size_t piece = 1; piece <= size; piece++) {
		begin(&r, false);
		for (size_t at = 0; at < size; at += piece)
			feed(&r, all + at, at + piece > size ? size - at : piece);
		CHECK_STR(r.text, "one\ntwo\n");
		CHECK_EQ(r.ends, 2);
		session_fini(&r.session);
	}
}

TEST(another_version_is_told_so_and_nothing_more_is_done)
{
	struct rig r;

	begin(&r, false);
	hello(&r, BARN_CTL_VERSION + 1);
	CHECK(!r.greeted);
	CHECK_EQ(r.id, 0);
	CHECK_EQ(r.err, BARN_ERR_FORMAT);
	CHECK(strstr(r.why, "version 2"));
	CHECK_EQ(r.session.phase, SESSION_OVER);
	COMMAND(&r, 1, "echo", "x");
	CHECK_EQ(r.length, 0);
	CHECK_EQ(r.ends, 1);
	session_fini(&r.session);
}

TEST(a_command_before_the_greeting_is_the_end)
{
	struct rig r;

	begin(&r, false);
	COMMAND(&r, 1, "echo", "x");
	CHECK_EQ(r.err, BARN_ERR_FORMAT);
	CHECK_EQ(r.length, 0);
	CHECK_EQ(r.session.phase, SESSION_OVER);
	session_fini(&r.session);
}

TEST(an_unknown_command_is_an_error_and_the_next_is_done)
{
	struct rig r;

	begin(&r, false);
	hello(&r, BARN_CTL_VERSION);
	COMMAND(&r, 3, "ech", "x");
	CHECK_EQ(r.err, BARN_ERR_MISSING);
	CHECK(strstr(r.why, "ech"));
	CHECK_EQ(r.id, 3);
	COMMAND(&r, 4, "echo", "x");
	CHECK_EQ(r.err, BARN_OK);
	CHECK_STR(r.why, "");
	CHECK_STR(r.text, "x\n");
	session_fini(&r.session);
}

TEST(who_may_only_look_changes_nothing)
{
	struct rig r;

	begin(&r, false);
	hello(&r, BARN_CTL_VERSION);
	COMMAND(&r, 1, "set");
	CHECK_EQ(r.err, BARN_ERR_SYSTEM);
	CHECK_EQ(r.commands.set, 0);
	session_fini(&r.session);
	begin(&r, true);
	hello(&r, BARN_CTL_VERSION);
	COMMAND(&r, 1, "set");
	CHECK_EQ(r.err, BARN_OK);
	CHECK_EQ(r.commands.set, 1);
	session_fini(&r.session);
}

TEST(a_message_that_is_too_long_or_of_no_type_is_the_end_at_its_head)
{
	static const uint8_t bad[][MESSAGE_HEAD] = {
		{ 0, 1, 0, 1, MESSAGE_COMMAND, 0, 0, 0, 0, 0, 0, 1 }, /* 65,537 bytes */
		{ 0xff, 0xff, 0xff, 0xff, MESSAGE_COMMAND, 0, 0, 0, 0, 0, 0, 1 },
		{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 },
		{ 0, 0, 0, 0, MESSAGE_END + 1, 0, 0, 0, 0, 0, 0, 1 },
		{ 0, 0, 0, 4, MESSAGE_COMMAND, 0, 0, 1, 0, 0, 0, 1 },
		{ 0, 0, 0, 0, MESSAGE_HELLO, 0, 0, 0, 0, 0, 0, 0 },
		{ 0, 0, 0, 0, MESSAGE_DATA, 0, 0, 0, 0, 0, 0, 1 },
		{ 0, 0, 0, 0, MESSAGE_COMMAND, 0, 0, 0, 0, 0, 0, 1 },
	};
	struct rig r;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		begin(&r, true);
		hello(&r, BARN_CTL_VERSION);
		feed(&r, bad[i], sizeof(bad[i]));
		CHECK_EQ(r.err, BARN_ERR_FORMAT);
		CHECK_EQ(r.id, 0);
		CHECK_EQ(r.session.phase, SESSION_OVER);
		session_fini(&r.session);
	}
}

TEST(words_that_do_not_fit_their_message_are_refused)
{
	static const struct {
		uint8_t size;
		uint8_t body[12];
	} bad[] = {
		{ 2, { 0, 0 } },                        /* no word */
		{ 2, { 0, 1 } },                        /* none there */
		{ 4, { 0, 1, 0, 5 } },                  /* too short */
		{ 5, { 0, 1, 0, 0, 'x' } },             /* something left */
		{ 5, { 0, 1, 0, 1, 0 } },               /* a NUL in it */
		{ 2, { 0, BARN_CTL_WORDS + 1 } },       /* too many */
		{ 7, { 0, 2, 0, 1, 'a', 0xff, 0xff } }, /* the second is too short */
	};
	struct rig r;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		begin(&r, true);
		hello(&r, BARN_CTL_VERSION);
		feed(&r, bytes_out,
		     message_write(bytes_out, MESSAGE_COMMAND, 1, bad[i].body, bad[i].size));
		CHECK_EQ(r.err, BARN_ERR_FORMAT);
		CHECK_EQ(r.session.phase, SESSION_OVER);
		session_fini(&r.session);
	}
}

TEST(an_answer_may_be_longer_than_the_buffer_and_waits_for_its_reader)
{
	struct rig r;
	size_t held;

	begin(&r, false);
	hello(&r, BARN_CTL_VERSION);
	CHECK_EQ(buffer_add(&r.session.in, bytes_out,
			    message_write_words(bytes_out, 1,
						(const char *const[]){ "count", "300000" }, 2)),
		 BARN_OK);
	for (unsigned i = 0; i < 1000; i++)
		session_step(&r.session);
	held = buffer_size(&r.session.out);
	CHECK(held > SESSION_OUTPUT / 2 && held <= SESSION_OUTPUT);
	CHECK(!session_wants(&r.session));
	CHECK_EQ(r.session.phase, SESSION_RUNNING);
	run(&r);
	CHECK_EQ(r.ends, 1);
	CHECK_EQ(r.err, BARN_OK);
	CHECK_EQ(r.commands.forgotten, 1);
	session_fini(&r.session);
	CHECK_EQ(r.commands.forgotten, 1);
}

TEST(who_writes_more_than_fits_at_once_gets_an_error_and_the_client_a_whole_message)
{
	struct rig r;

	begin(&r, false);
	hello(&r, BARN_CTL_VERSION);
	COMMAND(&r, 1, "flood");
	CHECK_EQ(r.err, BARN_ERR_MEMORY);
	CHECK_EQ(r.ends, 1);
	COMMAND(&r, 2, "echo", "still here");
	CHECK_EQ(r.err, BARN_OK);
	session_fini(&r.session);
}

TEST(a_command_that_waits_holds_the_next_and_is_forgotten_with_its_client)
{
	struct rig r;

	begin(&r, false);
	hello(&r, BARN_CTL_VERSION);
	COMMAND(&r, 1, "sleep");
	COMMAND(&r, 2, "echo", "later");
	CHECK_EQ(r.ends, 0);
	r.session.waiting = false;
	run(&r);
	CHECK_STR(r.text, "awake\nlater\n");
	CHECK_EQ(r.ends, 2);
	CHECK_EQ(r.commands.forgotten, 1);
	COMMAND(&r, 3, "sleep");
	session_fini(&r.session);
	CHECK_EQ(r.commands.forgotten, 2);
}

TEST(a_refused_client_is_told_why_however_long_that_is)
{
	struct rig r;
	char why[1000];

	memset(why, 'n', sizeof(why));
	why[sizeof(why) - 1] = 0;
	begin(&r, false);
	session_refuse(&r.session, why);
	run(&r);
	CHECK_EQ(r.id, 0);
	CHECK_EQ(r.err, BARN_ERR_SYSTEM);
	CHECK_EQ(strlen(r.why), 255);
	session_fini(&r.session);
}

TEST(texts_from_the_other_side_cannot_move_the_cursor)
{
	struct message m;
	struct bytes in;
	enum barn_err err;
	char text[32];

	in = bytes_of(bytes_out, message_write_end(bytes_out, 1, BARN_ERR_TEXT, "a\033[2Jb\n"));
	CHECK_EQ(message_take(&in, &m), BARN_OK);
	CHECK_EQ(message_end(&m, &err, text, sizeof(text)), BARN_OK);
	CHECK_STR(text, "a?[2Jb?");
	CHECK_EQ(err, BARN_ERR_TEXT);
}

TEST(words_are_written_up_to_the_bound_and_not_beyond)
{
	static char word[MESSAGE_BODY];
	const char *words[BARN_CTL_WORDS + 1];

	memset(word, 'w', sizeof(word) - 1);
	words[0] = word + 3; /* the count, its length, the word: the body is full */
	CHECK_EQ(message_write_words(bytes_out, 1, words, 1), MESSAGE_HEAD + MESSAGE_BODY);
	words[0] = word + 2;
	CHECK_EQ(message_write_words(bytes_out, 1, words, 1), 0);
	for (unsigned i = 0; i <= BARN_CTL_WORDS; i++)
		words[i] = "";
	CHECK(message_write_words(bytes_out, 1, words, BARN_CTL_WORDS) > 0);
	CHECK_EQ(message_write_words(bytes_out, 1, words, BARN_CTL_WORDS + 1), 0);
	CHECK_EQ(message_write_words(bytes_out, 1, words, 0), 0);
}
