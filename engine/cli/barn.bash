# SPDX-License-Identifier: LGPL-3.0-or-later
# shellcheck shell=bash
# Completion of barn's commands, options, protocols and files. What there is to complete is
# asked of barn itself.

_barn_options() {
	"$1" help "$2" 2>/dev/null | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\)\(\[=.*\)\{0,1\}.*/\2\3/p' |
		sed 's/\[=.*//; s/[ \t].*//'
}

_barn_modules() {
	mapfile -t COMPREPLY < <(
		compgen -d -- "$1"
		compgen -f -X '!*.pdlm' -- "$1"
	)
}

_barn() {
	local program=$1 word=$2 before=$3 command=${COMP_WORDS[1]} words=
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$("$program" help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p')
	elif [[ $before == = || $word == = ]] && [[ ${COMP_WORDS[*]} == *--flows* ]]; then
		words='text json csv'
		word=${word#=}
	else
		case $before in
		--protocol)
			words=$("$program" pdlm list 2>/dev/null | sed -n '2,$s/ .*//p') ;;
		--top | --interface | --inside | -j | --jobs | -f | --filter | --match) return ;;
		-M | --modules)
			mapfile -t COMPREPLY < <(compgen -d -- "$word")
			return ;;
		-m | --module)
			_barn_modules "$word"
			return ;;
		esac
		if [[ $command == pdlm && ${COMP_WORDS[2]} == check && $COMP_CWORD -gt 2 &&
			$word != -* ]]; then
			_barn_modules "$word"
			return
		fi
		if [[ $word == -* ]]; then
			words=$(_barn_options "$program" "$command")
		elif [ -z "$words" ]; then
			case $command in
			help) words=$("$program" help 2>/dev/null | sed -n 's/^  \([a-z]*\)  .*/\1/p') ;;
			pdlm) [ "$COMP_CWORD" -eq 2 ] && words='check list' ;;
			esac
		fi
	fi
	if [ -n "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

complete -o filenames -F _barn barn
