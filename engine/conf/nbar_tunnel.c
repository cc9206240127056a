/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/nbar.h"
#include "wire/opaque.h"

/*
 * ip nbar classification tunneled-traffic TUNNEL. All tunnels are looked into unless `no`
 * stands before it; on routers that know the words capwap, ipv6inip and teredo, none is.
 */

static void
read_tunnel(struct line *line)
{
	struct conf_place place = line_place(line);
	const char *word;
	uint32_t mask;

	if (!line_name(line, "a tunnel, or all", &word))
		return;
	mask = opaque_find(word);
	if (!mask) {
		line_fault(line, place, "'%.64s': expected a tunnel, or all", word);
		return;
	}
	if (!line_end(line))
		return;
	if (line->no)
		line->conf->opaque |= mask;
	else
		line->conf->opaque &= ~mask;
}

uint32_t
conf_opaque(const struct conf *conf)
{
	return conf->opaque;
}

/* `all` first, then the widest words, so that no line takes back what another said. */
static void
print_tunnels(const struct conf *conf, struct text *text)
{
	uint32_t left = conf->opaque, all = opaque_find("all");

	if ((left & all) == all) {
		text_add(text, "no ip nbar classification tunneled-traffic all\n");
		left &= ~all;
	}
	for (unsigned wide = 0; wide < 2; wide++)
		for (unsigned i = 0; opaque_word(i); i++) {
			uint32_t mask = opaque_mask(i);
			bool several = mask & (mask - 1);

			if (several == (wide == 0) && (left & mask) == mask) {
				text_printf(text,
					    "no ip nbar classification tunneled-traffic %s\n",
					    opaque_word(i));
				left &= ~mask;
			}
		}
}

static const struct conf_directive tunnel_directives[] = {
	{ .words = "ip nbar classification tunneled-traffic",
	  .arguments = "TUNNEL",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_tunnel },
};

const struct conf_family nbar_tunnel = {
	.directives = tunnel_directives,
	.count = sizeof(tunnel_directives) / sizeof(tunnel_directives[0]),
	.print = print_tunnels,
};
