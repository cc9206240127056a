/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Modbus over TCP: transaction, protocol 0, length, unit, function, each message behind the
 * other (MODBUS Messaging on TCP/IP Implementation Guide 1.0b, section 3.1). One that is as
 * long as its function wants is likely, and what follows it proves it; the module's rules know
 * those that are sure alone.
 */
#include "inspect/chain.h"

enum { FUNCTION, UNIT, EXCEPTION };

static const struct inspect_field fields[] = {
	[FUNCTION] = { "function", INSPECT_NUMBER },
	[UNIT] = { "unit", INSPECT_NUMBER },
	[EXCEPTION] = { "exception", INSPECT_NUMBER },
};

enum {
	HEADER = 6,
	REST_LEAST = 2,
	REST_MOST = 254,
	EXCEPTION_BIT = 0x80,
	FUNCTION_MOST = 0x6e
};

struct modbus {
	struct chain chain;
	struct chain_set functions, units, exceptions;
};

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	/* A message of LDAP whose length has four bytes looks alike: BER's 30 84 00 00 00. */
	bool ber = bytes_starts(&b, "\x30\x84");
	uint16_t zero = (bytes_skip(&b, 2), bytes_be16(&b));
	uint16_t rest = bytes_be16(&b);

	if (zero != 0 || ber)
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	*length = HEADER + rest;
	return rest < REST_LEAST || rest > REST_MOST ? INSPECT_NO : INSPECT_SURE;
}

/* Whether so many bytes behind the function can be that function's, asked or answered. */
static bool
fits(uint8_t function, struct bytes b)
{
	size_t n = bytes_left(&b);
	struct bytes count = b;
	uint8_t bytes = bytes_u8(&count);

	switch (function) {
	case 0: return n == 4; /* there is none, but scanners ask for it */
	case 1:
	case 2:
	case 3:
	case 4: return n == 4 || (bytes > 0 && n == bytes + 1u);
	case 5:
	case 6: return n == 4;
	case 7: return n <= 1;
	case 8: return n >= 4;
	case 0x0f:
	case 0x10: return n == 4 || n >= 6;
	case 0x16: return n == 6;
	default: return function >= 1 && function <= FUNCTION_MOST;
	}
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct modbus *s = state;
	struct bytes b = m->b;
	uint8_t unit = (bytes_skip(&b, HEADER), bytes_u8(&b)), function = bytes_u8(&b);
	bool failed = function & EXCEPTION_BIT;

	function &= (uint8_t)~EXCEPTION_BIT;
	if (failed ? bytes_left(&b) < 1 || bytes_left(&b) > 2 : !fits(function, b))
		return INSPECT_NO;
	chain_tell(&s->functions, FUNCTION, function, sink);
	chain_tell(&s->units, UNIT, unit, sink);
	/* Some devices put a zero behind the exception. */
	if (failed)
		chain_tell(&s->exceptions, EXCEPTION, bytes_u8(&b), sink);
	return INSPECT_LIKELY;
}

static const struct chain_protocol protocol = {
	.want = HEADER + REST_MOST,
	.enough = 2,
	.most = 1024,
	.length = measure,
	.message = message,
};

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return chain_feed(&protocol, state, view, sink);
}

const struct inspector inspect_modbus = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "modbus",
	.state_size = sizeof(struct modbus),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
