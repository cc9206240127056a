/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/load.h"

#include "daemon/rules.h"
#include "program/say.h"

bool
load_read(struct load *load, const char *conf, const char *folder, const char *index_file)
{
	struct barn_faults faults = { 0 };
	enum barn_err err;

	*load = (struct load){ .engine = NULL };
	load->list.conf.path = conf;
	load->list.options.conf = &load->list.conf;
	load->list.options.folder = folder;
	load->list.options.index_file = index_file;
	if (modules_load(&load->list.options, &load->engine)) {
		load_fini(load);
		return false;
	}
	load->conf = load->list.conf.conf;
	err = rules_check(load->conf, load->engine, &faults);
	say_faults(&faults);
	if (!err)
		return true;
	if (err != BARN_ERR_TEXT)
		say_error("policies: %s", barn_strerror(err));
	load_fini(load);
	return false;
}

void
load_fini(struct load *load)
{
	barn_engine_free(load->engine);
	modules_fini(&load->list);
	load->engine = NULL;
	load->conf = NULL;
}
