/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * The control socket's two parsers. The first byte says which: even, the input is what a client
 * sends to the server, in pieces of a size that the second byte tells; odd, what a server sends
 * to the client, which has asked for three things.
 */
#include "ctl/session.h"

#include "../unit/ctl_commands.h"

#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All that is written must be whole messages. */
static void
drain(struct session *s)
{
	struct bytes out = buffer_bytes(&s->out);
	size_t size = bytes_left(&out);
	struct message m;

	while (message_take(&out, &m) == BARN_OK)
		;
	if (bytes_left(&out))
		abort();
	buffer_drop(&s->out, size);
}

static void
to_server(const uint8_t *data, size_t size)
{
	struct commands commands = { 0 };
	struct server_options options = { .commands = commands_table,
					  .command_count = COMMANDS,
					  .self = &commands,
					  .version = "1" };
	size_t piece = size ? data[0] + 1u : 1;
	struct session s;

	session_init(&s, &options, true, 0);
	while (size && s.phase != SESSION_OVER) {
		size_t part = piece < size ? piece : size;

		if (session_wants(&s) && !buffer_add(&s.in, data, part)) {
			data += part;
			size -= part;
		}
		session_step(&s);
		drain(&s);
		s.waiting = false;
	}
	for (unsigned i = 0; i < 64 && s.busy; i++) {
		session_step(&s);
		drain(&s);
	}
	session_fini(&s);
}

static void
to_client(const uint8_t *data, size_t size)
{
	struct barn_ctl_options options = { .size = sizeof(options) };
	const char *words[] = { "a", "b" };
	struct barn_ctl *ctl;
	uint32_t id;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		return;
	if (!barn_ctl_new(&options, &ctl)) {
		if (!barn_ctl_adopt(ctl, pair[1]))
			for (unsigned i = 0; i < 3; i++)
				(void)barn_ctl_send(ctl, words, 2, &id);
		(void)send(pair[0], data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
		(void)barn_ctl_step(ctl);
		(void)shutdown(pair[0], SHUT_WR);
		(void)barn_ctl_step(ctl);
		barn_ctl_free(ctl);
	}
	(void)close(pair[0]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] % 2)
		to_client(data + 1, size - 1);
	else
		to_server(data + 1, size - 1);
	return 0;
}
