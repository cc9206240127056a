/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_SMB_H
#define INSPECT_SMB_H

/*
 * What the files of the SMB inspector share:
 *
 *	smb.c          frames of NetBIOS sessions (RFC 1002, section 4.3), also over port 445
 *	smb_first.c    messages of SMB 1 (MS-CIFS, MS-SMB)
 *	smb_second.c   messages of SMB 2 and 3 (MS-SMB2)
 *	smb_text.c     texts of 16-bit letters; who logs in, by NTLM (MS-NLMP)
 */

#include "inspect/inspector.h"
#include "inspect/pdu.h"

enum { SMB_DIALECT, SMB_SHARE, SMB_PIPE, SMB_USER, SMB_DOMAIN, SMB_FIELDS };

enum { SMB_DIALECTS = 16, SMB_TEXT = 256 };

struct smb {
	struct pdu side[2];
	uint8_t dialects[SMB_DIALECTS]; /* that an SMB 1 client offers: numbers of smb_first.c
					 */
	uint8_t frames;
	uint8_t answer; /* enum inspect_answer */
	bool refused;
	bool pipes; /* the last share is that of named pipes, IPC$ */
	bool dialect_told, user_told, share_told, pipe_told;
};

/* Messages that begin with the mark of their version; b may lack what is far behind. */
void smb_first_read(struct smb *s, struct bytes b, const struct inspect_sink *sink);
void smb_second_read(struct smb *s, struct bytes b, const struct inspect_sink *sink);

/* Whether such a message is of a kind that is read: 32 bytes are enough to tell. */
bool smb_first_wanted(struct bytes b);
bool smb_second_wanted(struct bytes b);

/* A text of 16-bit letters to UTF-8. Returns its length, 0 for one that is none. */
size_t smb_text_wide(struct bytes wide, char text[SMB_TEXT]);

/* Looks for who logs in by NTLM, and tells it. */
void smb_text_login(struct smb *s, struct bytes b, const struct inspect_sink *sink);

/* A share's path, "\\server\share". */
void smb_text_share(struct smb *s, struct bytes path, const struct inspect_sink *sink);

/* A file's name, which is a pipe's on the share of pipes. */
void smb_text_pipe(struct smb *s, struct bytes name, const struct inspect_sink *sink);

#endif
