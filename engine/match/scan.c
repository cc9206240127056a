/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "config.h"

#include "match/scan.h"

#include <stdlib.h>

#ifdef HAVE_HYPERSCAN
#include <hs.h>
#endif

struct scan_list {
	struct scan_word {
		struct needle word;
		uint32_t number;
	} * words;
	uint32_t count, room;
};

enum { FIRST_ROOM = 64, MOST = 1 << 20 };

enum barn_err
scan_list_new(struct scan_list **list)
{
	*list = calloc(1, sizeof(**list));
	return *list ? BARN_OK : BARN_ERR_MEMORY;
}

void
scan_list_free(struct scan_list *list)
{
	if (!list)
		return;
	free(list->words);
	free(list);
}

enum barn_err
scan_list_add(struct scan_list *list, const struct needles *words, uint32_t number)
{
	if (list->count + words->count > list->room) {
		uint32_t room = list->room ? list->room * 2 : FIRST_ROOM;
		struct scan_word *more = NULL;

		if (room <= MOST)
			more = realloc(list->words, room * sizeof(*more));
		if (!more)
			return BARN_ERR_MEMORY;
		list->words = more;
		list->room = room;
	}
	for (unsigned i = 0; i < words->count; i++)
		list->words[list->count++] = (struct scan_word){ words->word[i], number };
	return BARN_OK;
}

#ifdef HAVE_HYPERSCAN

/*
 * Modules share words: each is compiled once, and its id is where its numbers begin in
 * `numbers`, ended by NONE.
 */
struct scan {
	hs_database_t *database;
	uint32_t *numbers;
};

struct scan_scratch {
	hs_scratch_t *hs;
};

enum { NONE = UINT32_MAX };

/* hs_compile_lit_multi's arrays. */
struct literals {
	const char **text;
	size_t *len;
	unsigned *flags, *ids;
	unsigned count;
};

static int
by_word(const void *a, const void *b)
{
	const struct needle *x = &((const struct scan_word *)a)->word;
	const struct needle *y = &((const struct scan_word *)b)->word;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->text, y->text, x->len);
}

/* `words` is sorted, so that equal ones are neighbours. */
static void
fill(struct scan *scan, struct literals *l, const struct scan_word *words, uint32_t count)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (i == 0 || by_word(&words[i - 1], &words[i]) != 0) {
			if (i > 0)
				scan->numbers[at++] = NONE;
			l->text[l->count] = (const char *)words[i].word.text;
			l->len[l->count] = words[i].word.len;
			l->flags[l->count] = HS_FLAG_CASELESS | HS_FLAG_SINGLEMATCH;
			l->ids[l->count++] = at;
		}
		scan->numbers[at++] = words[i].number;
	}
	scan->numbers[at] = NONE;
}

static enum barn_err
compile(struct scan *scan, struct scan_word *words, uint32_t count)
{
	struct literals l = {
		.text = calloc(count, sizeof(*l.text)),
		.len = calloc(count, sizeof(*l.len)),
		.flags = calloc(count, sizeof(*l.flags)),
		.ids = calloc(count, sizeof(*l.ids)),
	};
	hs_compile_error_t *fault = NULL;
	enum barn_err err = BARN_ERR_MEMORY;

	scan->numbers = calloc((size_t)2 * count + 1, sizeof(*scan->numbers));
	if (l.text && l.len && l.flags && l.ids && scan->numbers) {
		qsort(words, count, sizeof(*words), by_word);
		fill(scan, &l, words, count);
		if (hs_compile_lit_multi(l.text, l.flags, l.ids, l.len, l.count, HS_MODE_BLOCK,
					 NULL, &scan->database, &fault) == HS_SUCCESS)
			err = BARN_OK;
		hs_free_compile_error(fault);
	}
	free(l.text);
	free(l.len);
	free(l.flags);
	free(l.ids);
	return err;
}

enum barn_err
scan_new(const struct scan_list *list, struct scan **scan)
{
	struct scan_word *words;
	struct scan *s;
	enum barn_err err;

	if (list->count == 0 || hs_valid_platform() != HS_SUCCESS)
		return BARN_ERR_MISSING;
	s = calloc(1, sizeof(*s));
	words = calloc(list->count, sizeof(*words));
	err = s && words ? BARN_OK : BARN_ERR_MEMORY;
	if (!err) {
		memcpy(words, list->words, list->count * sizeof(*words));
		err = compile(s, words, list->count);
	}
	free(words);
	if (err)
		scan_free(s);
	else
		*scan = s;
	return err;
}

void
scan_free(struct scan *scan)
{
	if (!scan)
		return;
	hs_free_database(scan->database);
	free(scan->numbers);
	free(scan);
}

enum barn_err
scan_scratch_new(const struct scan *const *scans, unsigned count, struct scan_scratch **scratch)
{
	struct scan_scratch *s = calloc(1, sizeof(*s));

	if (!s)
		return BARN_ERR_MEMORY;
	for (unsigned i = 0; i < count; i++) {
		if (scans[i] && hs_alloc_scratch(scans[i]->database, &s->hs) != HS_SUCCESS) {
			scan_scratch_free(s);
			return BARN_ERR_MEMORY;
		}
	}
	*scratch = s;
	return BARN_OK;
}

void
scan_scratch_free(struct scan_scratch *scratch)
{
	if (!scratch)
		return;
	hs_free_scratch(scratch->hs);
	free(scratch);
}

struct visit {
	const uint32_t *numbers;
	void (*found)(void *self, uint32_t number);
	void *self;
};

static int
report(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *self)
{
	const struct visit *visit = self;

	(void)from;
	(void)to;
	(void)flags;
	for (const uint32_t *n = &visit->numbers[id]; *n != NONE; n++)
		visit->found(visit->self, *n);
	return 0;
}

void
scan_run(const struct scan *scan, struct scan_scratch *scratch, struct bytes text,
	 void (*found)(void *self, uint32_t number), void *self)
{
	struct visit visit = { scan->numbers, found, self };

	hs_scan(scan->database, (const char *)text.p, (unsigned)bytes_left(&text), 0,
		scratch->hs, report, &visit);
}

#else

enum barn_err
scan_new(const struct scan_list *list, struct scan **scan)
{
	(void)list;
	(void)scan;
	return BARN_ERR_MISSING;
}

void
scan_free(struct scan *scan)
{
	(void)scan;
}

enum barn_err
scan_scratch_new(const struct scan *const *scans, unsigned count, struct scan_scratch **scratch)
{
	(void)scans;
	(void)count;
	*scratch = NULL;
	return BARN_OK;
}

void
scan_scratch_free(struct scan_scratch *scratch)
{
	(void)scratch;
}

void
scan_run(const struct scan *scan, struct scan_scratch *scratch, struct bytes text,
	 void (*found)(void *self, uint32_t number), void *self)
{
	(void)scan;
	(void)scratch;
	(void)text;
	(void)found;
	(void)self;
}

#endif
