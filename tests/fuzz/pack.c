/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Protocol packs. The first byte says what the others are: an archive, a manifest, a signature,
 * or a module of a pack whose manifest and checksums are right. Whatever they are, there are
 * faults or there is a pack, and what is a pack can be written and read again.
 */
#include "pack/pack.h"
#include "worker/engine.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

static void
check_faults(enum barn_err err, const struct barn_faults *faults)
{
	demand(err == BARN_OK || err == BARN_ERR_TEXT || err == BARN_ERR_MEMORY);
	demand((err == BARN_ERR_TEXT) == (faults->count > 0));
	for (uint32_t i = 0; i < faults->count && i < BARN_FAULTS; i++)
		demand(faults->fault[i].line > 0 && faults->fault[i].column > 0 &&
		       faults->fault[i].text[0] != '\0');
}

/* Writes the pack anew; the caller frees the archive. */
static void
write_again(const struct pack *pack, struct text *archive)
{
	const struct manifest_module *modules = pack->manifest.modules.items;
	unsigned count = pack->manifest.modules.count;
	struct pack_source *sources = calloc(count, sizeof(*sources));

	demand(sources != NULL);
	for (unsigned i = 0; i < count; i++)
		sources[i] = (struct pack_source){ modules[i].name, pack->texts[i] };
	demand(pack_write(&pack->manifest, sources, count, bytes_of(NULL, 0), archive) ==
	       BARN_OK);
	free(sources);
}

static void
check_archive(struct bytes data)
{
	struct barn_faults faults = { 0 };
	struct text archive = { 0 };
	struct pack *pack, *again;
	enum barn_err err = pack_read("fuzz", data, NULL, &faults, &pack);

	check_faults(err, &faults);
	if (err)
		return;
	write_again(pack, &archive);
	demand(pack_is(bytes_of(archive.s, archive.len)));
	demand(!pack_read("fuzz", bytes_of(archive.s, archive.len), NULL, &faults, &again));
	demand(again->manifest.modules.count == pack->manifest.modules.count);
	pack_free(again);
	pack_free(pack);
	text_fini(&archive);
}

static void
check_manifest(struct bytes data)
{
	struct barn_faults faults = { 0 };
	struct manifest manifest, same;
	struct text once = { 0 }, twice = { 0 };
	struct arena *arena;
	enum barn_err err;

	demand(!arena_new(0, &arena));
	err = manifest_parse(&manifest, arena, "fuzz", data, &faults);
	check_faults(err, &faults);
	if (!err) {
		manifest_print(&manifest, &once);
		demand(!manifest_parse(&same, arena, "fuzz", bytes_of(once.s, once.len),
				       &faults));
		manifest_print(&same, &twice);
		demand(strcmp(once.s, twice.s) == 0);
	}
	text_fini(&once);
	text_fini(&twice);
	arena_free(arena);
}

static void
check_seal(struct bytes data)
{
	struct barn_faults faults = { 0 };
	struct manifest_seal seal;
	struct arena *arena;

	demand(!arena_new(0, &arena));
	check_faults(manifest_parse_seal(&seal, arena, "fuzz", data, &faults), &faults);
	arena_free(arena);
}

static void
check_module(struct bytes data)
{
	const struct manifest facts = {
		.name = "fuzz", .version = "1", .publisher = "fuzz", .engine = "0"
	};
	const struct pack_source source = { "fuzz.pdlm", data };
	const struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	struct barn_faults faults = { 0 };
	struct barn_engine *engine;
	struct text archive = { 0 };
	enum barn_err err;

	if (pack_write(&facts, &source, 1, bytes_of(NULL, 0), &archive))
		return; /* too large */
	demand(!barn_engine_new(&options, &engine));
	err = barn_engine_pack(engine, "fuzz", archive.s, archive.len, NULL, &faults);
	check_faults(err, &faults);
	demand((err == BARN_OK) == (engine->staged_packs.count == 1));
	if (!err)
		demand(!barn_engine_pack_unload(engine, "fuzz") &&
		       pdl_set_count(engine->staged) == 0);
	barn_engine_free(engine);
	text_fini(&archive);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *exact = malloc(size + 1);
	struct bytes rest;

	demand(exact != NULL);
	memcpy(exact, data, size);
	rest = bytes_of(exact, size);
	switch (bytes_u8(&rest)) {
	case 'm': check_manifest(rest); break;
	case 's': check_seal(rest); break;
	case 'p': check_module(rest); break;
	default: check_archive(bytes_of(exact, size)); break;
	}
	free(exact);
	return 0;
}
