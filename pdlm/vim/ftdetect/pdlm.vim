" SPDX-License-Identifier: LGPL-3.0-or-later
autocmd BufRead,BufNewFile *.pdlm setfiletype pdlm
