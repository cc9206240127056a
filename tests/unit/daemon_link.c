/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Messages between barnd's processes. */
#include "daemon/link.h"
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int ends[2];

TEST(a_message_comes_as_it_was_sent)
{
	struct link_message m;

	CHECK(link_pair(ends));
	CHECK_EQ(link_receive(ends[1], &m), 0);
	CHECK(link_send(ends[0], LINK_DONE, 7, "850 modules", 11));
	CHECK(link_send(ends[0], LINK_CLOSE, 0, NULL, 0));
	CHECK_EQ(link_receive(ends[1], &m), 1);
	CHECK_EQ(m.kind, LINK_DONE);
	CHECK_EQ(m.ticket, 7);
	CHECK_STR(text_str(&m.text), "850 modules");
	text_fini(&m.text);
	CHECK_EQ(link_receive(ends[1], &m), 1);
	CHECK_EQ(m.kind, LINK_CLOSE);
	CHECK_EQ(m.text.len, 0);
	CHECK_EQ(link_receive(ends[1], &m), 0);
	close(ends[0]);
	CHECK_EQ(link_receive(ends[1], &m), -1);
	close(ends[1]);
}

TEST(a_long_text_keeps_nobody_waiting)
{
	size_t n = 20000000;
	char *text = calloc(n, 1);
	struct link_message m;

	CHECK(text != NULL);
	memset(text, 'x', n);
	CHECK(link_pair(ends));
	CHECK(link_send(ends[0], LINK_CHANGE, 0, text, n));
	CHECK_EQ(link_receive(ends[1], &m), 1);
	CHECK_EQ(m.text.len, n);
	CHECK(memcmp(m.text.s, text, n) == 0);
	text_fini(&m.text);
	free(text);
	close(ends[0]);
	close(ends[1]);
}

TEST(who_does_not_read_is_told_of)
{
	bool sent = true;

	CHECK(link_pair(ends));
	for (unsigned i = 0; sent && i < 100000; i++)
		sent = link_send(ends[0], LINK_READY, 0, NULL, 0);
	CHECK(!sent);
	CHECK_EQ(errno, EAGAIN);
	close(ends[0]);
	close(ends[1]);
}
