/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Every kind of frame: whole, cut at every length, and with every byte spoiled. */
#include "wire_samples.h"

#include "wire_rig.h"

/* Exactly this many bytes of heap, so that a read of one more is caught. */
static void
decode_copy(struct wire *wire, uint16_t linktype, const uint8_t *data, size_t len,
	    size_t wire_len)
{
	uint8_t *copy = malloc(len ? len : 1);

	if (len)
		memcpy(copy, data, len);
	rig_decode(wire, linktype, len ? copy : copy + 1, len, wire_len);
	free(copy);
}

TEST(every_encapsulation_gives_the_packet_in_it)
{
	for (size_t i = 0; i < wire_sample_count; i++) {
		const struct wire_sample *s = &wire_samples[i];
		struct packet p = rig_frame(rig_text(s->text), s->linktype);

		if (strcmp(rig_path(&p), s->path) != 0 || p.src_port != 40000)
			printf("in: %u %s\n", s->linktype, s->text);
		CHECK_STR(rig_path(&p), s->path);
		rig_check_inner(&p, s->version);
	}
}

TEST(every_sample_link_is_known)
{
	for (size_t i = 0; i < wire_sample_count; i++)
		CHECK(wire_knows(wire_samples[i].linktype));
	CHECK(!wire_knows(147));
}

TEST(padding_is_no_payload)
{
	for (size_t i = 0; i < wire_sample_count; i++) {
		const struct wire_sample *s = &wire_samples[i];
		const struct frame *f = rig_text(s->text);
		uint8_t padded[2048] = { 0 };
		struct packet p;

		memcpy(padded, f->data, f->len);
		memset(padded + f->len, 0xaa, 30);
		p = rig_decode(rig_wire(), s->linktype, padded, f->len + 30, f->len + 30);
		rig_check_inner(&p, s->version);
	}
}

/* Cut by the capture: lengths on the wire are kept. Cut on the wire: no ghost of the rest. */
TEST(cut_at_every_length_is_sane)
{
	for (size_t i = 0; i < wire_sample_count; i++) {
		const struct wire_sample *s = &wire_samples[i];
		const struct frame *f = rig_text(s->text);

		for (size_t len = 0; len <= f->len; len++) {
			decode_copy(rig_wire(), s->linktype, f->data, len, f->len);
			decode_copy(rig_wire(), s->linktype, f->data, len, len);
		}
	}
}

TEST(cut_before_the_ip_header_is_a_fault_and_no_packet)
{
	for (size_t i = 0; i < wire_sample_count; i++) {
		const struct wire_sample *s = &wire_samples[i];
		const struct frame *f = rig_text(s->text);
		size_t inner = f->len - (s->version == 4 ? 45 : 65);

		if (strstr(s->path, "ip") || strstr(s->path, "mpls") ||
		    strstr(s->text, "ext:") || strstr(s->text, "proto:"))
			continue; /* there the outer packet stands */
		for (size_t len = 0; len < inner + 20; len++) {
			struct packet p =
				rig_decode(rig_wire(), s->linktype, f->data, len, f->len);

			CHECK_EQ(p.ip_version, 0);
			CHECK(p.fault == PACKET_SHORT_LINK || p.fault == PACKET_SHORT_NETWORK);
		}
	}
}

TEST(cut_in_the_payload_keeps_its_length)
{
	for (size_t i = 0; i < wire_sample_count; i++) {
		const struct wire_sample *s = &wire_samples[i];
		const struct frame *f = rig_text(s->text);

		for (size_t cut = 1; cut <= 5; cut++) {
			struct packet p = rig_decode(rig_wire(), s->linktype, f->data,
						     f->len - cut, f->len);

			CHECK_EQ(p.fault, PACKET_WHOLE);
			CHECK_EQ(p.payload_len, 5);
			CHECK_EQ(bytes_left(&p.payload), 5 - cut);
			CHECK_EQ(p.src_port, 40000);
		}
	}
}

TEST(every_byte_spoiled_is_sane)
{
	static const uint8_t MASKS[] = { 0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff };
	struct wire *wire;

	CHECK_EQ(wire_new(&(struct wire_options){ .fragment_datagrams = 8 }, &wire), BARN_OK);
	for (size_t i = 0; i < wire_sample_count; i++) {
		const struct wire_sample *s = &wire_samples[i];
		const struct frame *f = rig_text(s->text);

		for (size_t at = 0; at < f->len; at++)
			for (size_t m = 0; m < sizeof(MASKS); m++) {
				f->data[at] ^= MASKS[m];
				decode_copy(wire, s->linktype, f->data, f->len, f->len);
				f->data[at] ^= MASKS[m];
			}
	}
	wire_free(wire);
}

TEST(frame_under_every_other_link_is_sane)
{
	const struct frame *f = rig_text(wire_samples[0].text);

	for (uint16_t linktype = 0; linktype < 400; linktype++) {
		struct packet p;

		decode_copy(rig_wire(), linktype, f->data, f->len, f->len);
		p = rig_frame(f, linktype);
		CHECK(wire_knows(linktype) || p.fault == PACKET_UNKNOWN_LINK);
	}
}
