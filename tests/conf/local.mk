# SPDX-License-Identifier: LGPL-3.0-or-later
# Configurations, right and wrong, and what they make of captures.

TESTS += tests/conf/run tests/conf/tc
dist_check_SCRIPTS += tests/conf/run tests/conf/tc
EXTRA_DIST += tests/conf/bad tests/conf/good tests/conf/captures.sh tests/conf/forms.dialogue
