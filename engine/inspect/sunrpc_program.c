/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/sunrpc.h"

/*
 * IANA's "RPC Program Numbers", and the documents of the programs. Some are parts of one
 * service: the lists of access rights (100227) and the callbacks of NFS; the kernel's and the
 * user's lock manager; all of NIS.
 */
static const struct {
	uint32_t program;
	const char *protocol;
} programs[] = {
	{ SUNRPC_NFS, "nfs" },                         /* RFC 1813, RFC 7530 */
	{ 100004, "nis" },                             /* ypserv */
	{ 100005, "mount" },                           /* RFC 1813, appendix I */
	{ 100007, "nis" },                             /* ypbind */
	{ 100009, "nis" },                             /* yppasswdd */
	{ 100011, "rquota" },       { 100020, "nlm" }, /* klm */
	{ 100021, "nlm" },                             /* RFC 1813, appendix II; X/Open XNFS */
	{ 100024, "nsm" },                             /* X/Open XNFS, chapter 11 */
	{ 100026, "bootparams" },   { 100028, "nis" }, /* ypupdated */
	{ 100069, "nis" },                             /* ypxfrd */
	{ 100227, "nfs" },                             /* nfs_acl */
	{ 100300, "nis" },                             /* NIS+ */
	{ 395183, "vxi-11" },                          /* core; VXI-11, section B.6 */
	{ 395184, "vxi-11" },                          /* abort */
	{ 395185, "vxi-11" },                          /* interrupt */
	{ 1298437, "glusterfs" },                      /* the files themselves */
	{ 4867634, "glusterfs" },                      /* glusterd's handshake between peers */
	{ 10239123, "glusterfs" },                     /* dump: what a brick speaks */
	{ 14398633, "glusterfs" },                     /* handshake of a client */
	{ 34123456, "glusterfs" },                     /* port mapper of its own */
	{ SUNRPC_CALLBACK, "nfs" },
};

const char *
sunrpc_program(uint32_t program)
{
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (programs[i].program == program)
			return programs[i].protocol;
	return NULL;
}
