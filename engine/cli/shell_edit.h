/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_SHELL_EDIT_H
#define CLI_SHELL_EDIT_H

/*
 * Lines from a terminal, with editing, history, completion by the tabulator and help by a
 * question mark, where barn was built with libedit; else as the terminal gives them. One at a
 * time.
 */

struct shell_edit;

struct shell_edit *shell_edit_new(const char *prompt); /* NULL: no memory */
void shell_edit_free(struct shell_edit *edit);         /* of NULL: nothing */

/* Without the newline, valid until the next call; "" after an interrupt; NULL: the end. */
const char *shell_edit_line(struct shell_edit *edit);

#endif
