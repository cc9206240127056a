/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_NBAR_H
#define CONF_NBAR_H

/* What the directives `ip nbar ...` say, as it was written. */

#include "conf/line.h"

enum { NBAR_ID_MAX = 65535, NBAR_PARTS = 8 };

struct nbar_pdlm {
	const char *path;
	struct conf_place place;
};

/* The ports of a protocol over one transport, in place of those of its module. */
struct nbar_port_map {
	const char *name;
	uint8_t transport; /* PDL_TCP or PDL_UDP */
	struct list ports; /* struct pdl_ports */
	struct conf_place place;
};

enum nbar_kind {
	NBAR_PAYLOAD, /* [OFFSET FORMAT VALUE] ... {tcp|udp} PORT... */
	NBAR_HTTP,
	NBAR_SSL,
	NBAR_DNS,
	NBAR_COMPOSITE,
	NBAR_TRANSPORT,
};

enum nbar_format { NBAR_NO_VALUE, NBAR_ASCII, NBAR_HEX, NBAR_DECIMAL, NBAR_REGEX };
enum nbar_direction { NBAR_ANY, NBAR_SOURCE, NBAR_DESTINATION };

/* The fields of `http`; by nbar_http_fields. */
struct nbar_part {
	unsigned field;
	struct line_pattern pattern;
};

/* One line of a custom protocol; several of a name are alternatives. */
struct nbar_way {
	uint8_t kind;       /* enum nbar_kind */
	uint8_t transports; /* PDL_TCP, PDL_UDP, or'd */
	uint8_t direction;  /* enum nbar_direction */
	uint8_t format;     /* enum nbar_format */
	uint8_t dscp;       /* PDL_DSCP_ANY: not given */
	bool has_offset;
	uint32_t offset;
	const char *value; /* as written */
	const char
		*variable; /* name of a field of variable_len bytes at the offset; NULL: none */
	uint32_t variable_len;
	struct nbar_part parts[NBAR_PARTS]; /* the only one, where the kind is not http */
	unsigned part_count;
	struct list prefixes; /* struct pdl_prefix */
	struct list ports;    /* struct pdl_ports */
	struct conf_place place;
};

struct nbar_custom {
	const char *name;
	uint32_t id;         /* 0: none given */
	const char *extends; /* NULL: nothing */
	struct conf_place place, extends_at;
	struct list ways; /* struct nbar_way * */
};

struct nbar_attribute_map {
	const char *name;
	struct list attributes; /* struct pdl_attribute */
	struct conf_place place;
};

struct nbar_attribute_set {
	const char *protocol, *profile;
	struct conf_place place, profile_at;
};

/* The first line of the protocol whose variable has that name. */
const struct nbar_way *nbar_custom_variable(const struct nbar_custom *custom, const char *name);
struct nbar_custom *nbar_custom_find(const struct conf *conf, const char *name);
const struct nbar_attribute_map *nbar_attribute_find(const struct conf *conf, const char *name);
const char *nbar_http_field(unsigned field); /* "user-agent" */

/* nbar_transport.c: the rest of `transport`, in a line or in lines of its mode. */
void nbar_transport_read(struct line *line, struct nbar_custom *custom, struct nbar_way *way);
void nbar_transport_address(struct line *line);
void nbar_transport_subnet(struct line *line);
void nbar_transport_ipv6_address(struct line *line);
void nbar_transport_ipv6_subnet(struct line *line);
void nbar_transport_port(struct line *line);
void nbar_transport_dscp(struct line *line);
void nbar_transport_direction(struct line *line);
bool nbar_transport_dscp_take(struct line *line, unsigned *value); /* a name or a number */
const char *nbar_transport_dscp_name(uint8_t dscp);                /* "ef"; NULL: it has none */

/* nbar_custom.c: what follows `id` and `extends`. */
void nbar_custom_id(struct line *line, struct nbar_custom *custom);
void nbar_custom_extends(struct line *line, struct nbar_custom *custom);

/* nbar_custom_print.c */
void nbar_custom_print(const struct conf *conf, struct text *text);
/* A word as it must be written: quoted where it needs to be. */
void nbar_word_print(struct text *text, const char *word);
void nbar_quoted_print(struct text *text, const char *word); /* the same, quoted always */
void nbar_ports_print(struct text *text, const struct list *ports);

/* Whether there is a protocol of that name, or an alias; the module, or NULL. */
const struct pdl_protocol *nbar_module(const struct pdl_set *modules, const char *name);
/* Tells that there is none, and which was meant. */
void nbar_no_protocol(const struct conf *conf, const struct pdl_set *modules,
		      struct conf_place place, const char *name, struct barn_faults *faults);

#endif
