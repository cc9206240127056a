/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "elastic.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 60000 };

static bool
ends(const struct message *m, struct text text)
{
	return m->len >= text.len &&
	       (text.len == 0 || memcmp(m->bytes + m->len - text.len, text.at, text.len) == 0);
}

static struct elastic_part
find_by(const struct elastic *rule, const struct message *m)
{
	struct elastic_part none = { 0 }, part = { .rule = rule, .at = rule->keep };

	if (!app_says(m, &rule->prefix) || !ends(m, rule->suffix))
		return none;
	if (rule->behind.len) {
		part.at = message_find(m, rule->keep, rule->behind.at, rule->behind.len);
		if (part.at == m->len)
			return none;
		part.at += rule->behind.len;
	}
	if (m->len < part.at + rule->suffix.len)
		return none;
	part.len = part.was = m->len - rule->suffix.len - part.at;
	return part.len >= rule->least ? part : none;
}

struct elastic_part
elastic_find(const struct app *app, const struct message *m)
{
	struct elastic_part part = { 0 };

	for (size_t i = 0; i < APP_ELASTICS && !part.rule; i++)
		if (app->elastic[i].least)
			part = find_by(&app->elastic[i], m);
	return part;
}

/* Where the decimal number stands that tells the free part's length, and its digits. */
static size_t
find_number(const struct message *m, const struct elastic_part *part, size_t *digits)
{
	const struct text *text = &part->rule->number;
	size_t at = message_find(m, 0, text->at, text->len) + text->len;

	*digits = 0;
	if (text->len == 0 || at >= part->at)
		return 0;
	while (m->bytes[at + *digits] >= '0' && m->bytes[at + *digits] <= '9')
		++*digits;
	return at;
}

static size_t
count_digits(size_t value)
{
	size_t n = 1;

	for (; value >= 10; value /= 10)
		n++;
	return n;
}

/* The free part's new length, for a change of the whole message as near as it can be. */
static size_t
choose_len(const struct elastic_part *part, long change, size_t digits)
{
	const struct elastic *rule = part->rule;
	size_t least = rule->filler.len && part->was > rule->least ? part->was : rule->least;
	size_t most = rule->most ? rule->most : MOST;
	long len = (long)part->len + change;

	if (len < (long)least)
		len = part->len < least ? (long)part->len : (long)least;
	if (len > (long)most)
		len = part->len > most ? (long)part->len : (long)most;
	/* The digits of the number count too; step towards no change until all fits. */
	while (digits && len != (long)part->len) {
		long whole =
			len - (long)part->len + (long)count_digits((size_t)len) - (long)digits;

		if (change > 0 ? whole <= change : whole >= change)
			break;
		len += change > 0 ? -1 : 1;
	}
	return (size_t)len;
}

static void
set_number(struct message *m, struct elastic_part *part, size_t at, size_t digits)
{
	char text[24];
	int len = snprintf(text, sizeof(text), "%zu", part->len);

	message_splice(m, at, digits, text, (size_t)len);
	part->at = part->at - digits + (size_t)len;
}

/* Puts bytes at the free part's end: the filler's, or the part's own again from its start. */
static void
fill(struct message *m, const struct elastic_part *part, size_t len)
{
	const struct text *filler = &part->rule->filler;
	uint8_t more[MOST];

	for (size_t n = part->len; n < len; n++) {
		size_t grown = n - part->was;

		more[n - part->len] = filler->len ? (uint8_t)filler->at[grown % filler->len]
						  : m->bytes[part->at + grown % part->was];
	}
	message_splice(m, part->at + part->len, 0, more, len - part->len);
}

long
elastic_resize(struct message *m, struct elastic_part *part, long change)
{
	const struct elastic *rule = part->rule;
	size_t before = m->len, digits, at = find_number(m, part, &digits);
	size_t len = choose_len(part, change, digits);

	if (len < part->len)
		message_splice(m, part->at + len, part->len - len, NULL, 0);
	else
		fill(m, part, len);
	for (size_t i = 0; i < 2; i++)
		message_set_integer(m->bytes, &rule->lengths[i],
				    message_integer(m->bytes, &rule->lengths[i]) +
					    (uint32_t)len - (uint32_t)part->len);
	part->len = len;
	if (digits)
		set_number(m, part, at, digits);
	return (long)m->len - (long)before;
}
