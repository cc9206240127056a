" SPDX-License-Identifier: LGPL-3.0-or-later
" Vim syntax file: protocol description modules of barn, pdlm(5)

if exists('b:current_syntax')
	finish
endif

" A name may have '-' inside: ip-protocol and sub-class are one word.
syntax iskeyword @,48-57,_,-

syntax keyword pdlmTop const protocol
syntax keyword pdlmItem title id index alias reference attribute port ip-protocol ethertype
syntax keyword pdlmItem ndpi over host inspect rule field sub-class expect upgrade
syntax keyword pdlmItem number extends value resolved endpoint confine test
syntax keyword pdlmSide client server any
syntax keyword pdlmWord address and at client-port dscp flag glob in length life line many
syntax keyword pdlmWord next not numbers or raw server-port then unknown
syntax keyword pdlmReader u8 u16be u16le u24be u24le u32be u32le u64be u64le
syntax keyword pdlmTransport tcp udp sctp
syntax keyword pdlmStrength sure likely hint

syntax match pdlmNumber /\<\d\+\>/
syntax match pdlmNumber /\<0x\x\+\>/
syntax match pdlmCapture /\$\d/
syntax match pdlmArrow /=>/

" What looks like two digits behind hex is a byte.
syntax match pdlmHex /\<hex\>\s*\(\(\x\x\|\x?\|?\x\|??\|\[\x\x-\x\x\]\|([^)]*)\)\+\>\?\s*\)\+/ contains=pdlmHexWord
syntax match pdlmHexWord /\<hex\>/ contained

syntax match pdlmEscape /\\\(x\x\x\|.\)/ contained
syntax region pdlmString start=/i\?"/ skip=/\\./ end=/"/ oneline contains=pdlmEscape
" A slash with a blank before it and none behind.
syntax region pdlmRegex start=/\(^\|\s\)\@<=\/\S\@=/ skip=/\\./ end=/\/i\?/ oneline

syntax match pdlmComment /#.*/ contains=@Spell

highlight default link pdlmTop Structure
highlight default link pdlmItem Keyword
highlight default link pdlmSide Identifier
highlight default link pdlmWord Statement
highlight default link pdlmReader Function
highlight default link pdlmTransport Type
highlight default link pdlmStrength Constant
highlight default link pdlmNumber Number
highlight default link pdlmCapture Special
highlight default link pdlmArrow Operator
highlight default link pdlmHex Number
highlight default link pdlmHexWord Statement
highlight default link pdlmEscape SpecialChar
highlight default link pdlmString String
highlight default link pdlmRegex String
highlight default link pdlmComment Comment

let b:current_syntax = 'pdlm'
