/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "io/pcapfile.h"
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>

struct pcapfile {
	struct source *source;
	struct pcapng *ng; /* one of the two */
	pcap_t *pcap;
	uint64_t frames;
	struct source_fault fault;
};

/* Where the numberings differ on Linux; the others are equal. */
static const struct {
	int dlt;
	uint16_t linktype;
} numbers[] = {
	{ DLT_ATM_RFC1483, 100 },
	{ DLT_RAW, 101 },
	{ 14, 101 }, /* raw IP as OpenBSD numbers it, in files of old */
};

uint16_t
pcapfile_linktype(int dlt)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].dlt == dlt)
			return numbers[i].linktype;
	return (uint16_t)dlt;
}

int
pcapfile_dlt(uint16_t linktype)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].linktype == linktype)
			return numbers[i].dlt;
	return linktype;
}

static ssize_t
cookie_read(void *cookie, char *to, size_t n)
{
	ssize_t got = source_read(cookie, to, n);

	if (got < 0)
		errno = EIO;
	return got;
}

static enum barn_err
open_pcap(struct pcapfile *f, struct source_fault *fault)
{
	char why[PCAP_ERRBUF_SIZE] = "";
	FILE *stream =
		fopencookie(f->source, "r", (cookie_io_functions_t){ .read = cookie_read });

	if (!stream)
		return source_fault_set(fault, BARN_ERR_MEMORY, "out of memory");
	f->pcap = pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO,
							   why);
	if (!f->pcap) {
		const struct source_fault *cause = source_fault(f->source);

		if (cause->err)
			source_fault_set(fault, cause->err, "%s", cause->text);
		else if (feof(stream))
			source_fault_set(fault, BARN_ERR_FORMAT, "truncated");
		else
			source_fault_set(fault, BARN_ERR_FORMAT, "corrupt: %s", why);
		fclose(stream);
		return BARN_ERR_FORMAT;
	}
	return BARN_OK;
}

/* The magic numbers of pcap, in micro- and nanoseconds and as patched Linux kernels wrote it,
 * in both byte orders. */
static bool
is_pcap(const uint8_t *head, size_t len)
{
	struct bytes le = bytes_of(head, len), be = le;
	uint32_t words[] = { bytes_le32(&le), bytes_be32(&be) };

	for (size_t i = 0; i < 2; i++)
		if (words[i] == 0xa1b2c3d4 || words[i] == 0xa1b23c4d || words[i] == 0xa1b2cd34)
			return true;
	return false;
}

enum barn_err
pcapfile_open(const char *path, struct pcapfile **file, struct source_fault *fault)
{
	struct pcapfile *f = calloc(1, sizeof(*f));
	const uint8_t *head;
	enum barn_err err;
	size_t len;

	if (!f)
		return source_fault_set(fault, BARN_ERR_MEMORY, "out of memory");
	err = source_open(path, &f->source, fault);
	if (err)
		goto fail;
	len = source_head(f->source, &head);
	if (len >= 4 && memcmp(head, "\x0a\x0d\x0d\x0a", 4) == 0)
		err = pcapng_new(f->source, &f->ng);
	else if (is_pcap(head, len))
		err = open_pcap(f, fault);
	else
		err = source_fault_set(fault, BARN_ERR_FORMAT, "not a capture file");
	if (err)
		goto fail;
	*file = f;
	return BARN_OK;
fail:
	pcapfile_close(f);
	return err;
}

void
pcapfile_close(struct pcapfile *f)
{
	if (!f)
		return;
	if (f->pcap)
		pcap_close(f->pcap);
	pcapng_free(f->ng);
	source_close(f->source);
	free(f);
}

static enum barn_err
next_pcap(struct pcapfile *f, struct io_frame *frame)
{
	struct pcap_pkthdr *header;
	const u_char *data;
	int r = pcap_next_ex(f->pcap, &header, &data);

	if (r == 1) {
		frame->data = bytes_of(data, header->caplen);
		frame->length = header->len > header->caplen ? header->len : header->caplen;
		/*
		 * With nanosecond precision tv_usec has nanoseconds. Both are 32 bits without
		 * a sign in the file, of which libpcap makes numbers with one.
		 */
		frame->time_ns = (uint64_t)(uint32_t)header->ts.tv_sec * 1000000000 +
				 (uint32_t)header->ts.tv_usec;
		frame->linktype = (uint16_t)pcap_datalink(f->pcap);
		return BARN_OK;
	}
	if (r == PCAP_ERROR_BREAK)
		return BARN_ERR_END;
	if (source_fault(f->source)->err)
		f->fault = *source_fault(f->source);
	else if (feof(pcap_file(f->pcap)))
		source_fault_set(&f->fault, BARN_ERR_FORMAT, "truncated");
	else
		source_fault_set(&f->fault, BARN_ERR_FORMAT, "corrupt: %s",
				 pcap_geterr(f->pcap));
	return f->fault.err;
}

enum barn_err
pcapfile_next(struct pcapfile *f, struct io_frame *frame)
{
	enum barn_err err = f->ng ? pcapng_next(f->ng, frame, &f->fault) : next_pcap(f, frame);

	if (err)
		return err;
	frame->linktype = pcapfile_linktype(frame->linktype);
	f->frames++;
	return BARN_OK;
}

const struct source_fault *
pcapfile_fault(const struct pcapfile *f)
{
	return &f->fault;
}

uint64_t
pcapfile_frames(const struct pcapfile *f)
{
	return f->frames;
}

void
pcapfile_progress(const struct pcapfile *f, uint64_t *read, uint64_t *size)
{
	source_progress(f->source, read, size);
}
