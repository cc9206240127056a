/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/session.h"

#include <stdio.h>
#include <stdlib.h>

/* Commands that one step does at most, so that one client does not hold up the others. */
enum { TURNS = 16 };

void
session_init(struct session *session, const struct server_options *options, bool may_change,
	     uid_t uid)
{
	*session = (struct session){
		.options = options,
		.in = { .bound = MESSAGE_HEAD + MESSAGE_BODY },
		.out = { .bound = SESSION_OUTPUT },
		.may_change = may_change,
		.uid = uid,
	};
	session->reply.session = session;
}

static void
end_command(struct session *s)
{
	if (s->command && s->command->forget && s->call.state)
		s->command->forget(s->options->self, s->call.state);
	s->command = NULL;
	s->waiting = false;
	free(s->text);
	s->text = NULL;
}

void
session_fini(struct session *session)
{
	end_command(session);
	buffer_free(&session->in);
	buffer_free(&session->out);
	session->phase = SESSION_OVER;
}

/* Ends are short, and room is kept for them; without memory the client is lost. */
static void
send_end(struct session *s, uint32_t id, enum barn_err err, const char *text)
{
	uint8_t message[MESSAGE_HEAD + 4 + sizeof(s->reply.text)];
	char cut[sizeof(s->reply.text)];

	snprintf(cut, sizeof(cut), "%s", text);
	if (buffer_add(&s->out, message, message_write_end(message, id, err, cut)))
		s->phase = SESSION_OVER;
}

void
session_refuse(struct session *session, const char *why)
{
	send_end(session, 0, BARN_ERR_SYSTEM, why);
	session->phase = SESSION_OVER;
}

static void
finish(struct session *s)
{
	if (s->phase != SESSION_OVER)
		send_end(s, s->id, s->reply.err, s->reply.text);
	end_command(s);
	if (s->phase == SESSION_RUNNING)
		s->phase = SESSION_IDLE;
}

static void
break_off(struct session *s, const char *why)
{
	send_end(s, 0, BARN_ERR_FORMAT, why);
	end_command(s);
	s->phase = SESSION_OVER;
}

static void
greet(struct session *s, const struct message *message)
{
	uint8_t hello[MESSAGE_HEAD + 128];
	char text[64], version[64];
	uint16_t number;

	if (message->type != MESSAGE_HELLO ||
	    message_hello(message, &number, text, sizeof(text))) {
		break_off(s, "not the protocol of barn's control socket");
		return;
	}
	if (number != BARN_CTL_VERSION) {
		snprintf(text, sizeof(text),
			 "version %d of the protocol is not spoken, only %d", number,
			 BARN_CTL_VERSION);
		break_off(s, text);
		return;
	}
	snprintf(version, sizeof(version), "%s", s->options->version);
	if (buffer_add(&s->out, hello, message_write_hello(hello, BARN_CTL_VERSION, version)))
		s->phase = SESSION_OVER;
	else
		s->phase = SESSION_IDLE;
}

static void
run(struct session *s)
{
	enum command_after after = COMMAND_DONE;

	if (s->command)
		after = s->command->run(s->options->self, &s->call, &s->reply);
	s->call.round++;
	if (after == COMMAND_DONE || s->reply.err)
		finish(s);
	else
		s->waiting = after == COMMAND_WAIT;
}

static void
begin(struct session *s, const struct message *message)
{
	unsigned count, taken;

	if (message->type != MESSAGE_COMMAND || message->id == 0) {
		break_off(s, "a command was expected");
		return;
	}
	s->text = malloc(bytes_left(&message->body) + BARN_CTL_WORDS);
	if (!s->text) {
		s->phase = SESSION_OVER;
		return;
	}
	if (message_words(message, s->text, s->words, &count)) {
		break_off(s, "the command is damaged");
		return;
	}
	s->words[count] = NULL;
	s->id = message->id;
	s->phase = SESSION_RUNNING;
	s->reply = (struct reply){ .session = s };
	s->command = command_find(s->options->commands, s->options->command_count, s->words,
				  count, &taken);
	s->call = (struct command_call){ .words = s->words + taken,
					 .count = count - taken,
					 .may_change = s->may_change,
					 .uid = s->uid };
	if (!s->command) {
		reply_fail(&s->reply, BARN_ERR_MISSING, "no such command: %.64s", s->words[0]);
	} else if (s->command->changes && !s->may_change) {
		reply_fail(&s->reply, BARN_ERR_SYSTEM, "not permitted: %s", s->command->name);
		s->command = NULL;
	}
	if (s->reply.err)
		finish(s);
}

/* The next message, if it has come whole. */
static bool
take(struct session *s)
{
	struct bytes in = buffer_bytes(&s->in);
	size_t before = bytes_left(&in);
	struct message message;
	enum barn_err err = message_take(&in, &message);

	if (err == BARN_ERR_END)
		return false;
	if (err)
		break_off(s, "not the protocol of barn's control socket");
	else if (s->phase == SESSION_GREET)
		greet(s, &message);
	else
		begin(s, &message);
	buffer_drop(&s->in, before - bytes_left(&in));
	return true;
}

static bool
has_room(const struct session *s)
{
	return SESSION_OUTPUT - buffer_size(&s->out) >= 2 * SESSION_ROUND;
}

void
session_step(struct session *session)
{
	session->busy = false;
	for (unsigned i = 0; i < TURNS; i++) {
		if (session->phase == SESSION_OVER || session->waiting || !has_room(session))
			return;
		if (session->phase == SESSION_RUNNING)
			run(session);
		else if (!take(session))
			return;
	}
	session->busy = session->phase != SESSION_OVER && !session->waiting;
}

bool
session_wants(const struct session *session)
{
	return session->phase != SESSION_OVER && has_room(session) &&
	       buffer_size(&session->in) < session->in.bound;
}
