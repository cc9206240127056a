/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_STOP_H
#define CLI_READ_STOP_H

/*
 * An interrupted `barn read` ends its input and prints what it has. SIGINT and SIGTERM are
 * caught once, the second ends the program as it always would. Who sends a capture through a
 * pipe was often interrupted by the same keys: a second is left for what it has yet to say.
 */

#include <stdbool.h>

void read_stop_catch(void);

bool read_stop_asked(void); /* from the signal on */
bool read_stop_due(void);   /* when the second is over */

#endif
