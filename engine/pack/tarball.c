/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack/tarball.h"

#include "pdl/diag.h"
#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>

enum { NAME_SHOWN = 64 };

#define BROKEN "damaged: expected a tar archive, plain or compressed by gzip"

struct job {
	struct archive *archive;
	struct list *files;
	struct arena *arena;
	const char *file;
	struct barn_faults *faults;
	size_t total; /* bytes read */
};

static enum barn_err
fault(const struct job *job, const char *name, const char *text)
{
	char shown[NAME_SHOWN], path[sizeof(job->faults->fault[0].file)];
	size_t n = 0;

	for (; name && name[n] && n + 1 < sizeof(shown); n++)
		shown[n] = name[n] > ' ' && name[n] < 0x7f ? name[n] : '?';
	shown[n] = '\0';
	snprintf(path, sizeof(path), n ? "%s/%s" : "%s", job->file, shown);
	diag_add(job->faults, path, (struct pdl_pos){ 1, 1 }, "%s", text);
	return BARN_ERR_TEXT;
}

/* "./NAME" is NAME; NULL: it leads elsewhere. */
static const char *
flat_name(const char *path)
{
	if (!path)
		return NULL;
	if (path[0] == '.' && path[1] == '/')
		path += 2;
	return strchr(path, '/') || strcmp(path, "..") == 0 ? NULL : path;
}

static bool
is_there(const struct job *job, const char *name)
{
	const struct tarball_file *files = job->files->items;

	for (unsigned i = 0; i < job->files->count; i++)
		if (strcmp(files[i].name, name) == 0)
			return true;
	return false;
}

/* What of an entry can be told before its bytes are read. */
static const char *
refuse(const struct job *job, struct archive_entry *entry, const char *name)
{
	if (archive_entry_hardlink(entry) || archive_entry_filetype(entry) == AE_IFLNK)
		return "a link: expected plain files";
	if (!name || !*name)
		return "a path: expected files side by side";
	if (archive_entry_filetype(entry) != AE_IFREG)
		return "no plain file";
	if (archive_entry_size(entry) > TARBALL_FILE_MAX)
		return "larger than 1 MiB";
	if (is_there(job, name))
		return "twice in the archive";
	if (job->files->count == TARBALL_FILES)
		return "too many files";
	return NULL;
}

static enum barn_err
read_file(struct job *job, const char *name, int64_t size)
{
	struct tarball_file *file = list_add(job->files, job->arena, sizeof(*file));
	uint8_t *data = arena_alloc(job->arena, (size_t)size + 1), more;
	size_t n = 0;
	la_ssize_t got = 1;

	if (!file || !data)
		return BARN_ERR_MEMORY;
	file->name = arena_strdup(job->arena, name);
	if (!file->name)
		return BARN_ERR_MEMORY;
	while (n < (size_t)size && got > 0) {
		got = archive_read_data(job->archive, data + n, (size_t)size - n);
		n += got > 0 ? (size_t)got : 0;
	}
	if (got > 0)
		got = archive_read_data(job->archive, &more, 1);
	if (got != 0 || n != (size_t)size)
		return fault(job, name, "the archive is damaged, or ends here");
	file->data = bytes_of(data, n);
	job->total += n;
	if (job->total > TARBALL_BYTES_MAX)
		return fault(job, name, "the files are larger than 32 MiB");
	return BARN_OK;
}

/* The archive's own folder, "./", says nothing. */
static bool
is_root(struct archive_entry *entry)
{
	const char *path = archive_entry_pathname(entry);

	return path && archive_entry_filetype(entry) == AE_IFDIR &&
	       (strcmp(path, "./") == 0 || strcmp(path, ".") == 0);
}

static enum barn_err
read_entry(struct job *job, struct archive_entry *entry)
{
	const char *path = archive_entry_pathname(entry);
	const char *name = flat_name(path), *why;

	if (is_root(entry))
		return BARN_OK;
	why = refuse(job, entry, name);
	if (why)
		return fault(job, name ? name : path, why);
	return read_file(job, name, archive_entry_size(entry));
}

static enum barn_err
read_all(struct job *job)
{
	struct archive_entry *entry;
	enum barn_err err = BARN_OK;
	int got;

	while (!err && (got = archive_read_next_header(job->archive, &entry)) == ARCHIVE_OK)
		err = read_entry(job, entry);
	if (err)
		return err;
	if (got != ARCHIVE_EOF)
		return fault(job, NULL, BROKEN);
	return BARN_OK;
}

enum barn_err
tarball_read(struct list *files, struct arena *arena, const char *file, struct bytes data,
	     struct barn_faults *faults)
{
	struct job job = {
		.files = files,
		.arena = arena,
		.file = file,
		.faults = faults,
	};
	enum barn_err err;

	if (bytes_left(&data) > TARBALL_ARCHIVE_MAX)
		return fault(&job, NULL, "larger than 16 MiB");
	job.archive = archive_read_new();
	if (!job.archive)
		return BARN_ERR_MEMORY;
	if (archive_read_support_filter_gzip(job.archive) ||
	    archive_read_support_format_tar(job.archive))
		err = BARN_ERR_LIBRARY;
	else if (archive_read_open_memory(job.archive, data.p, bytes_left(&data)))
		err = fault(&job, NULL, BROKEN);
	else
		err = read_all(&job);
	archive_read_free(job.archive);
	return err;
}

static la_ssize_t
append(struct archive *archive, void *self, const void *data, size_t n)
{
	struct text *text = self;

	text_add_n(text, data, n);
	if (!text->failed)
		return (la_ssize_t)n;
	archive_set_error(archive, ARCHIVE_FATAL, "out of memory");
	return -1;
}

static bool
write_file(struct archive *archive, const struct tarball_file *file)
{
	struct archive_entry *entry = archive_entry_new();
	struct bytes data = file->data;
	size_t n = bytes_left(&data);
	bool good;

	if (!entry)
		return false;
	archive_entry_set_pathname(entry, file->name);
	archive_entry_set_size(entry, (int64_t)n);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_mtime(entry, 0, 0);
	good = archive_write_header(archive, entry) == ARCHIVE_OK &&
	       archive_write_data(archive, data.p, n) == (la_ssize_t)n;
	archive_entry_free(entry);
	return good;
}

/* Without the time of day in its header. */
static bool
add_gzip(struct archive *archive)
{
	return archive_write_add_filter_gzip(archive) == ARCHIVE_OK &&
	       archive_write_set_filter_option(archive, "gzip", "timestamp", NULL) ==
		       ARCHIVE_OK;
}

enum barn_err
tarball_write(const struct tarball_file *files, unsigned count, enum tarball_form form,
	      struct text *archive)
{
	struct archive *a = archive_write_new();
	bool good;

	if (!a)
		return BARN_ERR_MEMORY;
	good = archive_write_set_format_ustar(a) == ARCHIVE_OK &&
	       (form == TARBALL_PLAIN || add_gzip(a)) &&
	       archive_write_set_bytes_in_last_block(a, 1) == ARCHIVE_OK &&
	       archive_write_open(a, archive, NULL, append, NULL) == ARCHIVE_OK;
	for (unsigned i = 0; good && i < count; i++)
		good = write_file(a, &files[i]);
	good = good && archive_write_close(a) == ARCHIVE_OK;
	archive_write_free(a);
	if (archive->failed)
		return BARN_ERR_MEMORY;
	return good ? BARN_OK : BARN_ERR_LIBRARY;
}
