/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/link.h"
#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int
link_open(void)
{
	struct sockaddr_nl at = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&at, sizeof at) != 0) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

static void
read_name(const struct nlmsghdr *message, struct link_news *news)
{
	const struct ifinfomsg *info = NLMSG_DATA(message);
	struct rtattr *a = IFLA_RTA(info);
	size_t left = IFLA_PAYLOAD(message);

	for (; RTA_OK(a, left); a = RTA_NEXT(a, left)) {
		size_t size = RTA_PAYLOAD(a);

		if (a->rta_type != IFLA_IFNAME || size == 0 || size > sizeof news->name)
			continue;
		memcpy(news->name, RTA_DATA(a), size);
		news->name[size - 1] = 0;
	}
}

/* The kernel sends one message at a time to a group. */
bool
link_next(int fd, struct link_news *news)
{
	union {
		struct nlmsghdr message;
		char bytes[8192];
	} in;

	for (;;) {
		ssize_t got = recv(fd, &in, sizeof in, MSG_DONTWAIT);
		const struct ifinfomsg *info = NLMSG_DATA(&in.message);

		if (got < 0 && (errno == EINTR || errno == ENOBUFS))
			continue;
		if (got <= 0)
			return false;
		if (!NLMSG_OK(&in.message, (size_t)got) ||
		    in.message.nlmsg_len < NLMSG_LENGTH(sizeof *info))
			continue;
		/* A kernel bridge tells of its ports in its own family. */
		if (info->ifi_family != AF_UNSPEC)
			continue;
		if (in.message.nlmsg_type != RTM_NEWLINK &&
		    in.message.nlmsg_type != RTM_DELLINK)
			continue;
		*news = (struct link_news){
			.index = info->ifi_index,
			.gone = in.message.nlmsg_type == RTM_DELLINK,
			.up = (info->ifi_flags & IFF_UP) && (info->ifi_flags & IFF_RUNNING),
		};
		read_name(&in.message, news);
		return true;
	}
}

/* Reads the flags, and where bits are to be set or cleared, writes them. */
static bool
flags(const char *interface, int set_bits, int clear_bits, int *now)
{
	struct ifreq request = { .ifr_flags = 0 };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool ok;

	if (fd < 0)
		return false;
	strncpy(request.ifr_name, interface, sizeof request.ifr_name - 1);
	ok = ioctl(fd, SIOCGIFFLAGS, &request) == 0;
	if (ok && (set_bits || clear_bits)) {
		request.ifr_flags = (short)((request.ifr_flags | set_bits) & ~clear_bits);
		ok = ioctl(fd, SIOCSIFFLAGS, &request) == 0;
	}
	*now = request.ifr_flags;
	(void)close(fd);
	return ok;
}

bool
link_is_up(const char *interface)
{
	int now;

	return flags(interface, 0, 0, &now) && (now & IFF_UP) && (now & IFF_RUNNING);
}

bool
link_set(const char *interface, bool up)
{
	int now;

	return flags(interface, up ? IFF_UP : 0, up ? 0 : IFF_UP, &now);
}

enum link_act
link_mirror_step(struct link_mirror *mirror, unsigned side, bool up)
{
	unsigned other = !side;

	if (mirror->held[side])
		return LINK_NOTHING;
	if (up == !mirror->held[other])
		return LINK_NOTHING;
	mirror->held[other] = !up;
	return up ? LINK_SET_UP : LINK_SET_DOWN;
}
