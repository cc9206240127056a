/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_INSIDE_H
#define CLI_INSIDE_H

/*
 * Which addresses lie behind the interface. A packet from one of them enters there: input. A
 * packet to one of them leaves there: output. From one of them to another is input; from none
 * to none too, as what is not known.
 */

#include "wire/packet.h"

struct inside {
	uint8_t version; /* 4, 6 */
	uint8_t bits;
	union packet_addr address;
};

/* "192.0.2.0/24", "2001:db8::/32", an address alone. False: it is none of these. */
bool inside_parse(const char *text, struct inside *inside);

enum packet_dir inside_dir(const struct inside *list, unsigned count,
			   const struct packet *packet);

#endif
