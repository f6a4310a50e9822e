/**
 * What a shell loads so that it asks this program for completions. The scripts know nothing of the commands.
 *
 * The answer they get (see `Answer`) has a candidate a line, with its description behind a tabulator, or the one line
 * `:files`, where the names of files are wanted.
 *
 * @since 0.1.0
 */
import type { shells } from "../nouns/Complete.ts"

/**
 * @since 0.1.0
 */
export const make = (shell: (typeof shells)[number], name: string): string => `${scripts[shell](name)}\n`

/** A shell's function is named after the program; a dash wouldn't do everywhere. */
const functionOf = (name: string): string => `_${name.replaceAll(/\W/g, "_")}`

const scripts: Readonly<Record<(typeof shells)[number], (name: string) => string>> = {
  // Works with bash 3.2 too, which knows neither mapfile nor compopt.
  bash: (
    name
  ) => `# bash completion of ${name}: load it, or put it into ~/.local/share/bash-completion/completions/${name}
${functionOf(name)}() {
  COMPREPLY=()
  local answer line
  answer=$(command ${name} __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null) || return 0
  if [ "$answer" = ":files" ]; then
    compopt -o default 2>/dev/null
    return 0
  fi
  while IFS= read -r line; do
    [ -n "$line" ] && COMPREPLY[\${#COMPREPLY[@]}]=$line
  done <<< "$answer"
  return 0
}
complete -F ${functionOf(name)} ${name}`,

  zsh: (name) => `#compdef ${name}
# zsh completion of ${name}: load it behind compinit, or put it into a folder of $fpath as _${name}
${functionOf(name)}() {
  local answer line
  local -a values texts
  answer="$(command ${name} __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)" || return 1
  if [[ $answer == ":files" ]]; then
    compset -P '*='
    _files
    return
  fi
  for line in "\${(@f)answer}"; do
    [[ -n $line ]] || continue
    values+=("\${line%%$'\\t'*}")
    if [[ $line == *$'\\t'* ]]; then
      texts+=("\${line%%$'\\t'*}  -- \${line#*$'\\t'}")
    else
      texts+=("$line")
    fi
  done
  (( \${#values} )) && compadd -l -d texts -a values
}
if [[ \${funcstack[1]} == ${functionOf(name)} ]]; then
  ${functionOf(name)} "$@"
else
  compdef ${functionOf(name)} ${name}
fi`,

  fish: (name) => `# fish completion of ${name}: put it into ~/.config/fish/completions/${name}.fish
function _${functionOf(name)}
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    set -l answer (command ${name} __complete fish $words "$current" 2>/dev/null)
    if test "$answer" = ":files"
        __fish_complete_path (string replace -r '^--[^=]*=' '' -- "$current")
    else
        printf '%s\\n' $answer
    end
end
complete -c ${name} -f -a '(_${functionOf(name)})'`
}
