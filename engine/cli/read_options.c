/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_options.h"
#include "program/say.h"
#include "wire/opaque.h"
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum row {
	FLOWS,
	JSON,
	TOP,
	PROTOCOL,
	INTERFACE,
	INSIDE,
	CONF,
	MODULE,
	MODULES,
	KEY,
	NO_NDPI,
	NO_HYPERSCAN,
	INDEX_FILE,
	OPAQUE,
	JOBS,
	FILTER,
	WRITE,
	MATCH,
	POLICY,
	POLICY_OUT,
	ATTACHED,
	LEARNED,
	LEARNED_FILE,
	NO_LEARNED,
	ROWS
};

const struct option_row read_options_rows[ROWS + 1] = {
	[FLOWS] = { "flows", 0, "[=FORMAT]", "A line a flow; FORMAT is text, json or csv" },
	[JSON] = { "json", 0, NULL, "The table as one JSON document" },
	[TOP] = { "top", 0, "N", "Only the first N rows of the table" },
	[PROTOCOL] = { "protocol", 0, "NAME", "Only this protocol, or what runs over it" },
	[INTERFACE] = { "interface", 0, "NAME", "One table for all files, with this name" },
	[INSIDE] = { "inside", 0, "PREFIX",
		     "Packets from these addresses are input, to them output" },
	[CONF] = { MODULES_ROW_CONF },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[KEY] = { MODULES_ROW_KEY },
	[NO_NDPI] = { "no-ndpi", 0, NULL, "Do not ask nDPI" },
	[INDEX_FILE] = { MODULES_ROW_INDEX },
	[NO_HYPERSCAN] = { "no-hyperscan", 0, NULL,
			   "Match without Hyperscan: slower, the same" },
	[OPAQUE] = { "opaque", 0, "TUNNEL,...",
		     "Do not look into these, such as gre,vxlan; or all" },
	[JOBS] = { "jobs", 'j', "N", "Classify in N threads" },
	[FILTER] = { "filter", 'f', "BPF", "Only packets that pass this filter" },
	[WRITE] = { "write", 'w', "FILE", "Write the packets of the flows to a capture" },
	[MATCH] = { "match", 0, "STATEMENT",
		    "Only flows for which this holds, such as\n"
		    "                             'protocol http url \"*.jpg\"'" },
	[POLICY] = { "policy", 0, "NAME",
		     "Show what this policy map of -c would have done as input policy" },
	[POLICY_OUT] = { "policy-out", 0, "NAME", "The same as output policy" },
	[ATTACHED] = { "attached", 0, NULL,
		       "The same of the policies that -c applies to the interfaces" },
	[LEARNED] = { "learned", 0, NULL, "Show at the end what was learned of servers" },
	[LEARNED_FILE] = { "learned-file", 0, "FILE", "Keep what was learned in FILE" },
	[NO_LEARNED] = { "no-learned", 0, NULL, "Do not guess by what was learned" },
	{ 0 },
};

static bool
number(const char *text, uint32_t low, uint32_t high, uint32_t *value)
{
	char *end;
	unsigned long n;

	if (*text < '0' || *text > '9')
		return false;
	n = strtoul(text, &end, 10);
	if (*end || n < low || n > high)
		return false;
	*value = (uint32_t)n;
	return true;
}

static bool
set_flows(struct read_options *o, const char *format)
{
	if (!format || strcmp(format, "text") == 0)
		o->display = READ_FLOWS;
	else if (strcmp(format, "json") == 0)
		o->display = READ_FLOWS_JSON;
	else if (strcmp(format, "csv") == 0)
		o->display = READ_FLOWS_CSV;
	else
		return false;
	return true;
}

/* Options that can be repeated. False: once too often. */
static bool
append(const char **list, unsigned *count, const char *value)
{
	if (*count == READ_LIST_MAX)
		return false;
	list[(*count)++] = value;
	return true;
}

/* Words with commas between them. */
static bool
set_opaque(struct read_options *o, const char *words)
{
	char word[16];
	size_t len;

	for (;; words += len + 1) {
		uint32_t mask = 0;

		len = strcspn(words, ",");
		if (len < sizeof(word)) {
			memcpy(word, words, len);
			word[len] = '\0';
			mask = opaque_find(word);
		}
		if (!mask)
			return false;
		o->modules.opaque |= mask;
		if (!words[len])
			return true;
	}
}

/* NULL, or what is wrong with the value. */
static const char *
set(struct read_options *o, enum row row, const char *value)
{
	bool good = true;

	switch (row) {
	case FLOWS: return set_flows(o, value) ? NULL : "expected text, json or csv";
	case JSON: o->display = READ_TABLE_JSON; break;
	case TOP: return number(value, 1, UINT32_MAX, &o->top) ? NULL : "expected a number";
	case PROTOCOL: o->protocol = value; break;
	case INTERFACE: o->interface = value; break;
	case INSIDE:
		if (o->inside_count == READ_LIST_MAX)
			return "too many";
		if (!inside_parse(value, &o->inside[o->inside_count]))
			return "expected ADDRESS or ADDRESS/BITS";
		o->inside_count++;
		break;
	case CONF:
		o->conf.path = value;
		o->modules.conf = &o->conf;
		break;
	case MODULE: good = append(o->module_files, &o->modules.file_count, value); break;
	case MODULES: o->modules.folder = value; break;
	case KEY: good = modules_key(&o->modules, value); break;
	case NO_NDPI: o->modules.no_ndpi = true; break;
	case INDEX_FILE: o->modules.index_file = value; break;
	case OPAQUE: return set_opaque(o, value) ? NULL : "expected tunnels, or all";
	case NO_HYPERSCAN: o->modules.no_hyperscan = true; break;
	case JOBS: return number(value, 1, CREW_MAX, &o->jobs) ? NULL : "expected 1 to 64";
	case FILTER: o->filter = value; break;
	case WRITE: o->write = value; break;
	case MATCH: good = append(o->match, &o->match_count, value); break;
	case POLICY: o->policy = value; break;
	case POLICY_OUT: o->policy_out = value; break;
	case ATTACHED: o->attached = true; break;
	case LEARNED: o->learned = true; break;
	case LEARNED_FILE: o->learned_file = value; break;
	case NO_LEARNED: o->no_learned = true; break;
	case ROWS: break;
	}
	return good ? NULL : "too many";
}

/* Policies have a display of their own, of all packets. */
static int
check_policies(const struct command *command, struct read_options *o, uint32_t given)
{
	static const enum row others[] = { FLOWS, TOP, PROTOCOL, MATCH, LEARNED };

	if (!read_options_policies(o))
		return 0;
	if (!o->conf.path)
		return say_usage(command->name, "policies stand in a configuration: "
						"expected -c FILE");
	if (o->attached && (o->policy || o->policy_out))
		return say_usage(command->name,
				 "--attached has the policies of the configuration, not "
				 "--policy");
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (given & 1u << others[i])
			return say_usage(command->name, "--%s is not for policies",
					 read_options_rows[others[i]].name);
	o->display = given & 1u << JSON ? READ_POLICY_JSON : READ_POLICY;
	if (o->write && strcmp(o->write, "-") == 0)
		o->display = READ_NOTHING;
	return 0;
}

/* What the options forbid together. `given` has a bit a row. */
static int
check(const struct command *command, struct read_options *o, uint32_t given)
{
	bool display_given = given & (1u << FLOWS | 1u << JSON);
	unsigned standard_inputs = 0;

	if (o->path_count == 0)
		return say_usage(command->name, "no capture file");
	for (unsigned i = 0; i < o->path_count; i++)
		standard_inputs += strcmp(o->paths[i], "-") == 0;
	if (standard_inputs > 1)
		return say_usage(command->name, "standard input can be read once only");
	if (o->path_count > UINT16_MAX)
		return say_usage(command->name, "too many files");
	if (given & 1u << FLOWS && given & 1u << JSON)
		return say_usage(command->name,
				 "--json is for the table; flows have --flows=json");
	if (o->write && strcmp(o->write, "-") == 0 && display_given)
		return say_usage(command->name,
				 "-w - needs standard output for the capture alone");
	if (o->write && !display_given)
		o->display = READ_NOTHING;
	if (o->top && o->display != READ_TABLE && o->display != READ_TABLE_JSON)
		return say_usage(command->name, "--top is for the table");
	if (o->match_count && !o->write &&
	    (o->display == READ_TABLE || o->display == READ_TABLE_JSON))
		return say_usage(command->name, "--match needs --flows or -w");
	if (o->no_learned && (o->learned || o->learned_file))
		return say_usage(command->name, "--no-learned learns nothing to show or keep");
	if (o->learned && o->write && strcmp(o->write, "-") == 0)
		return say_usage(command->name,
				 "-w - needs standard output for the capture alone");
	if (o->learned && o->display == READ_FLOWS_CSV)
		return say_usage(command->name, "--learned is text or JSON, not CSV");
	return check_policies(command, o, given);
}

int
read_options_parse(const struct command *command, int argc, char **argv, struct read_options *o)
{
	uint32_t given = 0;
	const char *value, *wrong;
	int row;

	*o = (struct read_options){ .jobs = 1 };
	o->modules.files = o->module_files;
	while ((row = options_next(command, argc, argv, &value)) >= 0) {
		wrong = set(o, (enum row)row, value);
		if (wrong) {
			say_usage(command->name, "--%s %s: %s", command->options[row].name,
				  value, wrong);
			return OPTIONS_WRONG;
		}
		given |= 1u << row;
	}
	if (row != OPTIONS_END)
		return row;
	o->paths = (const char *const *)(argv + optind);
	o->path_count = (unsigned)(argc - optind);
	return check(command, o, given) ? OPTIONS_WRONG : 0;
}
