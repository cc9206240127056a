/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Stands in for libFuzzer: gives a fuzz target each file of the command line, so
 * that every compiler and sanitizer sees the seeds and each fault once found.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { REPLAY_MAX = 1 << 20 };

static int
replay(const char *name)
{
	FILE *f = fopen(name, "rb");
	uint8_t *data = malloc(REPLAY_MAX);
	size_t size;

	if (!f || !data) {
		perror(name);
		exit(1);
	}
	size = fread(data, 1, REPLAY_MAX, f);
	/* Exactly as long as the input, so that a read past its end is seen. */
	uint8_t *exact = realloc(data, size ? size : 1);
	int result = LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	fclose(f);
	return result;
}

int
main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++)
		failed += replay(argv[i]) != 0;
	printf("%d passed, %d failed\n", argc - 1 - failed, failed);
	return failed || argc < 2;
}
