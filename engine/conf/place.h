/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_PLACE_H
#define CONF_PLACE_H

#include "pdl/diag.h"

/* Where something stands, for faults that are found later. */
struct conf_place {
	const char *file;
	struct pdl_pos pos;
};

#endif
