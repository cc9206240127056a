# SPDX-License-Identifier: LGPL-3.0-or-later
# The protocol modules: one file and one line here for each.

BARN_PDLM =

# Here when it exists: dist_man_MANS += pdlm/pdlm.5
