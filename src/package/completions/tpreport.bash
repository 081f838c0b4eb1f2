# bash completion: the program itself knows what may follow (tpreport --complete WORD…).
# shellcheck shell=bash

# The words up to the cursor, those that readline cut at "=", ":" or "@" joined again, into _tpreport_words; what stands of the last one
# before readline's own last word into _tpreport_before.
_tpreport_split() {
	local i word rest=$COMP_LINE

	_tpreport_words=()
	_tpreport_before=
	for ((i = 0; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if ((i > 1)) && [[ $rest != [[:space:]]* && $rest == "$word"* && ${#_tpreport_words[@]} -gt 1 ]]; then
			_tpreport_before=${_tpreport_words[-1]}
			_tpreport_words[-1]+=$word
		else
			_tpreport_before=
			_tpreport_words+=("$word")
			rest=${rest#"${rest%%[![:space:]]*}"}
		fi
		rest=${rest#"$word"}
	done
}

_tpreport() {
	local candidate word current
	local -a _tpreport_words words=()
	local _tpreport_before

	COMPREPLY=()
	_tpreport_split
	for word in "${_tpreport_words[@]:1}"; do
		word=${word/#\~\//$HOME/}
		word=${word//[\"\'\\]/}
		words+=("$word")
	done
	current=${words[-1]}
	while IFS= read -r candidate; do
		case $candidate in
		:files | :folders)
			compopt -o filenames 2>/dev/null
			# What readline has of the word: its own last part.
			mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(
				if [ "$candidate" = :files ]; then
					compgen -f -- "${current#"$_tpreport_before"}"
				else
					compgen -d -- "${current#"$_tpreport_before"}"
				fi
			)
			;;
		*)
			candidate=${candidate%%$'\t'*}
			COMPREPLY+=("${candidate#"$_tpreport_before"}")
			;;
		esac
	done < <("${1/#\~\//$HOME/}" --complete "${words[@]}" 2>/dev/null)
	# "bf16=" wants a value.
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace 2>/dev/null
	fi
}

complete -F _tpreport tpreport
