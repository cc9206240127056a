/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_PACKS_OUT_H
#define CLI_PACKS_OUT_H

/* How commands tell of protocol packs. */

#include "worker/engine.h"
#include <json-c/json.h>

/* A block for each pack that is loaded, below its heading, in the form of `barn version`. */
void packs_out_text(struct barn_engine *engine);

/* The same, a line each, below column heads. */
void packs_out_list(struct barn_engine *engine);

/* An array of objects. */
struct json_object *packs_out_json(struct barn_engine *engine);

/* One of them. */
struct json_object *packs_out_object(const struct barn_pack_info *info);

/* "no", "yes, not checked", "key 0123..." */
const char *packs_out_seal(const struct barn_pack_info *info, char text[48]);

#endif
