/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WIRE_OPAQUE_H
#define WIRE_OPAQUE_H

/* The words for encapsulations that may be left opaque, and the masks of wire_options. */

#include <stdint.h>

/* The nth word, from 0, in order of the alphabet; NULL: there are no more. */
const char *opaque_word(unsigned n);
uint32_t opaque_mask(unsigned n);

/* The mask of a word, of "all" too; 0: there is no such word. */
uint32_t opaque_find(const char *word);

#endif
