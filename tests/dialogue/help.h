/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The language of .dialogue files, as `dialogue --help` prints it: the only description of it.
 */
#ifndef BARN_TESTS_DIALOGUE_HELP_H
#define BARN_TESTS_DIALOGUE_HELP_H

extern const char help_text[];

#endif
