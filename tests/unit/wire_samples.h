/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_WIRE_SAMPLES_H
#define BARN_TESTS_WIRE_SAMPLES_H

/* A frame of each kind that wire decodes, all around the same packet: see wire_rig.h. */

#include <stddef.h>
#include <stdint.h>

struct wire_sample {
	uint16_t linktype;
	uint8_t version;
	const char *text;
	const char *path;
};

extern const struct wire_sample wire_samples[];
extern const size_t wire_sample_count;

#endif
