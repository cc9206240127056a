/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/message.h"

static const char magic[4] = { 'B', 'A', 'R', 'N' };

enum barn_err
message_take(struct bytes *in, struct message *message)
{
	struct bytes b = *in;
	uint32_t size = bytes_be32(&b);
	uint8_t type = bytes_u8(&b);
	uint32_t zero = bytes_be24(&b), id = bytes_be32(&b);

	if (b.bad)
		return BARN_ERR_END;
	if (size > MESSAGE_BODY || type < MESSAGE_HELLO || type > MESSAGE_END || zero)
		return BARN_ERR_FORMAT;
	if (bytes_left(&b) < size)
		return BARN_ERR_END;
	*message = (struct message){ .type = type, .id = id, .body = bytes_take(&b, size) };
	*in = b;
	return BARN_OK;
}

/* What is left, as a text that can be shown on a terminal. */
static void
take_text(struct bytes *b, char *text, size_t room)
{
	size_t length = bytes_left(b);
	const uint8_t *from = bytes_next(b, length);

	if (length > room - 1)
		length = room - 1;
	for (size_t i = 0; i < length; i++)
		text[i] = (char)(from[i] < ' ' || from[i] == 127 ? '?' : from[i]);
	text[length] = 0;
}

enum barn_err
message_hello(const struct message *message, uint16_t *version, char *text, size_t room)
{
	struct bytes b = message->body;
	const uint8_t *begin = bytes_next(&b, sizeof(magic));
	uint16_t number = bytes_be16(&b);

	if (b.bad || memcmp(begin, magic, sizeof(magic)) != 0)
		return BARN_ERR_FORMAT;
	*version = number;
	take_text(&b, text, room);
	return BARN_OK;
}

enum barn_err
message_end(const struct message *message, enum barn_err *err, char *text, size_t room)
{
	struct bytes b = message->body;
	int32_t number = (int32_t)bytes_be32(&b);

	if (b.bad || number > BARN_OK || number < BARN_ERR_END)
		return BARN_ERR_FORMAT;
	*err = (enum barn_err)number;
	take_text(&b, text, room);
	return BARN_OK;
}

enum barn_err
message_words(const struct message *message, char *room, const char *words[BARN_CTL_WORDS],
	      unsigned *count)
{
	struct bytes b = message->body;
	uint16_t n = bytes_be16(&b);

	if (b.bad || n == 0 || n > BARN_CTL_WORDS)
		return BARN_ERR_FORMAT;
	for (unsigned i = 0; i < n; i++) {
		uint16_t length = bytes_be16(&b);
		const uint8_t *word = bytes_next(&b, length);

		if (b.bad || memchr(word, 0, length))
			return BARN_ERR_FORMAT;
		words[i] = room;
		memcpy(room, word, length);
		room[length] = 0;
		room += length + 1;
	}
	*count = n;
	return bytes_left(&b) ? BARN_ERR_FORMAT : BARN_OK;
}

static uint8_t *
put(uint8_t *to, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		to[i] = (uint8_t)(value >> 8 * (size - 1 - i));
	return to + size;
}

void
message_write_head(uint8_t to[MESSAGE_HEAD], enum message_type type, uint32_t id, size_t size)
{
	put(put(put(to, size, 4), (uint64_t)type << 24, 4), id, 4);
}

/* The body is in its place. */
static size_t
finish(uint8_t *to, enum message_type type, uint32_t id, size_t size)
{
	if (size > MESSAGE_BODY)
		return 0;
	message_write_head(to, type, id, size);
	return MESSAGE_HEAD + size;
}

size_t
message_write(uint8_t *to, enum message_type type, uint32_t id, const void *body, size_t size)
{
	if (size > MESSAGE_BODY)
		return 0;
	if (size)
		memcpy(to + MESSAGE_HEAD, body, size);
	return finish(to, type, id, size);
}

/* Texts are cut rather than refused. */
static size_t
put_text(uint8_t *at, const uint8_t *to, const char *text)
{
	size_t room = MESSAGE_HEAD + MESSAGE_BODY - (size_t)(at - to);
	size_t length = strlen(text);

	if (length > room)
		length = room;
	memcpy(at, text, length);
	return (size_t)(at - to) - MESSAGE_HEAD + length;
}

size_t
message_write_hello(uint8_t *to, uint16_t version, const char *text)
{
	uint8_t *at = to + MESSAGE_HEAD;

	memcpy(at, magic, sizeof(magic));
	at = put(at + sizeof(magic), version, 2);
	return finish(to, MESSAGE_HELLO, 0, put_text(at, to, text));
}

size_t
message_write_end(uint8_t *to, uint32_t id, enum barn_err err, const char *text)
{
	uint8_t *at = put(to + MESSAGE_HEAD, (uint32_t)err, 4);

	return finish(to, MESSAGE_END, id, put_text(at, to, text));
}

size_t
message_write_words(uint8_t *to, uint32_t id, const char *const *words, unsigned count)
{
	uint8_t *at = put(to + MESSAGE_HEAD, count, 2);
	size_t left = MESSAGE_BODY - 2;

	if (count == 0 || count > BARN_CTL_WORDS)
		return 0;
	for (unsigned i = 0; i < count; i++) {
		size_t length = strlen(words[i]);

		if (left < 2 || length > left - 2 || length > UINT16_MAX)
			return 0;
		at = put(at, length, 2);
		memcpy(at, words[i], length);
		at += length;
		left -= 2 + length;
	}
	return finish(to, MESSAGE_COMMAND, id, (size_t)(at - to) - MESSAGE_HEAD);
}
