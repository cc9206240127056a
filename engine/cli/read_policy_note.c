/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_policy.h"
#include "io/savefile.h"
#include "policy/rewrite.h"
#include "program/say.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* In a word: what -w keeps of each packet, until the second reading. */
struct note {
	uint16_t tag, ip; /* header_place */
	uint8_t tos, tos_mask, cos;
	uint8_t how; /* version, and the bits below */
};

enum { VERSION = 0x0f, DROPPED = 0x10, MARKED = 0x20, COS = 0x40 };

_Static_assert(sizeof(struct note) == sizeof(uint64_t), "a note is a word");

uint64_t
read_policy_note(const struct packet *packet, const struct policy_verdict *v)
{
	struct note note = { .how = 0 };
	uint64_t word;

	if (v->fate == POLICY_FATE_DROP || v->fate == POLICY_FATE_REJECT) {
		note.how = DROPPED;
	} else if (v->tos_mask || v->has & POLICY_HAS_COS) {
		struct header_place place = header_find(packet);
		unsigned how = (place.ip_version & VERSION) | MARKED |
			       (v->has & POLICY_HAS_COS ? COS : 0);

		note = (struct note){ place.tag,   place.ip, v->tos,
				      v->tos_mask, v->cos,   (uint8_t)how };
	}
	memcpy(&word, &note, sizeof(word));
	return word;
}

/* The frame as it leaves, in `copy` where it is another than it came. */
static enum barn_err
leave(struct savefile *out, const struct io_frame *frame, const struct note *note,
      uint8_t **copy, size_t *room)
{
	struct header_place place = { note->tag, note->ip, note->how & VERSION };
	struct policy_verdict v = { .tos = note->tos,
				    .tos_mask = note->tos_mask,
				    .cos = note->cos,
				    .has = note->how & COS ? POLICY_HAS_COS : 0 };
	struct bytes data = frame->data;
	struct io_frame changed = *frame;
	size_t len = bytes_left(&data);

	if (!(note->how & MARKED))
		return savefile_write(out, frame);
	if (len > *room) {
		free(*copy);
		*copy = malloc(len);
		*room = *copy ? len : 0;
		if (!*copy)
			return BARN_ERR_MEMORY;
	}
	if (len)
		memcpy(*copy, data.p, len);
	rewrite_frame(*copy, len, &place, &v);
	changed.data = bytes_of(*copy, len);
	return savefile_write(out, &changed);
}

static enum barn_err
write_all(struct read_write *notes, struct read_input *input, struct savefile *out,
	  uint64_t *packets)
{
	enum barn_err err = BARN_OK;
	struct io_frame frame;
	uint8_t *copy = NULL;
	size_t room = 0;
	uint64_t serial;
	unsigned file;

	while (!err && read_input_next(input, &frame, &serial, &file) == READ_INPUT_FRAME) {
		const uint64_t *word = read_write_slot(notes, serial);
		struct note note;

		if (!word) {
			err = BARN_ERR_MEMORY;
			break;
		}
		memcpy(&note, word, sizeof(note));
		if (note.how & DROPPED)
			continue;
		err = leave(out, &frame, &note, &copy, &room);
		*packets += !err;
	}
	free(copy);
	return err;
}

int
read_policy_write(struct read_write *notes, struct read_input *input, const char *path,
		  uint64_t *packets)
{
	struct savefile *out;
	enum barn_err err;

	*packets = 0;
	if (savefile_open(path, &out)) {
		say_error("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	err = read_input_again(input) ? write_all(notes, input, out, packets) : BARN_ERR_MEMORY;
	if (err == BARN_ERR_ARGUMENT)
		say_error("%s: a capture holds packets of one link type only", path);
	else if (err)
		say_error("%s", barn_strerror(err));
	if (err) {
		savefile_drop(out);
		return EXIT_FAILED;
	}
	if (savefile_close(out)) {
		say_error("%s: %s", path, strerror(errno));
		return EXIT_FAILED;
	}
	return 0;
}
