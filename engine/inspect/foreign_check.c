/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/foreign_check.h"

#include <stdarg.h>
#include <stdio.h>

/* What is told of a module before any of its inspectors is called. */

static bool
refuse(struct foreign_why *why, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(why->text, why->size, format, arguments);
	va_end(arguments);
	return false;
}

/* The number comes first, in all versions: no other member is read before it is known. */
static bool
check_version(const char *what, uint32_t abi, uint32_t size, size_t least, size_t most,
	      struct foreign_why *why)
{
	if (abi != INSPECTOR_ABI)
		return refuse(why,
			      "%s is made for version %u of the interface, this barn has %d",
			      what, abi, INSPECTOR_ABI);
	if (size < least)
		return refuse(why, "%s says that it has %u bytes, the least is %zu", what, size,
			      least);
	if (size > most)
		return refuse(why,
			      "%s has %u bytes, this barn knows %zu: it is made for a newer "
			      "barn",
			      what, size, most);
	return true;
}

/* Lower case, digits and hyphens, as the module language has names. */
static bool
is_name(const char *name)
{
	size_t n = name ? strnlen(name, BARN_INSPECTOR_NAME_MAX + 1) : 0;

	if (n == 0 || n > BARN_INSPECTOR_NAME_MAX || name[0] < 'a' || name[0] > 'z')
		return false;
	for (size_t i = 1; i < n; i++)
		if (!((name[i] >= 'a' && name[i] <= 'z') ||
		      (name[i] >= '0' && name[i] <= '9') || name[i] == '-'))
			return false;
	return true;
}

static bool
check_fields(const struct inspector *it, struct foreign_why *why)
{
	if (it->field_count > BARN_INSPECTOR_FIELDS_MAX || (it->field_count && !it->fields))
		return refuse(why, "inspector %s: %u fields, at most %d can be", it->name,
			      it->field_count, BARN_INSPECTOR_FIELDS_MAX);
	for (unsigned i = 0; i < it->field_count; i++) {
		if (!is_name(it->fields[i].name))
			return refuse(why, "inspector %s: field %u has no valid name", it->name,
				      i);
		if (it->fields[i].kind > INSPECT_SERVER_NAME)
			return refuse(why, "inspector %s: field %s is of kind %u, unknown here",
				      it->name, it->fields[i].name, it->fields[i].kind);
		for (unsigned n = 0; n < i; n++)
			if (strcmp(it->fields[n].name, it->fields[i].name) == 0)
				return refuse(why, "inspector %s: field %s comes twice",
					      it->name, it->fields[i].name);
	}
	return true;
}

static bool
check_starts(const struct inspector *it, struct foreign_why *why)
{
	if (it->start_count > BARN_INSPECTOR_STARTS_MAX || (it->start_count && !it->starts))
		return refuse(why, "inspector %s: %u starts, at most %d can be", it->name,
			      it->start_count, BARN_INSPECTOR_STARTS_MAX);
	for (unsigned i = 0; i < it->start_count; i++)
		if (it->starts[i].count > INSPECT_START_BYTES)
			return refuse(why, "inspector %s: start %u has %u bytes, at most %d",
				      it->name, i, it->starts[i].count, INSPECT_START_BYTES);
	return true;
}

bool
foreign_check_inspector(const struct inspector *given, struct inspector *it,
			struct foreign_why *why)
{
	if (!given)
		return refuse(why, "an inspector is missing");
	if (!check_version("an inspector", given->abi, given->size, FOREIGN_LEAST, sizeof(*it),
			   why))
		return false;
	memset(it, 0, sizeof(*it));
	memcpy(it, given, given->size);
	if (!is_name(it->name))
		return refuse(why, "an inspector has no valid name");
	if (inspector_find(it->name))
		return refuse(why, "inspector %s: barn has one of that name itself", it->name);
	if (!it->feed)
		return refuse(why, "inspector %s: it has no function to feed", it->name);
	if (it->transports & ~(INSPECT_TCP | INSPECT_UDP))
		return refuse(why, "inspector %s: transports 0x%x are unknown here", it->name,
			      it->transports);
	if (it->state_size > BARN_INSPECTOR_STATE_MAX || it->clear_size > it->state_size)
		return refuse(why,
			      "inspector %s: a state of %u bytes, %u of them cleared; at most "
			      "%d can be",
			      it->name, it->state_size, it->clear_size,
			      BARN_INSPECTOR_STATE_MAX);
	return check_starts(it, why) && check_fields(it, why);
}

bool
foreign_check_module(const struct barn_inspector_module *given,
		     struct barn_inspector_module *module, struct foreign_why *why)
{
	if (!check_version("the module", given->abi, given->size, sizeof(*module),
			   sizeof(*module), why))
		return false;
	*module = *given;
	if (module->inspector_count == 0 || !module->inspectors ||
	    module->inspector_count > BARN_INSPECTOR_MODULE_MAX)
		return refuse(why, "the module has %u inspectors, 1 to %d can be",
			      module->inspector_count, BARN_INSPECTOR_MODULE_MAX);
	return true;
}
