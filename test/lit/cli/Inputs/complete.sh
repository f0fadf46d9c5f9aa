# complete.sh SCRIPT WORD...: what bash offers for the last word.
compopt() { :; } # only has a meaning while the shell completes
source "$1"
COMP_WORDS=("${@:2}")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_clopt
if ((${#COMPREPLY[@]})); then
  printf '%s\n' "${COMPREPLY[@]}"
fi
