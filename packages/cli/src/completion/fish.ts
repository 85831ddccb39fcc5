import type { CompletedCommand, CompletedOption } from './tree.ts';
import { allCommands } from './tree.ts';

/** A script for fish. */
export function fishScript(program: CompletedCommand): string {
  const commands = allCommands(program);
  const paths = commands.slice(1).map(({ path }) => quote(path.join(' ')));
  return `# fish completion for probity
function __probity_path
    set -l path probity
    for word in (commandline -opc)[2..-1]
        if contains -- "$path $word" ${paths.join(' ')}
            set path "$path $word"
        end
    end
    echo $path
end
complete -c probity -f
${commands.flatMap(linesOf).join('\n')}
`;
}

function linesOf({ path, options, commands, argument }: CompletedCommand): string[] {
  const at = `complete -c probity -n ${quote(`test (__probity_path) = "${path.join(' ')}"`)}`;
  const names = commands.map(
    (each) => `${at} -a ${quote(each.path.at(-1) ?? '')} -d ${quote(each.description)}`,
  );
  const files = argument?.isFile ? [`${at} -F`] : [];
  const choices = argument?.choices.length ? [`${at} -a ${quote(argument.choices.join(' '))}`] : [];
  return [...names, ...files, ...choices, ...options.map((option) => `${at}${optionPart(option)}`)];
}

function optionPart({ short, long, description, value }: CompletedOption): string {
  const names = `${short ? ` -s ${short.slice(1)}` : ''} -l ${long.slice(2)} -d ${quote(description)}`;
  if (value === undefined) return names;
  if (value.isFile) return `${names} -r -F`;
  return value.choices.length > 0
    ? `${names} -x -a ${quote(value.choices.join(' '))}`
    : `${names} -x`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
