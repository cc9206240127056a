/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * The unit tests' harness; include it once, in the test program's only file.
 *
 *	TEST(short_read_is_bad)
 *	{
 *		CHECK(b.bad);
 *		CHECK_EQ(bytes_left(b), 0);
 *	}
 *
 * TEST registers itself, in the order of the file, and main() is here: a test
 * cannot be forgotten. Its name is a claim. A failed check prints file, line
 * and both values, and ends its test, as what follows would only fail too;
 * checks may stand in helper functions. With arguments, only the tests whose
 * names contain one of them run. A run without a test fails. One thread.
 */
#ifndef BARN_TESTS_UNIT_H
#define BARN_TESTS_UNIT_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct unit_test {
	const char *name;
	void (*run)(void);
	struct unit_test *next;
};

static struct unit_test *unit_first, **unit_end = &unit_first;
static jmp_buf unit_failed;

#define TEST(claim)                                                     \
	static void claim(void);                                        \
	__attribute__((constructor)) static void unit_add_##claim(void) \
	{                                                               \
		static struct unit_test test = { #claim, claim, NULL }; \
		*unit_end = &test;                                      \
		unit_end = &test.next;                                  \
	}                                                               \
	static void claim(void)

/* Integers of any type, compared as intmax_t: UINT64_MAX and -1 are one value. */
#define CHECK_EQ(got, want) \
	unit_check_eq((intmax_t)(got), (intmax_t)(want), #got, __FILE__, __LINE__)
#define CHECK_STR(got, want) unit_check_str((got), (want), #got, __FILE__, __LINE__)
#define CHECK_MEM(got, want, size) \
	unit_check_mem((got), (want), (size), #got, __FILE__, __LINE__)
#define CHECK(cond) unit_check((cond), #cond, __FILE__, __LINE__)

__attribute__((unused)) static void
unit_check(bool holds, const char *text, const char *file, int line)
{
	if (holds)
		return;
	printf("%s:%d: %s: is false\n", file, line, text);
	longjmp(unit_failed, 1);
}

__attribute__((unused)) static void
unit_check_eq(intmax_t got, intmax_t want, const char *text, const char *file, int line)
{
	if (got == want)
		return;
	printf("%s:%d: %s: is %" PRIdMAX " (0x%" PRIxMAX "), not %" PRIdMAX " (0x%" PRIxMAX
	       ")\n",
	       file, line, text, got, (uintmax_t)got, want, (uintmax_t)want);
	longjmp(unit_failed, 1);
}

__attribute__((unused)) static void
unit_check_str(const char *got, const char *want, const char *text, const char *file, int line)
{
	if (got && want ? strcmp(got, want) == 0 : got == want)
		return;
	printf("%s:%d: %s:\n  is  \"%s\"\n  not \"%s\"\n", file, line, text,
	       got ? got : "(null)", want ? want : "(null)");
	longjmp(unit_failed, 1);
}

__attribute__((unused)) static void
unit_check_mem(const void *got, const void *want, size_t size, const char *text,
	       const char *file, int line)
{
	const uint8_t *g = got, *w = want;

	for (size_t i = 0; i < size; i++) {
		if (g[i] == w[i])
			continue;
		printf("%s:%d: %s: byte %zu of %zu is 0x%02x, not 0x%02x\n", file, line, text,
		       i, size, g[i], w[i]);
		longjmp(unit_failed, 1);
	}
}

static bool
unit_wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strstr(name, argv[i]))
			return true;
	return argc < 2;
}

/* Apart from the loop: what a longjmp may clobber is no local of the counting. */
static bool
unit_run(const struct unit_test *test)
{
	if (setjmp(unit_failed))
		return false;
	test->run();
	return true;
}

int
main(int argc, char **argv)
{
	int passed = 0, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0); /* a crash loses no line */
	for (const struct unit_test *t = unit_first; t; t = t->next) {
		if (!unit_wanted(t->name, argc, argv))
			continue;
		bool ok = unit_run(t);
		printf("%s %s\n", ok ? "ok    " : "FAILED", t->name);
		passed += ok;
		failed += !ok;
	}
	printf("%d passed, %d failed\n", passed, failed);
	return failed || !passed;
}

#endif
