/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_SHELL_H
#define CLI_SHELL_H

/* What may come at the end of the text, a line each, on standard output. */
void shell_help(const char *text);

#endif
