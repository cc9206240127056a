/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Configurations. Whatever the text is, there are faults or there is a configuration; its
 * running configuration reads back to itself, and the modules that it is translated into
 * compile.
 */
#include "conf/conf.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a configuration may refer to. */
static const char modules[] =
	"protocol http { port tcp 80 field url: client line /x/ field host: client line /x/\n"
	"field method: client line /x/ field referer: client line /x/\n"
	"field user-agent: client line /x/ field cookie: client line /x/\n"
	"field version: client line /x/ field via: client line /x/ }\n"
	"protocol ssl { port tcp 443, udp 443 field server-name: client line /x/\n"
	"field certificate-name: client line /x/ }\n";

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

static struct conf *
read_text(const char *text, size_t size, bool must)
{
	struct barn_faults faults = { 0 };
	struct conf *conf = NULL;
	enum barn_err err;

	demand(conf_new(&conf) == BARN_OK);
	err = conf_add(conf, "fuzz", text, size, &faults);
	demand(!must || err == BARN_OK);
	demand((err == BARN_ERR_TEXT) == (faults.count > 0));
	for (uint32_t i = 0; i < faults.count && i < BARN_FAULTS; i++)
		demand(faults.fault[i].line > 0 && faults.fault[i].column > 0 &&
		       faults.fault[i].text[0] != '\0');
	return conf;
}

/* A text with faults too: what was right in it was taken. */
static void
check_print(const struct conf *conf)
{
	struct text once = { 0 }, twice = { 0 };
	struct conf *again;

	conf_print(conf, &once);
	again = read_text(text_str(&once), once.len, true);
	conf_print(again, &twice);
	demand(strcmp(text_str(&once), text_str(&twice)) == 0);
	conf_free(again);
	text_fini(&once);
	text_fini(&twice);
}

static void
check_modules(struct conf *conf)
{
	struct barn_faults faults = { 0 };
	struct text text = { 0 };
	struct pdl_set *set;

	demand(pdl_set_new(NULL, &set) == BARN_OK);
	demand(pdl_set_add(set, "modules", modules, sizeof(modules) - 1, &faults) == BARN_OK);
	if (!conf_finish(conf, set, &faults)) {
		conf_modules(conf, set, &text);
		if (text.len && text.len < 1024 * 1024) {
			demand(pdl_set_add(set, "translated", text_str(&text), text.len,
					   &faults) == BARN_OK);
			demand(pdl_set_finish(set, &faults) == BARN_OK);
		}
	}
	text_fini(&text);
	pdl_set_free(set);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *exact = malloc(size + 1);
	struct conf *conf;

	demand(exact != NULL);
	memcpy(exact + 1, data, size); /* unaligned, and of exactly this size */
	conf = read_text(exact + 1, size, false);
	free(exact); /* what was read must not point into it */
	check_print(conf);
	check_modules(conf);
	conf_free(conf);
	return 0;
}
