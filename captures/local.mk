# SPDX-License-Identifier: LGPL-3.0-or-later
# Captures that the tests read, each with the flows that it holds.

EXTRA_DIST +=
