/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "unit.h"
#include "wire/packet.h"

#include <ctype.h>

static void
check_word(const char *word)
{
	CHECK(word != NULL);
	CHECK(strlen(word) > 0);
	for (const char *c = word; *c; c++)
		CHECK(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-');
}

TEST(every_layer_has_a_name_of_its_own)
{
	for (enum packet_layer a = 0; a < LAYER__COUNT; a++) {
		check_word(packet_layer_name(a));
		CHECK(strcmp(packet_layer_name(a), "unknown") != 0);
		for (enum packet_layer b = 0; b < a; b++)
			CHECK(strcmp(packet_layer_name(a), packet_layer_name(b)) != 0);
	}
}

TEST(every_fault_has_a_name_of_its_own)
{
	for (enum packet_fault a = 0; a < PACKET_FAULTS; a++) {
		check_word(packet_fault_name(a));
		CHECK(strcmp(packet_fault_name(a), "unknown") != 0);
		for (enum packet_fault b = 0; b < a; b++)
			CHECK(strcmp(packet_fault_name(a), packet_fault_name(b)) != 0);
	}
}

TEST(number_without_a_name_is_unknown)
{
	CHECK_STR(packet_layer_name(LAYER__COUNT), "unknown");
	CHECK_STR(packet_fault_name(PACKET_FAULTS), "unknown");
	CHECK_STR(packet_layer_name((enum packet_layer) - 1), "unknown");
}
