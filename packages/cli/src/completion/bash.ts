import type { CompletedCommand, CompletedValue } from './tree.ts';
import { allCommands } from './tree.ts';

/** A script for bash, from version 3.2 on, without the package bash-completion. */
export function bashScript(program: CompletedCommand): string {
  const commands = allCommands(program);
  const paths = commands.slice(1).map(({ path }) => quote(path.join(' ')));
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ short, long, value }) => {
      if (value === undefined) return [];
      const words = [long, ...(short ? [short] : [])].map((each) =>
        quote(`${[...path, each].join(' ')}`),
      );
      return [`    ${words.join('|')}) ${valueCode(value)} return ;;`];
    }),
  );
  const words = commands.map(
    (command) => `    ${quote(command.path.join(' '))}) ${commandCode(command)} ;;`,
  );
  return `# bash completion for probity: source <(probity completion bash)
_probity() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} path=probity options= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path \${COMP_WORDS[i]}" in
    ${paths.join('|')}) path="$path \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path $prev" in
${values.join('\n')}
  esac
  case "$path" in
${words.join('\n')}
  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$cur")); fi
}
complete -F _probity probity
`;
}

function commandCode({ options, commands, argument }: CompletedCommand): string {
  const flags = options.flatMap(({ short, long }) => (short ? [short, long] : [long]));
  const names = commands.map(({ path }) => path.at(-1) ?? '');
  const value = argument ?? { name: '', choices: names, isFile: false };
  return `options=${quote(flags.join(' '))}; ${valueCode(value)}`;
}

function valueCode({ choices, isFile }: CompletedValue): string {
  if (isFile) {
    return 'compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"));';
  }
  return choices.length === 0
    ? ':;'
    : `COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$cur"));`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
