import type { CompletedCommand, CompletedOption, CompletedValue } from './tree.ts';
import { allCommands } from './tree.ts';

/** A script for zsh, for a file \`_probity\` on its \`fpath\`. */
export function zshScript(program: CompletedCommand): string {
  const functions = allCommands(program).map(functionOf).join('\n');
  return `#compdef probity
${functions}
if [ "$funcstack[1]" = "_probity" ]; then _probity "$@"; else compdef _probity probity; fi
`;
}

function functionOf(command: CompletedCommand): string {
  const specs = command.options.map(optionSpec);
  if (command.commands.length === 0) {
    const argument = command.argument
      ? [quote(`1:${command.argument.name}:${action(command.argument)}`)]
      : [];
    return `${nameOf(command)}() {\n  _arguments ${[...specs, ...argument].join(' ')}\n}`;
  }
  const list = command.commands.map(({ path, description }) =>
    quote(`${path.at(-1)}:${description.replaceAll(':', '\\:')}`),
  );
  const calls = command.commands.map((each) => `    ${each.path.at(-1)}) ${nameOf(each)} ;;`);
  return `${nameOf(command)}() {
  local curcontext="$curcontext" state line
  local -a commands
  commands=(${list.join(' ')})
  _arguments -C ${specs.join(' ')} '1: :->command' '*:: :->argument'
  case $state in
  command) _describe -t commands command commands ;;
  argument)
    case $line[1] in
${calls.join('\n')}
    esac
    ;;
  esac
}`;
}

function nameOf({ path }: CompletedCommand): string {
  return `_${path.join('_').replaceAll('-', '_')}`;
}

function optionSpec({ short, long, description, value }: CompletedOption): string {
  const text = description.replace(/[[\]\\]/g, '\\$&').replaceAll(':', '\\:');
  const suffix = value === undefined ? '' : `:${value.name}:${action(value)}`;
  // An option may be given again: those that may not are refused by the command.
  if (short === undefined) return quote(`*${long}[${text}]${suffix}`);
  return `${quote(`(${short} ${long})`)}{${short},${long}}${quote(`[${text}]${suffix}`)}`;
}

function action({ choices, isFile }: CompletedValue): string {
  if (isFile) return '_files';
  return choices.length === 0 ? ' ' : `(${choices.join(' ')})`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
