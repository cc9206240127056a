/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/command.h"

#include <string.h>

/* How many words a name has, if the words begin with it; else 0. */
static unsigned
fits(const char *name, const char *const *words, unsigned count)
{
	unsigned n = 0;

	for (; *name; n++) {
		size_t length = strcspn(name, " ");

		if (n >= count || strlen(words[n]) != length ||
		    memcmp(name, words[n], length) != 0)
			return 0;
		name += length;
		name += *name == ' ';
	}
	return n;
}

const struct command *
command_find(const struct command *commands, unsigned count, const char *const *words,
	     unsigned word_count, unsigned *taken)
{
	const struct command *found = NULL;

	*taken = 0;
	for (unsigned i = 0; i < count; i++) {
		unsigned n = fits(commands[i].name, words, word_count);

		if (n > *taken) {
			*taken = n;
			found = &commands[i];
		}
	}
	return found;
}
