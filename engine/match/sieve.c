/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/sieve.h"

#include "match/rule_scratch.h"
#include "match/scan.h"

#include <stdlib.h>

struct sieve {
	struct scan_list *list; /* until it is compiled */
	struct scan *scan;      /* NULL: all are always left over */
	uint64_t *always;       /* those without needles, a bit each */
	uint32_t count, room;
	uint32_t needled;
};

/* So many patterns are asked in the time that a scan takes. */
enum { SCAN_PAYS = 4 };

enum barn_err
sieve_new(struct sieve **sieve)
{
	struct sieve *s = calloc(1, sizeof(*s));
	enum barn_err err = s ? scan_list_new(&s->list) : BARN_ERR_MEMORY;

	if (err)
		sieve_free(s);
	else
		*sieve = s;
	return err;
}

void
sieve_free(struct sieve *sieve)
{
	if (!sieve)
		return;
	scan_list_free(sieve->list);
	scan_free(sieve->scan);
	free(sieve->always);
	free(sieve);
}

enum barn_err
sieve_add(struct sieve *sieve, const struct needles *needles)
{
	if (sieve->count == sieve->room) {
		uint32_t room = sieve->room ? sieve->room * 2 : 64;
		uint64_t *always = realloc(sieve->always, room / 64 * sizeof(*always));

		if (!always)
			return BARN_ERR_MEMORY;
		memset(always + sieve->room / 64, 0,
		       (room - sieve->room) / 64 * sizeof(*always));
		sieve->always = always;
		sieve->room = room;
	}
	if (needles->count == 0)
		sieve->always[sieve->count / 64] |= 1ULL << sieve->count % 64;
	else
		sieve->needled++;
	return scan_list_add(sieve->list, needles, sieve->count++);
}

enum barn_err
sieve_compile(struct sieve *sieve, bool no_scan)
{
	enum barn_err err = BARN_ERR_MISSING;

	if (!no_scan && sieve->needled >= SCAN_PAYS)
		err = scan_new(sieve->list, &sieve->scan);
	scan_list_free(sieve->list);
	sieve->list = NULL;
	if (err != BARN_ERR_MISSING)
		return err;
	for (uint32_t i = 0; i < sieve->count; i++)
		sieve->always[i / 64] |= 1ULL << i % 64;
	return BARN_OK;
}

const struct scan *
sieve_scan(const struct sieve *sieve)
{
	return sieve->scan;
}

uint32_t
sieve_words(const struct sieve *sieve)
{
	return (sieve->count + 63) / 64;
}

static void
leave_over(void *self, uint32_t number)
{
	uint64_t *bits = self;

	bits[number / 64] |= 1ULL << number % 64;
}

const uint64_t *
sieve_run(const struct sieve *sieve, struct bytes text, struct rule_scratch *scratch)
{
	if (!sieve->scan)
		return sieve->always;
	memcpy(scratch->sieved, sieve->always, sieve_words(sieve) * sizeof(uint64_t));
	scan_run(sieve->scan, scratch->scan, text, leave_over, scratch->sieved);
	return scratch->sieved;
}
