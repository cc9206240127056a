/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/pdu.h"

void
pdu_lost(struct pdu *pdu)
{
	pdu->skip = 0;
	pdu->blind = true;
}

bool
pdu_begins(struct pdu *pdu, struct bytes *data)
{
	size_t left = bytes_left(data), n = pdu->deaf || left < pdu->skip ? left : pdu->skip;

	bytes_skip(data, n);
	pdu->skip = pdu->deaf ? 0 : pdu->skip - (uint32_t)n;
	return bytes_left(data) > 0;
}

bool
pdu_fail(struct pdu *pdu, struct bytes *data, unsigned tries_most)
{
	bytes_skip(data, bytes_left(data));
	if (pdu->blind && pdu->tries++ < tries_most)
		return false;
	pdu->deaf = true;
	return true;
}
