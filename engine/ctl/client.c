/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/buffer.h"
#include "ctl/message.h"

#include <barn/barn.h>
#include <barn/ctl.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { ASKED = 256, INPUT = 2 * (MESSAGE_HEAD + MESSAGE_BODY) };

/*
 * Commands are answered in their order, so those that are open are the numbers from `first` to
 * `next`, and the one that wait() waits for is among them.
 */
struct barn_ctl {
	struct barn_ctl_options options;
	int fd;
	bool greeted;
	uint32_t first, next;
	struct buffer in, out;
	uint32_t waited;      /* wait's command; 0: none, or it is done */
	enum barn_err answer; /* what it came to then */
	char text[256], server[64];
	char path[];
};

enum barn_err
barn_ctl_new(const struct barn_ctl_options *options, struct barn_ctl **ctl)
{
	const char *path = options->path ? options->path : BARN_CTL_PATH;
	size_t length = strlen(path) + 1;
	struct barn_ctl *c;

	if (options->size < sizeof(*options))
		return BARN_ERR_ARGUMENT;
	c = calloc(1, sizeof(*c) + length);
	if (!c)
		return BARN_ERR_MEMORY;
	c->options = *options;
	memcpy(c->path, path, length);
	c->fd = -1;
	c->first = c->next = 1;
	c->in.bound = INPUT;
	c->out.bound = BARN_CTL_WAITING + MESSAGE_HEAD + MESSAGE_BODY;
	*ctl = c;
	return BARN_OK;
}

static void
hang_up(struct barn_ctl *c)
{
	if (c->fd >= 0)
		(void)close(c->fd);
	c->fd = -1;
	c->greeted = false;
	buffer_free(&c->in);
	buffer_free(&c->out);
}

void
barn_ctl_free(struct barn_ctl *ctl)
{
	if (!ctl)
		return;
	hang_up(ctl);
	free(ctl);
}

static void
tell_end(struct barn_ctl *c, uint32_t id, enum barn_err err)
{
	if (id == c->waited) {
		c->answer = err;
		c->waited = 0;
	}
	if (c->options.end)
		c->options.end(c->options.self, id, err, c->text);
}

/* All that is open is told so. */
static enum barn_err
lose(struct barn_ctl *c, enum barn_err err, const char *text)
{
	if (text)
		snprintf(c->text, sizeof(c->text), "%s", text);
	hang_up(c);
	while (c->first != c->next)
		tell_end(c, c->first++, err);
	return err;
}

enum barn_err
barn_ctl_adopt(struct barn_ctl *ctl, int fd)
{
	uint8_t hello[MESSAGE_HEAD + 128];
	int flags = fcntl(fd, F_GETFL);

	if (ctl->fd >= 0)
		(void)lose(ctl, BARN_ERR_END, "connected anew");
	ctl->text[0] = 0;
	ctl->fd = fd;
	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK)) {
		hang_up(ctl);
		return BARN_ERR_SYSTEM;
	}
	return buffer_add(&ctl->out, hello,
			  message_write_hello(hello, BARN_CTL_VERSION, BARN_VERSION));
}

enum barn_err
barn_ctl_connect(struct barn_ctl *ctl)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd, why;

	if (strlen(ctl->path) >= sizeof(at.sun_path))
		return BARN_ERR_ARGUMENT;
	memcpy(at.sun_path, ctl->path, strlen(ctl->path));
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return BARN_ERR_SYSTEM;
	if (!connect(fd, (const struct sockaddr *)&at, sizeof(at)))
		return barn_ctl_adopt(ctl, fd);
	why = errno;
	(void)close(fd);
	errno = why;
	return why == ENOENT || why == ECONNREFUSED ? BARN_ERR_MISSING : BARN_ERR_SYSTEM;
}

int
barn_ctl_fd(const struct barn_ctl *ctl)
{
	return ctl->fd;
}

short
barn_ctl_events(const struct barn_ctl *ctl)
{
	return ctl->fd < 0 ? 0 : (short)(POLLIN | (buffer_size(&ctl->out) ? POLLOUT : 0));
}

const char *
barn_ctl_text(const struct barn_ctl *ctl)
{
	return ctl->text;
}

const char *
barn_ctl_server(const struct barn_ctl *ctl)
{
	return ctl->server;
}

/* Numbers go round; 0 is left out. */
static uint32_t
after(uint32_t id)
{
	return id == UINT32_MAX ? 1 : id + 1;
}

enum barn_err
barn_ctl_send(struct barn_ctl *ctl, const char *const *words, unsigned count, uint32_t *id)
{
	uint8_t *message;
	size_t size;
	enum barn_err err = BARN_ERR_ARGUMENT;

	if (ctl->fd < 0)
		return BARN_ERR_END;
	if (ctl->next - ctl->first >= ASKED || buffer_size(&ctl->out) > BARN_CTL_WAITING)
		return BARN_ERR_MEMORY;
	message = malloc(MESSAGE_HEAD + MESSAGE_BODY);
	if (!message)
		return BARN_ERR_MEMORY;
	size = message_write_words(message, ctl->next, words, count);
	if (size)
		err = buffer_add(&ctl->out, message, size);
	free(message);
	if (err)
		return err;
	*id = ctl->next;
	ctl->next = after(ctl->next);
	return BARN_OK;
}

/* An END with id 0 is about the connection: the text says why it will be closed. */
static enum barn_err
handle_end(struct barn_ctl *c, const struct message *message)
{
	enum barn_err err;

	if (message_end(message, &err, c->text, sizeof(c->text)))
		return BARN_ERR_FORMAT;
	if (message->id == 0)
		return err ? err : BARN_ERR_FORMAT;
	if (c->first == c->next || message->id != c->first)
		return BARN_ERR_FORMAT;
	c->first = after(c->first);
	tell_end(c, message->id, err);
	return BARN_OK;
}

static enum barn_err
handle(struct barn_ctl *c, const struct message *message)
{
	uint16_t version;

	if (!c->greeted && message->type == MESSAGE_HELLO) {
		c->greeted = !message_hello(message, &version, c->server, sizeof(c->server)) &&
			     version == BARN_CTL_VERSION;
		return c->greeted ? BARN_OK : BARN_ERR_FORMAT;
	}
	if (message->type == MESSAGE_END && (c->greeted || message->id == 0))
		return handle_end(c, message);
	if (!c->greeted || message->type != MESSAGE_DATA || c->first == c->next ||
	    message->id != c->first)
		return BARN_ERR_FORMAT;
	if (c->options.data)
		c->options.data(c->options.self, message->id, message->body.p,
				bytes_left(&message->body));
	return BARN_OK;
}

/* All messages that have come whole. A callback may have hung up. */
static enum barn_err
take(struct barn_ctl *c)
{
	for (;;) {
		struct bytes in = buffer_bytes(&c->in);
		size_t before = bytes_left(&in);
		struct message message;
		enum barn_err err = message_take(&in, &message);

		if (err == BARN_ERR_END)
			return BARN_OK;
		if (!err)
			err = handle(c, &message);
		if (err)
			return err;
		buffer_drop(&c->in, before - bytes_left(&in));
	}
}

enum barn_err
barn_ctl_step(struct barn_ctl *ctl)
{
	enum barn_err gone, err;
	size_t moved;

	if (ctl->fd < 0)
		return BARN_ERR_END;
	ctl->text[0] = 0;
	gone = buffer_write(&ctl->out, ctl->fd, &moved);
	do {
		enum barn_err in = buffer_read(&ctl->in, ctl->fd, &moved);

		if (in)
			gone = in;
		err = take(ctl);
		if (err == BARN_ERR_FORMAT && !ctl->text[0])
			return lose(ctl, BARN_ERR_FORMAT,
				    "the server does not keep to the protocol");
		if (err)
			return lose(ctl, err, NULL);
	} while (moved && !gone);
	return gone ? lose(ctl, gone, "the server has closed the connection") : BARN_OK;
}

static bool
is_open(const struct barn_ctl *c, uint32_t id)
{
	for (uint32_t i = c->first; i != c->next; i = after(i))
		if (i == id)
			return true;
	return false;
}

static enum barn_err
wait_once(struct barn_ctl *c, int timeout_ms)
{
	struct pollfd poller = { .fd = c->fd, .events = barn_ctl_events(c) };
	int ready = poll(&poller, 1, timeout_ms);

	if (ready < 0 && errno != EINTR)
		return lose(c, BARN_ERR_SYSTEM, "poll failed");
	if (ready == 0) {
		(void)lose(c, BARN_ERR_SYSTEM, "the server does not answer");
		errno = ETIMEDOUT;
		return BARN_ERR_SYSTEM;
	}
	return barn_ctl_step(c);
}

enum barn_err
barn_ctl_wait(struct barn_ctl *ctl, uint32_t id, int timeout_ms)
{
	enum barn_err err = BARN_OK;

	if (!is_open(ctl, id))
		return BARN_ERR_MISSING;
	ctl->waited = id;
	while (!err && ctl->waited)
		err = wait_once(ctl, timeout_ms);
	if (!ctl->waited)
		return ctl->answer;
	ctl->waited = 0;
	return err;
}
