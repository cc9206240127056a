/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack/pack.h"

#include "pack/tarball.h"
#include "unit.h"
#include <stdlib.h>

static const struct manifest facts = {
	.name = "a", .version = "1", .publisher = "P", .engine = "0"
};
static const char one[] = "protocol one { }\n", two[] = "protocol two { }\n";
static struct barn_faults faults;

static enum barn_err
write(struct text *archive, unsigned count)
{
	const struct pack_source sources[] = { { "two.pdlm", bytes_of(two, sizeof(two) - 1) },
					       { "one.pdlm", bytes_of(one, sizeof(one) - 1) },
					       { "one.pdlm", bytes_of(one, sizeof(one) - 1) } };

	return pack_write(&facts, sources, count, bytes_of(NULL, 0), archive);
}

static enum barn_err
read(const void *data, size_t n, struct pack **pack)
{
	uint8_t *exact = malloc(n + 1);
	enum barn_err err;

	memcpy(exact, data, n);
	faults = (struct barn_faults){ 0 };
	err = pack_read("p", bytes_of(exact, n), NULL, &faults, pack);
	free(exact); /* the pack must not point into it */
	return err;
}

TEST(what_is_written_is_read_in_order_of_name)
{
	struct text archive = { 0 };
	struct pack *pack;

	CHECK_EQ(write(&archive, 2), BARN_OK);
	CHECK_EQ(read(archive.s, archive.len, &pack), BARN_OK);
	CHECK_EQ(pack->manifest.modules.count, 2);
	CHECK_STR(((struct manifest_module *)pack->manifest.modules.items)[0].name, "one.pdlm");
	CHECK_MEM(pack->texts[0].p, one, sizeof(one) - 1);
	CHECK_MEM(pack->texts[1].p, two, sizeof(two) - 1);
	CHECK(!pack->is_signed && !pack->checked);
	pack_free(pack);
	text_fini(&archive);
}

TEST(two_sources_of_one_name_make_no_pack)
{
	struct text archive = { 0 };

	CHECK_EQ(write(&archive, 3), BARN_ERR_EXISTS);
	CHECK_EQ(archive.len, 0);
	text_fini(&archive);
}

TEST(no_part_of_an_archive_is_a_pack_of_other_modules)
{
	struct text archive = { 0 };
	struct pack *pack;
	size_t good = 0;

	CHECK_EQ(write(&archive, 2), BARN_OK);
	for (size_t n = 0; n < archive.len; n++) {
		enum barn_err err = read(archive.s, n, &pack);

		CHECK_EQ((err == BARN_ERR_TEXT), faults.count > 0);
		if (err)
			continue;
		good++; /* cut behind all files: what is missing says nothing */
		CHECK_EQ(pack->manifest.modules.count, 2);
		CHECK_MEM(pack->texts[1].p, two, sizeof(two) - 1);
		pack_free(pack);
	}
	CHECK(good < archive.len / 8);
	text_fini(&archive);
}

/* Of a plain archive, where most flips are no fault of the compression. */
TEST(no_flipped_bit_changes_a_module)
{
	struct text archive = { 0 }, plain = { 0 };
	struct pack *pack, *other;
	struct tarball_file files[3];
	struct text manifest = { 0 };

	CHECK_EQ(write(&archive, 2), BARN_OK);
	CHECK_EQ(read(archive.s, archive.len, &pack), BARN_OK);
	manifest_print(&pack->manifest, &manifest);
	files[0] = (struct tarball_file){ PACK_MANIFEST, bytes_of(manifest.s, manifest.len) };
	files[1] = (struct tarball_file){ "one.pdlm", pack->texts[0] };
	files[2] = (struct tarball_file){ "two.pdlm", pack->texts[1] };
	CHECK_EQ(tarball_write(files, 3, TARBALL_PLAIN, &plain), BARN_OK);
	CHECK_EQ(read(plain.s, plain.len, &other), BARN_OK);
	pack_free(other);
	for (size_t i = 0; i < plain.len * 8; i += 3) {
		plain.s[i / 8] = (char)(plain.s[i / 8] ^ 1 << i % 8);
		if (!read(plain.s, plain.len, &other)) {
			CHECK_MEM(other->texts[0].p, one, sizeof(one) - 1);
			CHECK_MEM(other->texts[1].p, two, sizeof(two) - 1);
			pack_free(other);
		}
		plain.s[i / 8] = (char)(plain.s[i / 8] ^ 1 << i % 8);
	}
	pack_free(pack);
	text_fini(&plain);
	text_fini(&manifest);
	text_fini(&archive);
}

TEST(a_key_that_is_none_opens_nothing)
{
	const struct barn_key key = { "no key", 6 };
	const struct barn_keys keys = { &key, 1 };
	struct text archive = { 0 };
	struct pack *pack;

	CHECK_EQ(write(&archive, 2), BARN_OK);
	CHECK_EQ(pack_read("p", bytes_of(archive.s, archive.len), &keys, &faults, &pack),
		 BARN_ERR_ARGUMENT);
	text_fini(&archive);
}
