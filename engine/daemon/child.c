/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/child.h"

#include "ctl/server.h"
#include "daemon/bundle.h"
#include "daemon/link.h"
#include "daemon/log.h"
#include "daemon/serve.h"
#include "program/say.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TURN_MS = 200, SAVE_MS = 1000, OTHERS_LOOK = 1 };

static volatile sig_atomic_t ended;

static void
on_end(int number)
{
	(void)number;
	ended = 1;
}

static uint64_t
now_ms(void)
{
	return pulse_now() / 1000000;
}

static bool
start_lanes(struct serve *s)
{
	const struct child_options *o = s->options;
	struct lane_options lane = { .engine = o->engine,
				     .settings = o->settings,
				     .ways = o->ways,
				     .pulse = o->pulse,
				     .policies = s->rules.slot };
	enum barn_err err;

	s->lanes = calloc(o->settings->workers, sizeof(struct lane *));
	for (unsigned i = 0; s->lanes && i < o->settings->workers; i++) {
		lane.number = i;
		err = lane_new(&lane, &s->lanes[i]);
		if (err) {
			log_say(LOG_ERR, "worker %u: %s", i, barn_strerror(err));
			return false;
		}
		s->lane_count++;
	}
	return s->lanes;
}

static bool
start_policies(struct serve *s)
{
	const struct child_options *o = s->options;
	struct barn_faults faults = { 0 };
	enum barn_err err = rules_init(&s->rules, o->ways);

	if (!err)
		err = rules_apply(&s->rules, o->conf, o->engine, &faults);
	say_faults(&faults);
	if (err && err != BARN_ERR_TEXT)
		log_say(LOG_ERR, "policies: %s", barn_strerror(err));
	return !err;
}

static bool
start_serving(struct serve *s)
{
	const struct child_options *o = s->options;
	struct publish_options publish = { .engine = o->engine,
					   .ways = o->ways,
					   .lanes = s->lanes,
					   .lane_count = s->lane_count,
					   .flows = o->settings->flows,
					   .segment = o->segment,
					   .policies = s->rules.slot };
	struct server_options server = { .listen_fd = o->listener,
					 .commands = commands,
					 .command_count = commands_count,
					 .self = s,
					 .version = BARN_VERSION,
					 .change_gid = o->settings->privilege.gid,
					 .others_look = OTHERS_LOOK };
	enum barn_err err = publish_new(&publish, &s->publish);

	if (!err)
		err = server_new(&server, &s->server);
	if (err)
		log_say(LOG_ERR, "serving: %s", barn_strerror(err));
	return !err;
}

static void
save(struct serve *s)
{
	size_t length;
	char *text;

	if (!publish_state(s->publish, &text, &length))
		saver_put(s->saver, text, length);
}

/* What was counted before; a file that is damaged is put aside by the next one. */
static bool
restore(struct serve *s)
{
	const struct child_options *o = s->options;
	unsigned line;
	enum barn_err err = publish_restore(s->publish, o->state_folder, o->state_name, &line);

	if (err == BARN_ERR_TEXT)
		log_say(LOG_ERR, "%s:%u: damaged: counters begin anew", o->settings->state_file,
			line);
	else if (err && err != BARN_ERR_MISSING)
		log_say(LOG_ERR, "%s: %s: counters begin anew", o->settings->state_file,
			barn_strerror(err));
	publish_configure(s->publish, o->conf);
	s->saver = saver_new(o->state_folder, o->state_name);
	return s->saver;
}

static void
stop(struct serve *s)
{
	for (unsigned i = 0; i < s->lane_count; i++)
		lane_stop(s->lanes[i]);
	if (s->publish)
		publish_now(s->publish);
	if (s->publish && s->saver)
		save(s);
	saver_free(s->saver);
	server_free(s->server);
	publish_free(s->publish);
	for (unsigned i = 0; i < s->lane_count; i++)
		lane_free(s->lanes[i]);
	free(s->lanes);
	rules_fini(&s->rules);
}

/* The configuration of a bundle, read; NULL: there is none in it, or faults. */
static struct conf *
read_conf(struct serve *s, struct bytes bundle, struct barn_faults *faults)
{
	struct bundle_item item;
	struct conf *conf;

	while (bundle_next(&bundle, &item)) {
		if (item.kind != BUNDLE_CONF || conf_new(&conf))
			continue;
		if (!conf_add(conf, item.name, (const char *)item.text.p,
			      bytes_left(&item.text), faults) &&
		    !conf_finish(conf, s->options->engine->modules, faults))
			return conf;
		conf_free(conf);
	}
	return NULL;
}

/* The files have changed, and this is what: modules, then the policies for them. */
static enum barn_err
apply_all(struct serve *s, struct bytes bundle, struct barn_faults *faults)
{
	enum barn_err err = bundle_apply(bundle, s->options->engine, faults);
	struct conf *conf;

	if (err)
		return err;
	conf = read_conf(s, bundle, faults);
	if (faults->count)
		return BARN_ERR_TEXT;
	err = rules_apply(&s->rules, conf ? conf : s->rules.conf, s->options->engine, faults);
	if (err)
		conf_free(conf);
	else
		publish_configure(s->publish, s->rules.conf);
	return err;
}

static void
apply(struct serve *s, const struct text *bundle)
{
	struct barn_faults faults = { 0 };
	enum barn_err err = apply_all(s, bytes_of(bundle->s, bundle->len), &faults);
	const char *why = faults.count ? faults.fault[0].text : barn_strerror(err);
	char line[64];

	if (err) {
		link_send(s->options->link, LINK_FAILED, 0, why, strlen(why));
		return;
	}
	snprintf(line, sizeof(line), "%zu modules", pdl_set_count(s->options->engine->modules));
	link_send(s->options->link, LINK_DONE, 0, line, strlen(line));
}

/* False: it is time to end. */
static bool
take_messages(struct serve *s)
{
	struct link_message m;
	int got;

	while ((got = link_receive(s->options->link, &m)) > 0) {
		bool end = m.kind == LINK_CLOSE;

		if (m.kind == LINK_CHANGE)
			apply(s, &m.text);
		if (m.kind == LINK_TELL && s->reloading) {
			snprintf(s->tale, sizeof(s->tale), "%s", text_str(&m.text));
			s->told = true;
			server_resume(s->server, s->reloading);
		}
		text_fini(&m.text);
		if (end)
			return false;
	}
	return got == 0;
}

static void
serve(struct serve *s)
{
	const struct child_options *o = s->options;
	struct pollfd fds[] = { { o->link, POLLIN, 0 }, { server_fd(s->server), POLLIN, 0 } };
	uint64_t shown_ms = 0, saved_ms = now_ms();

	while (!ended) {
		poll(fds, 2, TURN_MS);
		pulse_beat(o->pulse, 0);
		if (!take_messages(s))
			return;
		server_step(s->server, now_ms());
		if (now_ms() - shown_ms < TURN_MS)
			continue;
		shown_ms = now_ms();
		publish_now(s->publish);
		barn_engine_collect(o->engine);
		rules_collect(&s->rules);
		if (now_ms() - saved_ms < SAVE_MS)
			continue;
		saved_ms = now_ms();
		save(s);
	}
}

static bool
start(struct serve *s)
{
	const struct child_options *o = s->options;
	struct privilege privilege = o->settings->privilege;
	char why[200], line[100];

	if (!ways_open_own(o->ways) || !start_policies(s) || !start_lanes(s) ||
	    !start_serving(s) || !restore(s))
		return false;
	privilege.net_admin = o->ways->net_admin;
	if (!privilege_drop(&privilege, o->empty, why, sizeof(why))) {
		log_say(LOG_ERR, "%s", why);
		return false;
	}
	saver_start(s->saver);
	for (unsigned i = 0; i < s->lane_count; i++)
		if (!lane_start(s->lanes[i])) {
			log_say(LOG_ERR, "worker %u: no thread", i);
			return false;
		}
	atomic_store(&o->pulse->ready, true);
	snprintf(line, sizeof(line), "%u workers, %u interfaces, %zu modules", s->lane_count,
		 o->ways->interfaces, pdl_set_count(o->engine->modules));
	link_send(o->link, LINK_READY, 0, line, strlen(line));
	return true;
}

int
child_run(const struct child_options *options)
{
	struct serve s = { .options = options };
	struct sigaction end = { .sa_handler = on_end };
	int status = EXIT_FAILURE;

	sigaction(SIGTERM, &end, NULL);
	signal(SIGINT,
	       SIG_IGN); /* a terminal's goes to both: the parent says what is to be done */
	signal(SIGHUP, SIG_IGN);
	if (start(&s)) {
		serve(&s);
		status = EXIT_SUCCESS;
	}
	stop(&s);
	return status;
}
