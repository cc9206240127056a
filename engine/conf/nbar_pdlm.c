/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/nbar.h"

/* ip nbar pdlm FILE */

static void
read_pdlm(struct line *line)
{
	struct nbar_pdlm pdlm = { .place = line_place(line) }, *pdlms, *added;
	struct list *list = &line->conf->pdlms;

	if (!line_name(line, "a file of modules", &pdlm.path) || !line_end(line))
		return;
	pdlms = list->items;
	for (unsigned i = 0; i < list->count; i++) {
		if (strcmp(pdlms[i].path, pdlm.path) != 0)
			continue;
		if (line->no) {
			memmove(&pdlms[i], &pdlms[i + 1],
				(list->count - i - 1) * sizeof(*pdlms));
			list->count--;
		}
		return;
	}
	if (line->no) {
		line_fault(line, pdlm.place, "'%.64s' is not loaded", pdlm.path);
		return;
	}
	added = line_add(line, list, sizeof(*added));
	if (added)
		*added = pdlm;
}

const char *
conf_pdlm(const struct conf *conf, unsigned i, const char **file)
{
	const struct nbar_pdlm *pdlms = conf->pdlms.items;

	if (i >= conf->pdlms.count)
		return NULL;
	*file = pdlms[i].place.file;
	return pdlms[i].path;
}

static void
print_pdlms(const struct conf *conf, struct text *text)
{
	const struct nbar_pdlm *pdlms = conf->pdlms.items;

	for (unsigned i = 0; i < conf->pdlms.count; i++) {
		text_add(text, "ip nbar pdlm ");
		nbar_word_print(text, pdlms[i].path);
		text_char(text, '\n');
	}
}

static const struct conf_directive pdlm_directives[] = {
	{ .words = "ip nbar pdlm",
	  .arguments = "FILE",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_pdlm },
};

const struct conf_family nbar_pdlm = {
	.directives = pdlm_directives,
	.count = sizeof(pdlm_directives) / sizeof(pdlm_directives[0]),
	.print = print_pdlms,
};
