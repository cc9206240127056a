/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_DIRECTIVE_H
#define CONF_DIRECTIVE_H

/*
 * The directives, as tables: one for each family, in the family's own file, and all of them in
 * directive.c. A line is looked up by its first words in the mode at hand, then in those around
 * it, as on a router; each word may be abbreviated to what fits only one.
 *
 * To add a directive: a row in a family's table. To add a family: a file with its table, its
 * list in impl.h, and a row in directive.c.
 */

#include "conf/line.h"

enum conf_context {
	CONF_GLOBAL,
	CONF_CUSTOM,        /* ip nbar custom NAME transport ...; object: struct nbar_way */
	CONF_ATTRIBUTE_MAP, /* ip nbar attribute-map NAME; object: struct nbar_attribute_map */
	CONF_SERVICE,       /* barnd */
	CONF_CLASS_MAP,     /* class-map NAME; object: struct policy_class */
	CONF_POLICY_MAP,    /* policy-map NAME; object: struct policy_map */
	CONF_POLICY_CLASS,  /* class NAME in it; the same object, and line->entry */
	CONF_POLICE,        /* police in that */
	CONF_ACCESS,        /* an access list; object: struct access_list */
	CONF_INTERFACE,     /* interface NAME; object: struct conf_interface */
	CONF_INERT,         /* router, line, ...: what is indented has no effect */
};

struct conf_directive {
	const char *words;     /* "ip nbar custom" */
	const char *arguments; /* as barn.conf(5) shows them; NULL: none */
	unsigned context;      /* in which it stands */
	bool no;               /* `no` may stand before it */
	/* Takes the rest of the line. One that opens a mode sets line->context and object. */
	void (*read)(struct line *line);
};

struct conf_family {
	const struct conf_directive *directives;
	size_t count;
	/* Checks what refers to others; NULL: nothing does. */
	void (*check)(struct conf *conf, const struct pdl_set *modules,
		      struct barn_faults *faults);
	/* Its part of the running configuration. */
	void (*print)(const struct conf *conf, struct text *text);
};

/* In the order of the running configuration; NULL at the end. */
extern const struct conf_family *const directive_families[];

extern const struct conf_family nbar_pdlm, nbar_port_map, nbar_custom, nbar_attribute,
	nbar_tunnel, service, access_list_family, class_map_family, policy_map_family,
	interface_family;

/* A line of an access list that begins with a number. */
extern const struct conf_directive access_numbered;

/* The mode around this one. */
unsigned directive_around(unsigned context);

/* The directive that the line begins with, whose words are taken; NULL: a fault was told. */
const struct conf_directive *directive_find(struct line *line);

#endif
