/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The server and <barn/ctl.h>'s client, over sockets. */
#include "ctl/message.h"
#include "ctl/peer.h"
#include "ctl/server.h"
#include "ctl_commands.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

struct rig {
	struct commands commands;
	struct server *server;
	struct barn_ctl *client;
	uint64_t now_ms;
	char text[256];
	size_t length, total;
	unsigned ends;
	enum barn_err err;
	char folder[64], path[128];
};

static void
on_data(void *self, uint32_t id, const void *data, size_t length)
{
	struct rig *r = self;

	(void)id;
	r->total += length;
	if (length > sizeof(r->text) - 1 - r->length)
		length = sizeof(r->text) - 1 - r->length;
	memcpy(r->text + r->length, data, length);
	r->length += length;
}

static void
on_end(void *self, uint32_t id, enum barn_err err, const char *text)
{
	struct rig *r = self;

	(void)id;
	(void)text;
	r->ends++;
	r->err = err;
}

static void
begin(struct rig *r, int listen_fd)
{
	struct server_options options = {
		.listen_fd = listen_fd,
		.commands = commands_table,
		.command_count = COMMANDS,
		.self = &r->commands,
		.version = "1.2.3",
		.change_gid = (gid_t)-1,
		.clients = 4,
		.patience_ms = 1000,
	};
	struct barn_ctl_options client = {
		.size = sizeof(client),
		.path = r->path,
		.data = on_data,
		.end = on_end,
		.self = r,
	};

	CHECK_EQ(server_new(&options, &r->server), BARN_OK);
	CHECK_EQ(barn_ctl_new(&client, &r->client), BARN_OK);
}

/* Both ends in one thread, over a pair. */
static void
begin_pair(struct rig *r)
{
	int pair[2];

	*r = (struct rig){ .now_ms = 1 };
	begin(r, -1);
	CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	CHECK_EQ(server_adopt(r->server, pair[0], r->now_ms), BARN_OK);
	CHECK_EQ(barn_ctl_adopt(r->client, pair[1]), BARN_OK);
}

static void
end(struct rig *r)
{
	barn_ctl_free(r->client);
	server_free(r->server);
}

static bool
is_ready(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

/* Until neither has anything to do. */
static enum barn_err
run(struct rig *r)
{
	enum barn_err err = BARN_OK;

	for (unsigned i = 0; i < 100000; i++) {
		if (!err)
			err = barn_ctl_step(r->client);
		if (!is_ready(server_fd(r->server)))
			return err;
		server_step(r->server, r->now_ms);
	}
	CHECK_STR("they never come to rest", "");
	return err;
}

static uint32_t
ask(struct rig *r, const char *one, const char *two)
{
	const char *words[] = { one, two };
	uint32_t id = 0;

	CHECK_EQ(barn_ctl_send(r->client, words, two ? 2 : 1, &id), BARN_OK);
	CHECK(id != 0);
	return id;
}

TEST(several_commands_are_answered_in_their_order)
{
	struct rig r;

	begin_pair(&r);
	ask(&r, "echo", "one");
	ask(&r, "nothing", NULL);
	ask(&r, "echo", "two");
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_STR(r.text, "one\ntwo\n");
	CHECK_EQ(r.ends, 3);
	CHECK_STR(barn_ctl_server(r.client), "1.2.3");
	end(&r);
}

TEST(a_long_answer_comes_whole)
{
	struct rig r;
	size_t want = 10 + 90 * 2 + 900 * 3 + 9000 * 4 + 90000 * 5 + 200000 * 6 + 300000;

	begin_pair(&r);
	ask(&r, "count", "300000");
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_EQ(r.ends, 1);
	CHECK_EQ(r.total, want);
	end(&r);
}

TEST(a_client_that_reads_nothing_holds_up_no_other_and_is_dropped_at_last)
{
	struct rig r;
	struct barn_ctl_options options = { .size = sizeof(options) };
	struct barn_ctl *slow;
	uint32_t id;
	int pair[2];

	begin_pair(&r);
	CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	CHECK_EQ(server_adopt(r.server, pair[0], r.now_ms), BARN_OK);
	CHECK_EQ(barn_ctl_new(&options, &slow), BARN_OK);
	CHECK_EQ(barn_ctl_adopt(slow, pair[1]), BARN_OK);
	CHECK_EQ(barn_ctl_send(slow, (const char *const[]){ "count", "99999999" }, 2, &id),
		 BARN_OK);
	CHECK_EQ(barn_ctl_step(slow), BARN_OK);
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_EQ(server_clients(r.server), 2);
	ask(&r, "echo", "here");
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_STR(r.text, "here\n");
	r.now_ms += 1001;
	server_step(r.server, r.now_ms);
	CHECK_EQ(server_clients(r.server), 1);
	CHECK_EQ(r.commands.forgotten, 1);
	ask(&r, "echo", "still");
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_STR(r.text, "here\nstill\n");
	barn_ctl_free(slow);
	end(&r);
}

TEST(half_a_message_and_no_greeting_are_waited_for_so_long_and_idleness_for_ever)
{
	struct rig r;
	int pair[2];

	begin_pair(&r);
	ask(&r, "echo", "x");
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	CHECK_EQ(server_adopt(r.server, pair[0], r.now_ms), BARN_OK);
	CHECK_EQ(write(pair[1], "\0\0\0", 3), 3);
	r.now_ms += 500;
	server_step(r.server, r.now_ms);
	CHECK_EQ(server_clients(r.server), 2);
	r.now_ms += 1001;
	server_step(r.server, r.now_ms);
	CHECK_EQ(server_clients(r.server), 1);
	r.now_ms += 1000000;
	server_step(r.server, r.now_ms);
	ask(&r, "echo", "y");
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_STR(r.text, "x\ny\n");
	(void)close(pair[1]);
	end(&r);
}

TEST(a_newcomer_takes_the_place_of_who_was_idle_longest)
{
	struct rig r;
	int pair[5][2];

	begin_pair(&r);
	ask(&r, "sleep", NULL); /* busy, and older than all others */
	CHECK_EQ(run(&r), BARN_OK);
	for (unsigned i = 0; i < 5; i++) {
		CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair[i]), 0);
		CHECK_EQ(server_adopt(r.server, pair[i][0], ++r.now_ms), BARN_OK);
	}
	CHECK_EQ(server_clients(r.server), 4);
	CHECK(is_ready(pair[0][1])); /* closed */
	CHECK(is_ready(pair[1][1]));
	CHECK(!is_ready(pair[2][1]));
	server_resume(r.server, r.commands.sleeper);
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_STR(r.text, "awake\n");
	for (unsigned i = 0; i < 5; i++)
		(void)close(pair[i][1]);
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_EQ(server_clients(r.server), 1);
	end(&r);
}

TEST(a_client_that_goes_while_its_command_waits_is_forgotten)
{
	struct rig r;

	begin_pair(&r);
	ask(&r, "sleep", NULL);
	CHECK_EQ(run(&r), BARN_OK);
	CHECK_EQ(r.ends, 0);
	barn_ctl_free(r.client);
	r.client = NULL;
	server_step(r.server, r.now_ms);
	CHECK_EQ(r.commands.forgotten, 1);
	CHECK_EQ(server_clients(r.server), 0);
	end(&r);
}

TEST(when_the_server_goes_all_that_was_asked_is_told_so)
{
	struct rig r;

	begin_pair(&r);
	ask(&r, "sleep", NULL);
	ask(&r, "echo", "x");
	CHECK_EQ(run(&r), BARN_OK);
	server_free(r.server);
	r.server = NULL;
	CHECK_EQ(barn_ctl_step(r.client), BARN_ERR_END);
	CHECK_EQ(r.ends, 2);
	CHECK_EQ(r.err, BARN_ERR_END);
	CHECK_EQ(barn_ctl_fd(r.client), -1);
	CHECK_EQ(barn_ctl_step(r.client), BARN_ERR_END);
	end(&r);
}

TEST(a_server_that_does_not_keep_to_the_protocol_is_left)
{
	static const char *const bad[] = {
		"HTTP/1.1 400 Bad Request\r\n\r\n",
		"\0\0\0\4\4\0\0\0\0\0\0\7\0\0\0", /* the end of what was not asked */
	};
	struct rig r;
	int pair[2];

	for (unsigned i = 0; i < 2; i++) {
		r = (struct rig){ 0 };
		begin(&r, -1);
		CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
		CHECK_EQ(barn_ctl_adopt(r.client, pair[1]), BARN_OK);
		ask(&r, "echo", "x");
		CHECK_EQ(write(pair[0], bad[i], 16), 16);
		CHECK_EQ(barn_ctl_step(r.client), BARN_ERR_FORMAT);
		CHECK_EQ(r.ends, 1);
		(void)close(pair[0]);
		end(&r);
	}
}

TEST(rights_are_those_of_root_the_own_user_and_the_group)
{
	struct server_options closed = { .change_gid = 50 },
			      open = { .change_gid = 50, .others_look = true };
	struct server_options none = { .change_gid = (gid_t)-1 };
	struct peer root = { .uid = 0, .gid = 9 }, own = { .uid = 7, .gid = 9 };
	struct peer first = { .uid = 8, .gid = 50 }, other = { .uid = 8, .gid = 9 };
	struct peer second = { .uid = 8, .gid = 9, .groups = { 1, 50 }, .group_count = 2 };
	struct peer nobody = { .uid = 8, .gid = (gid_t)-1 };

	CHECK_EQ(peer_rights(&root, 7, &closed), PEER_CHANGE);
	CHECK_EQ(peer_rights(&own, 7, &closed), PEER_CHANGE);
	CHECK_EQ(peer_rights(&first, 7, &closed), PEER_CHANGE);
	CHECK_EQ(peer_rights(&second, 7, &closed), PEER_CHANGE);
	CHECK_EQ(peer_rights(&other, 7, &closed), PEER_NOTHING);
	CHECK_EQ(peer_rights(&other, 7, &open), PEER_LOOK);
	CHECK_EQ(peer_rights(&nobody, 7, &none), PEER_NOTHING);
}

static void
make_path(struct rig *r)
{
	const char *base = getenv("TMPDIR");

	*r = (struct rig){ .now_ms = 1 };
	snprintf(r->folder, sizeof(r->folder), "%s/barn-ctl.XXXXXX", base ? base : "/tmp");
	CHECK(mkdtemp(r->folder));
	snprintf(r->path, sizeof(r->path), "%s/control", r->folder);
}

static void
remove_path(struct rig *r)
{
	(void)unlink(r->path);
	CHECK_EQ(rmdir(r->folder), 0);
}

TEST(a_socket_that_was_left_is_replaced_and_one_in_use_or_a_file_is_not)
{
	struct rig r;
	struct stat st;
	int fd, again = -1;

	make_path(&r);
	CHECK_EQ(server_listen(r.path, 0660, (gid_t)-1, &fd), BARN_OK);
	CHECK_EQ(stat(r.path, &st), 0);
	CHECK_EQ(st.st_mode & 07777, 0660);
	CHECK_EQ(server_listen(r.path, 0660, (gid_t)-1, &again), BARN_ERR_EXISTS);
	(void)close(fd);
	CHECK_EQ(server_listen(r.path, 0600, (gid_t)-1, &fd), BARN_OK);
	(void)close(fd);
	(void)unlink(r.path);
	fd = open(r.path, O_CREAT | O_WRONLY, 0600);
	CHECK(fd >= 0);
	(void)close(fd);
	CHECK_EQ(server_listen(r.path, 0600, (gid_t)-1, &again), BARN_ERR_EXISTS);
	CHECK_EQ(again, -1);
	remove_path(&r);
}

struct looper {
	struct server *server;
	atomic_bool stop;
};

static void *
loop(void *self)
{
	struct looper *l = self;

	for (uint64_t ms = 1; !atomic_load(&l->stop); ms++) {
		struct pollfd p = { .fd = server_fd(l->server), .events = POLLIN };

		(void)poll(&p, 1, 5);
		server_step(l->server, ms);
	}
	return NULL;
}

TEST(wait_blocks_until_the_answer_or_the_time_is_over)
{
	struct rig r;
	struct looper looper = { .stop = false };
	pthread_t thread;
	uint32_t id;
	int fd;

	make_path(&r);
	begin(&r, -1);
	CHECK_EQ(barn_ctl_connect(r.client), BARN_ERR_MISSING);
	end(&r);
	CHECK_EQ(server_listen(r.path, 0600, (gid_t)-1, &fd), BARN_OK);
	begin(&r, fd);
	looper.server = r.server;
	CHECK_EQ(pthread_create(&thread, NULL, loop, &looper), 0);
	CHECK_EQ(barn_ctl_connect(r.client), BARN_OK);
	CHECK_EQ(barn_ctl_wait(r.client, ask(&r, "echo", "x"), 5000), BARN_OK);
	CHECK_STR(r.text, "x\n");
	CHECK_EQ(barn_ctl_wait(r.client, ask(&r, "no", "x"), 5000), BARN_ERR_MISSING);
	CHECK(strstr(barn_ctl_text(r.client), "no such command"));
	id = ask(&r, "sleep", NULL);
	errno = 0;
	CHECK_EQ(barn_ctl_wait(r.client, id, 50), BARN_ERR_SYSTEM);
	CHECK_EQ(errno, ETIMEDOUT);
	CHECK_EQ(barn_ctl_connect(r.client), BARN_OK);
	CHECK_EQ(barn_ctl_wait(r.client, ask(&r, "echo", "y"), 5000), BARN_OK);
	CHECK_STR(r.text, "x\ny\n");
	CHECK_EQ(barn_ctl_wait(r.client, 12345, 10), BARN_ERR_MISSING);
	atomic_store(&looper.stop, true);
	(void)pthread_join(thread, NULL);
	end(&r);
	(void)close(fd);
	remove_path(&r);
}

TEST(the_kernel_says_who_a_peer_is)
{
	struct peer peer;
	int pair[2];

	CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	CHECK_EQ(peer_of(pair[0], &peer), BARN_OK);
	CHECK_EQ(peer.uid, geteuid());
	CHECK_EQ(peer.gid, getegid());
	(void)close(pair[0]);
	(void)close(pair[1]);
	CHECK_EQ(peer_of(pair[0], &peer), BARN_ERR_SYSTEM);
}

TEST(a_stranger_is_told_so_and_closed)
{
	struct rig r;
	int fd;
	pid_t child;
	int status = 0;

	if (geteuid() != 0)
		return; /* only root can be somebody else */
	make_path(&r);
	CHECK_EQ(chmod(r.folder, 0755), 0);
	CHECK_EQ(server_listen(r.path, 0666, (gid_t)-1, &fd), BARN_OK);
	begin(&r, fd);
	child = fork();
	CHECK(child >= 0);
	if (child == 0) {
		bool other = setgid(65534) == 0 && setuid(65534) == 0;
		uint32_t id = 0;
		const char *words[] = { "echo" };

		_exit(!other || barn_ctl_connect(r.client) ||
		      barn_ctl_send(r.client, words, 1, &id) ||
		      barn_ctl_wait(r.client, id, 5000) != BARN_ERR_SYSTEM ||
		      !strstr(barn_ctl_text(r.client), "not permitted"));
	}
	while (waitpid(child, &status, WNOHANG) == 0) {
		server_step(r.server, ++r.now_ms);
		(void)usleep(1000);
	}
	CHECK_EQ(status, 0);
	server_step(r.server, ++r.now_ms);
	CHECK_EQ(server_clients(r.server), 0);
	end(&r);
	(void)close(fd);
	remove_path(&r);
}
