# SPDX-License-Identifier: LGPL-3.0-or-later
# shellcheck shell=bash
# Completion of barn's commands, options, protocols and files. What there is to complete is
# asked of barn itself.

# _barn_options PROGRAM COMMAND...
_barn_options() {
	"$1" help "${@:2}" 2>/dev/null | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\)\(\[=.*\)\{0,1\}.*/\2\3/p' |
		sed 's/\[=.*//; s/[ \t].*//'
}

# _barn_commands PROGRAM [COMMAND]
_barn_commands() {
	"$1" help "${@:2}" 2>/dev/null | sed -n 's/^  \([a-z-]*\)  .*/\1/p'
}

# _barn_next PROGRAM WORD...: what may come in place of the last word.
_barn_next() {
	local words
	words=$("$1" help --next -- "${@:2}" 2>/dev/null)
	if [[ -z $words && ${*: -2:1} == port-map ]]; then
		words=$("$1" pdlm list 2>/dev/null | sed -n '2,$s/ .*//p')
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "${*: -1}")
}

_barn_modules() {
	local extended
	extended=$(shopt -p extglob)
	shopt -s extglob
	mapfile -t COMPREPLY < <(
		compgen -d -- "$1"
		compgen -f -X '!*.@(pdlm|so|tar|tar.gz|tgz)' -- "$1"
	)
	$extended
}

_barn() {
	local program=$1 word=$2 before=$3 command=${COMP_WORDS[1]} sub='' words=
	COMPREPLY=()
	# Of the daemon's console barn itself knows what may come next.
	if [[ $command =~ ^(show|clear|load|unload|reload|top|console)$ && $COMP_CWORD -gt 1 ]]; then
		_barn_next "$program" "${COMP_WORDS[@]:1:COMP_CWORD}"
		return
	fi
	[[ $command =~ ^(pdlm|conf)$ && $COMP_CWORD -gt 2 ]] && sub=${COMP_WORDS[2]}
	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$(_barn_commands "$program")
	elif [[ $before == = || $word == = ]] && [[ ${COMP_WORDS[*]} == *--flows* ]]; then
		words='text json csv'
		word=${word#=}
	else
		case $before in
		--protocol)
			words=$("$program" pdlm list 2>/dev/null | sed -n '2,$s/ .*//p') ;;
		--top | --interface | --inside | -j | --jobs | -f | --filter | --match | --opaque) return ;;
		-m | --module | -M | --modules)
			_barn_modules "$word"
			return ;;
		esac
		if [[ $command == pdlm && ($sub == check || $sub == pack || $sub == verify || $sub == test && $COMP_CWORD -eq 3) && $word != -* ]]; then
			_barn_modules "$word"
			return
		fi
		if [[ $word == -* ]]; then
			words=$(_barn_options "$program" "$command" ${sub:+"$sub"})
		elif [ -z "$words" ]; then
			case $command in
			help)
				case $COMP_CWORD in
				2) words=$(_barn_commands "$program") ;;
				3) words=$(_barn_commands "$program" "$before") ;;
				esac ;;
			pdlm | conf)
				[ "$COMP_CWORD" -eq 2 ] && words=$(_barn_commands "$program" "$command") ;;
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
