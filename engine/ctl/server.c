/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/server.h"
#include "ctl/peer.h"
#include "ctl/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 64, PATIENCE_MS = 30000, EVENTS = 64 };

struct client {
	struct session session;
	struct client *next;
	int fd;
	bool dead;         /* freed at the end of the step: events may still name it */
	uint32_t watched;  /* events that epoll is told of */
	uint64_t moved_ms; /* when bytes went or came last */
};

struct server {
	struct server_options options;
	int epoll_fd;
	uid_t own;
	uint64_t now_ms;
	unsigned client_count; /* that are not dead */
	struct client *clients;
};

enum barn_err
server_new(const struct server_options *options, struct server **server)
{
	struct server *s = calloc(1, sizeof(*s));
	struct epoll_event event = { .events = EPOLLIN }; /* no client: the listener */

	if (!s)
		return BARN_ERR_MEMORY;
	s->options = *options;
	if (!s->options.clients)
		s->options.clients = CLIENTS;
	if (!s->options.patience_ms)
		s->options.patience_ms = PATIENCE_MS;
	s->own = geteuid();
	s->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (s->epoll_fd < 0 ||
	    (options->listen_fd >= 0 &&
	     epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, options->listen_fd, &event))) {
		server_free(s);
		return BARN_ERR_SYSTEM;
	}
	*server = s;
	return BARN_OK;
}

static void
kill_client(struct server *s, struct client *client)
{
	if (client->dead)
		return;
	client->dead = true;
	s->client_count--;
	session_fini(&client->session);
	(void)close(client->fd); /* and epoll forgets it */
}

static void
sweep(struct server *s)
{
	struct client **at = &s->clients, *client;

	while ((client = *at)) {
		if (!client->dead) {
			at = &client->next;
			continue;
		}
		*at = client->next;
		free(client);
	}
}

void
server_free(struct server *server)
{
	if (!server)
		return;
	for (struct client *c = server->clients; c; c = c->next)
		kill_client(server, c);
	sweep(server);
	if (server->epoll_fd >= 0)
		(void)close(server->epoll_fd);
	free(server);
}

int
server_fd(const struct server *server)
{
	return server->epoll_fd;
}

unsigned
server_clients(const struct server *server)
{
	return server->client_count;
}

/* Writable is asked for where there is something to do as well, so that step comes again. */
static void
watch(struct server *s, struct client *client)
{
	const struct session *session = &client->session;
	bool runs = session->phase == SESSION_RUNNING && !session->waiting;
	uint32_t wanted = (session_wants(session) ? EPOLLIN : 0) |
			  (buffer_size(&session->out) || session->busy || runs ? EPOLLOUT : 0);
	struct epoll_event event = { .events = wanted, .data.ptr = client };

	if (wanted == client->watched)
		return;
	if (epoll_ctl(s->epoll_fd, EPOLL_CTL_MOD, client->fd, &event))
		kill_client(s, client);
	client->watched = wanted;
}

/* Reads, works and writes once; what is left over is for the next step. */
static void
serve(struct server *s, struct client *client, uint32_t events)
{
	struct session *session = &client->session;
	enum barn_err in = BARN_OK, out;
	size_t got = 0, went;

	if (events & (EPOLLIN | EPOLLHUP | EPOLLERR) && session_wants(session))
		in = buffer_read(&session->in, client->fd, &got);
	session_step(session);
	out = buffer_write(&session->out, client->fd, &went);
	if (got || went)
		client->moved_ms = s->now_ms;
	if (in || out || (events & (EPOLLHUP | EPOLLERR)) ||
	    (session->phase == SESSION_OVER && !buffer_size(&session->out)))
		kill_client(s, client);
	else
		watch(s, client);
}

/* Nothing is due from a client between commands, nor while its command waits. */
static bool
is_late(const struct server *s, const struct client *client)
{
	const struct session *session = &client->session;
	bool owes = session->phase == SESSION_GREET || session->phase == SESSION_OVER ||
		    buffer_size(&session->out) ||
		    (session->phase == SESSION_IDLE && buffer_size(&session->in));

	return owes && s->now_ms - client->moved_ms > s->options.patience_ms;
}

/* The one that has been idle longest makes room for a newcomer. */
static void
make_room(struct server *s)
{
	struct client *oldest = NULL;

	if (s->client_count < s->options.clients)
		return;
	for (struct client *c = s->clients; c; c = c->next)
		if (!c->dead && c->session.phase != SESSION_RUNNING &&
		    (!oldest || c->moved_ms < oldest->moved_ms))
			oldest = c;
	if (oldest)
		kill_client(s, oldest);
}

static enum barn_err
enroll(struct server *s, int fd)
{
	struct client *client = NULL;
	struct epoll_event event = { .events = EPOLLIN };
	struct peer peer;
	enum barn_err err = peer_of(fd, &peer);
	enum peer_rights rights = err ? PEER_NOTHING : peer_rights(&peer, s->own, &s->options);

	if (err)
		return err;
	make_room(s);
	if (s->client_count >= s->options.clients)
		return BARN_ERR_MEMORY;
	client = calloc(1, sizeof(*client));
	if (!client)
		return BARN_ERR_MEMORY;
	event.data.ptr = client;
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) ||
	    epoll_ctl(s->epoll_fd, EPOLL_CTL_ADD, fd, &event)) {
		free(client);
		return BARN_ERR_SYSTEM;
	}
	session_init(&client->session, &s->options, rights == PEER_CHANGE, peer.uid);
	client->fd = fd;
	client->watched = EPOLLIN;
	client->moved_ms = s->now_ms;
	client->next = s->clients;
	s->clients = client;
	s->client_count++;
	if (rights == PEER_NOTHING) {
		session_refuse(&client->session, "not permitted");
		watch(s, client);
	}
	return BARN_OK;
}

enum barn_err
server_adopt(struct server *server, int fd, uint64_t now_ms)
{
	enum barn_err err;

	server->now_ms = now_ms;
	err = enroll(server, fd);
	if (err)
		(void)close(fd);
	return err;
}

static void
welcome(struct server *s)
{
	for (unsigned i = 0; i < EVENTS; i++) {
		int fd =
			accept4(s->options.listen_fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd < 0)
			return;
		if (enroll(s, fd))
			(void)close(fd);
	}
}

void
server_step(struct server *server, uint64_t now_ms)
{
	struct epoll_event events[EVENTS];
	int count = epoll_wait(server->epoll_fd, events, EVENTS, 0);

	server->now_ms = now_ms;
	for (int i = 0; i < count; i++) {
		struct client *client = events[i].data.ptr;

		if (!client)
			welcome(server);
		else if (!client->dead)
			serve(server, client, events[i].events);
	}
	for (struct client *c = server->clients; c; c = c->next)
		if (!c->dead && is_late(server, c))
			kill_client(server, c);
	sweep(server);
}

void
server_resume(struct server *server, struct reply *reply)
{
	struct session *session = reply->session;

	session->waiting = false;
	for (struct client *c = server->clients; c; c = c->next)
		if (!c->dead && &c->session == session)
			watch(server, c);
}
