/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "unit.h"

#include <barn/err.h>

TEST(every_error_has_a_text_of_its_own)
{
	for (int a = BARN_ERR_END; a <= BARN_OK; a++) {
		CHECK(strcmp(barn_strerror(a), "unknown error") != 0);
		for (int b = BARN_ERR_END; b < a; b++)
			CHECK(strcmp(barn_strerror(a), barn_strerror(b)) != 0);
	}
}

TEST(number_that_is_no_error_has_a_text)
{
	CHECK_STR(barn_strerror((enum barn_err)1), "unknown error");
	CHECK_STR(barn_strerror((enum barn_err)(BARN_ERR_END - 1)), "unknown error");
}
