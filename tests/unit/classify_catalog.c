/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/catalog.h"
#include "unit.h"

static uint16_t
intern(struct catalog *c, const char *name)
{
	uint16_t number = 0;

	CHECK_EQ(catalog_intern(c, CATALOG_PROTOCOLS, name, &number), BARN_OK);
	return number;
}

TEST(a_name_has_one_number_for_ever)
{
	struct catalog *c;
	uint16_t ftp;

	CHECK_EQ(catalog_new(&c), BARN_OK);
	ftp = intern(c, "ftp");
	CHECK_EQ(ftp, 1);
	CHECK_EQ(intern(c, "http"), 2);
	catalog_commit(c);
	CHECK_EQ(intern(c, "ftp"), ftp);
	CHECK_EQ(intern(c, "unknown"), 0);
	CHECK_STR(catalog_name(c, CATALOG_PROTOCOLS, ftp), "ftp");
	CHECK_EQ(catalog_count(c, CATALOG_PROTOCOLS), 3);
	catalog_free(c);
}

TEST(what_is_rewound_was_never_there)
{
	struct catalog *c;

	CHECK_EQ(catalog_new(&c), BARN_OK);
	intern(c, "kept");
	catalog_commit(c);
	intern(c, "dropped");
	CHECK_STR(catalog_name(c, CATALOG_PROTOCOLS, 2), "");
	catalog_rewind(c);
	CHECK_EQ(catalog_count(c, CATALOG_PROTOCOLS), 2);
	CHECK_EQ(intern(c, "other"), 2);
	CHECK_EQ(intern(c, "kept"), 1);
	CHECK_EQ(intern(c, "dropped"), 3);
	catalog_free(c);
}

TEST(the_bound_is_an_error_and_leaves_what_is_there)
{
	struct catalog *c;
	enum barn_err err = BARN_OK;
	uint16_t number;
	char name[16];

	CHECK_EQ(catalog_new(&c), BARN_OK);
	for (unsigned i = 1; i < CATALOG_BOUND && !err; i++) {
		snprintf(name, sizeof(name), "name-%u", i);
		err = catalog_intern(c, CATALOG_PROTOCOLS, name, &number);
		if (!err && number != i)
			CHECK_EQ(number, i);
	}
	CHECK_EQ(err, BARN_OK);
	CHECK_EQ(catalog_intern(c, CATALOG_PROTOCOLS, "more", &number), BARN_ERR_EXISTS);
	CHECK_EQ(intern(c, "name-1"), 1);
	CHECK_EQ(intern(c, "name-65519"), 65519);
	catalog_free(c);
}
