/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/tree.h"

bool
pdl_sum_run(const struct pdl_sum *sum, const struct bytes groups[REGEX_GROUPS],
	    const uint16_t ports[2], uint32_t *value)
{
	struct sum_place place = { .groups = groups, .ports = { ports[0], ports[1] } };
	int64_t number;
	bool least;

	place.bytes = bytes_of("", 0);
	if (sum_run(&sum->sum, &place, &number, &least) != MATCH_YES)
		return false;
	*value = (uint32_t)number;
	return number >= 0 && number <= UINT16_MAX;
}
