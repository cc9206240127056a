/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_FLOW_FORMAT_H
#define CLI_FLOW_FORMAT_H

/* A flow as a line, without its newline. */

#include "base/text.h"
#include <barn/barn.h>
#include <json-c/json.h>

/* flow.schema.json describes it. */
void flow_json(const struct barn_flow *flow, const struct barn_flow_info *info,
	       struct text *line);
/* The fields by name: a string, or an array of them where there are several. NULL: no memory.
 */
struct json_object *flow_json_fields(const struct barn_flow *flow);

/* RFC 4180. */
extern const char flow_csv_head[];
void flow_csv(const struct barn_flow *flow, const struct barn_flow_info *info,
	      struct text *line);

/* Cells with tabs between them; flows.c aligns them. */
extern const char flow_text_head[];
extern const char flow_text_align[]; /* a letter a cell: l or r */
void flow_text(const struct barn_flow *flow, const struct barn_flow_info *info,
	       struct text *line);

#endif
