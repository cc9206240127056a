# SPDX-License-Identifier: LGPL-3.0-or-later
# Captures that the tests read, each with the flows that it holds; the folder goes
# into a release as it is.

EXTRA_DIST += captures
