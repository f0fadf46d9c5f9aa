# complete.zsh FOLDER LINE: the line as zsh completes it at its end, in a terminal of its own.
zmodload zsh/zpty
zpty shell "TERM=dumb zsh -f"
zpty -w shell "PS1=; unsetopt zle_bracketed_paste; fpath=($1 \$fpath); autoload -U compinit; compinit -D -u"
zpty -w shell "bindkey '^I' complete-word; echo re''ady"
while zpty -r shell line; do [[ $line == *ready* ]] && break; done
zpty -w -n shell "$2"$'\t\x01echo "\x05"\n'
zpty -w shell "exit"
while zpty -r shell line; do print -r -- $line; done
