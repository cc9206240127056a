/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_filter.h"
#include "io/pcapfile.h"
#include "program/say.h"
#include <pcap/pcap.h>
#include <stdlib.h>

enum { SNAPLEN = 262144 };

struct program {
	struct program *next;
	uint16_t linktype;
	bool wrong;
	struct bpf_program code;
};

struct read_filter {
	const char *command, *text;
	struct program *programs;
};

struct read_filter *
read_filter_new(const char *command, const char *text)
{
	struct read_filter *f = calloc(1, sizeof(*f));

	if (f) {
		f->command = command;
		f->text = text;
	} else {
		say_error("out of memory");
	}
	return f;
}

void
read_filter_free(struct read_filter *f)
{
	struct program *p;

	while (f && (p = f->programs)) {
		f->programs = p->next;
		pcap_freecode(&p->code);
		free(p);
	}
	free(f);
}

static void
compile(const struct read_filter *f, struct program *p)
{
	int dlt = pcapfile_dlt(p->linktype);
	pcap_t *pcap = pcap_open_dead(dlt, SNAPLEN);
	const char *name = pcap_datalink_val_to_name(dlt);

	p->wrong = !pcap || pcap_compile(pcap, &p->code, f->text, 1, PCAP_NETMASK_UNKNOWN);
	if (p->wrong)
		say_usage(f->command, "--filter: %s (link type %s)",
			  pcap ? pcap_geterr(pcap) : "out of memory", name ? name : "unknown");
	if (pcap)
		pcap_close(pcap);
}

static struct program *
program(struct read_filter *f, uint16_t linktype)
{
	struct program *p;

	for (p = f->programs; p; p = p->next)
		if (p->linktype == linktype)
			return p;
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->linktype = linktype;
	compile(f, p);
	p->next = f->programs;
	f->programs = p;
	return p;
}

enum read_filter_answer
read_filter_frame(struct read_filter *f, const struct io_frame *frame)
{
	const struct program *p = program(f, frame->linktype);
	struct pcap_pkthdr header = {
		.caplen = (bpf_u_int32)bytes_left(&frame->data),
		.len = frame->length,
	};

	if (!p || p->wrong)
		return READ_FILTER_WRONG;
	return pcap_offline_filter(&p->code, &header, frame->data.p) ? READ_FILTER_PASS
								     : READ_FILTER_DROP;
}
