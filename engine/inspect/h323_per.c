/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/h323.h"

struct h323_per
h323_per_of(struct bytes b)
{
	return (struct h323_per){ .b = b };
}

unsigned
h323_per_bits(struct h323_per *per, unsigned count)
{
	unsigned value = 0;

	while (count-- > 0) {
		if (per->left == 0) {
			per->byte = bytes_u8(&per->b);
			per->left = 8;
		}
		per->left--;
		value = value << 1 | ((unsigned)per->byte >> per->left & 1u);
	}
	return per->b.bad ? 0 : value;
}

void
h323_per_align(struct h323_per *per)
{
	per->left = 0;
}

uint16_t
h323_per_16(struct h323_per *per)
{
	h323_per_align(per);
	return bytes_be16(&per->b);
}

struct bytes
h323_per_octets(struct h323_per *per, size_t count)
{
	h323_per_align(per);
	return bytes_take(&per->b, count);
}

size_t
h323_per_length(struct h323_per *per)
{
	h323_per_align(per);
	uint8_t first = bytes_u8(&per->b);

	if (first < 0x80)
		return first;
	if (first >= 0xc0) /* fragments of 16 Ki: nothing here is that long */
		per->b.bad = true;
	return (size_t)(first & 0x3f) << 8 | bytes_u8(&per->b);
}

struct bytes
h323_per_open(struct h323_per *per)
{
	size_t len = h323_per_length(per);

	return h323_per_octets(per, len);
}

bool
h323_per_object(struct h323_per *per, const uint8_t *id, size_t len)
{
	struct bytes object = h323_per_open(per), prefix = bytes_take(&object, len);
	uint8_t version = bytes_u8(&object);

	return !object.bad && bytes_left(&object) == 0 && memcmp(prefix.p, id, len) == 0 &&
	       version > 0 && version < 32;
}

bool
h323_per_extensions(struct h323_per *per, unsigned index, struct bytes *one)
{
	bool large = h323_per_bits(per, 1);
	unsigned count = h323_per_bits(per, 6) + 1;
	uint32_t bits;

	*one = bytes_of(NULL, 0);
	if (large || count > 32)
		return false;
	bits = h323_per_bits(per, count > 16 ? count - 16 : 0) << 16;
	bits |= h323_per_bits(per, count > 16 ? 16 : count);
	for (unsigned i = 0; i < count && !per->b.bad; i++) {
		if (!(bits >> (count - 1 - i) & 1))
			continue;
		struct bytes inside = h323_per_open(per);

		if (i == index)
			*one = inside;
	}
	return !per->b.bad;
}

/* H.225.0: ipAddress, ipSourceRoute, ipxAddress, ip6Address, netBios, nsap, nonStandard, ... */
bool
h323_per_address(struct h323_per *per, struct inspect_announcement *a)
{
	bool extended = h323_per_bits(per, 1);
	unsigned choice = h323_per_bits(per, 3);
	struct bytes ip;

	if (extended || (choice != 0 && choice != 3))
		return false;
	if (choice == 3) /* a sequence that may be extended */
		(void)h323_per_bits(per, 1);
	ip = h323_per_octets(per, choice ? 16 : 4);
	*a = (struct inspect_announcement){ .ip_version = choice ? 6 : 4 };
	a->port = h323_per_16(per);
	if (per->b.bad)
		return false;
	memcpy(a->address, ip.p, bytes_left(&ip));
	return a->port != 0 && (a->address[0] || choice);
}
