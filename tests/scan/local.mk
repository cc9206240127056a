# SPDX-License-Identifier: LGPL-3.0-or-later
# Many patterns at once, with Hyperscan and without.

TESTS += tests/scan/same
dist_check_SCRIPTS += tests/scan/same
EXTRA_DIST += tests/scan/evil.dialogue tests/scan/evil.pdlm
