/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * BACnet/IP (ANSI/ASHRAE 135): BVLC (annex J: 81, a function, a length), in it a message of the
 * network (clause 6: version 1, control, addresses), in that one of the application (clause 20:
 * its kind, and the service that is asked for or answered).
 */
#include "inspect/chain.h"

enum { SERVICE, VENDOR, DEVICE };

static const struct inspect_field fields[] = {
	[SERVICE] = { "service", INSPECT_TEXT },
	[VENDOR] = { "vendor", INSPECT_NUMBER },
	[DEVICE] = { "device", INSPECT_NUMBER },
};

enum {
	BVLC = 0x81,
	SECURE = 0x0c,
	FORWARDED = 4,
	UNICAST = 10,
	BROADCAST = 11,
	DISTRIBUTE = 9
};
enum { CONTROL_NETWORK = 0x80, CONTROL_RESERVED = 0x50, CONTROL_TO = 0x20, CONTROL_FROM = 8 };
enum { CONFIRMED, UNCONFIRMED, SIMPLE_ACK, COMPLEX_ACK, SEGMENT_ACK, ERROR, REJECT, ABORT };
enum { I_AM = 0, SEGMENTED = 8, CONTROL_LEAST = 4 };

/* Clause 21's choices of services, by their number. */
static const char *const unconfirmed[] = {
	"i-am",
	"i-have",
	"cov-notification",
	"event-notification",
	"private",
	"text-message",
	"time-synchronization",
	"who-has",
	"who-is",
	"utc-time-synchronization",
	"write-group",
	"cov-notification-multiple",
};
static const char *const confirmed[] = {
	"acknowledge-alarm",
	"cov-notification",
	"event-notification",
	"get-alarm-summary",
	"get-enrollment-summary",
	"subscribe-cov",
	"atomic-read-file",
	"atomic-write-file",
	"add-list-element",
	"remove-list-element",
	"create-object",
	"delete-object",
	"read-property",
	"read-property-conditional",
	"read-property-multiple",
	"write-property",
	"write-property-multiple",
	"device-communication-control",
	"private-transfer",
	"text-message",
	"reinitialize-device",
	"vt-open",
	"vt-close",
	"vt-data",
	"authenticate",
	"request-key",
	"read-range",
	"life-safety-operation",
	"subscribe-cov-property",
	"get-event-information",
};

struct bacnet {
	struct chain chain;
	struct chain_set asked, told;
	bool device;
};

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	uint8_t type = bytes_u8(&b), function = bytes_u8(&b);

	*length = bytes_be16(&b);
	return b.bad || type != BVLC || function > SECURE || *length < CONTROL_LEAST
		       ? INSPECT_NO
		       : INSPECT_SURE;
}

static void
tell(struct bacnet *s, bool is_confirmed, uint8_t service, const struct inspect_sink *sink)
{
	size_t count = is_confirmed ? sizeof(confirmed) / sizeof(confirmed[0])
				    : sizeof(unconfirmed) / sizeof(unconfirmed[0]);
	const char *name;

	if (service >= count || !chain_new(is_confirmed ? &s->asked : &s->told, service))
		return;
	name = is_confirmed ? confirmed[service] : unconfirmed[service];
	sink->field(sink->self, SERVICE, bytes_of(name, strlen(name)));
}

/* An object (22 bits of instance), the longest message, segmentation, the vendor. */
static void
read_i_am(struct bacnet *s, struct bytes b, const struct inspect_sink *sink)
{
	bool object = bytes_u8(&b) == 0xc4;
	uint32_t device = bytes_be32(&b) & 0x3fffff;

	bytes_skip(&b, bytes_u8(&b) & 7);
	bytes_skip(&b, bytes_u8(&b) & 7);
	uint8_t tag = bytes_u8(&b);
	uint16_t vendor = tag == 0x22 ? bytes_be16(&b) : bytes_u8(&b);

	if (b.bad || !object || s->device || (tag != 0x21 && tag != 0x22))
		return;
	s->device = true;
	sink->number(sink->self, DEVICE, device);
	sink->number(sink->self, VENDOR, vendor);
}

static bool
read_application(struct bacnet *s, struct bytes b, const struct inspect_sink *sink)
{
	uint8_t first = bytes_u8(&b), kind = first >> 4, service;
	bool segmented = first & SEGMENTED;

	switch (kind) {
	case CONFIRMED:
		bytes_skip(&b, segmented ? 4 : 2);
		tell(s, true, service = bytes_u8(&b), sink);
		break;
	case UNCONFIRMED:
		service = bytes_u8(&b);
		tell(s, false, service, sink);
		if (service == I_AM)
			read_i_am(s, b, sink);
		return !b.bad && (first & 15) == 0;
	case SIMPLE_ACK:
	case ERROR:
		bytes_skip(&b, 1);
		tell(s, true, service = bytes_u8(&b), sink);
		break;
	case COMPLEX_ACK:
		bytes_skip(&b, segmented ? 3 : 1);
		tell(s, true, service = bytes_u8(&b), sink);
		break;
	default: return kind <= ABORT;
	}
	(void)service;
	return !b.bad;
}

/* What a network number and an address of its own length are. */
static void
skip_address(struct bytes *b)
{
	bytes_skip(b, 2);
	bytes_skip(b, bytes_u8(b));
}

static enum inspect_answer
read_network(struct bacnet *s, struct bytes b, const struct inspect_sink *sink)
{
	uint8_t version = bytes_u8(&b), control = bytes_u8(&b);

	if (b.bad || version != 1 || control & CONTROL_RESERVED)
		return INSPECT_NO;
	if (control & CONTROL_TO)
		skip_address(&b);
	if (control & CONTROL_FROM)
		skip_address(&b);
	if (control & CONTROL_TO)
		bytes_skip(&b, 1);
	if (b.bad || bytes_left(&b) == 0)
		return INSPECT_NO;
	if (control & CONTROL_NETWORK)
		return INSPECT_SURE;
	return read_application(s, b, sink) ? INSPECT_SURE : INSPECT_NO;
}

static enum inspect_answer
read_message(struct bacnet *state, const struct chain_message *m,
	     const struct inspect_sink *sink)
{
	struct bytes b = m->b;
	uint8_t function = (bytes_skip(&b, 1), bytes_u8(&b));

	bytes_skip(&b, 2);
	switch (function) {
	case FORWARDED: bytes_skip(&b, 6); return read_network(state, b, sink);
	case DISTRIBUTE:
	case UNICAST:
	case BROADCAST: return read_network(state, b, sink);
	/* A result, foreign devices, tables: what their lengths must be. */
	case 0: return m->length == 6 ? INSPECT_LIKELY : INSPECT_NO;
	case 1:
	case 3: return (m->length - 4) % 10 == 0 ? INSPECT_LIKELY : INSPECT_NO;
	case 2:
	case 6: return m->length == 4 ? INSPECT_LIKELY : INSPECT_NO;
	case 5: return m->length == 6 ? INSPECT_LIKELY : INSPECT_NO;
	case 7: return (m->length - 4) % 10 == 0 ? INSPECT_LIKELY : INSPECT_NO;
	case 8: return m->length == 10 ? INSPECT_LIKELY : INSPECT_NO;
	default: return INSPECT_LIKELY;
	}
}

/* Of a datagram that the capture cut, BVLC may be all that there is. */
static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	enum inspect_answer found = read_message(state, m, sink);
	bool cut = bytes_left(&m->b) < m->length;

	return found == INSPECT_NO && cut ? INSPECT_LIKELY : found;
}

static const struct chain_protocol protocol = {
	.want = 2048,
	.enough = 2,
	.length = measure,
	.message = message,
};

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return chain_feed(&protocol, state, view, sink);
}

const struct inspector inspect_bacnet = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "bacnet",
	.state_size = sizeof(struct bacnet),
	.transports = INSPECT_UDP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
