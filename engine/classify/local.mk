# SPDX-License-Identifier: LGPL-3.0-or-later
# classify: the registry of protocols and the decision on a flow.

libbarncore_la_SOURCES +=
