/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack/manifest.h"

#include "pdl/lex.h"
#include <stdio.h>
#include <stdlib.h>

struct reader {
	struct lex lex;
	struct token token;
	bool bad;
};

static void
next(struct reader *r)
{
	lex_token(&r->lex, &r->token);
	r->bad |= r->token.kind == TOKEN_BAD || r->lex.no_memory;
}

static bool
fault(struct reader *r, const char *expected)
{
	char shown[40];

	if (r->token.kind == TOKEN_END)
		diag_add(r->lex.faults, r->lex.file, r->token.pos, "the text ends: expected %s",
			 expected);
	else if (r->token.kind != TOKEN_BAD) /* whose fault has been told */
		diag_add(r->lex.faults, r->lex.file, r->token.pos, "%s: expected %s",
			 token_show(&r->token, shown, sizeof(shown)), expected);
	r->bad = true;
	return false;
}

static bool
word(struct reader *r, const char *text)
{
	if (!token_is(&r->token, text) || r->token.kind != TOKEN_WORD)
		return false;
	next(r);
	return true;
}

/* A string that is what it should be; moves over it. */
static bool
string(struct reader *r, const char **value, bool (*is)(const char *), const char *expected)
{
	const char *text = (const char *)r->token.data.p;

	if (r->token.kind != TOKEN_STRING || r->token.caseless)
		return fault(r, expected);
	if (strlen(text) != bytes_left(&r->token.data) || !is(text))
		return fault(r, expected);
	*value = text;
	next(r);
	return !r->bad;
}

bool
manifest_is_publisher(const char *text)
{
	size_t n = strlen(text);

	return n > 0 && n <= MANIFEST_TEXT_MAX && lex_is_plain(bytes_of(text, n));
}

static bool
is_of(const char *text, const char *set)
{
	size_t n = strlen(text);

	return n > 0 && n <= MANIFEST_NAME_MAX && strspn(text, set) == n;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

bool
manifest_is_name(const char *name)
{
	return is_of(name, LETTERS DIGITS "-") && name[0] != '-';
}

bool
manifest_is_file(const char *name)
{
	size_t n = strlen(name);

	return is_of(name, LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS "-_.+") &&
	       name[0] != '.' && name[0] != '-' && n > 5 && strcmp(name + n - 5, ".pdlm") == 0;
}

bool
manifest_is_version(const char *version)
{
	unsigned numbers = 1, digits = 0;

	for (const char *c = version; *c; c++) {
		if (*c == '.' && digits > 0) {
			numbers++;
			digits = 0;
		} else if (*c < '0' || *c > '9' || ++digits > 9) {
			return false;
		}
	}
	return digits > 0 && numbers <= 4;
}

int
manifest_compare(const char *version, const char *other)
{
	while (*version || *other) {
		char *end, *other_end;
		unsigned long a = strtoul(version, &end, 10);
		unsigned long b = strtoul(other, &other_end, 10);

		if (a != b)
			return a < b ? -1 : 1;
		version = end + (*end == '.');
		other = other_end + (*other_end == '.');
	}
	return 0;
}

void
manifest_hex(char *text, const uint8_t *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < n; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	text[2 * n] = '\0';
}

static int
hex_digit(uint8_t c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A string of n bytes in small hexadecimal digits. */
static bool
hex(struct reader *r, uint8_t *bytes, size_t n)
{
	struct bytes text = r->token.data;
	char expected[64];
	bool good = r->token.kind == TOKEN_STRING && bytes_left(&text) == 2 * n;

	for (size_t i = 0; good && i < n; i++) {
		int high = hex_digit(bytes_u8(&text)), low = hex_digit(bytes_u8(&text));

		good = high >= 0 && low >= 0;
		if (good)
			bytes[i] = (uint8_t)(high << 4 | low);
	}
	if (!good) {
		snprintf(expected, sizeof(expected), "a string of %zu hexadecimal digits, a-f",
			 2 * n);
		return fault(r, expected);
	}
	next(r);
	return !r->bad;
}

static bool
expect_word(struct reader *r, const char *text)
{
	char expected[32];

	snprintf(expected, sizeof(expected), "'%s'", text);
	return word(r, text) || fault(r, expected);
}

static bool
once(struct reader *r, const char **value, const char *what, bool (*is)(const char *),
     const char *expected)
{
	if (*value) {
		diag_add(r->lex.faults, r->lex.file, r->token.pos, "a second %s", what);
		r->bad = true;
		return false;
	}
	return string(r, value, is, expected);
}

static bool
module(struct reader *r, struct manifest *m)
{
	const struct manifest_module *all = m->modules.items;
	struct manifest_module *mod;
	struct pdl_pos at = r->token.pos;
	const char *name = NULL;

	if (!string(r, &name, manifest_is_file, "the name of a module's file, \"NAME.pdlm\""))
		return false;
	if (m->modules.count > 0 && strcmp(all[m->modules.count - 1].name, name) >= 0) {
		diag_add(r->lex.faults, r->lex.file, at,
			 "\"%s\": expected modules in the order of their names, each once",
			 name);
		r->bad = true;
		return false;
	}
	if (m->modules.count == MANIFEST_MODULES) {
		diag_add(r->lex.faults, r->lex.file, at, "more than %d modules",
			 MANIFEST_MODULES);
		r->bad = true;
		return false;
	}
	mod = list_add(&m->modules, r->lex.arena, sizeof(*mod));
	r->lex.no_memory |= !mod;
	if (!mod)
		return false;
	mod->name = name;
	mod->at = at;
	return expect_word(r, "sha256") && hex(r, mod->hash, sizeof(mod->hash));
}

static bool
item(struct reader *r, struct manifest *m)
{
	static const char version[] = "a version as \"1.2.0\"";

	if (word(r, "name"))
		return once(r, &m->name, "name", manifest_is_name,
			    "a name of small letters, digits and '-', in quotes");
	if (word(r, "version"))
		return once(r, &m->version, "version", manifest_is_version, version);
	if (word(r, "publisher"))
		return once(r, &m->publisher, "publisher", manifest_is_publisher,
			    "a text of up to 128 bytes, in quotes");
	if (word(r, "engine")) {
		m->engine_at = r->token.pos;
		return once(r, &m->engine, "engine", manifest_is_version, version);
	}
	if (word(r, "module"))
		return module(r, m);
	return fault(r, "name, version, publisher, engine or module");
}

static enum barn_err
start(struct reader *r, struct arena *arena, const char *file, struct bytes text,
      struct barn_faults *faults)
{
	*r = (struct reader){ .bad = false };
	if (!lex_start(&r->lex, arena, file, (const char *)text.p, bytes_left(&text), faults))
		return BARN_ERR_TEXT;
	next(r);
	return BARN_OK;
}

static enum barn_err
result(const struct reader *r)
{
	if (r->lex.no_memory)
		return BARN_ERR_MEMORY;
	return r->bad ? BARN_ERR_TEXT : BARN_OK;
}

enum barn_err
manifest_parse(struct manifest *manifest, struct arena *arena, const char *file,
	       struct bytes text, struct barn_faults *faults)
{
	struct reader r;
	enum barn_err err = start(&r, arena, file, text, faults);

	*manifest = (struct manifest){ .name = NULL };
	if (err)
		return err;
	if (expect_word(&r, "barn-pack")) {
		if (r.token.kind != TOKEN_NUMBER || r.token.number != 1)
			fault(&r, "1, the version of this form");
		else
			next(&r);
	}
	while (!r.bad && r.token.kind != TOKEN_END)
		item(&r, manifest);
	if (!r.bad && (!manifest->name || !manifest->version || !manifest->publisher ||
		       !manifest->engine || !manifest->modules.count))
		fault(&r, !manifest->name        ? "a name"
			  : !manifest->version   ? "a version"
			  : !manifest->publisher ? "a publisher"
			  : !manifest->engine    ? "engine, the oldest version of barn"
						 : "a module");
	return result(&r);
}

enum barn_err
manifest_parse_seal(struct manifest_seal *seal, struct arena *arena, const char *file,
		    struct bytes text, struct barn_faults *faults)
{
	struct reader r;
	enum barn_err err = start(&r, arena, file, text, faults);

	if (err)
		return err;
	if (expect_word(&r, "key") && hex(&r, seal->key, sizeof(seal->key)) &&
	    expect_word(&r, "ed25519") && hex(&r, seal->signature, sizeof(seal->signature)) &&
	    r.token.kind != TOKEN_END)
		fault(&r, "nothing more");
	return result(&r);
}

static void
add_quoted(struct text *text, const char *string)
{
	text_char(text, '"');
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			text_char(text, '\\');
		text_char(text, *string);
	}
	text_add(text, "\"\n");
}

void
manifest_print(const struct manifest *manifest, struct text *text)
{
	const struct manifest_module *modules = manifest->modules.items;
	char hash[2 * MANIFEST_HASH + 1];

	text_add(text, "barn-pack 1\nname ");
	add_quoted(text, manifest->name);
	text_add(text, "version ");
	add_quoted(text, manifest->version);
	text_add(text, "publisher ");
	add_quoted(text, manifest->publisher);
	text_add(text, "engine ");
	add_quoted(text, manifest->engine);
	for (unsigned i = 0; i < manifest->modules.count; i++) {
		manifest_hex(hash, modules[i].hash, MANIFEST_HASH);
		text_printf(text, "module \"%s\" sha256 \"%s\"\n", modules[i].name, hash);
	}
}

void
manifest_print_seal(const struct manifest_seal *seal, struct text *text)
{
	char hexes[2 * MANIFEST_SIGNATURE + 1];

	manifest_hex(hexes, seal->key, MANIFEST_KEY);
	text_printf(text, "key \"%s\"\n", hexes);
	manifest_hex(hexes, seal->signature, MANIFEST_SIGNATURE);
	text_printf(text, "ed25519 \"%s\"\n", hexes);
}
