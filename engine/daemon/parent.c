/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/parent.h"

#include "daemon/bundle.h"
#include "daemon/child.h"
#include "daemon/link.h"
#include "daemon/load.h"
#include "daemon/log.h"
#include "daemon/mirror.h"
#include "daemon/notify.h"
#include "daemon/open.h"
#include "daemon/ways.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	LOOK_MS = 200,    /* how often the signs of life are looked at */
	CLOSE_MS = 10000, /* what the inner process may take to end */
	AGAIN_MS = 1000,  /* before another start, when several have failed in a row */
	FAILURES = 5,
};

static const uint64_t stuck_ns = 1000000000, steady_ns = 10000000000;

struct parent {
	const struct parent_options *options;
	struct load load;
	struct settings settings;
	struct opened opened; /* what needs root, and outlives an inner process */
	struct ways *ways; /* stay open, so that what comes meanwhile waits for the next one */
	struct mirror mirror; /* of links, from one side of a bridge to the other */
	struct pulse *pulse;
	int signals;
	int link;    /* -1: there is no inner process */
	pid_t child; /* 0: none */
	uint64_t began_ns, again_ns;
	unsigned failures; /* in a row */
	bool ready, closing;
	int waiting;     /* options.ready, until it was written */
	bool reopening;  /* ends, so that ways are opened anew */
	uint32_t ticket; /* who asked for the change under way */
};

/* In the inner process, between fork and its own code. */
static int
begin_child(struct parent *p, int link)
{
	struct child_options options = {
		.settings = &p->settings,
		.engine = p->load.engine,
		.conf = p->load.conf,
		.pulse = p->pulse,
		.ways = p->ways,
		.link = link,
		.listener = p->opened.listener,
		.segment = p->opened.segment,
		.state_folder = p->opened.state_folder,
		.state_name = p->opened.state_name,
		.empty = p->opened.empty,
	};
	sigset_t none;

	/* Ends with the parent: who would watch it? */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(p->signals);
	return child_run(&options);
}

static bool
start_child(struct parent *p)
{
	int ends[2];
	pid_t pid;

	if (!p->ways)
		p->ways = ways_open(p->load.conf, &p->settings);
	if (!p->ways)
		return false;
	if (!link_pair(ends)) {
		log_say(LOG_ERR, "a pair of sockets: %s", strerror(errno));
		return false;
	}
	pulse_clear(p->pulse);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		_exit(begin_child(p, ends[1]));
	}
	close(ends[1]);
	if (pid < 0) {
		log_say(LOG_ERR, "fork: %s", strerror(errno));
		close(ends[0]);
		return false;
	}
	p->child = pid;
	p->link = ends[0];
	p->began_ns = pulse_now();
	p->ready = false;
	return true;
}

/* The inner process has ended: another one, at once or, after several failures, later. */
static void
restart(struct parent *p)
{
	uint64_t now = pulse_now();

	if (now - p->began_ns > steady_ns)
		p->failures = 0;
	p->failures++;
	p->again_ns = p->failures < FAILURES ? now : now + (uint64_t)AGAIN_MS * 1000000;
}

static void
reap(struct parent *p)
{
	int status;

	if (!p->child || waitpid(p->child, &status, WNOHANG) != p->child)
		return;
	close(p->link);
	p->link = -1;
	p->child = 0;
	if (p->closing)
		return;
	if (p->reopening) {
		p->reopening = false;
		mirror_end(&p->mirror, p->ways);
		ways_close(p->ways);
		p->ways = NULL;
		return;
	}
	if (WIFSIGNALED(status))
		log_say(LOG_ERR,
			"the inner process was ended by signal %d (%s): starting another",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		log_say(LOG_ERR, "the inner process has ended with status %d: starting another",
			WEXITSTATUS(status));
	restart(p);
}

/* Reads all files again, and tells the inner process what has changed. */
static bool
reload(struct parent *p)
{
	struct text bundle = { 0 }, conf = { 0 };
	struct load load;
	bool sent;

	notify_reloading();
	if (!load_read(&load, p->options->conf, p->options->folder, p->options->index_file)) {
		log_say(LOG_ERR, "nothing was changed");
		notify_ready("not reloaded: see the log");
		return false;
	}
	bundle_modules(&bundle, p->load.engine->modules, load.engine->modules);
	conf_print(load.conf, &conf);
	bundle_add(&bundle, BUNDLE_CONF, p->options->conf, text_str(&conf), conf.len);
	sent = !bundle.failed && !conf.failed &&
	       (!p->child || link_send(p->link, LINK_CHANGE, 0, text_str(&bundle), bundle.len));
	text_fini(&bundle);
	text_fini(&conf);
	if (!sent) {
		log_say(LOG_ERR, "nothing was changed: %s", strerror(errno));
		load_fini(&load);
		return false;
	}
	load_fini(&p->load);
	p->load = load;
	settings_of(p->load.conf, &p->settings);
	open_privilege(&p->settings);
	return true;
}

/* What was loaded through the control socket: kept for the next inner process. */
static void
keep(struct parent *p, const struct text *bundle)
{
	struct barn_faults faults = { 0 };

	if (bundle_apply(bytes_of(bundle->s, bundle->len), p->load.engine, &faults))
		log_say(LOG_WARNING, "what was loaded is gone with the inner process: %s",
			faults.count ? faults.fault[0].text : "out of memory");
}

static void
answer(struct parent *p, uint32_t ticket, bool good)
{
	const char *text =
		good ? "" : "the files have faults: see the log; nothing was changed";

	link_send(p->link, LINK_TELL, ticket, text, strlen(text));
}

/* Who started us may go; from now on nobody reads standard error. */
static void
go_quiet(struct parent *p)
{
	int null;

	if (p->waiting < 0)
		return;
	(void)!write(p->waiting, "", 1);
	close(p->waiting);
	p->waiting = -1;
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = 0; fd <= STDERR_FILENO && null >= 0; fd++)
		dup2(null, fd);
	if (null >= 0)
		close(null);
	log_open(p->settings.log, p->settings.log_level, false);
}

static void
take(struct parent *p, struct link_message *m)
{
	switch (m->kind) {
	case LINK_READY:
		go_quiet(p);
		p->ready = true;
		log_say(LOG_NOTICE, "ready: %s", text_str(&m->text));
		notify_ready(text_str(&m->text));
		break;
	case LINK_DONE:
		log_say(LOG_NOTICE, "in force: %s", text_str(&m->text));
		notify_ready(text_str(&m->text));
		break;
	case LINK_FAILED:
		log_say(LOG_ERR, "not in force: %s", text_str(&m->text));
		notify_ready(text_str(&m->text));
		break;
	case LINK_CHANGE: keep(p, &m->text); break;
	case LINK_RELOAD: answer(p, m->ticket, reload(p)); break;
	default: break;
	}
	text_fini(&m->text);
}

static void
take_all(struct parent *p)
{
	struct link_message message;

	while (p->link >= 0 && link_receive(p->link, &message) > 0)
		take(p, &message);
}

static void
close_child(struct parent *p)
{
	p->closing = true;
	notify_stopping();
	if (p->child && !link_send(p->link, LINK_CLOSE, 0, NULL, 0))
		kill(p->child, SIGTERM);
}

static void
on_signal(struct parent *p)
{
	struct signalfd_siginfo info;

	while (read(p->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
		switch (info.ssi_signo) {
		case SIGHUP:
			log_say(LOG_NOTICE, "reading the configuration again");
			reload(p);
			break;
		case SIGINT:
		case SIGTERM:
			log_say(LOG_NOTICE, "ending");
			close_child(p);
			break;
		case SIGCHLD:
			take_all(p); /* its last words */
			reap(p);
			break;
		default: break;
		}
}

/* A thread of the inner process has not been heard of: it is ended. */
static void
look(struct parent *p)
{
	int stuck = p->child && !p->closing ? pulse_stuck(p->pulse, stuck_ns) : -1;

	if (stuck >= 0) {
		log_say(LOG_ERR, "thread %d of the inner process is stuck", stuck);
		pulse_clear(p->pulse);
		kill(p->child, SIGKILL);
	}
	if (p->ways && !p->closing)
		mirror_step(&p->mirror, p->ways);
	if (p->child && !p->reopening && atomic_load(&p->pulse->reopen)) {
		log_say(LOG_NOTICE, "an interface is there again: opening all anew");
		p->reopening = true;
		if (!link_send(p->link, LINK_CLOSE, 0, NULL, 0))
			kill(p->child, SIGTERM);
	}
	if (p->ready && stuck < 0)
		notify_alive();
}

static int
watch(struct parent *p)
{
	uint64_t end_ns = 0;

	while (p->child || !p->closing) {
		struct pollfd fds[] = { { p->signals, POLLIN, 0 }, { p->link, POLLIN, 0 } };

		if (!p->child && !p->closing && pulse_now() >= p->again_ns && !start_child(p))
			restart(p);
		fds[1].fd = p->link;
		if (poll(fds, 2, LOOK_MS) > 0) {
			take_all(p);
			if (fds[0].revents)
				on_signal(p);
		}
		look(p);
		if (p->closing && !end_ns)
			end_ns = pulse_now() + (uint64_t)CLOSE_MS * 1000000;
		if (p->child && end_ns && pulse_now() > end_ns) {
			log_say(LOG_ERR, "the inner process does not end");
			kill(p->child, SIGKILL);
			end_ns = UINT64_MAX;
		}
	}
	return EXIT_SUCCESS;
}

static bool
take_signals(struct parent *p)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
		return false;
	p->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return p->signals >= 0;
}

int
parent_run(const struct parent_options *options)
{
	struct parent p = {
		.options = options, .link = -1, .signals = -1, .waiting = options->ready
	};
	int status = EXIT_FAILURE;

	log_open(options->ready < 0 ? CONF_LOG_AUTO : CONF_LOG_STDERR, LOG_INFO, true);
	if (!load_read(&p.load, options->conf, options->folder, options->index_file))
		return status;
	settings_of(p.load.conf, &p.settings);
	if (options->ready < 0)
		log_open(p.settings.log, p.settings.log_level, options->foreground);
	p.pulse = pulse_new();
	if (p.pulse && open_privilege(&p.settings) &&
	    open_lasting(p.load.conf, &p.settings, registry_count(p.load.engine->registry),
			 &p.opened) &&
	    take_signals(&p) && start_child(&p))
		status = watch(&p);
	open_close(&p.opened);
	if (p.ways)
		mirror_end(&p.mirror, p.ways);
	ways_close(p.ways);
	pulse_free(p.pulse);
	load_fini(&p.load);
	if (p.signals >= 0)
		close(p.signals);
	return status;
}
