/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/msrpc.h"

#include <stdio.h>

/*
 * From the documents of the interfaces, sorted by UUID. Those of Exchange are MS-OXCRPC
 * (EMSMDB), MS-OXABREF (RFR) and MS-OXNSPI (NSPI); in NBAR's words they are exchange.
 */
static const struct msrpc_interface interfaces[] = {
	{ "00000131-0000-0000-c000-000000000046", "IRemUnknown", NULL, MSRPC_OTHER },
	{ "00000143-0000-0000-c000-000000000046", "IRemUnknown2", NULL, MSRPC_OTHER },
	{ "000001a0-0000-0000-c000-000000000046", "ISystemActivator", NULL, MSRPC_OBJECTS },
	{ "0767a036-0d22-48aa-ba69-b619480f38cb", "pcasvc", NULL, MSRPC_OTHER },
	{ "0b6edbfa-4a24-4fc6-8a23-942b1eca65d1", "spooler-notify", NULL, MSRPC_OTHER },
	{ "12345678-1234-abcd-ef00-0123456789ab", "spoolss", NULL, MSRPC_OTHER },
	{ "12345678-1234-abcd-ef00-01234567cffb", "netlogon", NULL, MSRPC_OTHER },
	{ "12345778-1234-abcd-ef00-0123456789ab", "lsarpc", NULL, MSRPC_OTHER },
	{ "12345778-1234-abcd-ef00-0123456789ac", "samr", NULL, MSRPC_OTHER },
	{ "1544f5e0-613c-11d1-93df-00c04fd7bd09", "rfr", "exchange", MSRPC_OTHER },
	{ "17fdd703-1827-4e34-79d4-24a55c53bb37", "msgsvc-send", NULL, MSRPC_OTHER },
	{ "1be617c0-31a5-11cf-a7d8-00805f48a135", "pop3-sa", NULL, MSRPC_OTHER },
	{ "1ff70682-0a51-30e8-076d-740be8cee98b", "atsvc", NULL, MSRPC_OTHER },
	{ "2f5f3220-c126-1076-b549-074d078619da", "nddeapi", NULL, MSRPC_OTHER },
	{ "2f5f6520-ca46-1067-b319-00dd010662da", "tapsrv", NULL, MSRPC_OTHER },
	{ "338cd001-2244-31f1-aaaa-900038001003", "winreg", NULL, MSRPC_OTHER },
	{ "342cfd40-3c6c-11ce-a893-08002b2e9c6d", "llsrpc", NULL, MSRPC_OTHER },
	{ "367abb81-9844-35f1-ad32-98f038001003", "svcctl", NULL, MSRPC_OTHER },
	{ "378e52b0-c0a9-11cf-822d-00aa0051e40f", "sasec", NULL, MSRPC_OTHER },
	{ "3919286a-b10c-11d0-9ba8-00c04fd92ef5", "dssetup", NULL, MSRPC_OTHER },
	{ "3dde7c30-165d-11d1-ab8f-00805f14db40", "backupkey", NULL, MSRPC_OTHER },
	{ "45f52c28-7f9f-101a-b52b-08002b2efabe", "wins", NULL, MSRPC_OTHER },
	{ "4b324fc8-1670-01d3-1278-5a47bf6ee188", "srvsvc", NULL, MSRPC_OTHER },
	{ "4d9f4ab8-7d1c-11cf-861e-0020af6e7c57", "IActivation", NULL, MSRPC_OBJECTS },
	{ "4fc742e0-4a10-11cf-8273-00aa004ae673", "netdfs", NULL, MSRPC_OTHER },
	{ "50abc2a4-574d-40b3-9d66-ee4fd5fba076", "dnsserver", NULL, MSRPC_OTHER },
	{ "5261574a-4572-206e-b268-6b199213b4e4", "emsmdb-async", "exchange", MSRPC_OTHER },
	{ "57674cd0-5200-11ce-a897-08002b2e9c6d", "llsrpc", NULL, MSRPC_OTHER },
	{ "5a7b91f8-ff00-11d0-a9b2-00c04fb6e6fc", "msgsvc", NULL, MSRPC_OTHER },
	{ "5ca4a760-ebb1-11cf-8611-00a0245420ed", "winstation", NULL, MSRPC_OTHER },
	{ "6bffd098-a112-3610-9833-46c3f87e345a", "wkssvc", NULL, MSRPC_OTHER },
	{ "76f03f96-cdfd-44fc-a22c-64950a001209", "par", NULL, MSRPC_OTHER },
	{ "811109bf-a4e1-11d1-ab54-00a0c91e9b45", "winsi2", NULL, MSRPC_OTHER },
	{ "82273fdc-e32a-18c3-3f78-827929dc23ea", "eventlog", NULL, MSRPC_OTHER },
	{ "86d35949-83c9-4044-b424-db363231fd0c", "tasks", NULL, MSRPC_OTHER },
	{ "894de0c0-0d55-11d3-a322-00c04fa321a1", "initshutdown", NULL, MSRPC_OTHER },
	{ "897e2e5f-93f3-4376-9c9c-fd2277495c27", "frs2", NULL, MSRPC_OTHER },
	{ "8d9f4e40-a03d-11ce-8f69-08003e30051b", "ntsvcs", NULL, MSRPC_OTHER },
	{ "93149ca2-973b-11d1-8c39-00c04fb984f9", "scesvc", NULL, MSRPC_OTHER },
	{ "99fcfec4-5260-101b-bbcb-00aa0021347a", "oxid", NULL, MSRPC_OBJECTS },
	{ "a4f1db00-ca47-1067-b31f-00dd010662da", "emsmdb", "exchange", MSRPC_OTHER },
	{ "acd9f2a0-ad0f-11d2-9b8b-00104b9b3ee4", "efsrpc-local", NULL, MSRPC_OTHER },
	{ "afa8bd80-7d8a-11c9-bef4-08002b102989", "mgmt", NULL, MSRPC_OTHER },
	{ "c681d488-d850-11d0-8c52-00c04fd90f7e", "efsrpc", NULL, MSRPC_OTHER },
	{ "d049b186-814f-11d1-9a3c-00c04fc9b232", "frsapi", NULL, MSRPC_OTHER },
	{ "d95afe70-a6d5-4259-822e-2c84da1ddb0d", "shutdown", NULL, MSRPC_OTHER },
	{ "df1941c5-fe89-4e79-bf10-463657acf44d", "efsrpc", NULL, MSRPC_OTHER },
	{ "e1af8308-5d1f-11c9-91a4-08002b14a0fa", "epm", NULL, MSRPC_MAPPER },
	{ "e3514235-4b06-11d1-ab04-00c04fc2dcd2", "drsuapi", NULL, MSRPC_OTHER },
	{ "f5cc59b4-4264-101a-8c59-08002b2f8426", "frsrpc", NULL, MSRPC_OTHER },
	{ "f5cc5a18-4264-101a-8c59-08002b2f8426", "nspi", "exchange", MSRPC_OTHER },
	{ "f5cc5a7c-4264-101a-8c59-08002b2f8426", "xds", "exchange", MSRPC_OTHER },
	{ "f6beaff7-1e19-4fbb-9f8f-b89e2018337c", "even6", NULL, MSRPC_OTHER },
};

enum { INTERFACES = sizeof(interfaces) / sizeof(interfaces[0]) };

void
msrpc_interface_uuid(struct bytes *b, bool little, char text[MSRPC_UUID])
{
	uint32_t low = little ? bytes_le32(b) : bytes_be32(b);
	uint16_t mid = little ? bytes_le16(b) : bytes_be16(b);
	uint16_t high = little ? bytes_le16(b) : bytes_be16(b);
	uint16_t clock = bytes_be16(b);
	uint64_t node = (uint64_t)bytes_be16(b) << 32;

	node |= bytes_be32(b);
	snprintf(text, MSRPC_UUID, "%08x-%04x-%04x-%04x-%012llx", low, mid, high, clock,
		 (unsigned long long)node);
}

const struct msrpc_interface *
msrpc_interface_find(const char *uuid)
{
	for (unsigned i = 0; i < INTERFACES; i++)
		if (strcmp(interfaces[i].uuid, uuid) == 0)
			return &interfaces[i];
	return NULL;
}

enum msrpc_kind
msrpc_interface_tell(struct msrpc_told *told, const char *uuid, const struct inspect_sink *sink)
{
	const struct msrpc_interface *it = msrpc_interface_find(uuid);
	const char *name = it ? it->name : uuid;
	uint8_t number = it ? (uint8_t)(it - interfaces + 1) : 0;

	for (unsigned i = 0; i < told->count; i++)
		if (told->seen[i] == number)
			return it ? it->kind : MSRPC_OTHER;
	if (told->count < MSRPC_INTERFACES) {
		told->seen[told->count++] = number;
		sink->field(sink->self, MSRPC_INTERFACE, bytes_of(name, strlen(name)));
	}
	if (it && it->application)
		sink->application(sink->self, it->application);
	return it ? it->kind : MSRPC_OTHER;
}
