/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_PACK_H
#define BARN_PACK_H

/*
 * Protocol packs: modules that come together, with a name, a version, checksums, and perhaps a
 * signature; barn-pack(5). A pack is staged and committed as a module is (<barn/barn.h>), all
 * of it or nothing:
 *
 *	barn_engine_pack(engine, "campus.tar.gz", bytes, length, &keys, &faults);
 *	barn_engine_commit(engine, &faults);
 *
 * Its modules' own tests are run by each commit that brings it.
 */

#include <barn/err.h>
#include <barn/fault.h>
#include <stdbool.h>
#include <stddef.h>

struct barn_engine;

/* Public keys, one of which must have signed a pack: Ed25519, in PEM. */
struct barn_key {
	const char *pem;
	size_t length;
};

struct barn_keys {
	const struct barn_key *key;
	unsigned count;
};

/*
 * Stages a pack, the bytes of a tar archive (compressed by gzip, or not), which may go after
 * the call. `file` names it in faults: "campus.tar.gz/talk.pdlm", line, column. With keys
 * (NULL: none) it must be signed by one of them; without, a signature is not looked at.
 *
 * A pack of the same name that is there, of whatever version, goes: of its modules those too
 * that the new one has not. But a module that has come in place of one of the old pack's since,
 * a user's own, stays in the new pack's place. On an error nothing of it was staged.
 */
enum barn_err barn_engine_pack(struct barn_engine *engine, const char *file, const void *bytes,
			       size_t length, const struct barn_keys *keys,
			       struct barn_faults *faults);

/*
 * Stages the removal of a pack, of all its modules that others have not come in place of. What
 * its modules had replaced does not come back. BARN_ERR_MISSING: there is no such pack.
 */
enum barn_err barn_engine_pack_unload(struct barn_engine *engine, const char *name);

struct barn_pack_info {
	char name[65], version[65], publisher[129];
	char engine[65]; /* the oldest version of barn that may load it */
	char key[33];    /* whose signature was checked, in hexadecimal; "": none */
	bool is_signed;  /* by whomever */
	unsigned protocols;
	unsigned replaced; /* of these, protocols that another module has taken since */
};

/* The packs in force, in order of loading: from 0 on. BARN_ERR_END: there is none with this
 * number. */
enum barn_err barn_engine_pack_info(struct barn_engine *engine, unsigned at,
				    struct barn_pack_info *info);

#endif
