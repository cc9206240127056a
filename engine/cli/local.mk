# SPDX-License-Identifier: LGPL-3.0-or-later
# cli: the barn program, one file a command.

barn_SOURCES +=

# Modules: <folder of /proc/self/exe>/pdlm when config.status stands beside the
# program (the build tree; configure links the source's pdlm there), otherwise
# BARN_PKGDATADIR "/pdlm".
barn_CPPFLAGS = $(AM_CPPFLAGS) -DBARN_PKGDATADIR='"$(pkgdatadir)"'

# Here when they exist: dist_man_MANS += engine/cli/barn.1
# BASH_COMPLETION = engine/cli/barn.bash
