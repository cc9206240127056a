/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_CONF_H
#define CONF_CONF_H

/*
 * A configuration as NBAR's users write it: read, checked, printed, and translated into
 * modules.
 *
 *	conf_new ─► conf_add (each text) ─► conf_finish ─► conf_print, conf_modules, ...
 *
 * Things may be used before they are defined, also across texts: what refers to others is
 * checked by conf_finish. barn.conf(5) is the language; conf/directive.h tells how a directive
 * is added. One thread; no input or output.
 */

#include "pdl/pdl.h"
#include "policy/model.h"

struct conf;

/* What an interface is told beside its policies, which are the model's attaches. */
enum { CONF_DISCOVER_IP4 = 1, CONF_DISCOVER_IP6 = 2 };
enum { CONF_LOAD_INTERVAL = 300 };

struct conf_interface {
	const char *name, *description; /* NULL: none */
	uint64_t bandwidth_kbps;        /* its speed, for per cent; 0: not given */
	uint32_t load_interval_s;       /* over which rates are; CONF_LOAD_INTERVAL at first */
	uint8_t discovery;              /* ip nbar protocol-discovery: CONF_DISCOVER_... */
	bool shutdown;
	struct policy_place place;
};

enum barn_err conf_new(struct conf **conf);
void conf_free(struct conf *conf); /* of NULL: nothing */

/* BARN_ERR_TEXT: the faults say what is wrong; what is right was taken nevertheless. */
enum barn_err conf_add(struct conf *conf, const char *file, const char *text, size_t len,
		       struct barn_faults *faults);

/* Lines that were taken and have no effect, by barn.conf(5): worth a warning. */
const struct barn_faults *conf_notes(const struct conf *conf);

/*
 * Modules that the configuration loads with `ip nbar pdlm`, in their order: NULL at the end.
 * *file is the configuration that names it, from whose folder a relative path goes.
 */
const char *conf_pdlm(const struct conf *conf, unsigned i, const char **file);

/*
 * Checks what refers to others. `modules`: all that are loaded, finished or not; NULL: names of
 * protocols are not checked. It may be called again, with other modules.
 */
enum barn_err conf_finish(struct conf *conf, const struct pdl_set *modules,
			  struct barn_faults *faults);

/* Encapsulations that are not to be looked into, as the mask of wire_options. */
uint32_t conf_opaque(const struct conf *conf);

/* Classes, policies and access lists; names of protocols in it are the compiler's to check. */
const struct policy_model *conf_model(const struct conf *conf);

/* Interfaces by number, from 0, or by name; NULL: there is none. */
const struct conf_interface *conf_interface(const struct conf *conf, unsigned i);
const struct conf_interface *conf_interface_named(const struct conf *conf, const char *name);

/* The running configuration, in its canonical form: it reads back to itself. */
void conf_print(const struct conf *conf, struct text *text);

/*
 * The modules that it is translated into, as pdlm(5) text, after a conf_finish that was well:
 * custom protocols, and those of `modules` that a port map or an attribute changes. Nothing, if
 * there are none.
 */
void conf_modules(const struct conf *conf, const struct pdl_set *modules, struct text *text);

#endif
