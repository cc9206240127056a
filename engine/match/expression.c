/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/expression.h"

enum { DEPTH_MAX = 12, REPEAT_MAX = 65535 };

/* A piece of a pattern: a byte, a group, or what was read of a branch so far. */
struct piece {
	struct byteset head[EXPRESSION_HEAD];
	uint8_t len;
	bool fixed;   /* whatever it matches has exactly len bytes */
	bool literal; /* it is one byte, `byte` */
	uint8_t byte;
	struct needles words;
};

struct reader {
	const char *p, *end;
	bool caseless, dot_all;
	bool bad; /* a construct that is not read here: nothing can be said */
};

static void alternation(struct reader *r, unsigned depth, struct piece *all);

static bool
at(const struct reader *r, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(r->end - r->p) >= n && memcmp(r->p, text, n) == 0;
}

static bool
take(struct reader *r, const char *text)
{
	if (!at(r, text))
		return false;
	r->p += strlen(text);
	return true;
}

static void
add_byte(const struct reader *r, struct byteset *set, uint8_t byte)
{
	if (r->caseless)
		byteset_add_caseless(set, byte);
	else
		byteset_add(set, byte);
}

static struct byteset
invert(struct byteset set)
{
	for (unsigned i = 0; i < 4; i++)
		set.bits[i] = ~set.bits[i];
	return set;
}

/* \d, \w, \s and their opposites, in the C locale. */
static bool
class_escape(char c, struct byteset *set)
{
	*set = (struct byteset){ 0 };
	switch (c | 0x20) {
	case 'd': byteset_add_range(set, '0', '9'); break;
	case 's':
		byteset_add_range(set, 9, 13);
		byteset_add(set, ' ');
		break;
	case 'w':
		byteset_add_range(set, '0', '9');
		byteset_add_range(set, 'A', 'Z');
		byteset_add_range(set, 'a', 'z');
		byteset_add(set, '_');
		break;
	default: return false;
	}
	if (!(c & 0x20))
		*set = invert(*set);
	return true;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool
is_alnum(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* \xHH */
static uint8_t
hex_escape(struct reader *r)
{
	unsigned value = 0;

	if (r->p == r->end || hex_digit(*r->p) < 0)
		r->bad = true; /* \x{...}, or \x alone */
	for (int i = 0; i < 2 && r->p < r->end && hex_digit(*r->p) >= 0; i++)
		value = value * 16 + (unsigned)hex_digit(*r->p++);
	return (uint8_t)value;
}

/* The byte that an escape stands for; `c` follows the backslash and is read. */
static uint8_t
byte_escape(struct reader *r, char c, bool in_class)
{
	unsigned value = 0;

	switch (c) {
	case 'n': return '\n';
	case 'r': return '\r';
	case 't': return '\t';
	case 'f': return '\f';
	case 'a': return 7;
	case 'e': return 27;
	case 'x': return hex_escape(r);
	default: break;
	}
	if (c == '0' || (in_class && c > '0' && c <= '7')) {
		value = (unsigned)(c - '0');
		for (int i = 0; i < 2 && r->p < r->end && *r->p >= '0' && *r->p <= '7'; i++)
			value = value * 8 + (unsigned)(*r->p++ - '0');
		return (uint8_t)value;
	}
	if (in_class && c == 'b')
		return 8;
	if (is_alnum(c) || (uint8_t)c > 126)
		r->bad = true;
	return (uint8_t)c;
}

/* One end of a range in a class. True: it was a class of its own, and is added. */
static bool
class_part(struct reader *r, struct byteset *set, uint8_t *byte)
{
	struct byteset more;

	*byte = (uint8_t)*r->p++;
	if (*byte == '[' && r->p < r->end && (*r->p == ':' || *r->p == '.' || *r->p == '='))
		r->bad = true;
	if (*byte != '\\')
		return false;
	if (r->p == r->end) {
		r->bad = true;
		return false;
	}
	if (class_escape(*r->p, &more)) {
		r->p++;
		*set = byteset_or(*set, more);
		return true;
	}
	*byte = byte_escape(r, *r->p++, true);
	return false;
}

/* Behind its '['. */
static struct byteset
class_read(struct reader *r)
{
	bool negated = take(r, "^"), first = true;
	struct byteset set = { 0 };

	for (; !r->bad && r->p < r->end && (first || *r->p != ']'); first = false) {
		uint8_t low, high;

		if (class_part(r, &set, &low))
			continue;
		high = low;
		if (r->end - r->p >= 2 && r->p[0] == '-' && r->p[1] != ']') {
			r->p++;
			if (class_part(r, &set, &high))
				r->bad = true; /* [a-\d]: rare, and not worth a rule */
		}
		for (unsigned byte = low; byte <= high; byte++)
			add_byte(r, &set, (uint8_t)byte);
	}
	if (!take(r, "]"))
		r->bad = true;
	return negated ? invert(set) : set;
}

static void
set_piece(struct piece *piece, struct byteset set)
{
	piece->head[0] = set;
	piece->len = 1;
	piece->fixed = true;
}

static void
literal_piece(const struct reader *r, struct piece *piece, uint8_t byte)
{
	struct byteset set = { 0 };

	add_byte(r, &set, byte);
	set_piece(piece, set);
	piece->literal = true;
	piece->byte = byte;
}

static void
escape(struct reader *r, struct piece *piece)
{
	struct byteset set;
	char c;

	if (r->p == r->end) {
		r->bad = true;
		return;
	}
	c = *r->p++;
	if (class_escape(c, &set))
		set_piece(piece, set);
	else if (c && strchr("bBAzZ", c))
		piece->fixed = true; /* no byte */
	else if (c >= '1' && c <= '9' && !(r->p < r->end && *r->p >= '0' && *r->p <= '9'))
		piece->fixed = false; /* a group again: any number of bytes */
	else
		literal_piece(r, piece, byte_escape(r, c, false));
}

/* What stands behind "(?". */
static void
special_group(struct reader *r, unsigned depth, struct piece *piece)
{
	bool looks = at(r, "=") || at(r, "!") || at(r, "<=") || at(r, "<!");

	if (take(r, "<=") || take(r, "<!") || take(r, "=") || take(r, "!") || take(r, ":") ||
	    take(r, ">")) {
		alternation(r, depth + 1, piece);
	} else if (take(r, "P<") || take(r, "<")) {
		while (r->p < r->end && *r->p != '>')
			r->p++;
		if (!take(r, ">"))
			r->bad = true;
		alternation(r, depth + 1, piece);
	} else {
		r->bad = true;
	}
	if (looks)
		*piece = (struct piece){ .fixed = true };
}

static void
group(struct reader *r, unsigned depth, struct piece *piece)
{
	if (depth == DEPTH_MAX || at(r, "*"))
		r->bad = true;
	else if (take(r, "?"))
		special_group(r, depth, piece);
	else
		alternation(r, depth + 1, piece);
	if (!take(r, ")"))
		r->bad = true;
	piece->literal = false;
}

static unsigned
number(struct reader *r)
{
	unsigned value = 0;

	while (r->p < r->end && *r->p >= '0' && *r->p <= '9' && value < REPEAT_MAX)
		value = value * 10 + (unsigned)(*r->p++ - '0');
	return value;
}

/* {n}, {n,} or {n,m}; else the brace is a byte. */
static bool
braces(struct reader *r, unsigned *least, unsigned *most)
{
	const char *start = r->p++;

	if (at(r, ",") || at(r, " "))
		r->bad = true; /* newer PCRE2 takes {,n} and blanks for one, older does not */
	if (r->p < r->end && *r->p >= '0' && *r->p <= '9') {
		*least = *most = number(r);
		if (take(r, ","))
			*most = at(r, "}") ? REPEAT_MAX : number(r);
		if (take(r, "}"))
			return true;
	}
	*least = *most = 1;
	r->p = start;
	return false;
}

static void
quantifier(struct reader *r, unsigned *least, unsigned *most)
{
	*least = *most = 1;
	if (take(r, "*")) {
		*least = 0;
		*most = REPEAT_MAX;
	} else if (take(r, "+")) {
		*most = REPEAT_MAX;
	} else if (take(r, "?")) {
		*least = 0;
	} else if (!at(r, "{") || !braces(r, least, most)) {
		return;
	}
	if (!take(r, "?"))
		take(r, "+");
}

static void
item(struct reader *r, unsigned depth, struct piece *piece)
{
	struct byteset set = { 0 };
	unsigned least, most;
	char c = *r->p++;

	switch (c) {
	case '\\': escape(r, piece); break;
	case '(': group(r, depth, piece); break;
	case '[': set_piece(piece, class_read(r)); break;
	case '*':
	case '+':
	case '?': r->bad = true; break; /* a quantifier of a quantifier */
	case '{':
		r->p--;
		if (braces(r, &least, &most))
			r->bad = true;
		r->p++;
		literal_piece(r, piece, '{');
		break;
	case '^':
	case '$': piece->fixed = true; break;
	case '.':
		byteset_add(&set, '\n');
		set_piece(piece, r->dot_all ? BYTESET_ALL : invert(set));
		break;
	default: literal_piece(r, piece, (uint8_t)c); break;
	}
}

/* What follows the branch so far. */
static void
join(struct piece *branch, const struct piece *piece)
{
	for (unsigned i = 0; branch->fixed && i < piece->len; i++) {
		if (branch->len == EXPRESSION_HEAD)
			branch->fixed = false;
		else
			branch->head[branch->len++] = piece->head[i];
	}
	branch->fixed = branch->fixed && piece->fixed;
}

/* `run`: the literal bytes just before. */
static void
follow_words(struct piece *branch, struct needle *run, const struct piece *piece,
	     unsigned least, unsigned most)
{
	if (piece->literal && least == 1 && most == 1) {
		needles_add_byte(run, piece->byte);
		return;
	}
	needles_and_one(&branch->words, *run);
	run->len = 0;
	if (least > 0)
		needles_and(&branch->words, &piece->words);
}

static void
branch_read(struct reader *r, unsigned depth, struct piece *branch)
{
	struct needle run = { 0 };

	*branch = (struct piece){ .fixed = true };
	while (!r->bad && r->p < r->end && *r->p != '|' && *r->p != ')') {
		struct piece piece = { 0 };
		unsigned least, most;

		item(r, depth, &piece);
		if (r->bad)
			return;
		quantifier(r, &least, &most);
		follow_words(branch, &run, &piece, least, most);
		for (unsigned i = 0; i < least && i <= EXPRESSION_HEAD && branch->fixed; i++)
			join(branch, &piece);
		if (least != most || least > EXPRESSION_HEAD)
			branch->fixed = false;
	}
	needles_and_one(&branch->words, run);
}

static void
alternation(struct reader *r, unsigned depth, struct piece *all)
{
	branch_read(r, depth, all);
	while (!r->bad && take(r, "|")) {
		struct piece other;

		branch_read(r, depth, &other);
		all->fixed = all->fixed && other.fixed && all->len == other.len;
		if (other.len < all->len)
			all->len = other.len;
		for (unsigned i = 0; i < all->len; i++)
			all->head[i] = byteset_or(all->head[i], other.head[i]);
		needles_or(&all->words, &other.words);
	}
}

void
expression_read(const char *pattern, size_t len, bool caseless, struct expression *e)
{
	struct reader r = { .p = pattern, .end = pattern + len, .caseless = caseless };
	struct piece all = { 0 };
	bool more = true;

	while (more) {
		more = false;
		if (take(&r, "(?i)"))
			more = r.caseless = true;
		if (take(&r, "(?s)"))
			more = r.dot_all = true;
	}
	alternation(&r, 0, &all);
	memset(e, 0, sizeof(*e));
	if (r.bad || r.p != r.end)
		return;
	memcpy(e->head, all.head, sizeof(e->head));
	e->head_len = all.len;
	e->words = all.words;
	needles_trim(&e->words);
}
