/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "program/modules.h"
#include "program/pack_file.h"
#include "program/say.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum row { OUTPUT, NAME, VERSION, PUBLISHER, ENGINE, KEY, MODULE, MODULES, NO_NDPI, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[OUTPUT] = { "output", 'o', "FILE",
		     "Write the pack there, not to NAME-VERSION.tar.gz" },
	[NAME] = { "name", 0, "NAME", "Its name: small letters, digits and '-'" },
	[VERSION] = { "version", 0, "VERSION", "Its version, as 1.2.0" },
	[PUBLISHER] = { "publisher", 0, "TEXT", "Who makes it" },
	[ENGINE] = { "engine", 0, "VERSION", "The oldest barn that may load it; this one" },
	[KEY] = { "key", 0, "FILE", "Sign it with this private key, Ed25519 in PEM" },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	{ 0 },
};

struct job {
	struct modules_list with;  /* that the pack's modules are checked together with */
	struct modules_list files; /* of the pack */
	struct manifest facts;
	const char *output, *key;
	struct pack_source *sources;
	struct text archive;
};

static bool
read_sources(struct job *job)
{
	unsigned count = job->files.options.file_count;

	job->sources = calloc((size_t)count + 1, sizeof(*job->sources));
	if (!job->sources) {
		say_error("out of memory");
		return false;
	}
	for (unsigned i = 0; i < count; i++) {
		const char *path = job->files.files[i], *slash = strrchr(path, '/');
		const char *name = slash ? slash + 1 : path;
		size_t len;
		char *text;

		if (!manifest_is_file(name)) {
			say_error(
				"%s: expected a file NAME.pdlm, of letters, digits and '-_.+'",
				path);
			return false;
		}
		text = modules_read(path, &len);
		if (!text)
			return false;
		job->sources[i] = (struct pack_source){ name, bytes_of(text, len) };
	}
	return true;
}

static bool
write_pack(struct job *job)
{
	unsigned count = job->files.options.file_count;
	struct bytes key = bytes_of(NULL, 0);
	char *pem = NULL;
	size_t len;
	enum barn_err err;

	if (job->key) {
		pem = modules_read(job->key, &len);
		if (!pem)
			return false;
		key = bytes_of(pem, len);
	}
	if (pem && len == 0)
		err = BARN_ERR_FORMAT;
	else
		err = pack_write(&job->facts, job->sources, count, key, &job->archive);
	free(pem);
	if (err == BARN_ERR_FORMAT)
		say_error("%s: expected a private key, Ed25519 in PEM, without a passphrase",
			  job->key);
	else if (err == BARN_ERR_EXISTS)
		say_error("two files of one name");
	else if (err)
		say_error("%s", barn_strerror(err));
	return !err;
}

/* The pack as others will load it: all that is wrong in its modules is told here. */
static bool
try_pack(const struct job *job, const char *file)
{
	struct modules_options options = job->with.options;
	struct barn_engine *engine;

	options.pack =
		(struct modules_pack){ file, bytes_of(job->archive.s, job->archive.len) };
	if (modules_load(&options, &engine))
		return false;
	barn_engine_free(engine);
	return true;
}

static bool
save(const struct job *job, const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");
	bool good = f && fwrite(job->archive.s, 1, job->archive.len, f) == job->archive.len;

	good = f && fflush(f) == 0 && good;
	if (!good)
		say_error("%s: %s", path, strerror(errno));
	if (f && f != stdout && fclose(f) != 0 && good) {
		say_error("%s: %s", path, strerror(errno));
		return false;
	}
	return good;
}

static int
make(struct job *job)
{
	char name[2 * MANIFEST_NAME_MAX + 16];

	snprintf(name, sizeof(name), "%s-%s.tar.gz", job->facts.name, job->facts.version);
	if (!read_sources(job) || !write_pack(job) || !try_pack(job, name))
		return EXIT_FAILED;
	if (!save(job, job->output ? job->output : name))
		return EXIT_FAILED;
	if (!job->output || strcmp(job->output, "-") != 0)
		printf("%s: pack %s %s, %u file%s%s\n", job->output ? job->output : name,
		       job->facts.name, job->facts.version, job->files.options.file_count,
		       job->files.options.file_count == 1 ? "" : "s",
		       job->key ? ", signed" : "");
	return 0;
}

/* An option's value. False: the user was told. */
static bool
set(struct job *job, enum row row, const char *value)
{
	switch (row) {
	case OUTPUT: job->output = value; break;
	case NAME: job->facts.name = value; break;
	case VERSION: job->facts.version = value; break;
	case PUBLISHER: job->facts.publisher = value; break;
	case ENGINE: job->facts.engine = value; break;
	case KEY: job->key = value; break;
	case MODULE:
	case MODULES:
	case NO_NDPI: return modules_option(&job->with, &rows[row], value);
	case ROWS: break;
	}
	return true;
}

static int
check(const struct command *self, const struct job *job)
{
	const struct manifest *m = &job->facts;

	if (!m->name || !m->version || !m->publisher)
		return say_usage(self->name, "--name, --version and --publisher are needed");
	if (!manifest_is_name(m->name))
		return say_usage(self->name,
				 "--name %s: expected small letters, digits and '-'", m->name);
	if (!manifest_is_version(m->version))
		return say_usage(self->name, "--version %s: expected a version as 1.2.0",
				 m->version);
	if (!manifest_is_version(m->engine))
		return say_usage(self->name, "--engine %s: expected a version as 1.2.0",
				 m->engine);
	if (!manifest_is_publisher(m->publisher))
		return say_usage(self->name, "--publisher: expected a text of up to %d bytes",
				 MANIFEST_TEXT_MAX);
	return 0;
}

static int
run_all(const struct command *self, int argc, char **argv, struct job *job)
{
	const char *value;
	int row, status;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (!set(job, (enum row)row, value))
			return EXIT_FAILED;
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (optind == argc)
		return say_usage(self->name, "expected files or folders of modules");
	status = check(self, job);
	if (status)
		return status;
	for (; optind < argc; optind++)
		if (!modules_add(&job->files, argv[optind]))
			return EXIT_FAILED;
	return make(job);
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .facts = { .engine = BARN_VERSION } };
	int status = run_all(self, argc, argv, &job);

	for (unsigned i = 0; job.sources && i < job.files.options.file_count; i++)
		if (job.sources[i].name)
			free((void *)(uintptr_t)job.sources[i].text.p);
	free(job.sources);
	text_fini(&job.archive);
	modules_fini(&job.files);
	modules_fini(&job.with);
	return status;
}

const struct command command_pdlm_pack = {
	.name = "pdlm pack",
	.arguments = "[options] FILE|DIR...",
	.summary = "Make a protocol pack of modules",
	.text = "The pack is an archive with a manifest, barn-pack(5). It is written only if "
		"it\n"
		"can be loaded: its modules compile and pass their tests.\n",
	.options = rows,
	.run = run,
};
