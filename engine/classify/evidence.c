/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/registry.h"

const char *
evidence_name(enum evidence evidence)
{
	switch (evidence) {
	case EVIDENCE_NONE: return "none";
	case EVIDENCE_PORT: return "port";
	case EVIDENCE_LEARNED: return "learned";
	case EVIDENCE_RULE: return "rule";
	case EVIDENCE_NDPI: return "ndpi";
	case EVIDENCE_INSPECTOR: return "inspector";
	case EVIDENCE_EXPECTED: return "expected";
	case EVIDENCE__COUNT: break;
	}
	return "none";
}
