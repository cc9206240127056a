/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/agent.h"

#include <net-snmp/net-snmp-config.h>

#include <net-snmp/net-snmp-includes.h>

#include <net-snmp/agent/net-snmp-agent-includes.h>

#include <net-snmp/agent/agent_callbacks.h>
#include <net-snmp/agent/sysORTable.h>
#include <stdarg.h>

static const char program[] = "barn-snmp";

/* net-snmp's callbacks come without anything of ours. */
static struct {
	const struct agent_options *options;
	struct view *view;
	struct set set;
	long transaction; /* the last one that was served */
	uint64_t refreshed_ns;
} agent;

void
agent_log(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	(void)snmp_vlog(LOG_INFO, format, list);
	va_end(list);
}

static u_char
asn_of(enum value_type type)
{
	switch (type) {
	case VALUE_INTEGER: return ASN_INTEGER;
	case VALUE_UNSIGNED: return ASN_UNSIGNED;
	case VALUE_COUNTER32: return ASN_COUNTER;
	case VALUE_COUNTER64: return ASN_COUNTER64;
	case VALUE_TICKS: return ASN_TIMETICKS;
	case VALUE_TEXT: return ASN_OCTET_STR;
	}
	return ASN_NULL;
}

static void
put_value(netsnmp_variable_list *variable, const struct value *value)
{
	struct counter64 wide = { .high = (u_long)(value->number >> 32),
				  .low = (u_long)(value->number & UINT32_MAX) };
	u_long number = (u_long)value->number;
	long integer = (long)(int32_t)value->number;

	if (value->type == VALUE_TEXT)
		snmp_set_var_typed_value(variable, ASN_OCTET_STR, value->text,
					 strlen(value->text));
	else if (value->type == VALUE_COUNTER64)
		snmp_set_var_typed_value(variable, ASN_COUNTER64, &wide, sizeof(wide));
	else if (value->type == VALUE_INTEGER)
		snmp_set_var_typed_value(variable, ASN_INTEGER, &integer, sizeof(integer));
	else
		snmp_set_var_typed_value(variable, asn_of(value->type), &number,
					 sizeof(number));
}

static bool
take_oid(const netsnmp_variable_list *variable, struct table_oid *at)
{
	at->length = 0;
	if (variable->name_length > TABLE_OID_MAX)
		return false;
	for (size_t i = 0; i < variable->name_length; i++)
		at->sub[at->length++] = (uint32_t)variable->name[i];
	return true;
}

static void
put_oid(netsnmp_variable_list *variable, const struct table_oid *at)
{
	oid name[TABLE_OID_MAX];

	for (unsigned i = 0; i < at->length; i++)
		name[i] = at->sub[i];
	(void)snmp_set_var_objid(variable, name, at->length);
}

static void
serve_get(const struct mib *mib, netsnmp_agent_request_info *info,
	  netsnmp_request_info *request)
{
	struct table_oid at;
	struct value value;
	enum table_found found = TABLE_NO_OBJECT;

	if (take_oid(request->requestvb, &at))
		found = table_get(mib, agent.view, &at, &value);
	if (found == TABLE_FOUND)
		put_value(request->requestvb, &value);
	else
		(void)netsnmp_set_request_error(info, request,
						found == TABLE_NO_OBJECT ? SNMP_NOSUCHOBJECT
									 : SNMP_NOSUCHINSTANCE);
}

/* What is left as it is has nothing behind it here, and the agent goes on elsewhere. */
static void
serve_next(const struct mib *mib, netsnmp_request_info *request)
{
	struct table_oid at;
	struct value value;

	if (!take_oid(request->requestvb, &at))
		return;
	if (request->inclusive && table_get(mib, agent.view, &at, &value) == TABLE_FOUND) {
		put_value(request->requestvb, &value);
	} else if (table_next(mib, agent.view, &at, &value)) {
		put_oid(request->requestvb, &at);
		put_value(request->requestvb, &value);
	}
}

static int
snmp_err(enum set_err err)
{
	switch (err) {
	case SET_OK: return SNMP_ERR_NOERROR;
	case SET_NOT_WRITABLE: return SNMP_ERR_NOTWRITABLE;
	case SET_NO_CREATION: return SNMP_ERR_NOCREATION;
	case SET_WRONG_TYPE: return SNMP_ERR_WRONGTYPE;
	case SET_WRONG_VALUE: return SNMP_ERR_WRONGVALUE;
	case SET_INCONSISTENT_NAME: return SNMP_ERR_INCONSISTENTNAME;
	case SET_INCONSISTENT_VALUE: return SNMP_ERR_INCONSISTENTVALUE;
	case SET_TOO_MUCH: return SNMP_ERR_RESOURCEUNAVAILABLE;
	case SET_FAILED: return SNMP_ERR_GENERR;
	}
	return SNMP_ERR_GENERR;
}

/* SNMP's INTEGER and Unsigned32 are told apart; what is neither is none of our writable types.
 */
static void
take_number(const netsnmp_variable_list *variable, enum value_type *type, uint32_t *number)
{
	*type = VALUE_TEXT;
	*number = 0;
	if (variable->type == ASN_INTEGER)
		*type = VALUE_INTEGER;
	else if (variable->type == ASN_UNSIGNED)
		*type = VALUE_UNSIGNED;
	else
		return;
	*number = (uint32_t)*variable->val.integer;
}

static enum set_err
take_write(const struct mib *mib, const netsnmp_request_info *request, unsigned tag)
{
	struct table_oid at;
	enum value_type type;
	uint32_t number;

	if (!take_oid(request->requestvb, &at))
		return SET_NO_CREATION;
	take_number(request->requestvb, &type, &number);
	return set_add(&agent.set, mib, agent.view, &at, type, number, tag);
}

static void
fail(netsnmp_agent_request_info *info, netsnmp_request_info *requests, unsigned tag,
     enum set_err err)
{
	for (; requests; requests = requests->next, tag--)
		if (!tag)
			(void)netsnmp_set_request_error(info, requests, snmp_err(err));
}

static void
serve_set(const struct mib *mib, netsnmp_agent_request_info *info,
	  netsnmp_request_info *requests)
{
	const struct set_machine *machine = agent.options->machine;
	unsigned tag = 0;
	enum set_err err = SET_OK;

	switch (info->mode) {
	case MODE_SET_RESERVE1:
		set_begin(&agent.set);
		for (const netsnmp_request_info *r = requests; r && !err; r = r->next)
			err = take_write(mib, r, tag++);
		if (err)
			tag--;
		break;
	case MODE_SET_RESERVE2: err = set_check(&agent.set, agent.view, &tag); break;
	case MODE_SET_ACTION: err = set_commit(&agent.set, agent.view, machine, &tag); break;
	case MODE_SET_UNDO: set_undo(&agent.set, agent.view, machine); break;
	case MODE_SET_COMMIT: set_end(&agent.set, agent.view); break;
	default: break;
	}
	if (err)
		fail(info, requests, tag, err);
}

/*
 * Within one request of a manager, all that is served is of one moment: net-snmp's master
 * splits it up, a message for each repetition of a bulk, but they are of one transaction.
 */
static void
refresh(const netsnmp_agent_request_info *info)
{
	const netsnmp_pdu *pdu = info->asp->pdu;
	uint64_t origin_ns, now_ns = view_now_ns();

	if (pdu->transid == agent.transaction && now_ns < agent.refreshed_ns + 1000000000)
		return;
	agent.transaction = pdu->transid;
	agent.refreshed_ns = now_ns;
	snapshot_refresh(&agent.view->snapshot);
	/* The master's sysUpTime, as it told it last: it began anew if it is another one. */
	origin_ns = now_ns - (uint64_t)netsnmp_get_agent_uptime() * 10000000;
	if (origin_ns > agent.view->origin_ns + 200000000 ||
	    origin_ns + 200000000 < agent.view->origin_ns)
		agent.view->origin_ns = origin_ns;
}

static int
serve(netsnmp_mib_handler *handler, netsnmp_handler_registration *registration,
      netsnmp_agent_request_info *info, netsnmp_request_info *requests)
{
	const struct mib *mib = registration->my_reg_void;

	(void)handler;
	refresh(info);
	if (info->mode != MODE_GET && info->mode != MODE_GETNEXT) {
		serve_set(mib, info, requests);
		return SNMP_ERR_NOERROR;
	}
	for (; requests; requests = requests->next) {
		if (requests->processed)
			continue;
		if (info->mode == MODE_GET)
			serve_get(mib, info, requests);
		else
			serve_next(mib, requests);
	}
	return SNMP_ERR_NOERROR;
}

static bool
offer(const struct mib *mib)
{
	oid root[TABLE_OID_MAX / 8];
	netsnmp_handler_registration *registration;

	for (unsigned i = 0; i < mib->root_length; i++)
		root[i] = mib->root[i];
	registration = netsnmp_create_handler_registration(
		mib->name, serve, root, mib->root_length, HANDLER_CAN_RWRITE);
	if (!registration)
		return false;
	registration->my_reg_void = (void *)(uintptr_t)mib;
	if (netsnmp_register_handler(registration) != MIB_REGISTERED_OK)
		return false;
	REGISTER_SYSOR_TABLE(root, mib->root_length, mib->name);
	return true;
}

static void
tick(unsigned number, void *self)
{
	(void)number, (void)self;
	snapshot_refresh(&agent.view->snapshot);
	if (agent.options->tick)
		agent.options->tick(agent.options->self);
}

static int
say_start(int major, int minor, void *server, void *client)
{
	(void)major, (void)minor, (void)server, (void)client;
	agent_log("the master agent is there\n");
	return 0;
}

static int
say_stop(int major, int minor, void *server, void *client)
{
	(void)major, (void)minor, (void)server, (void)client;
	agent_log("the master agent is gone; looking for it again\n");
	return 0;
}

/* Nothing is read from files and nothing kept in them: all there is to set are our options. */
static void
configure(const struct agent_options *options)
{
	const int app = NETSNMP_DS_APPLICATION_ID, lib = NETSNMP_DS_LIBRARY_ID;

	(void)setenv("MIBS", "", 1);
	(void)setenv("MIBDIRS", "/nonexistent", 1);
	if (options->foreground)
		(void)snmp_enable_stderrlog();
	else
		snmp_enable_syslog_ident(program, LOG_DAEMON);
	(void)netsnmp_ds_set_boolean(lib, NETSNMP_DS_LIB_DONT_READ_CONFIGS, 1);
	(void)netsnmp_ds_set_boolean(lib, NETSNMP_DS_LIB_DONT_PERSIST_STATE, 1);
	(void)netsnmp_ds_set_boolean(lib, NETSNMP_DS_LIB_DISABLE_PERSISTENT_LOAD, 1);
	(void)netsnmp_ds_set_boolean(app, NETSNMP_DS_AGENT_NO_CONNECTION_WARNINGS, 1);
	(void)netsnmp_ds_set_boolean(app, NETSNMP_DS_AGENT_ROLE, 1);
	if (options->socket)
		(void)netsnmp_ds_set_string(app, NETSNMP_DS_AGENT_X_SOCKET, options->socket);
}

/* init_agent() sets these, too. */
static void
time_master(const struct agent_options *options)
{
	const int app = NETSNMP_DS_APPLICATION_ID;

	(void)netsnmp_ds_set_int(app, NETSNMP_DS_AGENT_AGENTX_PING_INTERVAL,
				 (int)options->again_s);
	(void)netsnmp_ds_set_int(app, NETSNMP_DS_AGENT_AGENTX_TIMEOUT, 2 * ONE_SEC);
	(void)netsnmp_ds_set_int(app, NETSNMP_DS_AGENT_AGENTX_RETRIES, 1);
}

bool
agent_run(const struct agent_options *options, struct view *view, const volatile bool *stop)
{
	bool well = true;

	agent.options = options;
	agent.view = view;
	configure(options);
	if (init_agent(program) != 0)
		return false;
	time_master(options);
	for (const struct mib *const *m = options->mibs; *m && well; m++)
		well = offer(*m);
	(void)snmp_register_callback(SNMP_CALLBACK_APPLICATION, SNMPD_CALLBACK_INDEX_START,
				     say_start, NULL);
	(void)snmp_register_callback(SNMP_CALLBACK_APPLICATION, SNMPD_CALLBACK_INDEX_STOP,
				     say_stop, NULL);
	init_snmp(program);
	(void)snmp_alarm_register(1, SA_REPEAT, tick, NULL);
	while (well && !*stop)
		(void)agent_check_and_process(1);
	snmp_shutdown(program);
	shutdown_agent();
	return well;
}

static void
add_object(netsnmp_variable_list **list, const struct mib *mib,
	   const struct agent_object *object)
{
	struct table_oid at;
	oid name[TABLE_OID_MAX];
	netsnmp_variable_list *variable;

	table_oid(mib, object->table, object->sub, &object->index, &at);
	for (unsigned i = 0; i < at.length; i++)
		name[i] = at.sub[i];
	variable = snmp_varlist_add_variable(list, name, at.length, ASN_NULL, NULL, 0);
	if (variable)
		put_value(variable, &object->value);
}

void
agent_notify(const struct mib *mib, uint32_t sub, const struct agent_object *objects,
	     unsigned count)
{
	static const oid trap_oid[] = { 1, 3, 6, 1, 6, 3, 1, 1, 4, 1, 0 };
	oid name[TABLE_OID_MAX / 8 + 2];
	size_t length = mib->root_length;
	netsnmp_variable_list *list = NULL;

	for (unsigned i = 0; i < mib->root_length; i++)
		name[i] = mib->root[i];
	name[length++] = 0;
	name[length++] = sub;
	(void)snmp_varlist_add_variable(&list, trap_oid, OID_LENGTH(trap_oid), ASN_OBJECT_ID,
					name, length * sizeof(name[0]));
	for (unsigned i = 0; i < count; i++)
		add_object(&list, mib, &objects[i]);
	send_v2trap(list);
	snmp_free_varbind(list);
}
