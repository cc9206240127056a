/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Stands in for libFuzzer: gives a fuzz target each file of the command line, so
 * that every compiler and sanitizer sees the seeds and each fault once found.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { REPLAY_MAX = 1 << 20 };

/* Of targets that have a mutator of their own (packets.c). */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
	__attribute__((weak));

static int
run(const uint8_t *data, size_t size)
{
	/* Exactly as long as the input, so that a read past its end is seen. */
	uint8_t *exact = malloc(size ? size : 1);
	int result;

	if (!exact)
		exit(1);
	memcpy(exact, data, size);
	result = LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	return result;
}

/* The input at hand stays in a file, for when the target ends the program. */
static void
keep(const uint8_t *data, size_t size)
{
	FILE *f = fopen("fuzz-replayed", "wb");

	if (!f || fwrite(data, 1, size, f) != size)
		exit(1);
	fclose(f);
}

static void
change(const uint8_t *data, size_t size, unsigned rounds)
{
	uint8_t *changed = malloc(REPLAY_MAX);

	for (unsigned seed = 1; changed && seed <= rounds; seed++) {
		size_t made;

		memcpy(changed, data, size);
		made = LLVMFuzzerCustomMutator(changed, size, REPLAY_MAX, seed);
		if (!made)
			continue;
		keep(changed, made);
		run(changed, made);
	}
	free(changed);
}

static int
replay(const char *name)
{
	const char *rounds = getenv("BARN_FUZZ_ROUNDS");
	FILE *f = fopen(name, "rb");
	uint8_t *data = malloc(REPLAY_MAX);
	size_t size;
	int result;

	if (!f || !data) {
		perror(name);
		exit(1);
	}
	size = fread(data, 1, REPLAY_MAX, f);
	result = run(data, size);
	if (rounds && LLVMFuzzerCustomMutator)
		change(data, size, (unsigned)strtoul(rounds, NULL, 10));
	free(data);
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
