/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/step.h"

#include <stdio.h>

/* The inspector has broken its contract. */
static void
blame(struct step *s)
{
	s->fault = true;
}

/* What an inspector gives as bytes; none may be NULL. */
static bool
is_window(struct step *s, struct bytes *value)
{
	if (!value->p && !value->end)
		*value = bytes_of(NULL, 0);
	if (!value->p || (uintptr_t)value->p > (uintptr_t)value->end ||
	    bytes_left(value) > INSPECT_WINDOW) {
		blame(s);
		return false;
	}
	return true;
}

/* The application that the server's name belongs to: a module's, or one that nDPI knows. */
static void
name_child(struct step *s, struct bytes name, uint16_t carrier)
{
	const struct registry *r = work_registry(s);
	struct work *w = s->w;

	if (w->child)
		return;
	w->child = registry_host(r, name, carrier);
	if (!w->child && s->c->ndpi)
		w->child = registry_ndpi(r, ndpi_bridge_host(s->c->ndpi, name));
	if (w->child == carrier)
		w->child = 0;
}

void
sink_value(struct step *s, uint16_t field, struct bytes value)
{
	const struct field *f = registry_field(work_registry(s), field);
	const struct classify_hooks *hooks = &s->c->hooks;

	hooks->value(hooks->self, s->flow, field, value);
	if (f->bulk)
		return;
	notes_add(&s->flow->notes, s->c->notes, field, value);
	custom_value(s->w->wait.epoch->custom, field, value, s->w->wait.epoch->rules,
		     &s->w->found);
	if (f->server_name)
		name_child(s, value, f->protocol);
}

static void
take_field(void *self, unsigned field, struct bytes value)
{
	struct step *s = self;
	const struct protocol *p = s->probe->protocol;

	if (field >= p->inspector->field_count)
		blame(s);
	else if (is_window(s, &value))
		sink_value(s, p->fields[field], value);
}

static void
take_number(void *self, unsigned field, uint64_t value)
{
	char decimal[24];
	int n = snprintf(decimal, sizeof(decimal), "%llu", (unsigned long long)value);

	take_field(self, field, bytes_of(decimal, (size_t)n));
}

static bool
is_version(uint8_t ip_version)
{
	return ip_version == 4 || ip_version == 6;
}

static bool
is_sound(const struct inspect_announcement *a)
{
	return a && a->protocol && (is_version(a->ip_version) || a->ip_version == 0) &&
	       a->host <= INSPECT_SERVER &&
	       (a->transport == INSPECT_TCP || a->transport == INSPECT_UDP);
}

static void
announce(struct step *s, const struct inspect_announcement *a)
{
	const struct flow *flow = s->flow;
	struct expect_entry entry = {
		.until_ns = s->packet->time_ns,
		.port = a->port,
		.protocol = registry_find(work_registry(s), a->protocol),
		.carrier = a->carrier ? registry_find(work_registry(s), a->carrier) : 0,
		.by_protocol = s->probe->protocol->number,
		.ip_version = a->ip_version,
		.ip_proto = a->transport == INSPECT_TCP ? 6 : 17,
		.many = a->many,
	};

	if (!entry.protocol)
		return;
	entry.until_ns += (a->life_s ? a->life_s : EXPECT_LIFE_S) * UINT64_C(1000000000);
	if (a->ip_version) {
		memcpy(entry.to.b, a->address, a->ip_version == 4 ? 4 : 16);
	} else {
		entry.ip_version = flow->key.ip_version;
		entry.to =
			flow->key
				.addr[a->host == INSPECT_CLIENT ? flow->client : !flow->client];
	}
	announce_entry(s, &entry, s->dir);
}

static void
take_announcement(void *self, const struct inspect_announcement *a)
{
	if (is_sound(a))
		announce(self, a);
	else
		blame(self);
}

/* The client that asked, and all others, know the address by this name. */
static void
learn(struct step *s, uint8_t ip_version, const uint8_t *address, struct bytes name,
      uint32_t ttl_s)
{
	const struct flow_key *key = &s->flow->key;
	struct learn_entry entry = {
		.path = key->path,
		.client = key->addr[s->flow->client],
		.told_ns = s->packet->time_ns,
		.until_ns = s->packet->time_ns + ttl_s * UINT64_C(1000000000),
		.by_serial = s->packet->serial,
		.ip_version = ip_version,
		.protocol =
			custom_resolve(s->w->wait.epoch->custom, name, s->w->wait.epoch->rules),
	};

	entry.strong = entry.protocol != 0;
	if (!entry.protocol)
		entry.protocol = registry_host(work_registry(s), name, 0);
	memcpy(entry.addr.b, address, ip_version == 4 ? 4 : 16);
	s->c->hooks.learn(s->c->hooks.self, &entry);
	entry.has_client = key->ip_version == ip_version;
	if (entry.has_client)
		s->c->hooks.learn(s->c->hooks.self, &entry);
}

static void
take_name(void *self, uint8_t ip_version, const uint8_t *address, struct bytes name,
	  uint32_t ttl_s)
{
	if (!is_version(ip_version) || !address)
		blame(self);
	else if (is_window(self, &name))
		learn(self, ip_version, address, name, ttl_s);
}

static void
take_inner(void *self, const char *protocol)
{
	struct step *s = self;

	s->hand_over = true;
	s->inner = protocol ? registry_find(work_registry(s), protocol) : 0;
}

static void
take_application(void *self, const char *protocol)
{
	struct step *s = self;
	struct work *w = s->w;

	if (!protocol)
		blame(s);
	else if (!w->application)
		w->application = registry_find(work_registry(s), protocol);
}

struct inspect_sink
sink_of(struct step *s)
{
	return (struct inspect_sink){
		.self = s,
		.field = take_field,
		.number = take_number,
		.announce = take_announcement,
		.name = take_name,
		.inner = take_inner,
		.application = take_application,
	};
}
