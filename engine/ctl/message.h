/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CTL_MESSAGE_H
#define CTL_MESSAGE_H

/*
 * The control socket's protocol, both sides. A message is a head and a body:
 *
 *	 0      4      5        8     12
 *	+------+------+--------+------+------
 *	| body | type | 0 0 0  | id   | body ...        numbers are big-endian
 *	| size |      |        |      |
 *	+------+------+--------+------+------
 *
 *	HELLO    client, then server: magic "BARN", u16 version, text of the sender's version
 *	COMMAND  client: u16 words, then each u16 length and bytes; id is the client's choice
 *	DATA     server: a part of the answer
 *	END      server: i32 error (0 or an enum barn_err), text
 *
 * Words with lengths, not JSON: a command is a list of words and an answer is bytes, be it the
 * lines of a router or, with `--json`, JSON that a program wrote as a stream. Put into a JSON
 * envelope, both would be escaped, held whole in memory and parsed again, and the parser would
 * stand open to everybody who may connect. This one is forty lines, allocates nothing, and
 * refuses at the first byte that is wrong. Versions: a server speaks the version that the
 * client has named, or says END with id 0 and closes.
 */

#include "base/bytes.h"

#include <barn/ctl.h>
#include <barn/err.h>

enum message_type { MESSAGE_HELLO = 1, MESSAGE_COMMAND, MESSAGE_DATA, MESSAGE_END };

enum { MESSAGE_HEAD = 12, MESSAGE_BODY = BARN_CTL_LENGTH };

struct message {
	uint8_t type;
	uint32_t id;
	struct bytes body; /* lives as long as what it was taken from */
};

/*
 * The next message of what has come so far. BARN_ERR_END: it is not complete; BARN_ERR_FORMAT:
 * it never will be one.
 */
enum barn_err message_take(struct bytes *in, struct message *message);

/* BARN_ERR_FORMAT: the body is not what its type demands. Texts are cut to their room. */
enum barn_err message_hello(const struct message *message, uint16_t *version, char *text,
			    size_t room);
enum barn_err message_end(const struct message *message, enum barn_err *err, char *text,
			  size_t room);

/* Words end in NUL in `room`, which has space for the body's size and BARN_CTL_WORDS. */
enum barn_err message_words(const struct message *message, char *room,
			    const char *words[BARN_CTL_WORDS], unsigned *count);

/* Writers: the message's size, 0 if it is too long. `to` has MESSAGE_HEAD + MESSAGE_BODY. */
size_t message_write(uint8_t *to, enum message_type type, uint32_t id, const void *body,
		     size_t size);
/* The head alone, of a body that follows it. */
void message_write_head(uint8_t to[MESSAGE_HEAD], enum message_type type, uint32_t id,
			size_t size);
size_t message_write_hello(uint8_t *to, uint16_t version, const char *text);
size_t message_write_end(uint8_t *to, uint32_t id, enum barn_err err, const char *text);
size_t message_write_words(uint8_t *to, uint32_t id, const char *const *words, unsigned count);

#endif
