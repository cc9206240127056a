/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/link.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct head {
	uint8_t kind;
	uint32_t ticket;
};

union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

bool
link_pair(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0;
}

/* A file in memory with the text; -1: errno. */
static int
file_of(const char *text, size_t len)
{
	int fd = memfd_create("barn", MFD_CLOEXEC);

	for (size_t done = 0; fd >= 0 && done < len;) {
		ssize_t n = write(fd, text + done, len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			close(fd);
			return -1;
		}
		done += (size_t)n;
	}
	return fd;
}

bool
link_send(int end, enum link_kind kind, uint32_t ticket, const char *text, size_t len)
{
	struct head head = { .kind = (uint8_t)kind, .ticket = ticket };
	struct iovec part = { &head, sizeof(head) };
	union control control = { .bytes = { 0 } };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
	ssize_t sent;
	int fd = -1, kept;

	if (len) {
		struct cmsghdr *c;

		fd = file_of(text, len);
		if (fd < 0)
			return false;
		message.msg_control = control.bytes;
		message.msg_controllen = sizeof(control.bytes);
		c = CMSG_FIRSTHDR(&message);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	sent = sendmsg(end, &message, MSG_NOSIGNAL);
	kept = errno;
	if (fd >= 0)
		close(fd);
	errno = kept;
	return sent == (ssize_t)sizeof(head);
}

/* What is in the file; `failed` is set if it cannot be read. */
static void
read_file(int fd, struct text *text)
{
	char part[16384];
	off_t at = 0;

	for (;;) {
		ssize_t n = pread(fd, part, sizeof(part), at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			text->failed = true;
		if (n <= 0)
			return;
		text_add_n(text, part, (size_t)n);
		at += n;
	}
}

int
link_receive(int end, struct link_message *message)
{
	struct head head = { 0 };
	struct iovec part = { &head, sizeof(head) };
	union control control;
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = control.bytes,
			    .msg_controllen = sizeof(control.bytes) };
	ssize_t n;

	do
		n = recvmsg(end, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (n != (ssize_t)sizeof(head))
		return -1;
	*message = (struct link_message){ .kind = head.kind, .ticket = head.ticket };
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&m); c; c = CMSG_NXTHDR(&m, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS) {
			int fd;

			memcpy(&fd, CMSG_DATA(c), sizeof(fd));
			read_file(fd, &message->text);
			close(fd);
		}
	return 1;
}
