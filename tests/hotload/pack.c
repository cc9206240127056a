/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512 };

/* A header of POSIX's ustar interchange format, and the file's blocks. */
static size_t
add_file(unsigned char *at, const char *name, const char *text)
{
	size_t n = strlen(text), blocks = (n + BLOCK - 1) / BLOCK;
	unsigned sum = 0;
	char *header = (char *)at;

	memset(at, 0, (1 + blocks) * BLOCK);
	snprintf(header, 100, "%s", name);
	snprintf(header + 100, 8, "%07o", 0644u);
	snprintf(header + 124, 12, "%011o", (unsigned)n);
	snprintf(header + 136, 12, "%011o", 0u);
	memset(header + 148, ' ', 8);
	header[156] = '0';
	memcpy(header + 257,
	       "ustar\0"
	       "00",
	       8);
	for (unsigned i = 0; i < BLOCK; i++)
		sum += at[i];
	snprintf(header + 148, 8, "%06o", sum);
	memcpy(at + BLOCK, text, n);
	return (1 + blocks) * BLOCK;
}

size_t
pack_make(unsigned char archive[PACK_SIZE], const char *version, const struct pack_file *files,
	  unsigned count)
{
	char manifest[2048];
	unsigned char hash[EVP_MAX_MD_SIZE];
	size_t used, n;

	n = (size_t)snprintf(manifest, sizeof(manifest),
			     "barn-pack 1\nname \"round\" version \"%s\" publisher \"hotload\" "
			     "engine \"0.1\"\n",
			     version);
	for (unsigned i = 0; i < count; i++) {
		n += (size_t)snprintf(manifest + n, sizeof(manifest) - n,
				      "module \"%s\" sha256 \"", files[i].name);
		if (!EVP_Digest(files[i].text, strlen(files[i].text), hash, NULL, EVP_sha256(),
				NULL))
			exit(1);
		for (unsigned k = 0; k < 32; k++)
			n += (size_t)snprintf(manifest + n, sizeof(manifest) - n, "%02x",
					      hash[k]);
		n += (size_t)snprintf(manifest + n, sizeof(manifest) - n, "\"\n");
	}
	used = add_file(archive, "MANIFEST", manifest);
	for (unsigned i = 0; i < count; i++)
		used += add_file(archive + used, files[i].name, files[i].text);
	memset(archive + used, 0, 2 * BLOCK);
	return used + 2 * BLOCK;
}
