/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/opaque.h"

#include "unit.h"
#include "wire/packet.h"

#include <string.h>

TEST(words_are_in_order)
{
	for (unsigned i = 1; opaque_word(i); i++)
		CHECK(strcmp(opaque_word(i - 1), opaque_word(i)) < 0);
}

TEST(every_layer_has_a_word_of_its_own)
{
	uint32_t seen = 0;

	for (unsigned i = 0; opaque_word(i); i++) {
		CHECK_EQ(opaque_find(opaque_word(i)), opaque_mask(i));
		CHECK(opaque_mask(i) != 0);
		if (strcmp(opaque_word(i), "gre") == 0)
			continue;
		CHECK_EQ(opaque_mask(i) & (opaque_mask(i) - 1), 0);
		CHECK_EQ(seen & opaque_mask(i), 0);
		seen |= opaque_mask(i);
	}
	seen |= opaque_find("gre");
	for (unsigned layer = 1; layer < LAYER__COUNT; layer++)
		CHECK(seen >> layer & 1);
	CHECK_EQ(seen & 1, 0);
	CHECK_EQ(seen >> (LAYER__COUNT - 1) >> 1, 0);
}

TEST(words_are_the_names_of_layers_but_for_ip)
{
	for (unsigned layer = 1; layer < LAYER__COUNT; layer++) {
		uint32_t mask = opaque_find(packet_layer_name((enum packet_layer)layer));

		if (layer == LAYER_IP4 || layer == LAYER_IP6)
			CHECK_EQ(mask, 0);
		else
			CHECK(mask >> layer & 1);
	}
	CHECK_EQ(opaque_find("ipinip"), 1u << LAYER_IP4);
	CHECK_EQ(opaque_find("ipv6inip"), 1u << LAYER_IP6);
	CHECK_EQ(opaque_find(""), 0);
	CHECK_EQ(opaque_find("gree"), 0);
	CHECK_EQ(opaque_find("none"), 0);
}

TEST(all_has_tunnels_and_no_links)
{
	uint32_t all = opaque_find("all");

	CHECK(all >> LAYER_GRE & all >> LAYER_VXLAN & all >> LAYER_IP6 & 1);
	CHECK_EQ(all >> LAYER_VLAN & 1, 0);
	CHECK_EQ(all >> LAYER_MPLS & 1, 0);
	CHECK_EQ(all & 1, 0);
}
