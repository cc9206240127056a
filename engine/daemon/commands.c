/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/bundle.h"
#include "daemon/link.h"
#include "daemon/log.h"
#include "daemon/serve.h"

#include <string.h>

/* The interface of this name; WAY_NONE: there is none. */
static uint16_t
interface_of(const struct serve *s, const char *name)
{
	const struct ways *ways = s->options->ways;

	for (uint16_t i = 0; i < ways->interfaces; i++)
		if (strcmp(ways->names[i], name) == 0)
			return i;
	return WAY_NONE;
}

/* clear ip nbar protocol-discovery [interface NAME] */
static enum command_after
clear_discovery(void *self, struct command_call *call, struct reply *reply)
{
	struct serve *s = self;
	uint16_t interface = WAY_NONE;

	if (call->count == 2 && strcmp(call->words[0], "interface") == 0) {
		interface = interface_of(s, call->words[1]);
		if (interface == WAY_NONE) {
			reply_fail(reply, BARN_ERR_MISSING, "'%s' is no interface of barnd's",
				   call->words[1]);
			return COMMAND_DONE;
		}
	} else if (call->count) {
		reply_fail(reply, BARN_ERR_ARGUMENT, "'%s': expected interface NAME",
			   call->words[0]);
		return COMMAND_DONE;
	}
	publish_clear(s->publish, interface);
	return COMMAND_DONE;
}

/* set protocol-discovery INTERFACE on|off */
static enum command_after
set_discovery(void *self, struct command_call *call, struct reply *reply)
{
	struct serve *s = self;
	uint16_t interface = call->count == 2 ? interface_of(s, call->words[0]) : WAY_NONE;
	bool on = call->count == 2 && strcmp(call->words[1], "on") == 0;

	if (call->count != 2 || (!on && strcmp(call->words[1], "off") != 0))
		reply_fail(reply, BARN_ERR_ARGUMENT, "expected INTERFACE on or off");
	else if (interface == WAY_NONE)
		reply_fail(reply, BARN_ERR_MISSING, "'%s' is no interface of barnd's",
			   call->words[0]);
	else
		publish_enable(s->publish, interface, on);
	return COMMAND_DONE;
}

/* The files are the parent's to read: it is asked, and answers. */
static enum command_after
reload(void *self, struct command_call *call, struct reply *reply)
{
	struct serve *s = self;

	if (call->round == 0) {
		if (s->reloading) {
			reply_fail(reply, BARN_ERR_EXISTS, "it is being read already");
			return COMMAND_DONE;
		}
		s->reloading = reply;
		s->told = false;
		call->state = s;
		link_send(s->options->link, LINK_RELOAD, 1, NULL, 0);
		return COMMAND_WAIT;
	}
	if (!s->told)
		return COMMAND_WAIT;
	if (*s->tale)
		reply_fail(reply, BARN_ERR_TEXT, "%s", s->tale);
	return COMMAND_DONE;
}

static void
reload_forget(void *self, void *state)
{
	(void)state;
	((struct serve *)self)->reloading = NULL;
}

static void
tell_faults(struct reply *reply, enum barn_err err, const struct barn_faults *faults)
{
	uint32_t kept = faults->count < BARN_FAULTS ? faults->count : BARN_FAULTS;

	for (uint32_t i = 0; i < kept; i++) {
		const struct barn_fault *f = &faults->fault[i];

		if (f->line)
			reply_printf(reply, "%s:%u:%u: %s\n", f->file, f->line, f->column,
				     f->text);
		else
			reply_printf(reply, "%s: %s\n", f->file, f->text);
	}
	reply_fail(reply, err, "%s",
		   err == BARN_ERR_TEXT ? "nothing was changed" : barn_strerror(err));
}

/* Puts it in force, here and, for the next inner process, in the parent. */
static void
change(struct serve *s, const struct text *bundle, struct reply *reply)
{
	struct barn_faults faults = { 0 };
	enum barn_err err = bundle->failed ? BARN_ERR_MEMORY
					   : bundle_apply(bytes_of(bundle->s, bundle->len),
							  s->options->engine, &faults);

	/* Policies speak of protocols by number: they are compiled for the modules in force. */
	if (!err)
		err = rules_apply(&s->rules, s->rules.conf, s->options->engine, &faults);
	if (err)
		tell_faults(reply, err, &faults);
	else
		link_send(s->options->link, LINK_CHANGE, 0, bundle->s, bundle->len);
}

/* load pdlm NAME TEXT: the client has read the file. */
static enum command_after
load(void *self, struct command_call *call, struct reply *reply)
{
	struct text bundle = { 0 };

	if (call->count != 2) {
		reply_fail(reply, BARN_ERR_ARGUMENT, "expected a file's name and its text");
		return COMMAND_DONE;
	}
	bundle_add(&bundle, BUNDLE_MODULE, call->words[0], call->words[1],
		   strlen(call->words[1]));
	change(self, &bundle, reply);
	text_fini(&bundle);
	return COMMAND_DONE;
}

/* unload pdlm PROTOCOL */
static enum command_after
unload(void *self, struct command_call *call, struct reply *reply)
{
	struct text bundle = { 0 };

	if (call->count != 1) {
		reply_fail(reply, BARN_ERR_ARGUMENT, "expected a protocol");
		return COMMAND_DONE;
	}
	bundle_add(&bundle, BUNDLE_UNLOAD, call->words[0], "", 0);
	change(self, &bundle, reply);
	text_fini(&bundle);
	return COMMAND_DONE;
}

const struct command commands[] = {
	{ .name = "clear ip nbar protocol-discovery",
	  .help = "Counters begin anew: [interface NAME]",
	  .changes = true,
	  .run = clear_discovery },
	{ .name = "load pdlm",
	  .help = "Modules are put in force: NAME TEXT",
	  .changes = true,
	  .run = load },
	{ .name = "reload",
	  .help = "Configuration and modules are read again",
	  .changes = true,
	  .run = reload,
	  .forget = reload_forget },
	{ .name = "set protocol-discovery",
	  .help = "Discovery is shown, or not: INTERFACE on|off",
	  .changes = true,
	  .run = set_discovery },
	{ .name = "show class-map",
	  .help = "The classes in force: [NAME]",
	  .run = serve_class_map,
	  .forget = show_policies_forget },
	{ .name = "show flows",
	  .help = "Flows as lines of JSON: [protocol NAME] [host ADDRESS] [top N]",
	  .run = show_flows,
	  .forget = show_flows_forget },
	{ .name = "show policy-map",
	  .help = "The policies in force: [NAME], or their counters: interface [NAME "
		  "[input|output]]",
	  .run = serve_policy_map,
	  .forget = show_policies_forget },
	{ .name = "unload pdlm",
	  .help = "A module is taken out of force: PROTOCOL",
	  .changes = true,
	  .run = unload },
};

const unsigned commands_count = sizeof(commands) / sizeof(commands[0]);
