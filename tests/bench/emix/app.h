/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * The applications of the enterprise mix: Table 1, and for each what may be cut, repeated,
 * stretched and varied in its recorded conversation. How it is used: see script.h.
 */
#ifndef BARN_BENCH_EMIX_APP_H
#define BARN_BENCH_EMIX_APP_H

#include "dialogue.h"
#include "rng.h"

/* Bytes with their length; zeros inside are fine. */
struct text {
	const char *at;
	size_t len;
};

/* What a message says: this text at this offset. */
struct saying {
	enum convo_from from;
	struct text text;
	size_t at;
};

/* A stream that is cut into messages by a length in each of them, instead of by PSH. */
struct framing {
	struct length length;
	size_t add; /* bytes of the message that the length does not count */
};

/*
 * Messages with a part that is free. It lies behind keep bytes, or behind the first `behind`
 * where that is given, and ends before suffix. A message without them, or with a smaller free
 * part than least, is left alone. What depends on the length is corrected.
 */
struct elastic {
	struct saying prefix; /* such messages only */
	size_t keep;
	struct text behind;
	struct text suffix;
	size_t least; /* never made smaller; at least 1: 0 is the end of the rules */
	size_t most;  /* never made larger [60000] */
	/* What is put in [the free part again, from its start]; a free part with a filler is
	   never made smaller than it was. */
	struct text filler;
	struct length lengths[2]; /* integers that grow as the message does */
	struct text number;       /* behind it, the free part's length as a decimal number */
};

enum { APP_ELASTICS = 3 };

/* What is different in each flow. */
struct variation {
	struct rng rng;
	unsigned flow; /* its number in the mix */
	struct frame_addr server;
};

struct app {
	const char *name;
	const char *source;     /* its recorded conversation, under captures/ */
	const char *truth;      /* its protocols and facts, as in .flows files */
	unsigned packets;       /* a flow */
	unsigned average;       /* bytes a frame, IPv4 */
	uint16_t port;          /* the server's; 0: by seed */
	struct framing framing; /* TCP [PSH] */
	size_t head; /* messages at the start that are never touched, besides those before
			the first exchange */
	struct saying exchange; /* the message that starts an exchange of the steady phase */
	struct text prompt;     /* instead: how the server's message before that one ends */
	struct elastic elastic[APP_ELASTICS]; /* the first that fits counts */
	/* Makes the flow's own names and numbers; may change lengths. NULL: nothing to vary. */
	void (*vary)(struct messages *list, const struct variation *v);
};

extern const struct app app_table[];
extern const size_t app_count;

bool app_says(const struct message *m, const struct saying *what);

#endif
