/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include <fcntl.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	int fd;

	/* A file of ours must not become standard input, output or error that was closed. */
	do
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
	return commands_run(argc, argv);
}
