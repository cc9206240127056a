# SPDX-License-Identifier: LGPL-3.0-or-later
# The protocol modules: one file and one line here for each, by name.

pdlmdir = $(pkgdatadir)/pdlm
dist_pdlm_DATA = $(BARN_PDLM)
BARN_PDLM =

# Here when it exists: dist_man_MANS += pdlm/pdlm.5
